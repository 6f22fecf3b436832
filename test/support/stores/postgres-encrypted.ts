import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createSecureContext, TLSSocket } from 'node:tls';
import { promisify } from 'node:util';

/** The number that marks a request for encryption in PostgreSQL's protocol. */
const SSL_REQUEST = 80_877_103;

/** A way to a PostgreSQL that takes encrypted connections only. */
export interface EncryptedFront {
  readonly url: string;
  /** How many connections were refused because they were not encrypted. */
  readonly plain: number;
  close(): Promise<void>;
}

/** Puts encryption before a PostgreSQL, with a certificate that nobody has signed. */
export async function encryptedOnly(databaseUrl: string): Promise<EncryptedFront> {
  const target = new URL(databaseUrl);
  const secureContext = createSecureContext(await ownCertificate());
  const sockets = new Set<Socket>();
  let plain = 0;

  async function carry(socket: Socket): Promise<void> {
    const [asked] = (await once(socket, 'data')) as [Buffer];
    if (asked.length !== 8 || asked.readInt32BE(4) !== SSL_REQUEST) {
      plain += 1;
      socket.destroy();
      return;
    }
    socket.pause();
    const secure = new TLSSocket(socket, { isServer: true, secureContext });
    socket.write('S');
    const onward = connect(Number(target.port || 5432), target.hostname);
    await Promise.allSettled([pipeline(secure, onward), pipeline(onward, secure)]);
    socket.destroy();
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    carry(socket).catch(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    get plain() {
      return plain;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function ownCertificate(): Promise<{ readonly cert: Buffer; readonly key: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-tls-'));
  try {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert],
      ...['-subj', '/CN=localhost', '-days', '2'],
    ]);
    return { cert: await readFile(cert), key: await readFile(key) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
