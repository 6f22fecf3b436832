import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Services } from '../routers/context.js';
import { dispositionHeader } from '../routers/image/names.js';
import type { ArchiveListing } from '../routers/playlist/archive.js';

/**
 * Sends files as one zip while they are read, one at a time, uncompressed: media is compressed already, and so
 * the length is known beforehand. A file that cannot be read cuts the connection.
 */
export async function writeZip(
  app: Services,
  res: ServerResponse,
  listing: ArchiveListing,
  head: boolean,
): Promise<void> {
  const headers = {
    'content-type': 'application/zip',
    'content-disposition': dispositionHeader('attachment', listing.filename),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  };
  if (head) {
    res.writeHead(200, headers);
    res.end();
    return;
  }
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  let reading: Readable | null = null;
  for (const { name, sha256, size, createdAt } of listing.entries) {
    const options = { compress: false, size, mtime: new Date(createdAt), mode: 0o100644 };
    zip.addReadStreamLazy(name, options, (take) => {
      app.blobs.open(sha256).then(
        (stream) => {
          reading = stream;
          take(null, stream);
        },
        (error) => take(error, null as never),
      );
    });
  }
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  try {
    const length = await new Promise<number>((resolve) => zip.end(undefined, resolve as () => void));
    res.writeHead(200, { ...headers, 'content-length': length });
    await pipeline(output, res);
  } finally {
    (reading as Readable | null)?.destroy();
  }
}
