import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from './folders.js';

/** How a finished file gets its name: `rename` replaces an existing file, `link` fails with EEXIST. */
type PlaceFile = (part: string, path: string) => Promise<void>;

/** Creates a durable file that is private to this user: complete or not at all. A failure leaves nothing behind. */
export async function putFile(
  path: string,
  source: Iterable<string | Buffer>,
  place: PlaceFile = rename,
): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  try {
    await pipeline(source, createWriteStream(part, { flags: 'wx', mode: 0o600 }));
    await publish(part, path, place);
  } finally {
    await rm(part, { force: true });
  }
}

/** Durably gives a finished file its final name in the same folder. */
export async function publish(part: string, path: string, place: PlaceFile = rename): Promise<void> {
  const file = await open(part, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await place(part, path);
  await syncFolder(dirname(path));
}
