import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Reply } from './reply/reply.js';

/** Sends a temporary file as a download; whoever made it removes it once the response is over. */
export async function writeTemporary(
  res: ServerResponse,
  { path, size, mimeType, filename, headers }: Extract<Reply, { as: 'file' }>,
): Promise<void> {
  const file = createReadStream(path);
  res.writeHead(200, {
    'content-type': mimeType,
    'content-length': String(size),
    'content-disposition': `attachment; filename="${filename}"`,
    'cache-control': 'no-store',
    ...headers,
  });
  // A client that leaves ends the response; there is nobody to tell.
  await pipeline(file, res).catch(() => res.destroy());
}
