/**
 * The reference server, in a separate process: plain node:http that does only the unavoidable work. Its
 * settings are one JSON argument; it prints its port.
 */
import { createReadStream, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createCommitter } from './reference-commit.js';

/** The content that the reference serves. */
export interface ReferenceSettings {
  /** All other paths name files in here, sent as streams. */
  readonly root: string;
  /**
   * Where `/receive` stores request bodies. They are not removed: after many deletions, ext4 without a
   * journal takes several times as long to create a file.
   */
  readonly received: string;
  /** The file that `/commit` writes. */
  readonly log: string;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

const settings = JSON.parse(process.argv[2] ?? '{}') as ReferenceSettings;
const commit = await createCommitter(settings.log);
const sizes = new Map<string, number>();
let answer = Buffer.alloc(0);
let received = 0;
let created = 0;

const handlers = new Map<string, Handler>([
  ['/redirect', (_, response) => redirect(response)],
  ['/commit', guarded(commitThenRedirect)],
  ['/create', guarded(create)],
  ['/receive', guarded(receive)],
  ['/keep', guarded(keep)],
  [
    '/answer',
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.length });
      response.end(answer);
    },
  ],
]);

function redirect(response: ServerResponse): void {
  response.writeHead(301, {
    Location: 'https://example.org/',
    'Cache-Control': 'no-store',
    'Content-Length': 0,
  });
  response.end();
}

/** The load generator disconnects in the middle of a request. */
function guarded(handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Handler {
  return (request, response) => handler(request, response).catch(() => response.destroy());
}

/** The unavoidable work of an exact counter: one line, or the body, durable before the answer. */
async function commitThenRedirect(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await commit(request.method === 'GET' ? [Buffer.from(`${request.url}\n`)] : await bodyOf(request));
  redirect(response);
}

/** The unavoidable work of storing a record: the JSON parsed, and durable before the answer. */
async function create(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await bodyOf(request));
  const record = JSON.parse(body.toString()) as object;
  await commit([body]);
  created += 1;
  const text = JSON.stringify({ status: 'success', message: { uniqueId: created, ...record } });
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

/** Write, fsync, rename: the unavoidable work of storing an upload in its own file. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks = await bodyOf(request);
  received += 1;
  const path = join(settings.received, `${process.pid}-${received}`);
  const file = await open(`${path}.part`, 'wx');
  await file.writev(chunks);
  await file.sync();
  await file.close();
  await rename(`${path}.part`, path);
  response.writeHead(200, { 'Content-Length': 0 });
  response.end();
}

/** Sets the answer of `/answer`, which is kept in memory. */
async function keep(request: IncomingMessage, response: ServerResponse): Promise<void> {
  answer = Buffer.concat(await bodyOf(request));
  response.writeHead(204);
  response.end();
}

async function bodyOf(request: IncomingMessage): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks;
}

function stream(path: string, response: ServerResponse): void {
  const file = join(settings.root, path);
  const size = sizes.get(file) ?? statSync(file).size;
  sizes.set(file, size);
  response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': size });
  createReadStream(file).pipe(response);
}

const server = createServer((request, response) => {
  const path = request.url ?? '';
  const handler = handlers.get(path);
  if (handler !== undefined) return handler(request, response);
  return stream(path, response);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : address);
});
