import { readFile } from 'node:fs/promises';
import { type ServerProcess, startServer } from '../support/server-process.js';
import { pinnedTo, SERVER_CORE } from './processors.js';

const API_KEY = 'b'.repeat(40);

/** A Holdall server under measurement, on its own processor, and what a client of it needs. */
export interface Holdall {
  readonly server: ServerProcess;
  readonly apiKey: string;
  /** Stores a file and answers its id. */
  upload(path: string, name: string): Promise<string>;
  /** Stores a paste and answers its id. */
  paste(text: string): Promise<string>;
  /** Shortens a link and answers its id. */
  shorten(url: string): Promise<string>;
  /** How often a link was followed. */
  visits(id: string): Promise<number>;
}

/** Starts the built server over an empty folder. */
export async function startHoldall(dataDir: string): Promise<Holdall> {
  const server = await startServer({
    dataDir,
    wrap: pinnedTo(SERVER_CORE),
    env: { OWNER_API_KEY: API_KEY, LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' },
  });
  const call = async (method: string, path: string, body?: FormData | string): Promise<Envelope> => {
    const response = await fetch(`${server.origin}/v1${path}`, {
      method,
      headers: {
        'x-api-key': API_KEY,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Envelope;
  };
  return {
    server,
    apiKey: API_KEY,
    upload: async (path, name) => {
      const form = new FormData();
      form.set('file', new Blob([await readFile(path)]), name);
      return (await call('POST', '/image/upload', form)).uniqueId;
    },
    paste: async (text) => (await call('POST', '/paste/create', JSON.stringify({ text }))).uniqueId,
    shorten: async (url) => (await call('POST', '/url/create', JSON.stringify({ url }))).uniqueId,
    visits: async (id) => (await call('GET', `/url/get/${id}`)).message.visits,
  };
}

interface Envelope {
  readonly uniqueId: string;
  readonly message: { readonly visits: number };
}
