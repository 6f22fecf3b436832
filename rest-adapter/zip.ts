import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Services } from '../routers/context.js';
import { dispositionHeader } from '../routers/image/names.js';
import type { ArchiveListing } from '../routers/playlist/archive.js';
import { openZip } from './zip-stream.js';

/** Sends files as one zip whose length is known in advance. If a file cannot be read, the connection is closed. */
export async function writeZip(
  app: Services,
  res: ServerResponse,
  listing: ArchiveListing,
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
  const zip = await openZip();
  for (const { name, sha256, size, createdAt } of listing.entries)
    zip.add({ name, size, mtime: new Date(createdAt) }, () => app.blobs.open(sha256));
  const length = await zip.end();
  res.writeHead(200, { ...headers, 'content-length': length });
  await pipeline(zip.output, res);
}
