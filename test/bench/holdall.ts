import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { blobFile } from '../../server/drivers/storage/keys.js';
import { type ServerProcess, startServer } from '../support/servers/server-process.js';

const API_KEY = 'b'.repeat(40);

const JOBS_WAITING = /^holdall_jobs\{[^}]*kind="thumbhash"[^}]*state="waiting"[^}]*\} [1-9]/m;
const LOOK_AGAIN_MS = 250;

/** A Holdall server under measurement, and what its clients need. */
export interface Holdall {
  readonly server: ServerProcess;
  readonly pid: number;
  /** The address in front of the API paths. */
  readonly base: string;
  readonly apiKey: string;
  /** Stores a file and returns its id. */
  upload(bytes: Buffer, name: string): Promise<string>;
  /** The path of an image's stored bytes, below the folder of the blobs. */
  blobPath(imageId: string): Promise<string>;
  /** Stores a paste and returns its id. */
  paste(text: string): Promise<string>;
  /** Shortens a link, with further fields, and returns its id. */
  shorten(url: string, more?: object): Promise<string>;
  /** How often a link was followed. */
  visits(id: string): Promise<number>;
  /** Waits until the work after uploads is done. */
  settled(): Promise<void>;
}

interface Envelope {
  readonly uniqueId: string;
  readonly message: { readonly visits: number };
}

/** Starts the built server with a folder, created if necessary, on some of the processors. */
export async function startHoldall(
  dataDir: string,
  {
    wrap,
    workers = 1,
    env = {},
  }: {
    readonly wrap: readonly string[];
    readonly workers?: number;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<Holdall> {
  await mkdir(dataDir, { recursive: true });
  const server = await startServer({
    dataDir,
    wrap,
    env: {
      OWNER_API_KEY: API_KEY,
      WORKERS: String(workers),
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
      ...env,
    },
  });
  const base = `${server.origin}/v1`;
  const call = async (method: string, path: string, body?: FormData | string): Promise<Response> => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        'x-api-key': API_KEY,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const ask = async (method: string, path: string, body?: FormData | string): Promise<Envelope> =>
    (await (await call(method, path, body)).json()) as Envelope;
  return {
    server,
    pid: server.pid,
    base,
    apiKey: API_KEY,
    upload: async (bytes, name) => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(bytes)]), name);
      return (await ask('POST', '/image/upload', form)).uniqueId;
    },
    // The strong ETag of content is its hash, which is the name of the stored file.
    blobPath: async (imageId) => {
      const { headers } = await call('HEAD', `/image/get/${imageId}`);
      return blobFile('/', (headers.get('etag') ?? '').replaceAll('"', ''));
    },
    paste: async (text) => (await ask('POST', '/paste/create', JSON.stringify({ text }))).uniqueId,
    shorten: async (url, more = {}) =>
      (await ask('POST', '/url/create', JSON.stringify({ url, ...more }))).uniqueId,
    visits: async (id) => (await ask('GET', `/url/get/${id}`)).message.visits,
    settled: async () => {
      const waiting = async () => JOBS_WAITING.test(await (await call('GET', '/metrics')).text());
      while (await waiting()) await delay(LOOK_AGAIN_MS);
    },
  };
}
