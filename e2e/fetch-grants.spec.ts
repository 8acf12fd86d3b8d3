import { api, expect, needs, origins, test, toolOf } from './hostile.js';

const other = origins[1]!;
const login = origins[3]!;

interface Failed {
  readonly failed: string;
  readonly message: string;
}

test('a question says everything that a yes lets out', async ({ web, hostile }) => {
  await web.load({ says: 'once' });
  const declared = { fetch: [{ origin: api, access: 'write' as const }, { origin: '*', access: 'read' as const }] };
  const revision = await web.install(`
    await fetch('${api}/echo', { method: 'post', body: 'x', headers: { 'X-Api-Key': 'k', Authorization: 'Bearer b' } });
    await fetch('https://b\\u00fccher.example.com/json?q=private#hash');
    return 1;
  `, { name: 'asker', needs: declared });
  await web.result(revision);
  const [first, second] = (await web.asked()).map(({ request }) => request);
  expect(first).toEqual({
    tool: 'asker', revision: revision.id, capability: 'fetch', scope: api, readable: api, class: 'write', method: 'POST', credentials: ['authorization', 'x-api-key'],
    leak: expect.stringContaining('may send this site anything'), need: { capability: 'fetch', scope: api, readable: api, class: 'write' }, declared: true, asks: 1,
    answers: ['once', 'session', 'always', 'deny'],
  });
  expect(second).toMatchObject({
    scope: 'https://xn--bcher-kva.example.com', readable: 'https://bücher.example.com', class: 'read', method: 'GET', declared: false, need: { scope: '*', class: 'read' },
  });
  expect(second).not.toHaveProperty('credentials');
  expect(JSON.stringify([first, second])).not.toMatch(/private|Bearer/);
  expect(await hostile.lines()).toEqual(['POST api.example.com/echo', 'GET xn--bcher-kva.example.com/json?q=private']);
});

test('once is for the asks that were shown, session for this engine, and deny is remembered within its call', async ({ web, hostile, page }) => {
  const thrice = `const got = []; for (let i = 0; i < 3; i++) got.push(await said(fetch('${api}/json?' + i).then((r) => r.status))); return got;`;
  for (const [says, questions, got] of [['once', 3, 200], ['session', 1, 200], ['always', 1, 200], ['deny', 1, { failed: 'not_granted' }], ['none', 0, { failed: 'not_granted' }]] as const) {
    await web.load({ says });
    await hostile.forget();
    const revision = await web.install(thrice);
    const list = await web.result<unknown[]>(revision);
    for (const one of list) expect(one, says).toEqual(typeof got === 'number' ? got : expect.objectContaining(got));
    expect(await web.asked(), says).toHaveLength(questions);
    expect(await hostile.lines(), says).toHaveLength(typeof got === 'number' ? 3 : 0);
    // The next call: what was for one ask or one call is asked again.
    await web.run(revision);
    expect(await web.asked(), says).toHaveLength({ once: 6, session: 1, always: 1, deny: 2, none: 0 }[says]);
    await page.evaluate(() => ty.close());
  }
});

test('a handler that throws, rejects or says anything else has said no', async ({ web, hostile, page }) => {
  for (const kind of ['throws', 'rejects', 'yes', 'nothing', 'true'] as const) {
    await page.evaluate(
      (kind) =>
        harness.load({
          onPermission: () => {
            if (kind === 'throws') throw new Error('no');
            if (kind === 'rejects') return Promise.reject(new Error('no'));
            return ({ yes: 'yes', nothing: undefined, true: true } as const)[kind] as never;
          },
        }),
      kind,
    );
    expect(await web.result(`return said(fetch('${api}/json'))`), kind).toMatchObject({ failed: 'not_granted' });
    await page.evaluate(() => ty.close());
  }
  expect(await hostile.lines()).toEqual([]);
});

