package contracts

// separation is group S: nothing of the page, its storage or its powers is in reach.
func separation() []Contract {
	const fails = `{"$every":{"$not":"went"}}`
	worker := func(id, title, body string) Contract { return silent(id, title, "frame-sandbox", body) }
	frame := func(id, title, body string) Contract {
		return drill(id, title, "frame-sandbox", body+"\nreturn seen;", fails)
	}
	untouched := Step{Probe: "host", Expect: pattern(`{"broadcast":0,"messages":0,"title":"host","name":"host","active":"BODY","visible":0,"secret":"of the host","polluted":[]}`)}

	s09 := frame("S09", "The page's broadcast channels are deaf to tools and frames", `
new BroadcastChannel('taskyon').postMessage('from the frame');
await wait(100);`)
	s09.Tools = []Tool{{Code: tries(`await attempt('channel', () => { new BroadcastChannel('taskyon').postMessage('from a tool'); return 1 });`)}}
	s09.Steps = []Step{{Expect: settled}, {Drill: true, Expect: pattern(`{}`)}, untouched}

	s14 := drill("S14", "A frame cannot be seen, take the focus, or change title, name or history of the page", "frame-hidden", `
const quietly = (f) => { try { f() } catch {} };
for (let i = 0; i < 50; i++) quietly(() => history.pushState({}, '', '#' + i));
for (const target of [window, parent, top]) {
  quietly(() => target.focus());
  quietly(() => { target.name = 'mine' });
  quietly(() => { target.document.title = 'mine' });
  quietly(() => target.history.pushState({}, '', '/mine'));
}
document.title = 'mine';
document.body.innerHTML = '<input autofocus style="position:fixed;inset:0;width:100vw;height:100vh">';
quietly(() => document.querySelector('input').focus());
await wait(100);
return 1;`, `1`)
	s14.Steps = append(s14.Steps, untouched)
	s14.Steps[2].Expect = pattern(`{"title":"host","active":"BODY","visible":0,"path":"/contracts.html","secret":"of the host"}`)

	s17 := drill("S17", "Frames of two tools cannot disturb each other, however they find each other", "one-port", `
const words = ['taskyon', 'up', 1, JSON.stringify({ kind: 'cancel', call: 1 }), { text: '', blobs: [] }];
const channels = [];
globalThis.heard = 0;
for (let i = 0; i < parent.frames.length; i++) for (const word of words) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => globalThis.heard++;
  try { parent.frames[i].postMessage(word, '*', [port2]) } catch {}
  port1.postMessage(1);
  channels.push(port1);
}
await wait(200);
return globalThis.heard;`, `0`)
	s17.Tools = []Tool{{Code: "let n = 0; export default () => ++n"}, {Code: "() => 'other'"}}
	s17.Steps = []Step{{Expect: pattern(`{"outcome":"ok","result":1}`)}, {Tool: 1, Expect: settled}, s17.Steps[1],
		{Expect: pattern(`{"outcome":"ok","result":2}`)}, {Tool: 1, Expect: pattern(`{"outcome":"ok","result":"other"}`)}}

	return []Contract{
		frame("S01", "A frame sees nothing of the page around it", `
await attempt('parent', () => parent.document.title);
await attempt('top', () => top.location.href);
await attempt('frames', () => Array.from(parent.frames, (f) => f.document.body).length);
await attempt('opener', () => opener);
await attempt('element', () => frameElement);
await attempt('storage', () => parent.localStorage.length + 1);
await attempt('navigate', () => { parent.location.hash = 'mine'; return parent.location.hash });`),
		frame("S02", "A frame has no storage and no cookies", `
await attempt('local', () => localStorage.length + 1);
await attempt('session', () => sessionStorage.length + 1);
await attempt('read', () => document.cookie.includes('secret'));
await attempt('write', () => { document.cookie = 'a=b'; return document.cookie.includes('a=b') });`),
		worker("S03", "A tool has no database and no cache", `
await attempt('database', () => new Promise((ok, no) => { const r = indexedDB.open('x'); r.onsuccess = () => ok(1); r.onerror = () => no(r.error) }));
await attempt('databases', () => indexedDB.databases());
await attempt('caches', () => caches.open('x'));
await attempt('keys', () => caches.keys());`).guardedOn(WebKit, "lockdown"), // an opaque worker has caches there, its frame's own
		worker("S04", "A tool has no file system", `
await attempt('directory', () => navigator.storage.getDirectory());
await attempt('webkit', () => self.webkitRequestFileSystemSync(0, 1));
await attempt('persist', () => navigator.storage.persist());`).
			except(WebKit, NotObservable, "the engine has no file system for a worker, in an opaque frame or not"),
		worker("S05", "A tool shares no locks with the page", `
await attempt('lock', () => navigator.locks.request('x', () => 1));
await attempt('query', () => navigator.locks.query());`),
		frame("S06", "A frame has no cookie store", `
await attempt('get', () => cookieStore.getAll());
await attempt('set', () => cookieStore.set('a', 'b').then(() => 1));
await attempt('cookie', () => { document.cookie = 'c=d'; return /secret|c=d/.test(document.cookie) });`),
		frame("S07", "A frame cannot ask for access to storage", `
await attempt('access', () => document.requestStorageAccess().then(() => 1));
await attempt('has', () => document.hasStorageAccess().then((yes) => yes && localStorage.length + 1));
await attempt('for', () => document.requestStorageAccessFor(host).then(() => 1));`),
		frame("S08", "A frame cannot reach or register a service worker", `
await attempt('list', () => navigator.serviceWorker.getRegistrations());
await attempt('register', () => navigator.serviceWorker.register(host + '/contracts/contracts.js'));`),
		s09,
		frame("S10", "A frame cannot connect to a shared worker of the page", `
await attempt('shared', () => new Promise((done, fail) => {
  const worker = new SharedWorker(shared, 'host');
  worker.port.onmessage = done;
  worker.onerror = () => fail(new DOMException('refused', 'SecurityError'));
}));`),
		frame("S11", "A frame is granted no camera, place, clipboard, device or payment", `
const asked = ['geolocation', 'camera', 'microphone', 'notifications', 'clipboard-read', 'midi', 'persistent-storage', 'screen-wake-lock', 'storage-access', 'local-fonts', 'window-management'];
for (const feature of asked) await attempt(feature, () => navigator.permissions.query({ name: feature }).then(({ state }) => state === 'granted'));
await attempt('place', () => new Promise((ok, no) => navigator.geolocation.getCurrentPosition(ok, () => no(new Error('no')))));
await attempt('media', () => navigator.mediaDevices.getUserMedia({ video: true, audio: true }));
await attempt('display', () => navigator.mediaDevices.getDisplayMedia());
await attempt('read', () => navigator.clipboard.readText());
await attempt('write', () => navigator.clipboard.writeText('x').then(() => 1));
for (const device of ['usb', 'serial', 'hid', 'bluetooth']) await attempt(device, () => navigator[device].getDevices());
await attempt('gamepad', () => Array.from(navigator.getGamepads()).filter(Boolean).length > 0);
await attempt('fullscreen', () => document.body.requestFullscreen().then(() => 1));
await attempt('payment', () => new PaymentRequest([{ supportedMethods: 'https://example.com/pay' }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).show());
await attempt('wake', () => navigator.wakeLock.request('screen'));
await attempt('idle', () => IdleDetector.requestPermission().then((state) => state === 'granted'));
await attempt('fonts', () => queryLocalFonts());
await attempt('keyboard', () => navigator.keyboard.lock().then(() => 1));
await attempt('policy', () => (document.permissionsPolicy || document.featurePolicy).allowedFeatures().some((f) => ['geolocation', 'camera', 'usb', 'payment'].includes(f)));`).
			except(WebKit, NotObservable, "the engine as tests drive it grants none of these to any frame"),
		worker("S12", "A tool has no shared memory with others and no finer clock than the web gives", `
seen.isolated = self.crossOriginIsolated === true ? 'went' : 'no';
seen.shared = typeof SharedArrayBuffer === 'undefined' ? 'no' : 'went';
seen.opaque = self.origin === 'null' ? 'no' : 'went';`),
		frame("S13", "A frame cannot put a dialog in front of the page", `
await attempt('confirm', () => confirm('x'));
await attempt('prompt', () => prompt('x', 'y'));
await attempt('alert', () => { alert('x'); return false });
if (seen.confirm !== 'went') await attempt('print', () => { print(); return false });`),
		s14,
		drill("S15", "A frame cannot start a download", "host-policy", `
const click = (href) => { const a = Object.assign(document.createElement('a'), { href, download: 'x.txt' }); document.body.append(a); a.click() };
click(URL.createObjectURL(new Blob(['x'])));
click('data:text/plain,x');
click(url + '/download.txt');
await wait(600);
return seen;`, fails).bare(At(Chromium, Srcdoc)),
		frame("S16", "A frame cannot register for or launch another program", `
await attempt('register', () => { navigator.registerProtocolHandler('web+taskyon', host + '/?%s'); return 1 });
for (const href of ['mailto:a@example.com', 'ms-settings:', 'web+x:y']) { const f = document.createElement('iframe'); f.src = href; document.body.append(f) }`).
			except(Firefox, NotObservable, "the engine takes no registration from any frame of a test page, opaque or not").
			except(WebKit, NotApplicable, "the engine has no registerProtocolHandler"),
		s17,
		once("S19", "What a tool returns is data: its getters, proxies and special keys have no life on the page", "tagged-values", `() => {
  const key = JSON.parse('{"__proto__":{"polluted1":true},"constructor":{"prototype":{"polluted2":true}}}');
  return { key, forged: { $t: 'date', v: '1970-01-01T00:00:00.000Z' }, got: { get a() { return 'read' } }, proxied: { ...new Proxy({ b: 1 }, {}) } };
}`, `{"outcome":"ok","result":{"forged":{"$all":[{"v":"1970-01-01T00:00:00.000Z"},{"$text":{"$re":"\"\\$t\":\"date\""}}]},"got":{"a":"read"},"proxied":{"b":1},"key":{"$text":{"$re":"__proto__"}}}}`),
		worker("S20", "A tool cannot learn from errors, addresses or timings where the page is", `
const texts = [location.href, self.origin, new Error('x').stack];
await attempt('timings', () => { texts.push(...performance.getEntries().map((e) => e.name)); return false });
await attempt('stack', () => { const f = () => 1 + f(); try { f() } catch (e) { texts.push(e.stack) } return false });
const port = new URL(host).port;
seen.told = texts.join(' ').includes('127.0.0.1:' + port) ? 'went' : 'no';`),
	}
}
