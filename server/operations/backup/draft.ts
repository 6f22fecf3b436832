import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failedWith, syncFolder } from '../../drivers/storage/disk/folders.js';

/** The folder in which the files of a new backup are prepared. Blobs are not: they are only ever added. */
const DRAFT = 'next.part';
/** The name of that folder once the new backup is complete. Its files then replace those with the same name. */
const NEXT = 'next';

/** The folders that backups create and remove. */
export const WRITTEN = ['blobs', 'staging', DRAFT, NEXT] as const;

/** Whether this may come from an interrupted first backup or from the file system itself. */
export const isLeftOver = (name: string): boolean =>
  ['blobs', 'staging', DRAFT, 'lost+found'].includes(name) || name.startsWith('.');

/** Creates an empty folder for the files of a new backup. Removes an abandoned draft. */
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

/** Replaces the previous backup with the draft in one durable step. Call `settle` before and after it. */
export async function commitDraft(folder: string): Promise<void> {
  const draft = join(folder, DRAFT);
  await syncFolder(draft);
  await rename(draft, join(folder, NEXT));
  await syncFolder(folder);
}

/** Moves the files of a complete backup over those of the previous one. The backup is complete after each step. */
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

/** The path of a file in the latest complete backup. Read-only. */
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
