import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Services } from '../../routers/core/context.js';
import { dispositionHeader } from '../../routers/core/items/file-names.js';
import type { ZipListing } from '../../routers/features/collection/zip.js';
import { zipLength, zipOf } from './zip-stream.js';

/** Sends files as one zip whose length is known in advance. If a file cannot be read, the connection is closed. */
export async function writeZip(
  app: Services,
  res: ServerResponse,
  listing: ZipListing,
  head: boolean,
): Promise<void> {
  const headers = {
    'content-type': 'application/zip',
    'content-disposition': dispositionHeader('attachment', listing.filename, listing.uniqueId),
    'cache-control': 'private, no-store',
  };
  if (head) {
    res.writeHead(200, headers);
    res.end();
    return;
  }
  const entries = listing.entries.map(({ createdAt, ...entry }) => ({
    ...entry,
    mtime: new Date(createdAt),
  }));
  async function* opened() {
    for (const { sha256, inline, ...entry } of entries) {
      const content =
        inline === undefined
          ? await app.storage.blobs.open(sha256)
          : Readable.from([Buffer.from(inline, 'base64')], { objectMode: false });
      yield { ...entry, content };
    }
  }
  res.writeHead(200, { ...headers, 'content-length': zipLength(entries) });
  await pipeline(zipOf(opened()), res);
}
