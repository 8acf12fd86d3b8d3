// Raw baselines: the least that any page-based sandbox of this kind must do, with nothing of ours in the path.

const echo = 'onmessage = (e) => e.ports[0] ? (e.ports[0].onmessage = (m) => e.ports[0].postMessage(m.data)) : postMessage(e.data)';

/** A supervisor that starts the echo worker and relays between it and the port. */
const supervisor = `
  const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(echo)}])));
  onmessage = (e) => { const port = e.ports[0]; port.onmessage = (m) => worker.postMessage(m.data); worker.onmessage = (m) => port.postMessage(m.data) };
`;

const frameOf = (source) => `<!doctype html><script>
  const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(source).replaceAll('</', '<\\/')}])));
  addEventListener('message', (e) => worker.postMessage(null, [e.ports[0]]), { once: true });
</script>`;

/** Opens a frame with a worker of that source and resolves with the page's port to it. */
async function open(source) {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.hidden = true;
  frame.srcdoc = frameOf(source);
  const channel = new MessageChannel();
  const loaded = new Promise((done) => (frame.onload = done));
  document.body.append(frame);
  await loaded;
  frame.contentWindow.postMessage(null, '*', [channel.port2]);
  const place = {
    ask: (text) =>
      new Promise((done) => {
        channel.port1.onmessage = (e) => done(e.data.text);
        channel.port1.postMessage({ text, blobs: [] });
      }),
    close: () => {
      channel.port1.close();
      frame.remove();
    },
  };
  await place.ask('ready?');
  return place;
}

export const openDirect = () => open(echo);
export const openSupervised = () => open(supervisor);
