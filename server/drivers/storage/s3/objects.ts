import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BlobMissing, BlobStoreUnavailable, type ByteRange } from '../../../../routers/base/ports/storage.js';
import type { S3Client, S3Request } from './client.js';
import { S3Refused } from './refused.js';
import { elements, firstText } from './xml.js';

/** What the server reports about an object. */
interface ObjectFacts {
  readonly size: number;
  /** Time of the last write in epoch milliseconds. */
  readonly modifiedAt: number;
}

/**
 * Size and age of an object, or null if it does not exist. `BlobStoreUnavailable` for an answer that says neither, as
 * something in front of a store gives it: an object must not be taken for lost because of it.
 */
export async function headObject(client: S3Client, key: string): Promise<ObjectFacts | null> {
  const { statusCode, headers } = await client.run({ method: 'HEAD', key }, [404]);
  if (statusCode === 404) return null;
  const size = Number(headers['content-length'] ?? Number.NaN);
  const modifiedAt = Date.parse(headers['last-modified'] ?? '');
  if (!Number.isSafeInteger(size) || Number.isNaN(modifiedAt))
    throw new BlobStoreUnavailable('it does not say how large and how old an object is');
  return { size, modifiedAt };
}

/**
 * Opens an object for reading. Throws `BlobMissing` (with `name`) before the first byte. The stream fails with
 * `BlobStoreUnavailable` unless exactly the promised number of bytes arrives.
 */
export async function openObject(client: S3Client, key: string, name: string): Promise<Readable> {
  return (await begin(client, { method: 'GET', key }, name)).body;
}

/** Like `openObject`, for an external client that may read slowly; a range is cut at the end of the object. */
export async function openForOutside(
  client: S3Client,
  key: string,
  name: string,
  range?: ByteRange,
): Promise<Readable> {
  return (await begin(client, { method: 'GET', key, outside: true }, name, range)).body;
}

/** Reads a whole small object. Like `openObject`, but with a time limit, because somebody waits for all of it. */
export async function readObject(client: S3Client, key: string, name: string): Promise<Buffer> {
  const { body, length } = await begin(client, { method: 'GET', key }, name);
  const slow = () => body.destroy(new BlobStoreUnavailable('it took too long'));
  const limit = setTimeout(slow, client.patienceFor(length));
  return buffer(body).finally(() => clearTimeout(limit));
}

/** A response that has started, and its expected size. */
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

/** Updates the date of an object by copying it onto itself; returns whether the server did so. */
export async function touchObject(client: S3Client, key: string): Promise<boolean> {
  const headers = {
    'content-type': 'application/octet-stream',
    'x-amz-copy-source': client.copySource(key),
    'x-amz-metadata-directive': 'REPLACE',
  };
  try {
    // The server may fail after it has already sent status 200.
    return firstText(await client.text({ method: 'PUT', key, headers }), 'ETag') !== null;
  } catch (error) {
    if (error instanceof S3Refused) return false;
    throw error;
  }
}

/** Removes an object; not an error if it does not exist. */
export async function removeObject(client: S3Client, key: string): Promise<void> {
  await client.run({ method: 'DELETE', key }, [404]);
}

/** All objects whose key starts with `prefix`, listed in pages of 1000. */
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
