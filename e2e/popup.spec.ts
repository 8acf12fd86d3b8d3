import { test, expect, html, load, opened, refused, tried, withoutGesture } from './popups.js';
import { app } from './securesite.js';

const shop = 'https://shop.example.com';

test('after the user has allowed it, a window shows html below a banner that names tool and revision, and both talk', async ({ host }) => {
  const page = html(`<body><h1>Hello</h1><script>
    addEventListener('message', ({ data }) => parent.postMessage({ echo: data }, '*'));
    parent.postMessage({ at: 'start', none: undefined }, '*');
  </script>`);
  const { at, shell } = await opened(host, page);
  await expect(shell.frameLocator('iframe').getByRole('heading')).toHaveText('Hello');
  const banner = await shell.locator('header').innerText();
  const revision = await host.evaluate(() => prompted[0]!.revision);
  expect(banner).toContain(`Shown by the tool ${await host.evaluate(() => prompted[0]!.tool)} (${revision.slice(0, 20)}), not by app.example.com.`);
  expect(await host.evaluate(() => prompted.map(({ capability, scope, declared, leak }) => [capability, scope, declared, leak]))).toEqual([
    ['popup', 'custom-html', true, expect.stringContaining('learn what you enter there')],
  ]);
  await host.evaluate((at) => attempts[at]!.popup!.post({ n: [1, '<b>'] }), at);
  await expect.poll(() => host.evaluate((at) => attempts[at]!.heard, at)).toEqual([{ at: 'start' }, { echo: { n: [1, '<b>'] } }]);
  const gone = shell.waitForEvent('close');
  await host.evaluate((at) => attempts[at]!.finish('done'), at);
  await gone;
  await host.waitForFunction((at) => attempts[at]!.record && attempts[at]!.heard.includes('(end)'), at);
  const seen = await host.evaluate(async (at) => ({ record: attempts[at]!.record!, ended: attempts[at]!.ended, audit: await ty.audit.query({ capability: 'popup' }) }), at);
  expect(seen.record).toMatchObject({ outcome: 'ok', result: 'done', isolation: 'host' });
  expect(seen.record.asks).toEqual([expect.objectContaining({ capability: 'popup', decision: 'allowed', scope: 'custom-html', sent: true, bytesOut: page.kind === 'custom-html' ? page.html.length : 0 })]);
  expect(seen.ended).toBe('call');
  expect(seen.audit).toEqual([expect.objectContaining({ capability: 'popup', decision: 'allowed', scope: 'custom-html', tool: seen.record.tool })]);
});

test('what is not declared, not allowed, not an https origin, or the application itself opens no window', async ({ host, browserOf }) => {
  const origin = (url: string) => ({ kind: 'origin', url });
  const denied = (code: string, scope?: string) => ['PopupError', code, 'tool_error', false, ['popup', 'denied', code, scope, false]];
  const failed = (code: string) => ['PopupError', code, 'tool_error', false, ['popup', 'failed', code, undefined, false]];
  const rows: [unknown, readonly string[] | undefined, unknown][] = [
    [html(''), [], denied('undeclared', 'custom-html')],
    [html(''), [shop], denied('undeclared', 'custom-html')],
    [origin(shop), ['custom-html'], denied('undeclared', shop)],
    [origin('https://www.shop.example.com'), undefined, denied('undeclared', 'https://www.shop.example.com')],
    [origin(`${shop}:8443/`), undefined, denied('undeclared', `${shop}:8443`)],
    [origin('http://shop.example.com/'), undefined, denied('scheme')],
    [origin('javascript:alert(1)'), undefined, denied('scheme')],
    [origin('data:text/html,x'), undefined, denied('scheme')],
    [origin(`blob:${app}/1`), undefined, denied('scheme')],
    [origin('about:blank'), undefined, denied('scheme')],
    [origin('/blank.html'), undefined, denied('raw_form')],
    [origin('https://a:b@shop.example.com/'), undefined, denied('credentials')],
    [origin('https://shop.example.com./'), undefined, denied('host_form')],
    [origin('https://localhost/'), undefined, denied('host_name')],
    [origin('https://127.0.0.1/'), undefined, denied('address')],
    [origin('https://[::1]/'), undefined, denied('address')],
    [origin('https://192.168.1.1/'), undefined, denied('address')],
    [origin(`${app}/blank.html`), [app], denied('self')],
    [{ kind: 'origin' }, undefined, failed('invalid_request')],
    [{ kind: 'other' }, undefined, failed('invalid_request')],
    [{ kind: 'custom-html', html: '', url: shop }, undefined, failed('invalid_request')],
    [{ kind: 'custom-html', html: '', width: 9 }, undefined, failed('invalid_request')],
    [html('x'.repeat((1 << 20) + 1)), undefined, failed('too_large')],
    [html(''), ['*'], ['PopupError', 'invalid_definition', 'tool_error', false, ['popup', 'failed', 'invalid_definition', 'custom-html', false]]],
  ];
  for (const [request, needs, want] of rows) expect(await refused(host, request, needs), JSON.stringify(request).slice(0, 80)).toEqual(want);
  expect(await host.evaluate(() => prompted.length), 'nobody was asked').toBe(0);
  await host.evaluate(() => (answering = 'deny'));
  expect(await refused(host, html(''))).toEqual(denied('not_granted', 'custom-html'));
  expect(await host.evaluate(() => prompted.length)).toBe(1);
  expect(browserOf.contexts().flatMap((context) => context.pages())).toHaveLength(1);
  expect(await host.evaluate(async () => (await ty.audit.query({ capability: 'popup', decision: 'denied' })).length)).toBe(rows.filter(([, , want]) => JSON.stringify(want).includes('"denied"')).length + 1);
});

