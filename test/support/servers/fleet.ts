import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { skipping } from '../skip.js';
import { openMigratedDatabase, postgresUrl } from '../stores/postgres.js';
import { newDataDir } from '../stores/sqlite.js';
import { OWNER, type ServerProcess, startServer } from './server-process.js';

/** An answer of one of the processes. */
export interface FleetAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

interface FleetRequest {
  readonly key?: string;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
}

/** Several processes that serve one database. */
export interface Fleet {
  readonly dataDir: string;
  /** Origins in turn reach every process. */
  readonly origins: readonly string[];
  readonly servers: readonly ServerProcess[];
  /** Sends below `/v1` over a new connection, to the next process in turn. */
  send(method: string, path: string, options?: FleetRequest): Promise<FleetAnswer>;
  /** Stops every process as its operator would, and starts others in their place. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** How the processes are started. */
export interface FleetKind {
  readonly name: string;
  start(env?: Readonly<Record<string, string>>): Promise<Fleet>;
}

/** Two workers on SQLite, and two separate servers on PostgreSQL. Prints a skip line if that is missing. */
export function fleetKinds(): readonly FleetKind[] {
  const server = postgresUrl();
  if (server === null) skipping('processes on PostgreSQL: TEST_DATABASE_URL is not set');
  return [
    { name: 'two workers on SQLite', start: (env) => start({ WORKERS: '2', ...env }, 1, null) },
    ...(server === null
      ? []
      : [
          {
            name: 'two starts on PostgreSQL',
            start: (env: Readonly<Record<string, string>> = {}) => start(env, 2, server),
          },
        ]),
  ];
}

async function start(
  env: Readonly<Record<string, string>>,
  starts: number,
  postgres: string | null,
): Promise<Fleet> {
  const dataDir = await newDataDir('fleet', postgres === null);
  const database = postgres === null ? null : await openMigratedDatabase(postgres, randomUUID());
  const all = { ...env, ...(database === null ? {} : { DATABASE_URL: database.url }) };
  const startAll = () =>
    Promise.all(Array.from({ length: starts }, () => startServer({ dataDir, env: all })));
  const servers = await startAll();
  const origins = servers.map((server) => server.origin);
  let turn = 0;
  return {
    dataDir,
    origins,
    servers,
    send: (method, path, options = {}) => {
      turn += 1;
      return send(`${origins[turn % origins.length]}/v1${path}`, method, options);
    },
    restart: async () => {
      await Promise.all(servers.map((server) => server.stop()));
      servers.splice(0, servers.length, ...(await startAll()));
      origins.splice(0, origins.length, ...servers.map((server) => server.origin));
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.kill()));
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Each request has its own connection, so that the supervisor picks the next worker for it. */
function send(url: string, method: string, { key, json, headers = {} }: FleetRequest): Promise<FleetAnswer> {
  const body = json === undefined ? undefined : JSON.stringify(json);
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      agent: false,
      headers: {
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    sent.on('error', reject);
    sent.on('response', async (answer) => {
      try {
        const content = await text(answer);
        const isJson = answer.headers['content-type']?.startsWith('application/json') === true;
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: content,
          body: isJson ? JSON.parse(content) : null,
        });
      } catch (error) {
        reject(error);
      }
    });
    sent.end(body);
  });
}

/** The owner's key in every process. */
export const OWNER_KEY = OWNER.OWNER_API_KEY;
