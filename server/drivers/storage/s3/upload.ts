import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { BlobStoreUnavailable } from '../../../../routers/base/ports/storage.js';
import { inLanes } from '../lanes.js';
import { sha256OfStream } from '../sha256.js';
import type { S3Client } from './client.js';
import { elements, firstText } from './xml.js';

/** A file up to this size is sent in one request. */
const SINGLE_PUT_BYTES = 16 * 1024 * 1024;
/** The API allows at most 10,000 parts. */
const MAX_PARTS = 10_000;
const PARTS_AT_ONCE = 3;
const READ_BYTES = 256 * 1024;
const BYTES = { 'content-type': 'application/octet-stream' };

/** A local file with known content. */
export interface LocalFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** Bytes `start` to `end` (exclusive) of a file as a request body; opened again for each attempt. */
function slice(path: string, start: number, end: number, sha256: string) {
  return {
    size: end - start,
    sha256,
    open: () => (end > start ? readSlice(path, start, end) : Readable.from([])),
  };
}

/**
 * Uploads a local file to `key`, large ones in parts, streamed from disk: memory does not grow with the file. The
 * server verifies the SHA-256 of all data. A failed upload leaves no parts behind, provided that the server still
 * responds; `sweepUploads` removes the rest.
 */
export async function uploadFile(client: S3Client, key: string, file: LocalFile): Promise<void> {
  if (file.size > SINGLE_PUT_BYTES) return uploadInParts(client, key, file);
  const body = slice(file.path, 0, file.size, file.sha256);
  requireTag(await client.run({ method: 'PUT', key, headers: BYTES, body }));
}

/** The ETag of the stored object. A server that responds without one is not an object store, but perhaps a proxy. */
function requireTag({ headers }: IncomingMessage): string {
  if (headers.etag === undefined) throw new BlobStoreUnavailable('it stored bytes without returning an ETag');
  return headers.etag;
}

/** Aborts multipart uploads under a prefix that began before `before`, however many; returns how many. */
export async function sweepUploads(client: S3Client, prefix: string, before: number): Promise<number> {
  let aborted = 0;
  let from: Record<string, string> | null = {};
  while (from !== null) {
    // Some servers do not support this list; they clean up by themselves.
    const query = { uploads: '', prefix, ...from };
    const page: string = await client.text({ method: 'GET', key: '', query }, [501]);
    await inLanes(elements(page, 'Upload'), async (upload) => {
      const key = firstText(upload, 'Key') ?? '';
      const uploadId = firstText(upload, 'UploadId') ?? '';
      const begun = Date.parse(firstText(upload, 'Initiated') ?? '');
      if (!key.startsWith(prefix) || !(begun < before)) return;
      await abort(client, key, uploadId);
      aborted += 1;
    });
    from = pageBehind(page, from);
  }
  return aborted;
}

/** Where the next page of a list of multipart uploads begins; null behind the last. */
function pageBehind(page: string, from: Record<string, string>): Record<string, string> | null {
  const key = firstText(page, 'NextKeyMarker');
  const id = firstText(page, 'NextUploadIdMarker');
  const isSame = key === from['key-marker'] && id === from['upload-id-marker'];
  if (firstText(page, 'IsTruncated') !== 'true' || !key || !id || isSame) return null;
  return { 'key-marker': key, 'upload-id-marker': id };
}

async function uploadInParts(client: S3Client, key: string, { path, size }: LocalFile): Promise<void> {
  const begun = await client.text({ method: 'POST', key, query: { uploads: '' }, headers: BYTES });
  const uploadId = firstText(begun, 'UploadId');
  if (uploadId === null) throw new Error('the object store started an upload without an ID');
  const partBytes = Math.max(SINGLE_PUT_BYTES, Math.ceil(size / MAX_PARTS));
  const tags: string[] = [];
  let next = 0;
  let failed = false;

  async function sendParts(): Promise<void> {
    for (let start = next; start < size && !failed; start = next) {
      next = start + partBytes;
      const end = Math.min(next, size);
      const index = start / partBytes;
      const response = await client.run({
        method: 'PUT',
        key,
        query: { partNumber: String(index + 1), uploadId: uploadId ?? '' },
        body: slice(path, start, end, await sha256OfStream(readSlice(path, start, end))),
      });
      tags[index] = requireTag(response);
    }
  }

  try {
    const work = Array.from({ length: PARTS_AT_ONCE }, () =>
      sendParts().catch((error: unknown) => {
        failed = true;
        throw error;
      }),
    );
    // Aborting while parts are being sent would leave them behind, so wait for all of them first.
    const broken = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
    if (broken !== undefined) throw broken.reason;
    await complete(client, key, uploadId, tags);
  } catch (error) {
    await abort(client, key, uploadId).catch(() => undefined);
    throw error;
  }
}

async function complete(client: S3Client, key: string, uploadId: string, tags: string[]): Promise<void> {
  const parts = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
  const xml = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
  const sha256 = createHash('sha256').update(xml).digest('hex');
  const body = { size: xml.length, sha256, open: () => Readable.from([xml]) };
  const request = { method: 'POST', key, query: { uploadId }, body } as const;
  // The server may fail after it has already sent status 200.
  const answer = await client.text(request, [400]);
  if (firstText(answer, 'Code') !== null || firstText(answer, 'ETag') === null)
    throw new BlobStoreUnavailable(`the parts could not be combined: ${firstText(answer, 'Code')}`);
}

async function abort(client: S3Client, key: string, uploadId: string): Promise<void> {
  await client.run({ method: 'DELETE', key, query: { uploadId } }, [404]);
}

function readSlice(path: string, start: number, end: number): Readable {
  return createReadStream(path, { start, end: end - 1, highWaterMark: READ_BYTES });
}