test('what a tool does not declare is never asked about', async ({ web, hostile }) => {
  await web.load();
  const nothing = await web.install(`return said(fetch('${api}/json'))`, { needs: {} });
  expect(await web.result(nothing)).toMatchObject({ failed: 'need' });
  const reads = await web.install(`return Promise.all(['${api}', 'https://api.example.com:8443', '${other}'].map((origin) => said(fetch(origin + '/echo', { method: origin === '${api}' ? 'POST' : 'GET' }))))`, {
    needs: { fetch: [{ origin: api, access: 'read' }] },
  });
  expect((await web.result<Failed[]>(reads)).map(({ failed }) => failed)).toEqual(['need', 'need', 'need']);
  expect(await web.asked()).toEqual([]);
  expect(await hostile.lines()).toEqual([]);
});

test('one question is shown at a time, and one for the same thing is asked once for all', async ({ web, hostile, page }) => {
  await page.evaluate(() => {
    let shown = 0;
    Object.assign(globalThis, { most: 0, questions: [] });
    return harness.load({
      onPermission: async (request) => {
        const scope = globalThis as unknown as { most: number; questions: object[] };
        scope.questions.push({ scope: request.scope, asks: request.asks });
        scope.most = Math.max(scope.most, ++shown);
        await new Promise((r) => setTimeout(r, 50));
        shown--;
        return 'once' as const;
      },
    });
  });
  const many = await web.install(`return Promise.all(${JSON.stringify(origins)}.flatMap((o) => [o, o]).map((o) => said(fetch(o + '/json').then((r) => r.status))))`);
  expect((await Promise.all([web.result(many), web.result(many)])).flat()).toEqual(Array(16).fill(200));
  const { most, asked } = await page.evaluate(() => {
    const scope = globalThis as unknown as { most: number; questions: { scope: string; asks: number }[] };
    return { most: scope.most, asked: scope.questions };
  });
  expect(most).toBe(1);
  for (const origin of origins) expect(asked.filter(({ scope }) => scope === origin).reduce((n, { asks }) => n + asks, 0), origin).toBe(4);
  expect(asked.length).toBeLessThan(16);
  expect(await hostile.lines()).toHaveLength(16);
});

test('a question is withdrawn when its ask or its call ends, and a late yes lets nothing out', async ({ web, hostile, page }) => {
  await web.load({ says: 'silent', limits: { callMs: 5000, wallMs: 600 } });
  const gaveUp = await web.result(`return said(fetch('${api}/json', { signal: AbortSignal.timeout(50) }))`);
  expect(gaveUp).toMatchObject({ kind: 'TimeoutError' });
  expect(await web.run(`await fetch('${api}/json')`)).toMatchObject({ outcome: 'timeout', asks: [{ decision: 'open', sent: false, scope: api }] });
  await expect.poll(() => web.asked()).toMatchObject([{ withdrawn: true }, { withdrawn: true }]);
  await page.evaluate(() => ty.close());
  // The yes comes after the call has ended.
  await page.evaluate(() =>
    harness.load({
      limits: { wallMs: 300 },
      onPermission: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => setTimeout(() => {
        resolve('always');
        Object.assign(globalThis, { late: true });
      }))),
    }),
  );
  expect(await web.run(`await fetch('${api}/json')`)).toMatchObject({ outcome: 'timeout' });
  await page.waitForFunction(() => 'late' in globalThis);
  expect(await page.evaluate(() => ty.grants.list())).toEqual([]);
  expect(await hostile.lines()).toEqual([]);
});

test('questions that wait are bounded', async ({ web, hostile }) => {
  await web.load({ says: 'silent', limits: { prompts: 1, wallMs: 800 } });
  const got = web.run(`console.log(JSON.stringify(await Promise.all(${JSON.stringify(origins)}.map((o) => Promise.race([said(fetch(o + '/json')), new Promise((r) => setTimeout(r, 300, 'waits'))])))))`);
  const { logs } = await got;
  expect(JSON.parse(logs[0]!.text)).toEqual(['waits', 'waits', expect.objectContaining({ failed: 'too_many_prompts' }), expect.objectContaining({ failed: 'too_many_prompts' })]);
  expect(await hostile.lines()).toEqual([]);
});

