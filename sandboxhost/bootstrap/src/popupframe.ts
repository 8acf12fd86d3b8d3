import { frameHello } from './popup/words';

// The script of popup-frame.html, the frame in which html of a tool lives. Everything here is the html's to see and to change, but for the port. In a
// document of a site's own origin it does nothing: there html would be the site's.

if (self.origin === 'null' && parent !== self) {
  const hear = ({ source, data, ports: [port] }: MessageEvent): void => {
    if (source !== parent || typeof data !== 'string' || !port) return;
    removeEventListener('message', hear);
    const scope = self as unknown as { [name: string]: unknown };
    for (const name of Object.getOwnPropertyNames(scope)) if (/^(webkit)?RTC/.test(name)) delete scope[name];
    port.onmessage = (event) => dispatchEvent(new MessageEvent('message', { data: event.data as unknown }));
    document.open();
    document.write(data);
    document.close();
  };
  addEventListener('message', hear);
  parent.postMessage(frameHello, '*');
}
