import type { ClientRequest, IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { BlobStoreUnavailable } from '../../../../routers/base/ports/storage.js';

/** Responses read as text are lists of at most 1000 names, and errors. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const MAX_TEXT_MS = 60_000;

/** Timeouts of a response in milliseconds: until it starts, and for pauses within it. */
interface Patience {
  readonly beginMs: number;
  readonly idleMs: number;
}

/** Resolves with the response headers; failures and timeouts are `BlobStoreUnavailable`. */
export function answer(
  outgoing: ClientRequest,
  body: Readable | null,
  { beginMs, idleMs }: Patience,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | null = null;
    outgoing.on('timeout', () => {
      // While received data waits here for a slow reader, the server is not the one that is idle.
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
      // A request that is still waiting for a connection emits no error when it is destroyed.
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

/** The response to a request of this method as text, in limited time and memory; otherwise `BlobStoreUnavailable`. */
export async function readText(method: string, response: IncomingMessage): Promise<string> {
  if (method === 'HEAD') {
    // There should be no body. Some servers send one anyway, which only costs this connection.
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
