import { mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createClient, type HoldallClient } from '../src/index.js';
import { CommandError } from './command.js';

/** The server that commands use, and the API key for it. */
export interface Login {
  readonly origin: string;
  readonly apiKey: string;
}

/** Where `holdall login` saves them. */
const settingsFile = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'holdall', 'login.json');

/** Saves a login for later commands, readable by this user only; returns the path. */
export async function keepLogin(login: Login): Promise<string> {
  const file = settingsFile();
  const draft = `${file}.${process.pid}`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(draft, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
  return file;
}

/** Deletes the saved login; returns its path, or null if there was none. */
export async function forgetLogin(): Promise<string | null> {
  const file = settingsFile();
  try {
    await unlink(file);
    return file;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Scheme and host of an address, without its path; null if it is not the address of a server. */
export function serverOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, origin } = new URL(text);
  return /^https?:$/.test(protocol) ? origin : null;
}

/** The address of the server that commands use. */
export const connectedOrigin = async (): Promise<string> => (await currentLogin()).origin;

/** The client for HOLDALL_ORIGIN and HOLDALL_KEY, or for what `holdall login` saved. */
export const connect = async (): Promise<HoldallClient> => createClient(await currentLogin());

async function currentLogin(): Promise<Login> {
  const { HOLDALL_ORIGIN: address, HOLDALL_KEY: key } = process.env;
  const origin = address ? serverOrigin(address) : undefined;
  if (origin === null)
    throw new CommandError('HOLDALL_ORIGIN must be an address like https://files.example.org');
  const apiKey = key?.trim().toLowerCase();
  if (origin && apiKey) return { origin, apiKey };
  const kept = await keptLogin();
  // A key must never be sent to another server than the one it was saved for.
  if (origin && origin !== kept.origin)
    throw new CommandError(
      `the key saved by \`holdall login\` is for ${kept.origin}: set HOLDALL_KEY as well`,
    );
  return { ...kept, ...(apiKey ? { apiKey } : {}) };
}

/** What `holdall login` saved; null if nothing was. */
export async function savedLogin(): Promise<Login | null> {
  try {
    const { origin, apiKey } = JSON.parse(await readFile(settingsFile(), 'utf8')) as Partial<Login>;
    if (typeof origin !== 'string' || typeof apiKey !== 'string') throw new TypeError('no login');
    return { origin, apiKey };
  } catch {
    return null;
  }
}

async function keptLogin(): Promise<Login> {
  const kept = await savedLogin();
  if (kept !== null) return kept;
  throw new CommandError('not signed in: run `holdall login`, or set HOLDALL_ORIGIN and HOLDALL_KEY');
}
