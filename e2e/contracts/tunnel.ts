import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { names } from './names.js';

/** A proxy for engines that cannot be told where names are: CONNECT to one of the names leads to this machine, to any other nowhere. */
export class Tunnel {
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<Tunnel> {
    const tunnel = new Tunnel(createServer());
    tunnel.server.on('connection', (socket) => tunnel.serve(socket));
    await new Promise<void>((done) => tunnel.server.listen(0, '127.0.0.1', done));
    return tunnel;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private serve(socket: Socket): void {
    this.keep(socket);
    let head = '';
    const read = (bytes: Buffer): void => {
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read).pause();
      const [, name, port] = /^CONNECT ([^ :]+):(\d+) /.exec(head) ?? [];
      if (name === undefined || !(names as readonly string[]).includes(name)) return void socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
      const far = connect(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(far).pipe(socket);
      });
      this.keep(far);
      far.on('close', () => socket.destroy());
      socket.on('close', () => far.destroy());
    };
    socket.on('data', read);
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => {});
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((done) => this.server.close(() => done()));
  }
}
