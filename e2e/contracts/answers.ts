import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** What a server says that wishes nobody well, by the second part of its path. `to` in the query is an address. */
type Say = (request: IncomingMessage, response: ServerResponse, to: string) => void;

let counted = 0;
const zeros = Buffer.alloc(8 << 20);
const plain = { 'content-type': 'text/plain' };

/** Sends a piece now and then, until nobody listens. */
function drip(response: ServerResponse, everyMs: number, piece: string | Buffer): void {
  const timer = setInterval(() => response.writableEnded || response.write(piece), everyMs);
  response.on('close', () => clearInterval(timer));
}

/** Writes past what HTTP libraries would let one say. */
function raw(response: ServerResponse, head: string, body: Buffer | string, end = true): void {
  const { socket } = response;
  response.detachSocket(socket!);
  socket!.write(`${head}\r\nAccess-Control-Allow-Origin: *\r\n\r\n`);
  socket!.write(body);
  if (end) socket!.end();
}

const redirect = (status: number): Say => (_, response, to) => void response.writeHead(status, to === '' ? {} : { location: to }).end('elsewhere');
const status = (code: number, headers = {}): Say => (_, response) => void response.writeHead(code, { ...plain, ...headers }).end(code === 204 || code === 205 || code === 304 ? undefined : 'body');

const says: { readonly [name: string]: Say } = {
  ...Object.fromEntries([300, 301, 302, 303, 307, 308].map((code) => [`${code}`, redirect(code)])),
  '204': status(204),
  '205': status(205),
  '304': status(304),
  '401': status(401, { 'www-authenticate': 'Basic realm="log in"' }),
  '407': status(407, { 'proxy-authenticate': 'Basic realm="log in"' }),
  /** Everything that a server can ask to be kept or done. */
  state: (_, response) =>
    void response.writeHead(200, {
      ...plain, 'set-cookie': ['session=tool; Path=/; Secure; SameSite=None', 'other=1'], 'clear-site-data': '"*"', 'strict-transport-security': 'max-age=9', 'alt-svc': 'h3=":443"',
      'refresh': `0;url=${response.req.url}-refreshed`, 'link': `<${response.req.url}-linked>; rel=preload; as=script`, 'nel': '{"report_to":"x","max_age":9}', 'proxy-status': 'x', 'X-Own': 'kept', 'x-twice': ['1', '2'], 'x-latin': 'caf\u00e9',
    }).end('state'),
  /** A cookie of the user. */
  login: (_, response) => void response.writeHead(200, { ...plain, 'set-cookie': 'session=user; Path=/; Secure; SameSite=None; Partitioned' }).end('in'),
  /** What arrived, to be read by whoever asked. */
  echo: (request, response) => void response.writeHead(200, { 'content-type': 'application/json', 'x-echo': request.headers.authorization ?? '' }).end(JSON.stringify(request.headers)),
  /** Another word each time, good for a while. */
  count: (_, response) => void response.writeHead(200, { ...plain, 'cache-control': 'max-age=600' }).end(`${counted++}`),
  gzip: (_, response) => void response.writeHead(200, { ...plain, 'content-encoding': 'gzip' }).end(gzipSync(zeros)),
  br: (_, response) => void response.writeHead(200, { ...plain, 'content-encoding': 'br' }).end(brotliCompressSync(zeros)),
  twice: (_, response) => void response.writeHead(200, { ...plain, 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync(zeros))),
  chunked: (_, response) => void response.writeHead(200, plain).end(zeros),
  mib: (_, response) => void response.writeHead(200, plain).end(zeros.subarray(0, 1 << 20)),
  above: (_, response) => void response.writeHead(200, plain).end(zeros.subarray(0, (1 << 20) + 1)),
  /** Lengths that are lies. */
  short: (_, response) => raw(response, `HTTP/1.1 200 OK\r\nContent-Length: 10\r\nTransfer-Encoding: chunked`, Buffer.concat([Buffer.from(`${zeros.length.toString(16)}\r\n`), zeros, Buffer.from('\r\n0\r\n\r\n')])),
  long: (_, response) => raw(response, 'HTTP/1.1 200 OK\r\nContent-Length: 1000', 'short'),
  negative: (_, response) => raw(response, 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\nConnection: close', 'body'),
  huge: (_, response) => raw(response, 'HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999', 'body'),
  /** Nothing ever comes to an end. */
  silent: () => {},
  header: (_, response) => {
    const { socket } = response;
    response.detachSocket(socket!);
    socket!.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    const timer = setInterval(() => socket!.write('x'), 100);
    socket!.on('close', () => clearInterval(timer));
  },
  slow: (_, response) => {
    response.writeHead(200, plain).flushHeaders();
    drip(response, 100, 'x');
  },
  /** A second and a half, and it is over. */
  seconds: (_, response) => {
    response.writeHead(200, plain).flushHeaders();
    drip(response, 100, 'x');
    setTimeout(() => response.end(), 1500);
  },
  events: (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    drip(response, 50, 'data: x\n\n');
  },
  headers: (_, response) => raw(response, `HTTP/1.1 200 OK\r\n${Array.from({ length: 30_000 }, (_, i) => `X-${i}: ${'y'.repeat(60)}`).join('\r\n')}`, 'body'),
  reset: (_, response) => raw(response, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked', '5\r\nfirst\r\n'),
  broken: (_, response) => raw(response, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked', '5\r\nfirst\r\nno length\r\n'),
  early: (_, response) => raw(response, Array.from({ length: 20 }, () => 'HTTP/1.1 103 Early Hints\r\n\r\n').join('') + 'HTTP/1.1 200 OK\r\nContent-Length: 4', 'body'),
  /** Texts. */
  latin: (_, response) => void response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff, 0xc3, 0xa9])),
  lone: (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":"\\ud800","a\\u0000":1}'),
  html: (_, response) => {
    const text = `<!doctype html><meta http-equiv="refresh" content="0;url=${response.req.url}-refreshed"><img src="${response.req.url}-img"><script src="${response.req.url}-script"></script>`;
    response.writeHead(200, { 'content-type': 'text/html', 'refresh': `0;url=${response.req.url}-header` }).end(text);
  },
};

/** Answers a path of hostile words, if it is one. */
export function answerOf(request: IncomingMessage, response: ServerResponse): boolean {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'https://x.invalid');
  const [, , name, say] = pathname.split('/');
  if (name !== 'says' || say === undefined || !Object.hasOwn(says, say)) return false;
  for (const [header, value] of cors) response.setHeader(header, value);
  if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) response.writeHead(204).end();
  else says[say]!(request, response, searchParams.get('to') ?? '');
  return true;
}

/** The page may read all of it. */
const cors = [['access-control-allow-origin', '*'], ['access-control-allow-headers', '*, authorization'], ['access-control-allow-methods', '*'], ['access-control-expose-headers', '*'], ['cache-control', 'max-age=600']] as const;
