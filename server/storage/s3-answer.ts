import type { ClientRequest, IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { BlobStoreUnavailable } from '../../routers/ports/storage.js';

/** Answers that are read whole are lists of at most 1000 names, and errors. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const MAX_TEXT_MS = 60_000;

/** How long an answer may take, in milliseconds: until it begins, and how long its line may be silent. */
export interface Patience {
  readonly beginMs: number;
  readonly idleMs: number;
}

/** Resolves with the head of the answer; whatever breaks or stays silent is `BlobStoreUnavailable`. */
export function answer(
  outgoing: ClientRequest,
  body: Readable | null,
  { beginMs, idleMs }: Patience,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | null = null;
    outgoing.on('timeout', () => {
      // Silence is not the server's while its bytes wait here for a slow reader.
      if (response !== null && response.readableLength > 0) outgoing.setTimeout(idleMs);
      else outgoing.destroy(new Error('no response in time'));
    });
    const fail = (error: Error) => {
      clearTimeout(limit);
      body?.destroy();
      reject(new BlobStoreUnavailable(error.message, { cause: error }));
    };
    const limit = setTimeout(() => {
      const late = new Error('it took too long');
      outgoing.destroy(late);
      // A request that still waits for a connection does not tell that it was destroyed.
      fail(late);
    }, beginMs);
    outgoing.on('error', fail);
    outgoing.on('response', (incoming) => {
      clearTimeout(limit);
      response = incoming;
      resolve(incoming);
    });
    if (body === null) outgoing.end();
    else pipeline(body, outgoing, (error) => error && fail(error));
  });
}

/** The answer to a request of this method as text, in bounded time and memory; else `BlobStoreUnavailable`. */
export async function readText(method: string, response: IncomingMessage): Promise<string> {
  if (method === 'HEAD') {
    // Nothing may follow; some servers send a body all the same, which only costs this connection.
    response.resume();
    return '';
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const limit = setTimeout(() => response.destroy(new Error('it took too long')), MAX_TEXT_MS);
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_TEXT_BYTES) throw new Error('the response is too large');
    }
  } catch (error) {
    throw new BlobStoreUnavailable('the response was cut off', { cause: error });
  } finally {
    clearTimeout(limit);
  }
  return Buffer.concat(chunks).toString();
}
