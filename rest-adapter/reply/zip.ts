import type { ServerResponse } from 'node:http';
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
    for (const { sha256, ...entry } of entries)
      yield { ...entry, content: await app.storage.blobs.open(sha256) };
  }
  res.writeHead(200, { ...headers, 'content-length': zipLength(entries) });
  await pipeline(zipOf(opened()), res);
}
