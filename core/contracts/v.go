package contracts

// served is group V: what is promised of the page that frames of the served kind show, and of no other frame.
func served() []Contract {
	all := []Contract{
		func() Contract {
			c := drill("V01", "Who opens the page by its address finds an opaque origin, without storage and without whoever opened it", "header-sandbox", `
seen.origin = self.origin === 'null' ? 'opaque' : 'went';
await attempt('storage', () => localStorage.length + 1);
await attempt('cookie', () => document.cookie.includes('secret'));
await attempt('database', () => new Promise((ok, no) => { const r = indexedDB.open('x'); r.onsuccess = () => ok(1); r.onerror = () => no(r.error) }));
await attempt('opener', () => opener.document.title);
return seen;`, "")
			c.Tools, c.Steps = nil, []Step{{Drill: true, Probe: "opened", Expect: pattern(`{"told":{"$all":[{"origin":"opaque"},{"$every":{"$not":"went"}}]}}`)}}
			return c
		}(),
		func() Contract {
			c := drill("V02", "The page takes no port from who opens it by its address, and runs nothing", "one-port", "return 1;", "")
			c.Tools, c.Steps = nil, []Step{{Drill: true, Probe: "opened", Expect: pattern(`{"told":1,"heard":[]}`)}}
			return c
		}(),
		unserved("V03", "A page of another version is told nothing of a tool", "frame-version", "is of another version",
			Served{Body: stranger(`setTimeout(() => port.postMessage({ frame: JSON.stringify({ frame: 'here', origin: 'null', policy: "default-src 'none'", crypto: false, violated: [], reason: '' }) }), 200);`)}),
		unserved("V04", "A page that asks to log in, where the sandbox should be, is told nothing of a tool", "frame-hold", "is not sandbox.html",
			Served{Body: `<title>log in</title><form method="post"><input name="user"><input name="password" type="password"></form>` + stranger("")}),
		unserved("V05", "A page that says that nothing is there is told nothing of a tool", "frame-hold", "is answered with status 404",
			Served{Status: 404, Body: "<title>not found</title>" + stranger("")}),
		unserved("V06", "A frame whose origin is not opaque runs nothing", "frame-opaque", "not an opaque one",
			Served{Off: []string{"frame-sandbox", "header-sandbox"}}),
		func() Contract {
			c := drill("V07", "The policy that the page is sent with holds without the one in the file", "header-policy", `
await attempt('fetch', () => kept.fetch(url + '/frame', { mode: 'no-cors' }));
document.body.innerHTML = '<img src="' + url + '/img"><link rel="stylesheet" href="' + url + '/link.css">';
await attempt('eval', () => (0, eval)('1'));
await wait(300);
return seen;`, `{"$every":{"$not":"went"}}`)
			c.Tools = []Tool{{Code: tries(`
await attempt('fetch', () => fetch(url + '/fetch', { mode: 'no-cors' }));
await attempt('socket', () => opened(new WebSocket(ws + '/socket')).then(() => 1));
await attempt('eval', () => (0, eval)('1'));`)}}
			c.Steps[0].Expect = nothingWent
			c.Served = &Served{Off: []string{"frame-policy", "frame-version", "header-allowlist"}}
			return c
		}(),
		unserved("V08", "A page of another site cannot show the page in a frame", "header-ancestors", "took no port", Served{Elsewhere: true}),
		func() Contract {
			c := drill("V09", "Where no policy holds any more, the list of connections still lets none out, WebRTC included", "header-allowlist", `
await attempt('fetch', () => kept.fetch(url + '/frame', { mode: 'no-cors' }));
await attempt('stun', async () => {
  const peer = new kept.RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:' + udp }] });
  peer.createDataChannel('x');
  await peer.setLocalDescription(await peer.createOffer());
  return false;
});
await wait(500);
return seen;`, `{"$every":{"$not":"went"}}`)
			c.Tools = []Tool{{Code: tries(`
await attempt('fetch', () => fetch(url + '/fetch', { mode: 'no-cors' }));
await attempt('socket', () => opened(new WebSocket(ws + '/socket')).then(() => 1));
await attempt('events', () => opened(new EventSource(url + '/events')).then(() => 1));`)}}
			c.Steps[0].Expect = nothingWent
			c.Served = &Served{Off: []string{"frame-policy", "frame-version", "header-policy"}}
			return c.except(Firefox, NotApplicable, unlisted).except(WebKit, NotApplicable, unlisted)
		}(),
		func() Contract {
			c := drill("V10", "A frame that leads itself to its own address is lost, and its call has crashed", "frame-load", `
setTimeout(() => { location.href = location.href.replace(/[?#].*/, '') + '?secret' }, 50);
return 1;`, `1`)
			c.Limits = map[string]int{"callMs": 2500}
			c.Tools = []Tool{{Code: "({ stay }) => stay ? new Promise(() => {}) : 'alive'"}}
			c.Steps = []Step{c.Steps[0], {Args: pattern(`{"stay":true}`), Beside: true, WithinMs: 2000, Expect: pattern(`{"outcome":"crashed","started":true}`)},
				c.Steps[1], {Expect: pattern(`{"outcome":"ok","result":"alive"}`)}}
			return c
		}(),
	}
	for i, c := range all {
		all[i] = c.exceptIn(Srcdoc, NotApplicable, "about the page that frames of the served kind show")
	}
	return all
}

const unlisted = "the engine does not know the header Connection-Allowlist"

// unserved is a contract of a page that must be refused: no tool is installed by way of it.
func unserved(id, title, guard, why string, page Served) Contract {
	return Contract{ID: id, Title: title, Guard: guard, Served: &page, Steps: []Step{},
		Tools: []Tool{{Code: "() => 'secret'", Refused: pattern(`{"code":"unavailable","message":{"$re":"` + why + `"}}`)}}}
}

// stranger is a script that takes the port and tells the canary of whatever it is told, but for the numbers of the heartbeat.
func stranger(words string) string {
	return `<script>addEventListener('message', ({ ports: [port] }) => {
  if (!port) return;
  port.onmessage = ({ data }) => typeof data === 'number' || fetch('{url}/told', { mode: 'no-cors' });
  ` + words + `
})</script>`
}
