import { execFileSync } from 'node:child_process';
import { createSocket, type Socket as Datagrams } from 'node:dgram';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerOf } from './answers.js';
import type { Ears } from './page/types.js';

/** A certificate that nobody trusts, good for one run. */
export interface Certificate {
  readonly key: Buffer;
  readonly cert: Buffer;
}

export function selfSigned(): Certificate {
  const dir = mkdtempSync(join(tmpdir(), 'canary-'));
  try {
    const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '10', '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync('openssl', [...args, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/**
 * What must stay silent while a contract runs: one TCP port that speaks HTTP, HTTPS and WebSocket, one UDP port, and a name that
 * nobody may look up. Each contract has a canary of its own, so that whatever is heard is known to be its doing, a bare
 * connection too.
 */
export class Canary {
  readonly hits: string[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly tcp: Server,
    private readonly udp: Datagrams,
    readonly ears: Ears,
  ) {}

  static async listen(id: string, certificate: Certificate): Promise<Canary> {
    const udp = createSocket('udp4');
    const tcp = createServer();
    await Promise.all([new Promise<void>((done) => udp.bind(0, '127.0.0.1', done)), new Promise<void>((done) => tcp.listen(0, '127.0.0.1', done))]);
    const { port } = tcp.address() as AddressInfo;
    const at = `127.0.0.1:${port}`;
    const name = `${id.toLowerCase()}-${port}.localhost`;
    const canary = new Canary(tcp, udp, { url: `http://${at}/${id}`, https: `https://${at}/${id}`, ws: `ws://${at}/${id}`, udp: udp.address().port, port, name: `${name}:${port}` });
    canary.hear(certificate);
    return canary;
  }

  private hear(certificate: Certificate): void {
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      const line = lineOf(request);
      this.hits.push(line);
      response.on('close', () => response.writableFinished || this.hits.push(`cut ${line}`));
      if (answerOf(request, response)) return;
      const type = /\.(\w+)$/.exec(request.url ?? '')?.[1] ?? 'js';
      const types: { readonly [ext: string]: string } = { html: 'text/html', css: 'text/css', json: 'application/json', png: 'image/png', js: 'text/javascript' };
      response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': types[type] ?? 'text/plain', 'cache-control': 'no-store' });
      response.end(type === 'json' ? '{}' : '');
    };
    const plain = createHttp(answer);
    const secure = createHttps(certificate, answer);
    for (const server of [plain, secure]) {
      server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
        this.hits.push(`UPGRADE ${request.url}`);
        socket.destroy();
      });
    }
    this.tcp.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket)).on('error', () => {});
      this.hits.push('connection');
      socket.once('data', (bytes) => {
        this.hits.push('bytes');
        socket.pause();
        socket.unshift(bytes);
        (bytes[0] === 0x16 ? secure : plain).emit('connection', socket);
        process.nextTick(() => socket.resume());
      });
    });
    this.udp.on('message', (bytes) => this.hits.push(`udp ${bytes.length} bytes`));
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await Promise.all([new Promise<void>((done) => this.tcp.close(() => done())), new Promise<void>((done) => this.udp.close(() => done()))]);
  }
}

/** A request as it is told: its line, and what of the user came along. */
function lineOf({ method, url, headers }: IncomingMessage): string {
  const found = ['cookie', 'authorization', 'referer'].filter((name) => headers[name] !== undefined);
  return `${method} ${url}${found.length > 0 ? ` with ${found.join(', ')}` : ''}`;
}
