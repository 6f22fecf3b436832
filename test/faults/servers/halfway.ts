import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { OWNER, type ServerProcess } from '../../support/servers/server-process.js';
import { until } from '../../support/until.js';
import { type Answer, BOUNDARY, fileForm } from '../clients/client.js';

/** An exchange that a client has begun and the server waits for. */
export interface Begun {
  /** Continues to the end; rejects if the server has cut the connection. */
  finish(): Promise<Answer>;
  /** Resolves once the connection is closed, by either side. */
  readonly over: Promise<void>;
}

/** An upload that a client has begun. */
export interface BegunUpload extends Begun {
  /** Sends the rest and closes the connection; resolves once it is closed. */
  finishAndLeave(): Promise<void>;
}

/** Sends the first half of an upload, and resolves once bytes of it are in the staging area. */
export async function beginUpload(
  server: ServerProcess,
  dataDir: string,
  bytes: Buffer,
  path = '/image/upload',
): Promise<BegunUpload> {
  // Leftovers of an earlier upload are removed after its answer.
  const before = new Set(await readdir(join(dataDir, 'staging')));
  const form = fileForm(bytes, 'half.bin');
  const sent = request(`${server.origin}/v1${path}`, {
    method: 'POST',
    agent: new Agent({ keepAlive: true }),
    headers: {
      'x-api-key': OWNER.OWNER_API_KEY,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': form.length,
    },
  });
  const answered = once(sent, 'response').then(([response]) => read(response));
  // Prevents an unhandled rejection: `finish` reports a cut connection.
  answered.catch(() => undefined);
  sent.write(form.subarray(0, form.length / 2));
  const [socket] = (await once(sent, 'socket')) as [Socket];
  const over = once(socket, 'close').then(() => undefined);
  await until(async () => (await stagedBytes(dataDir, before)) > 0);
  return {
    finish: () => {
      sent.end(form.subarray(form.length / 2));
      return answered;
    },
    finishAndLeave: () => {
      sent.end(form.subarray(form.length / 2), () => socket.destroy());
      return over;
    },
    over,
  };
}

/** Requests content and reads only the head of the answer. */
export async function beginDownload(server: ServerProcess, uniqueId: string): Promise<Begun> {
  const sent = request(`${server.origin}/v1/image/get/${uniqueId}`, {
    agent: new Agent({ keepAlive: true }),
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const over = once(response.socket, 'close').then(() => undefined);
  return { finish: () => read(response), over };
}

/** A connection that was used once and kept alive; resolves with the promise of its end. */
export async function beginIdleness(server: ServerProcess): Promise<{ readonly over: Promise<void> }> {
  const { hostname, port } = new URL(server.origin);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /status HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  await once(socket, 'data');
  return { over: once(socket, 'close').then(() => undefined) };
}

/** Bytes in the staging area, except for files that existed before. */
async function stagedBytes(dataDir: string, before: ReadonlySet<string>): Promise<number> {
  const folder = join(dataDir, 'staging');
  const names = (await readdir(folder)).filter((name) => !before.has(name));
  const sizes = await Promise.all(names.map((name) => sizeOf(join(folder, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Zero for a file that has been removed meanwhile. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

const read = async (response: IncomingMessage): Promise<Answer> => ({
  status: response.statusCode ?? 0,
  headers: response.headers,
  body: await buffer(response),
});
