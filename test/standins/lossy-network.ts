import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A network between clients and a server, which loses some requests to `/v1`. */
export interface LossyNetwork {
  readonly origin: string;
  /** How many requests there were, and how many of them were lost. */
  readonly counts: { requests: number; lost: number };
  close(): Promise<void>;
}

/** Numbers between 0 and 1 that are the same for the same seed. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Forwards to the server at `target`. Of `loss` of the requests a third never arrives, of a third only the beginning, and of
 * a third the answer is lost.
 */
export async function startLossyNetwork(
  target: () => string,
  { loss, seed }: { readonly loss: number; readonly seed: number },
): Promise<LossyNetwork> {
  const next = numbersOf(seed);
  const counts = { requests: 0, lost: 0 };
  const forward = (asked: IncomingMessage, answer: ServerResponse, fate: 'well' | 'cut' | 'unanswered') => {
    const { hostname, port } = new URL(target());
    const { method, url: path, headers } = asked;
    const passed = httpRequest({ hostname, port, method, path, headers }, (got) => {
      if (fate === 'unanswered') {
        got.resume();
        asked.socket.destroy();
        return;
      }
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    passed.on('error', () => asked.socket.destroy());
    asked.on('error', () => passed.destroy());
    if (fate !== 'cut') return void asked.pipe(passed);
    asked.once('data', (chunk: Buffer) => {
      passed.write(chunk.subarray(0, chunk.length >> 1));
      passed.destroy();
      asked.socket.destroy();
    });
    asked.once('end', () => asked.socket.destroy());
  };
  const network = createServer((asked, answer) => {
    if (!asked.url?.startsWith('/v1/')) return forward(asked, answer, 'well');
    counts.requests += 1;
    const drawn = next();
    if (drawn < loss) counts.lost += 1;
    if (drawn < loss / 3) asked.socket.destroy();
    else if (drawn < (2 * loss) / 3) forward(asked, answer, 'cut');
    else forward(asked, answer, drawn < loss ? 'unanswered' : 'well');
  });
  await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(network.address() as AddressInfo).port}`,
    counts,
    close: () =>
      new Promise((resolve) => {
        network.close(() => resolve());
        network.closeAllConnections();
      }),
  };
}
