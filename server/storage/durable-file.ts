import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from './folders.js';

/** How a finished file gets its name: `rename` takes the name from whatever has it, `link` fails with EEXIST then. */
export type PlaceFile = (part: string, path: string) => Promise<void>;

/** Puts a file in its place, for this user alone: whole or not at all, and durably. A failure leaves nothing. */
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

/** Gives a file that somebody has finished its name in the same folder, durably. */
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
