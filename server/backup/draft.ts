import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failedWith, syncFolder } from '../storage/folders.js';

/** Where the files of a new backup are made, blobs apart: those only come in addition. */
const DRAFT = 'next.part';
/** The same folder from the moment on that the new backup counts. Its files then stand for those of the same name. */
const NEXT = 'next';

/** The folders below that of a backup whose contents come and go with it. */
export const WRITTEN = ['blobs', 'staging', DRAFT, NEXT] as const;

/** Whether a first backup that was cut short may have left it, or a file system makes it by itself. */
export const isLeftOver = (name: string): boolean =>
  ['blobs', 'staging', DRAFT, 'lost+found'].includes(name) || name.startsWith('.');

/** An empty folder for the files of a new backup. A draft that was left there is removed. */
export async function openDraft(folder: string): Promise<string> {
  await abandonDraft(folder);
  const draft = join(folder, DRAFT);
  await mkdir(draft, { mode: 0o700 });
  return draft;
}

/** Removes a draft, if there is one. */
export async function abandonDraft(folder: string): Promise<void> {
  await rm(join(folder, DRAFT), { recursive: true, force: true });
}

/** The one moment in which the draft takes the place of the backup before, durably. `settle` must come first and next. */
export async function commitDraft(folder: string): Promise<void> {
  const draft = join(folder, DRAFT);
  await syncFolder(draft);
  await rename(draft, join(folder, NEXT));
  await syncFolder(folder);
}

/** Moves the files of a backup that counts to where the one before has them; it counts after each step. */
export async function settle(folder: string): Promise<void> {
  const next = join(folder, NEXT);
  const names = await readdir(next).catch((error: unknown) => {
    if (failedWith(error, 'ENOENT')) return null;
    throw error;
  });
  if (names === null) return;
  for (const name of names) await rename(join(next, name), join(folder, name));
  await syncFolder(folder);
  await rmdir(next);
}

/** Where a file of the backup that counts lies. Reads only. */
export async function fileOf(folder: string, name: string): Promise<string> {
  const next = join(folder, NEXT, name);
  try {
    await stat(next);
    return next;
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return join(folder, name);
    throw error;
  }
}