test('always survives a reload, ends with a revoke, and a changed revision asks again until the user carries it over', async ({ web, hostile, page }) => {
  const body = `return said(fetch('${api}/json').then((r) => r.status))`;
  await web.load({ store: 'indexeddb', says: 'always' });
  const first = await web.install(body, { name: 'kept' });
  expect(await web.result(first)).toBe(200);
  expect(await web.asked()).toHaveLength(1);
  await page.reload();
  await web.load({ store: 'indexeddb', says: 'deny' });
  expect(await web.result(first)).toBe(200);
  expect(await web.asked()).toHaveLength(0);
  const second = await web.install(`${body} // changed`, { name: 'kept', needs: { fetch: [...needs.fetch.slice(0, 1), { origin: 'https://new.example.com', access: 'read' }] } });
  expect(await web.result(second)).toMatchObject({ failed: 'not_granted' });
  expect(await web.asked()).toHaveLength(1);
  const [grant] = await page.evaluate(() => ty.grants.list());
  expect(grant).toMatchObject({ revision: first.id, tool: 'kept', capability: 'fetch', scope: api, class: 'read', lifetime: 'always', active: true });
  const plan = await page.evaluate(([from, to]) => ty.grants.plan(from, to), [first, second] as const);
  expect(plan).toMatchObject({
    from: first.id, to: second.id, carry: [{ scope: api, class: 'read' }], leave: [], added: [{ scope: 'https://new.example.com' }], changed: [],
  });
  expect(plan.removed).toHaveLength(3);
  // A plan that was tampered with is none.
  const forged = await page.evaluate((plan) => harness.refusal(() => ty.grants.accept({ ...plan, id: plan.id.replace(/.$/, (c) => (c === '0' ? '1' : '0')) })), plan);
  expect(forged.code).toBe('conflict');
  await page.evaluate((plan) => ty.grants.accept(plan), plan);
  expect(await web.result(second)).toBe(200);
  expect(await web.asked()).toHaveLength(1);
  await page.evaluate(async ([revision]) => {
    for (const grant of await ty.grants.list(revision)) await ty.grants.revoke(grant);
  }, [second] as const);
  expect(await web.result(second)).toMatchObject({ failed: 'not_granted' });
  expect(await web.asked()).toHaveLength(2);
  // The old one keeps its own.
  expect(await web.result(first)).toBe(200);
  expect(await page.evaluate(async (id) => (await ty.grants.list(id)).map(({ active, history }) => [active, history.map(({ what }) => what)]), second.id)).toEqual([[false, ['carried', 'revoked']]]);
  expect(await hostile.lines()).toHaveLength(4);
});

test('a yes for reading is none for writing, nor for another site, nor for a credential that it did not name', async ({ web }) => {
  await web.load({ says: 'session' });
  const revision = await web.install(`
    for (const [url, init] of [['${api}/json'], ['${api}/json', { method: 'HEAD' }], ['${api}/echo', { method: 'DELETE' }], ['${api}/echo', { method: 'POST', body: 'x' }], ['${other}/json'], ['${api}/json', { headers: { authorization: 'a' } }], ['${api}/json', { headers: { authorization: 'b' } }]]) await fetch(url, init);
    return 1;
  `);
  await web.result(revision);
  expect((await web.asked()).map(({ request }) => [request.scope, request.class, request.method, request.credentials])).toEqual([
    [api, 'read', 'GET', undefined], [api, 'write', 'DELETE', undefined], [other, 'read', 'GET', undefined], [api, 'read', 'GET', ['authorization']],
  ]);
});