test('while the user is asked there is no window, and the end of the call ends the question', async ({ host, browserOf }) => {
  const at = await host.evaluate(() => {
    answering = 'wait';
    const control = new AbortController();
    (globalThis as unknown as { control: AbortController }).control = control;
    return openPopup({ kind: 'custom-html', html: '' }, undefined, { signal: control.signal });
  });
  await host.waitForFunction(() => prompted.length === 1);
  expect(browserOf.contexts().flatMap((context) => context.pages())).toHaveLength(1);
  await host.evaluate(() => (globalThis as unknown as { control: AbortController }).control.abort());
  await host.waitForFunction((at) => attempts[at]!.record && attempts[at]!.refused, at);
  expect(await host.evaluate((at) => [attempts[at]!.record!.outcome, attempts[at]!.refused!.code, attempts[at]!.record!.asks[0]!.decision], at)).toEqual(['aborted', 'aborted', 'open']);
  expect(browserOf.contexts().flatMap((context) => context.pages())).toHaveLength(1);
});

test('where the gesture is stale, a bar asks for a click: Open opens, Not now does not', async ({ host }) => {
  const start = `openPopup({ kind: 'custom-html', html: '<h1>Late</h1>' })`;
  await withoutGesture(host, start);
  const bar = host.getByRole('dialog', { name: 'A tool wants to open a window' });
  await expect(bar).toContainText(/^The tool native-\d+ wants to open a window: a page of its own/);
  expect(host.context().pages()).toHaveLength(1);
  const shell = host.context().waitForEvent('page');
  await bar.getByRole('button', { name: 'Open' }).click();
  await expect((await shell).frameLocator('iframe').getByRole('heading')).toHaveText('Late');
  await expect(bar).toHaveCount(0);
  await host.waitForFunction(() => attempts[0]!.popup);
  await withoutGesture(host, start);
  await host.evaluate(() => (document.querySelector('taskyon-popup')?.shadowRoot?.querySelector('button') as HTMLElement | undefined)?.click());
  await expect(bar, 'a click that no user made is none').toHaveCount(1);
  await bar.getByRole('button', { name: 'Not now' }).click();
  await host.waitForFunction(() => attempts[1]!.record);
  expect(await host.evaluate(() => [attempts[1]!.refused?.code, attempts[1]!.record!.asks[0]!.decision, attempts[1]!.record!.asks[0]!.sent])).toEqual(['dismissed', 'failed', false]);
  await expect(bar).toHaveCount(0);
  expect(host.context().pages()).toHaveLength(2);
});

test('an application may ask for the click in its own way, and the bar goes with the call', async ({ host }) => {
  await load(host, { own: true });
  await withoutGesture(host, `openPopup({ kind: 'origin', url: '${shop}/' })`);
  const button = host.getByRole('button', { name: `origin ${shop}` });
  const shell = host.context().waitForEvent('page');
  await button.click();
  await shell;
  await host.waitForFunction(() => attempts[0]!.popup);
  await expect(button).toHaveCount(0);
  await withoutGesture(host, `globalThis.control = new AbortController(), openPopup({ kind: 'custom-html', html: '' }, undefined, { signal: control.signal })`);
  await expect(host.getByRole('button')).toHaveCount(1);
  await host.evaluate(() => (globalThis as unknown as { control: AbortController }).control.abort());
  await expect(host.getByRole('button')).toHaveCount(0);
});

