import { mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createClient, type HoldallClient } from '../src/index.js';
import { CommandError } from './command.js';

/** The server that commands talk to, and the key they show. */
export interface Login {
  readonly origin: string;
  readonly apiKey: string;
}

/** Where `holdall login` keeps them. */
const settingsFile = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'holdall', 'login.json');

/** Keeps a login for later commands, readable by this user alone; returns where. */
export async function keepLogin(login: Login): Promise<string> {
  const file = settingsFile();
  const draft = `${file}.${process.pid}`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(draft, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
  return file;
}

/** Forgets the login that was kept; returns where it was, null when there was none. */
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

/** Scheme and host of an address, whatever stands behind them; null for what is no address of a server. */
export function serverOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, origin } = new URL(text);
  return /^https?:$/.test(protocol) ? origin : null;
}

/** The client of HOLDALL_ORIGIN and HOLDALL_KEY, or else of what `holdall login` has kept. */
export async function connect(): Promise<HoldallClient> {
  const { HOLDALL_ORIGIN: address, HOLDALL_KEY: key } = process.env;
  const origin = address ? serverOrigin(address) : undefined;
  if (origin === null) throw new CommandError('HOLDALL_ORIGIN is an address like https://files.example.org');
  const apiKey = key?.trim().toLowerCase();
  if (origin && apiKey) return createClient({ origin, apiKey });
  const kept = await keptLogin();
  // A key is for the server it was kept with, and for no other.
  if (origin && origin !== kept.origin)
    throw new CommandError(
      `the key that \`holdall login\` has kept is for ${kept.origin}: set HOLDALL_KEY as well`,
    );
  return createClient({ ...kept, ...(apiKey ? { apiKey } : {}) });
}

async function keptLogin(): Promise<Login> {
  try {
    const { origin, apiKey } = JSON.parse(await readFile(settingsFile(), 'utf8')) as Partial<Login>;
    if (typeof origin !== 'string' || typeof apiKey !== 'string') throw new TypeError('no login');
    return { origin, apiKey };
  } catch {
    throw new CommandError('not signed in: run `holdall login`, or set HOLDALL_ORIGIN and HOLDALL_KEY');
  }
}
