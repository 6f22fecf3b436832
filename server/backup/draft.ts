import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failedWith, syncFolder } from '../storage/folders.js';

/** Where the files of a new backup are made. Blobs are not: they are only ever added. */
const DRAFT = 'next.part';
/** The same folder once the new backup is complete. Its files then replace those of the same name. */
const NEXT = 'next';

/** The folders of a backup that backups write and remove. */
export const WRITTEN = ['blobs', 'staging', DRAFT, NEXT] as const;

/** Whether an interrupted first backup may have left it, or the file system made it. */
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

/** Replaces the backup before by the draft, in one durable step. Call `settle` before it and after it. */
export async function commitDraft(folder: string): Promise<void> {
  const draft = join(folder, DRAFT);
  await syncFolder(draft);
  await rename(draft, join(folder, NEXT));
  await syncFolder(folder);
}

/** Moves the files of a complete backup over those of the one before; the backup is complete after each step. */
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

/** The path of a file of the latest complete backup. Reads only. */
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