test('a browser that opens no window is told apart from one that did', async ({ host, site }) => {
  site.pages.set(`${app}/framed.html`, `<iframe sandbox="allow-scripts allow-same-origin" src="/framed-inner.html"></iframe>`);
  site.pages.set(`${app}/framed-inner.html`, `<script type="module" src="/harness.js"></script>`);
  await host.goto(`${app}/framed.html`);
  const inner = host.frame({ url: /framed-inner/ })!;
  await load(inner);
  expect(await refused(inner, html('x'))).toEqual(['PopupError', 'blocked', 'tool_error', false, ['popup', 'failed', 'blocked', 'custom-html', false]]);
  expect(host.context().pages()).toHaveLength(1);
});

test('a window that the user closes early ends for the tool, a reloaded one too, and nothing else does', async ({ host }) => {
  const first = await opened(host, html('<h1>1</h1>'));
  const second = await opened(host, html(`<script>addEventListener('message', ({ data }) => parent.postMessage(data, '*'))</script>`));
  await first.shell.close();
  await expect.poll(() => host.evaluate((at) => [attempts[at]!.ended, attempts[at]!.heard], first.at)).toEqual(['user', ['(end)']]);
  await host.evaluate(([one, two]) => {
    attempts[one]!.popup!.post('late');
    attempts[one]!.popup!.close();
    attempts[two]!.popup!.post('on');
  }, [first.at, second.at] as const);
  await expect.poll(() => host.evaluate((at) => attempts[at]!.heard, second.at)).toEqual(['on']);
  expect(await host.evaluate((at) => attempts[at]!.record, first.at), 'the call goes on').toBeUndefined();
  await second.shell.evaluate(() => location.reload()).catch(() => {});
  await expect.poll(() => host.evaluate((at) => attempts[at]!.ended, second.at)).toBe('user');
  await host.evaluate(([one, two]) => [one, two].forEach((at) => attempts[at]!.finish('done')), [first.at, second.at] as const);
  await host.waitForFunction(([one, two]) => attempts[one]!.record?.outcome === 'ok' && attempts[two]!.record?.outcome === 'ok', [first.at, second.at] as const);
});

test('a call has one window and an engine three; one that has closed makes room', async ({ host }) => {
  const codes = await host.evaluate(async () => {
    const revision = await harness.native(
      async (_, { popup }) => {
        const codes: string[] = [];
        const wish = { kind: 'custom-html', html: '' } as const;
        const one = await popup(wish);
        await popup(wish).catch((error: { code: string }) => codes.push(error.code));
        one.close();
        codes.push(await one.closed);
        return codes;
      },
      { needs: { popup: ['custom-html'] } },
    );
    answering = 'session';
    const run = harness.runRevision(revision);
    return (await run).result as unknown;
  });
  expect(codes).toEqual(['too_many', 'tool']);
  const all = [];
  for (let n = 0; n < 3; n++) all.push(await opened(host, html(`<h1>${n}</h1>`)));
  expect(await refused(host, html(''))).toEqual(['PopupError', 'too_many', 'tool_error', false, ['popup', 'failed', 'too_many', 'custom-html', false]]);
  await host.evaluate((at) => attempts[at]!.popup!.close(), all[0]!.at);
  await expect.poll(() => tried(host, html('<h1>again</h1>'))).toBe('opened');
  const last = all[2]!.shell.waitForEvent('close');
  await host.evaluate(() => ty.close());
  await last;
  await expect.poll(() => host.context().pages().length, { message: 'the end of the engine closes them all' }).toBe(1);
});

test('the time of a call stands still while its window is open, and its deadline closes none before', async ({ host }) => {
  const shell = host.context().waitForEvent('page');
  await host.evaluate(() => openPopup({ kind: 'custom-html', html: '' }, undefined, { timeoutMs: 800 }));
  const page = await shell;
  await host.waitForFunction(() => attempts[0]!.popup);
  await host.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1600)));
  expect(page.isClosed()).toBe(false);
  await host.evaluate(() => attempts[0]!.popup!.close());
  await host.waitForFunction(() => attempts[0]!.record);
  expect(await host.evaluate(() => attempts[0]!.record!.outcome), 'the clock goes on when it has closed').toBe('timeout');
});

