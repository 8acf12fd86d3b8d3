import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Tunnel } from '../tunnel.js';
import { patiently, type Engine } from './engine.js';

/** WebKitGTK by its WebDriver, on a display of its own. It finds names by a tunnel. It tells nobody which names it looks up. */
export async function startWebKit(): Promise<Engine> {
  const port = await freePort();
  const tunnel = await Tunnel.listen();
  const args = ['--', 'xvfb-run', '-a', '-s', '-screen 0 1024x768x24', process.env['WEBKIT_DRIVER'] ?? 'WebKitWebDriver', `--port=${port}`];
  const driver = spawn('dbus-run-session', args, { stdio: 'ignore', detached: true, env: { ...process.env, NO_AT_BRIDGE: '1', LIBGL_ALWAYS_SOFTWARE: '1' } });
  const base = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${base}/status`)).ok);
  const ask = async (method: string, path: string, body?: object): Promise<{ [key: string]: unknown }> => {
    const response = await fetch(base + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    const { value } = (await response.json()) as { value: { [key: string]: unknown } };
    if (!response.ok) throw new Error(`WebKitWebDriver: ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  return {
    host: 'webkit',
    async open(url) {
      const browserOptions = { binary: miniBrowser(), args: ['--automation', '--javascript-can-open-windows-automatically=true', `--proxy=http://${tunnel.address}`, '--ignore-host=127.0.0.1', '--ignore-host=localhost'] };
      const alwaysMatch = { 'webkitgtk:browserOptions': browserOptions, pageLoadStrategy: 'none', unhandledPromptBehavior: 'accept', acceptInsecureCerts: true };
      const { sessionId } = await ask('POST', '/session', { capabilities: { alwaysMatch } });
      await ask('POST', `/session/${String(sessionId)}/url`, { url });
      // The driver answers a dialog only when it is told to.
      const dialogs = setInterval(() => void ask('POST', `/session/${String(sessionId)}/alert/accept`, {}).catch(() => {}), 700);
      return () => {
        clearInterval(dialogs);
        return patiently(5000, ask('DELETE', `/session/${String(sessionId)}`));
      };
    },
    async close() {
      await tunnel.close();
      const gone = once(driver, 'exit');
      // The session, the display and the driver are one process group of ours.
      try {
        process.kill(-(driver.pid as number), 'SIGTERM');
      } catch {
        return undefined; // it had ended by itself
      }
      await patiently(5000, gone);
      return undefined;
    },
  };
}

function miniBrowser(): string {
  const given = process.env['WEBKIT'];
  if (given) return given;
  const root = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
  const found = readdirSync(root).filter((name) => name.startsWith('webkit2gtk-')).map((name) => join(root, name, 'MiniBrowser')).find((path) => existsSync(path));
  if (!found) throw new Error('WebKitGTK: MiniBrowser not found; scripts/setup-browsers installs it');
  return found;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function until(ready: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; ; tries++) {
    if (await ready().catch(() => false)) return;
    if (tries === 150) throw new Error('WebKitWebDriver did not start');
    await new Promise((done) => setTimeout(done, 100));
  }
}
