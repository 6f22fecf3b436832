import { mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { UploadMemory } from '../src/index.js';

/** Where commands remember unfinished uploads. */
const memoryFile = (): string =>
  join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'holdall', 'uploads.json');

/** A server forgets an upload a day after its last byte; a long one is remembered from its beginning. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_KEPT = 1_000;

type Kept = Record<string, { readonly address: string; readonly at: number }>;

/**
 * Remembers the upload of one file as it is now, so that a later command continues it. What cannot be remembered is
 * begun anew; an address is a secret, so only this user can read the file.
 */
export async function fileMemory(path: string): Promise<UploadMemory> {
  const { mtimeMs, ino } = await stat(path);
  const nameOf = async (fingerprint: string) => `${await realpath(path)} ${ino} ${mtimeMs} ${fingerprint}`;
  return {
    get: async (fingerprint) => (await readKept())[await nameOf(fingerprint)]?.address ?? null,
    set: async (fingerprint, address) => {
      const name = await nameOf(fingerprint);
      await change((kept) => ({ ...kept, [name]: { address, at: Date.now() } }));
    },
    delete: async (fingerprint) => {
      const name = await nameOf(fingerprint);
      await change(({ [name]: _gone, ...others }) => others);
    },
  };
}

async function readKept(): Promise<Kept> {
  try {
    const kept = JSON.parse(await readFile(memoryFile(), 'utf8')) as Kept;
    const recent = Object.entries(kept).filter(([, { at }]) => at > Date.now() - KEPT_MS);
    return Object.fromEntries(recent.slice(-MAX_KEPT));
  } catch {
    return {};
  }
}

let last: Promise<void> = Promise.resolve();

/** Changes what is kept; files that are sent at once do so one after another. */
function change(to: (kept: Kept) => Kept): Promise<void> {
  last = last.then(() => write(to));
  return last;
}

async function write(to: (kept: Kept) => Kept): Promise<void> {
  const file = memoryFile();
  const draft = `${file}.${process.pid}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, JSON.stringify(to(await readKept())), { mode: 0o600 });
    await rename(draft, file);
  } catch {
    // Only this file cannot be continued by a later command.
  }
}
