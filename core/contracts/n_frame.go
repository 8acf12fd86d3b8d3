package contracts

// frameNetwork is the second part of group N: the frame's window, where no tool runs, is no way out either, and what is hidden in
// code and logs stays there.
func frameNetwork() []Contract {
	// The frame is gone after it has tried to leave; the next call finds a new one.
	leaves := func(id, title, body string) Contract {
		c := drill(id, title, "host-policy", body, `{"$any":true}`)
		c.Steps = append(c.Steps, Step{Expect: settled})
		return c.bare(At(Chromium, Srcdoc), Place(WebKit))
	}
	return []Contract{
		drill("N20", "A frame that was taken over finds no peer connection to speak by", "frame-powers", `
seen.kind = typeof RTCPeerConnection + typeof globalThis.webkitRTCPeerConnection;
await attempt('stun', async () => {
  const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:' + udp }, { urls: 'turn:127.0.0.1:' + udp, username: 'secret', credential: 'x' }] });
  peer.createDataChannel('x');
  await peer.setLocalDescription(await peer.createOffer());
  return peer;
});
await wait(500);
return seen;`, `{"$all":[{"kind":"undefinedundefined"},{"$every":{"$not":"went"}}]}`).
			except(WebKit, NotApplicable, "the engine is built without peer connections"),
		drill("N21", "There is nobody who could make a data channel for a tool", "frame-powers", `
return [typeof RTCDataChannel, typeof RTCPeerConnection].join();`, `"undefined,undefined"`).
			except(WebKit, NotApplicable, "the engine is built without peer connections"),
		leaves("N23", "A frame cannot show a page of the network by its location", `
location.href = url + '/location.html?secret';
await wait(300);
return 1;`),
		leaves("N24", "A frame cannot be refreshed to a page of the network", `
const meta = document.createElement('meta');
meta.httpEquiv = 'refresh';
meta.content = '0;url=' + url + '/refresh.html?secret';
document.head.append(meta);
await wait(500);
return 1;`),
		leaves("N25", "Links, pings and forms of a frame lead nowhere", `
const a = Object.assign(document.createElement('a'), { href: url + '/link.html?secret', ping: url + '/ping' });
const form = Object.assign(document.createElement('form'), { action: url + '/form.html', method: 'POST' });
const blank = Object.assign(document.createElement('a'), { href: url + '/blank.html', target: '_blank' });
document.body.append(a, form, blank);
try { form.submit() } catch {}
blank.click();
await wait(100);
a.click();
await wait(300);
return 1;`),
		drill("N26", "A frame cannot have names looked up or connections opened ahead of need", "frame-policy", `
for (const [rel, href] of [['dns-prefetch', 'http://' + name], ['preconnect', 'http://' + name], ['preconnect', url]]) {
  const link = document.createElement('link');
  Object.assign(link, { rel, href });
  document.head.append(link);
}
await wait(600);
return 1;`, `1`).
			except(Chromium, NotObservable, "links that look up or connect ahead of need do nothing in the engine as tests drive it, without any policy too").
			except(Firefox, NotApplicable, "not promised here: the engine looks names up for dns-prefetch whatever the policy says").
			except(WebKit, NotApplicable, "not promised here: the engine connects for preconnect whatever the policy says"),
		drill("N27", "A frame cannot load styles, icons, modules or anything ahead of need", "frame-policy", `
for (const [rel, as] of [['prefetch'], ['preload', 'image'], ['preload', 'fetch'], ['modulepreload'], ['stylesheet'], ['icon'], ['manifest'], ['prerender'], ['next']]) {
  const link = document.createElement('link');
  Object.assign(link, { rel, href: url + '/' + rel + (as || '') + '.css' });
  if (as) link.as = as;
  document.head.append(link);
}
await wait(500);
return 1;`, `1`),
		drill("N28", "A frame cannot have pages fetched by speculation rules", "frame-policy", `
const script = document.createElement('script');
script.type = 'speculationrules';
script.textContent = JSON.stringify({ prefetch: [{ urls: [url + '/prefetch.html'], eagerness: 'immediate' }], prerender: [{ urls: [url + '/prerender.html'], eagerness: 'immediate' }] });
document.head.append(script);
const inline = document.createElement('script');
inline.textContent = 'globalThis.inlined = 1';
document.head.append(inline);
await wait(400);
return typeof globalThis.inlined;`, `"undefined"`),
		{ID: "N29", Title: "The page's answers hold no header that loads or links anything", Guard: "host-policy",
			Steps: []Step{{Probe: "headers", Expect: pattern(`{"$text":"{}"}`)}}},
		{ID: "N30", Title: "What a policy blocks is reported to nobody", Guard: "host-policy",
			Tools: []Tool{{Code: tries(`for (let i = 0; i < 20; i++) await attempt('n' + i, () => (0, eval)('"' + https + '/secret-' + i + '"'));`)}},
			Steps: []Step{{Expect: nothingWent}, {Probe: "headers", Expect: pattern(`{"$text":"{}"}`)}}},
		once("N31", "What a tool logs stays in the record of its call", "own-console", `({ url }) => {
  console.log('see', url); console.error(new Error(url)); console.table([{ url }]); console.dir({ url }); console.trace(url);
  console.log('%c ', 'background:url(' + url + '/style)');
}`, `{"outcome":"ok","logs":{"$length":{"$gte":5}}}`),
		once("N32", "A comment cannot make a debugger fetch a source map", "syntax",
			"(function tool() {\n//# sourceMappingURL=http://127.0.0.1/map.json\n  return tool.toString().includes('source' + 'MappingURL') })", `{"outcome":"ok","result":false}`),
		once("N33", "A comment cannot pass a tool's code off as a file of the page", "script-name",
			"(() => {\n  throw new Error('mine')\n})\n//# sourceURL=http://127.0.0.1/taskyon.js",
			`{"outcome":"tool_error","error":{"line":2,"message":"mine","stack":{"$not":{"$re":"taskyon"}}}}`).
			except(WebKit, NotApplicable, "the engine names no frame of a stack by such a comment"),
		drill("N34", "A frame's addresses have no other base, and modules no other map", "frame-policy", `
document.head.append(Object.assign(document.createElement('base'), { href: url + '/base/' }));
const map = document.createElement('script');
map.type = 'importmap';
map.textContent = JSON.stringify({ imports: { x: url + '/x.js' } });
document.head.append(map);
await attempt('mapped', () => import('x'));
seen.base = document.baseURI.startsWith('http') && document.baseURI.includes('/base/') ? 'went' : 'kept';
return seen;`, `{"$every":{"$not":"went"}}`),
		drill("N35", "No element of a page loads anything in a frame", "frame-policy", vectors, `1`).bare(At(Chromium, Srcdoc)),
		drill("N36", "Styles cannot carry out what a frame holds letter by letter", "frame-policy", `
const style = document.createElement('style');
style.textContent = '@import "' + url + '/import.css"; input[value^="s"] { background: url("' + url + '/s") } @font-face { font-family: f; src: url("' + url + '/font") } body { font-family: f; list-style: url("' + url + '/list"); cursor: url("' + url + '/cursor"), auto }';
const sheet = new CSSStyleSheet();
sheet.replaceSync('body { background-image: url("' + url + '/sheet") } p::after { content: url("' + url + '/content") }');
document.head.append(style);
document.adoptedStyleSheets = [sheet];
document.body.innerHTML += '<input value="secret"><p style="background: url(' + url + '/attribute); mask: url(' + url + '/mask.svg#m); border-image: url(' + url + '/border)">x</p>';
document.body.getClientRects();
await wait(500);
return 1;`, `1`),
	}
}

