import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
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

/** The client of HOLDALL_ORIGIN and HOLDALL_KEY, or else of what `holdall login` has kept. */
export async function connect(): Promise<HoldallClient> {
  const { HOLDALL_ORIGIN: origin, HOLDALL_KEY: apiKey } = process.env;
  if (origin && apiKey) return createClient({ origin, apiKey });
  try {
    const kept = JSON.parse(await readFile(settingsFile(), 'utf8')) as Login;
    return createClient({ ...kept, ...(origin ? { origin } : {}), ...(apiKey ? { apiKey } : {}) });
  } catch {
    throw new CommandError('not signed in: run `holdall login`, or set HOLDALL_ORIGIN and HOLDALL_KEY');
  }
}
