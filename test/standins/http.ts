import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One request as a stand-in received it, including the body. */
export interface Received {
  readonly method: string;
  /** Path and query, parsed against the stand-in's own address. */
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A stand-in server; `close` also closes open connections, so that a hanging answer cannot block a test. */
export interface Standin {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** All requests so far, oldest first. */
  readonly requests: Received[];
  close(): Promise<void>;
}

/** Serves HTTP on a loopback port, a free one unless it is given; each request is read in full before it is handled. */
export async function serve(
  handle: (request: Received, response: ServerResponse) => void | Promise<void>,
  port = 0,
): Promise<Standin> {
  const requests: Received[] = [];
  const server = createServer(async (request, response) => {
    try {
      const received: Received = {
        method: request.method ?? '',
        url: new URL(request.url ?? '/', url),
        headers: request.headers,
        body: await buffer(request),
      };
      requests.push(received);
      await handle(received, response);
    } catch (error) {
      response.destroy(error instanceof Error ? error : undefined);
    }
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** Answers JSON. */
export function reply(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** How a stand-in misbehaves on request. `hang` never answers, `lie` answers something unrelated. */
export type Mood = 'well' | 'down' | 'hang' | 'lie' | 'redirect' | 'flood';

/** Misbehaves as requested; true if the request has been handled. */
export function misbehave(mood: Mood, response: ServerResponse): boolean {
  if (mood === 'down') reply(response, 503, { message: 'out of order' }, { 'retry-after': '7' });
  if (mood === 'lie') reply(response, 200, { surprise: [1, 2, 3] });
  if (mood === 'redirect') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  if (mood === 'flood') {
    response.writeHead(200, { 'content-type': 'application/json' });
    const pour = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, '[')));
    };
    response.on('drain', pour);
    pour();
  }
  return mood !== 'well';
}
