package contracts

// network is group N: nothing that a tool does reaches the network.
func network() []Contract {
	return []Contract{
		silent("N01", "A tool cannot fetch, in any mode", "frame-policy", `
for (const mode of ['cors', 'no-cors', 'same-origin', 'navigate']) await attempt(mode, () => fetch(url + '/' + mode, { mode }));
await attempt('post', () => fetch(url + '/post', { mode: 'no-cors', method: 'POST', body: 'secret' }));
await attempt('https', () => fetch(https + '/https', { mode: 'no-cors' }));`),
		silent("N02", "A tool cannot send an XMLHttpRequest, now or later", "frame-policy", `
await attempt('async', () => { const x = new XMLHttpRequest(); const done = opened(x); x.open('GET', url + '/async'); x.send(); return done.then(() => 1) });
await attempt('sync', () => { const x = new XMLHttpRequest(); x.open('POST', url + '/sync', false); x.send('secret'); return 1 });`),
		silent("N03", "A tool cannot open a WebSocket or an event source", "frame-policy", `
await attempt('socket', () => opened(new WebSocket(ws + '/socket')).then(() => 1));
await attempt('events', () => opened(new EventSource(url + '/events')).then(() => 1));
await attempt('stream', () => new WebSocketStream(ws + '/stream').opened);`),
	}
}
