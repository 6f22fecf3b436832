/**
 * The reference server, in a process of its own: node:http with nothing on top, doing only what physics asks
 * for. Its settings are one JSON argument; it prints its port.
 */
import { createReadStream, statSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';

/** What the reference serves. */
export interface ReferenceSettings {
  /** URL path to file, sent as a stream. */
  readonly files: Readonly<Record<string, string>>;
  /** File whose bytes are the answer to `/answer`, from memory. */
  readonly answer: string;
  /** Where `/receive` stores request bodies. */
  readonly folder: string;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

const settings = JSON.parse(process.argv[2] ?? '{}') as ReferenceSettings;
const answer = await readFile(settings.answer);
let received = 0;

const handlers = new Map<string, Handler>([
  [
    '/redirect',
    (_, response) => {
      response.writeHead(301, {
        Location: 'https://example.org/',
        'Cache-Control': 'no-store',
        'Content-Length': 0,
      });
      response.end();
    },
  ],
  [
    '/answer',
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.length });
      response.end(answer);
    },
  ],
  // The load generator leaves in the middle of a request, and its files are removed between the runs.
  ['/receive', (request, response) => receive(request, response).catch(() => response.destroy())],
  ...Object.entries(settings.files).map(([path, file]): [string, Handler] => {
    const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': statSync(file).size };
    return [
      path,
      (_, response) => {
        response.writeHead(200, headers);
        createReadStream(file).pipe(response);
      },
    ];
  }),
]);

/** Write, fsync, rename: what any server must do before it may acknowledge an upload. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  received += 1;
  const path = join(settings.folder, `${process.pid}-${received}`);
  const file = await open(`${path}.part`, 'wx');
  await file.writev(chunks);
  await file.sync();
  await file.close();
  await rename(`${path}.part`, path);
  response.writeHead(200, { 'Content-Length': 0 });
  response.end();
}

const server = createServer((request, response) => {
  const handler = handlers.get(request.url ?? '');
  if (handler !== undefined) return handler(request, response);
  response.writeHead(404);
  response.end();
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : address);
});