test('a page at an https origin is opened without opener and referrer, and counts until the user has closed it', async ({ host, site }) => {
  site.pages.set(`${shop}/a`, `<title>shop</title><h1>shop</h1><script>document.title = [opener, document.referrer === ''].join()</script>`);
  const { at, shell } = await opened(host, { kind: 'origin', url: `${shop}/a?b=1#c` });
  await expect(shell).toHaveURL(`${shop}/a?b=1`);
  await expect(shell).toHaveTitle(',true');
  expect(site.of('shop.example.com').filter(({ path }) => path.startsWith('/a'))).toEqual([{ host: 'shop.example.com', path: '/a?b=1', referrer: undefined }]);
  expect(await host.evaluate((at) => {
    try {
      attempts[at]!.popup!.post('x');
    } catch (error) {
      return (error as { code: string }).code;
    }
    return 'posted';
  }, at)).toBe('invalid_request');
  expect(host.url()).toBe(`${app}/blank.html`);
  await host.evaluate((at) => attempts[at]!.finish(), at);
  await host.waitForFunction((at) => attempts[at]!.record, at);
  expect(await host.evaluate((at) => [attempts[at]!.ended, attempts[at]!.record!.asks[0]!.scope, attempts[at]!.record!.asks[0]!.sent], at)).toEqual(['call', shop, true]);
  expect(shell.isClosed(), 'without an opener it is the user who closes it').toBe(false);
  // It counts until then.
  await host.evaluate(() => (answering = 'session'));
  const more = [await opened(host, html('2')), await opened(host, html('3'))];
  expect((await refused(host, html('4')))[1]).toBe('too_many');
  await shell.close();
  await expect.poll(() => tried(host, html('5'))).toBe('opened');
  expect(more.every(({ shell }) => !shell.isClosed())).toBe(true);
});

test('messages come from that window at that origin alone, and go there alone', async ({ host, site }) => {
  site.pages.set(`${shop}/talk`, `<iframe src="/inner"></iframe><script>
    addEventListener('message', ({ data, origin }) => data === 'leave' ? location.assign('https://other.example.com/talk') : opener.postMessage({ data, origin }, '${app}'));
    opener.postMessage('hello', '${app}');
  </script>`);
  site.pages.set(`${shop}/inner`, `<script>top.opener.postMessage('from a frame', '*')</script>`);
  site.pages.set('https://other.example.com/talk', `<h1>other</h1><script>opener.postMessage('from another origin', '*'); addEventListener('message', () => document.title = 'heard')</script>`);
  const { at, shell } = await opened(host, { kind: 'origin', url: `${shop}/talk`, messages: true });
  await host.evaluate(() => {
    postMessage('from the page itself', '*');
    postMessage({ taskyonPopup: '1-2-3-4' }, '*');
  });
  await expect.poll(() => host.evaluate((at) => attempts[at]!.heard, at)).toEqual(['hello']);
  await host.evaluate((at) => attempts[at]!.popup!.post({ to: 'shop' }), at);
  await expect.poll(() => host.evaluate((at) => attempts[at]!.heard, at)).toEqual(['hello', { data: { to: 'shop' }, origin: app }]);
  await host.evaluate((at) => attempts[at]!.popup!.post('leave'), at);
  await expect(shell.getByRole('heading')).toHaveText('other');
  await host.evaluate((at) => attempts[at]!.popup!.post('a secret'), at);
  await shell.evaluate(() => opener.postMessage('once more', '*'));
  expect(await host.evaluate((at) => attempts[at]!.heard, at)).toHaveLength(2);
  expect(await shell.title()).toBe('');
  const gone = shell.waitForEvent('close');
  await host.evaluate((at) => attempts[at]!.finish(), at);
  await gone;
  await expect.poll(() => host.evaluate((at) => attempts[at]!.ended, at)).toBe('call');
});

test('under an opener policy of same-origin, html is shown where popup.html has the same, and a window that is parted is told', async ({ host, site }) => {
  for (const [policy, want] of [['same-origin', 'opened'], ['unsafe-none', 'dismissed']] as const) {
    site.own.set('/blank.html', { 'cross-origin-opener-policy': 'same-origin' });
    site.own.set('/popup.html', { 'cross-origin-opener-policy': policy });
    await host.goto(`${app}/blank.html`);
    await load(host);
    expect(await tried(host, html('<h1>1</h1>'))).toBe(want);
  }
});

test('a site without the two files says so', async ({ host, site }) => {
  site.own.set('/popup-frame.html', { 'content-security-policy': `frame-ancestors 'none'` });
  expect(await tried(host, html(''))).toBe('unavailable');
  await load(host, { popupURL: '/missing.html' });
  expect(await tried(host, html(''))).toBe('unavailable');
  await load(host, { popupURL: 'https://shop.example.com/popup.html' });
  expect(await tried(host, html(''))).toBe('unavailable');
  await expect.poll(() => host.context().pages().length).toBe(1);
});