test('the record of a call and the audit agree with what the server has seen', async ({ web, hostile, page }) => {
  await page.evaluate(
    ([login]) => harness.load({ limits: { fetchBytes: 100_000 }, onPermission: ({ scope }) => (scope === login ? 'deny' : 'session') }),
    [login] as const,
  );
  const revision = await web.install(`
    await (await fetch('${api}/bytes?n=5000')).arrayBuffer();
    await (await fetch('${other}/echo', { method: 'POST', body: 'four' })).arrayBuffer();
    await said(fetch('${login}/json'));
    await said(fetch('https://127.0.0.1/'));
    await said(fetch('${api}/redirect/302?to=/json'));
    await said(fetch('${api}/endless').then((r) => r.text()));
    await said(fetch('${api}/hold/headers', { signal: AbortSignal.timeout(50) }));
    return 1;
  `);
  const record = await web.run(revision, {}, { partition: 'p' });
  const rows = record.asks!.map(({ decision, reason, scope, class: kind, sent, bytesOut, bytesIn }) => [decision, reason, scope, kind, sent, bytesOut ?? 0, bytesIn ?? 0]);
  const echoed = rows[1]![6];
  expect(rows).toEqual([
    ['allowed', undefined, api, 'read', true, 0, 5000],
    ['allowed', undefined, other, 'write', true, 4, expect.any(Number)],
    ['denied', 'not_granted', login, 'read', false, 0, 0],
    ['denied', 'address', 'https://127.0.0.1', undefined, false, 0, 0],
    ['failed', 'redirect_blocked', api, 'read', true, 0, 0],
    ['failed', 'too_large', api, 'read', true, 0, expect.any(Number)],
    ['withdrawn', undefined, api, 'read', true, 0, 0],
  ]);
  const seen = await hostile.requests();
  expect(seen.map(({ host, bytes }) => [`https://${host}`, bytes])).toEqual(record.asks!.filter(({ sent }) => sent).map(({ scope, bytesOut }) => [scope, bytesOut ?? 0]));
  expect(seen[1]!.sent).toBe(echoed);
  const audit = await page.evaluate(() => ty.audit.query({}));
  expect(audit.map(({ tool, task, partition, decision, reason, scope, sent }) => [tool, task, partition, decision, reason, scope, sent]).reverse()).toEqual(
    record.asks!.map(({ decision, reason, scope, sent }) => [revision.id, record.task, 'p', decision, reason, scope, sent]),
  );
  const denied = await page.evaluate((id) => ty.audit.query({ revision: id, decision: 'denied', capability: 'fetch', limit: 1 }), revision.id);
  expect(denied).toMatchObject([{ decision: 'denied', reason: 'address' }]);
  expect(JSON.stringify(audit)).not.toMatch(/bytes\?n|four|hold/);
});

test('what a tool will ask for is told before it is installed', async ({ web, page }) => {
  await web.load();
  const definition = { name: 'f', description: '', code: toolOf('return 1'), needs: { fetch: [{ origin: api, access: 'write' as const }], secrets: ['key'], storage: true, subtasks: true } };
  const forecast = await page.evaluate((definition) => ty.tools.forecast(definition), definition);
  expect(forecast.map(({ capability, scope, class: kind, asks }) => [capability, scope, kind, asks])).toEqual([
    ['fetch', api, 'read', true], ['fetch', api, 'write', true], ['secret', 'key', undefined, false], ['storage', 'own', undefined, false], ['subtasks', 'own', undefined, false],
  ]);
  expect(await page.evaluate(() => ty.tools.list())).toEqual([]);
});

test('what is revoked or forgotten in one tab is asked about in the next ask of another', async ({ web, hostile, page }) => {
  await web.load({ store: 'indexeddb', says: 'always' });
  const revision = await web.install(`
    const got = [await said(fetch('${api}/json').then((r) => r.status))];
    await fetch('${other}/hold/headers');
    return [...got, await said(fetch('${api}/json').then((r) => r.status))];
  `);
  const run = web.result(revision);
  await expect.poll(() => hostile.lines()).toHaveLength(2);
  const tab = await page.context().newPage();
  await tab.goto('/blank.html');
  await tab.waitForFunction(() => 'harness' in globalThis);
  await tab.evaluate(async (api) => {
    await harness.load({ store: 'indexeddb' });
    for (const grant of await ty.grants.list()) if (grant.scope === api) await ty.grants.revoke(grant);
  }, api);
  await hostile.release();
  expect(await run).toEqual([200, 200]);
  expect((await web.asked()).map(({ request }) => request.scope)).toEqual([api, other, api]);
  await tab.close();
});
