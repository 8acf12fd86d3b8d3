package contracts

// windows is group W: what a sandbox can open, which is nothing.
func windows() []Contract {
	c := drill("W11", "No code in a sandbox opens a window, by any means", "frame-sandbox", `
const shown = [];
await attempt('open', () => { const w = kept.open.call(window, url + '/opened.html'); if (w) shown.push(w); return w });
await attempt('named', () => { const w = kept.open.call(window, url + '/named.html', 'host'); if (w) shown.push(w); return w });
const a = Object.assign(document.createElement('a'), { href: url + '/link.html', target: '_blank', rel: 'opener' });
const form = Object.assign(document.createElement('form'), { action: url + '/form.html', target: '_blank' });
document.body.append(a, form);
a.click();
form.submit();
await wait(500);
for (const w of shown) w.close();
return seen;`, `{"$every":{"$not":"went"}}`)
	c.Tools = []Tool{{Code: tries(`
await attempt('open', () => open(url + '/tool.html'));
await attempt('clients', () => clients.openWindow(url + '/client.html'));
seen.popup = typeof context === 'undefined' ? 'nothing' : 'went';`)}}
	c.Steps[0].Expect = nothingWent
	return []Contract{c.bare(Place(WebKit))}
}
