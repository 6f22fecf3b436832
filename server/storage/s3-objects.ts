import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BlobMissing, BlobStoreUnavailable, type ByteRange } from '../../routers/ports/storage.js';
import { type S3Client, S3Refused, type S3Request } from './s3-client.js';
import { elements, firstText } from './s3-xml.js';

/** What the server knows of an object. */
export interface ObjectFacts {
  readonly size: number;
  /** Epoch milliseconds of the last write. */
  readonly modifiedAt: number;
}

/** Size and age of an object, or null when there is none. */
export async function headObject(client: S3Client, key: string): Promise<ObjectFacts | null> {
  const { statusCode, headers } = await client.run({ method: 'HEAD', key }, [404]);
  if (statusCode === 404) return null;
  return {
    size: Number(headers['content-length']),
    modifiedAt: Date.parse(headers['last-modified'] ?? ''),
  };
}

/**
 * Opens an object for reading. Throws `BlobMissing` (with `name`) before any byte. The stream fails with
 * `BlobStoreUnavailable` unless exactly the promised bytes arrive.
 */
export async function openObject(client: S3Client, key: string, name: string): Promise<Readable> {
  return (await begin(client, { method: 'GET', key }, name)).body;
}

/** As `openObject`, for a client outside that may read slowly; a range is cut at the end of the object. */
export async function openForOutside(
  client: S3Client,
  key: string,
  name: string,
  range?: ByteRange,
): Promise<Readable> {
  return (await begin(client, { method: 'GET', key, outside: true }, name, range)).body;
}

/** Reads a whole object, which is small; as `openObject`, and in bounded time, because somebody waits for all of it. */
export async function readObject(client: S3Client, key: string, name: string): Promise<Buffer> {
  const { body, length } = await begin(client, { method: 'GET', key }, name);
  const slow = () => body.destroy(new BlobStoreUnavailable('it took too long'));
  const limit = setTimeout(slow, client.patienceFor(length));
  return buffer(body).finally(() => clearTimeout(limit));
}

/** What the server has begun to send, and how much that will be. */
interface Begun {
  readonly body: Readable;
  readonly length: number;
}

const NOTHING = (): Begun => ({ body: Readable.from([]), length: 0 });

async function begin(client: S3Client, request: S3Request, name: string, range?: ByteRange): Promise<Begun> {
  if (range !== undefined && range.start === range.end) {
    if ((await headObject(client, request.key)) === null) throw new BlobMissing(name);
    return NOTHING();
  }
  const headers: Record<string, string> =
    range === undefined ? {} : { range: `bytes=${range.start}-${range.end - 1}` };
  const response = await client.send({ ...request, headers }, [404, 416]);
  const { statusCode } = response;
  if (statusCode === 404 || statusCode === 416) {
    response.resume();
    if (statusCode === 404) throw new BlobMissing(name);
    return NOTHING();
  }
  const length = Number(response.headers['content-length']);
  if ((range !== undefined && statusCode !== 206) || !Number.isSafeInteger(length)) {
    response.destroy();
    throw new BlobStoreUnavailable('it does not support ranges and content lengths');
  }
  const body = Readable.from(exactly(response, length), { objectMode: false, highWaterMark: 256 * 1024 });
  body.once('close', () => response.destroy());
  return { body, length };
}

/** Gives an object a new date by a copy onto itself; returns whether the server did so. */
export async function touchObject(client: S3Client, key: string): Promise<boolean> {
  const headers = {
    'content-type': 'application/octet-stream',
    'x-amz-copy-source': client.copySource(key),
    'x-amz-metadata-directive': 'REPLACE',
  };
  try {
    // The server may find out that it cannot after it has begun to answer 200.
    return firstText(await client.text({ method: 'PUT', key, headers }), 'ETag') !== null;
  } catch (error) {
    if (error instanceof S3Refused) return false;
    throw error;
  }
}

/** Removes an object; one that is not there is no error. */
export async function removeObject(client: S3Client, key: string): Promise<void> {
  await client.run({ method: 'DELETE', key }, [404]);
}

/** Every object whose key begins with `prefix`, a page of 1000 at a time. */
export async function* listObjects(
  client: S3Client,
  prefix: string,
): AsyncGenerator<{ readonly key: string; readonly modifiedAt: number }> {
  let token: string | null = null;
  do {
    const query = { 'list-type': '2', prefix, ...(token === null ? {} : { 'continuation-token': token }) };
    const page: string = await client.text({ method: 'GET', key: '', query });
    for (const object of elements(page, 'Contents')) {
      const key = firstText(object, 'Key') ?? '';
      yield { key, modifiedAt: Date.parse(firstText(object, 'LastModified') ?? '') };
    }
    const more = firstText(page, 'NextContinuationToken');
    if (more === token && more !== null)
      throw new S3Refused(200, 'the listing does not advance', { method: 'GET', key: '' });
    token = more;
  } while (token !== null);
}

async function* exactly(response: IncomingMessage, length: number): AsyncGenerator<Buffer> {
  let left = length;
  try {
    for await (const chunk of response) {
      left -= chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw new BlobStoreUnavailable(`the response was cut off ${left} bytes before its end`, { cause: error });
  }
  if (left !== 0) throw new BlobStoreUnavailable(`the response ended ${left} bytes before its end`);
}