// vectors is a body of elements that load something by themselves.
const vectors = `
const at = (name) => url + '/' + name;
document.body.innerHTML = [
  '<img src="' + at('img') + '">', '<img srcset="' + at('srcset') + ' 2x">', '<picture><source srcset="' + at('source') + '"><img></picture>', '<image src="' + at('image') + '">',
  '<video src="' + at('video') + '" poster="' + at('poster') + '" autoplay></video>', '<audio src="' + at('audio') + '" autoplay></audio>', '<video><track src="' + at('track') + '" default></video>',
  '<embed src="' + at('embed') + '">', '<object data="' + at('object') + '"></object>', '<applet code="' + at('applet') + '" archive="' + at('archive') + '"></applet>',
  '<iframe src="' + at('iframe.html') + '"></iframe>', '<iframe srcdoc="<img src=' + at('inner') + '>"></iframe>', '<frameset><frame src="' + at('frame.html') + '"></frameset>',
  '<input type="image" src="' + at('input') + '">', '<body background="' + at('body') + '">', '<table background="' + at('table') + '"><tr><td background="' + at('td') + '">x</table>',
  '<svg><image href="' + at('svgimage') + '" width="9" height="9"></image><use href="' + at('use.svg#x') + '"></use><feImage href="' + at('feimage') + '"></feImage></svg>',
  '<svg><style>@import "' + at('svgstyle') + '";</style><a href="' + at('svga') + '"><text>x</text></a></svg>', '<math href="' + at('math') + '">x</math>',
  '<link rel="stylesheet" href="' + at('link.css') + '">', '<style>@import "' + at('style.css') + '";</style>', '<script src="' + at('script.js') + '"></scr' + 'ipt>',
  '<portal src="' + at('portal') + '"></portal>', '<fencedframe src="' + at('fenced') + '"></fencedframe>', '<bgsound src="' + at('bgsound') + '">', '<isindex src="' + at('isindex') + '">',
  '<div style="background:url(' + at('style') + ')">x</div>', '<ul style="list-style-image:url(' + at('list') + ')"><li>x</ul>', '<menu><menuitem icon="' + at('menuitem') + '"></menu>',
  '<html manifest="' + at('manifest') + '">', '<meta http-equiv="link" content="<' + at('metalink') + '>; rel=stylesheet">', '<xml src="' + at('xml') + '"></xml>',
].join('');
const script = document.createElement('script');
script.src = at('late.js');
document.body.append(script);
for (const tag of ['img', 'audio']) { const e = document.createElement(tag); e.src = at(tag + '-late'); }
document.body.getClientRects();
await wait(700);
return 1;`
