/**
 * Real servers for tests: a complete Holdall with its own port and folder, on SQLite, or with
 * HOLDALL_TEST_DB=postgres on a new database at TEST_DATABASE_URL.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UploadRate } from '../rest-adapter/receive/upload-rate.js';
import type { Role } from '../routers/base/roles.js';
import { newApiKey } from '../routers/core/secrets.js';
import { createAccount } from '../routers/features/auth/accounts.js';
import { type App, startApp } from '../server/runtime/app.js';
import { readConfig } from '../server/runtime/config/config.js';
import { createLogs } from '../server/runtime/logger.js';
import { complaintOf } from './support/interface/described.js';
import { freePort } from './support/servers/server-process.js';
import { openMigratedDatabase, postgresUrl } from './support/stores/postgres.js';
import { isSubset } from './support/stores/postgres-subset.js';
import { putMigratedFile } from './support/stores/sqlite.js';

/** The envelope, with a message whose shape the test knows. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
  readonly text: string;
}

/** An account that the test created. */
export interface TestAccount {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly key: string;
}

export interface TestServer {
  readonly app: App;
  readonly origin: string;
  readonly base: string;
  readonly dataDir: string;
  readonly owner: TestAccount;
  /**
   * Sends a request below `/v1` (or to any absolute path that starts with `//`) and reads the answer; throws if the
   * OpenAPI document describes it differently.
   */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  account(role?: Role, options?: { status?: 'ACTIVE' | 'PENDING' }): Promise<TestAccount>;
  close(): Promise<void>;
}

export interface RequestOptions {
  readonly key?: string | undefined;
  readonly json?: unknown;
  readonly form?: FormData | URLSearchParams;
  readonly body?: BodyInit;
  readonly headers?: Record<string, string>;
}

const PASSWORD = 'correct horse battery';

/**
 * Starts a server; `env` adds to the configuration, `uploadRate` sets the minimum rate of bodies. The caller
 * must close it.
 */
export async function startServer(
  env: Record<string, string> = {},
  uploadRate?: UploadRate,
): Promise<TestServer> {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'holdall-test-')));
  const owner: TestAccount = {
    id: 1,
    username: 'owner',
    email: 'owner@example.com',
    password: PASSWORD,
    key: randomBytes(24).toString('hex'),
  };
  const port = await freePort();
  const database = await databaseFor(env, dataDir);
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: database?.url,
    POSTGRES_SUBSET: String(isSubset()),
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
    // What is deleted is gone at once, except in the tests of the trash.
    TRASH_DAYS: '0',
    OWNER_USERNAME: owner.username,
    OWNER_EMAIL: owner.email,
    OWNER_PASSWORD: owner.password,
    OWNER_API_KEY: owner.key,
    ...env,
  });
  const app = await startApp(config, createLogs(config.logLevel), undefined, uploadRate);
  const address = `http://127.0.0.1:${port}`;

  return {
    app,
    origin: config.origin,
    base: `${config.origin}/v1`,
    dataDir,
    owner,
    request: (method, path, options) => send(address, method, path, options),
    account: (role = 'USER', options = {}) => addAccount(app, role, options.status ?? 'ACTIVE'),
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
      if (env.DATA_DIR !== undefined) return;
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Servers that share a folder share a database. A new one has its tables before the server starts. */
async function databaseFor(env: Record<string, string>, dataDir: string) {
  if (env.DATABASE_URL !== undefined) return null;
  if (process.env.HOLDALL_TEST_DB !== 'postgres') {
    if (env.DATA_DIR === undefined) await putMigratedFile(dataDir);
    return null;
  }
  const server = postgresUrl();
  if (server === null) throw new Error('HOLDALL_TEST_DB=postgres needs TEST_DATABASE_URL (.ci/postgres.sh)');
  return openMigratedDatabase(server, dataDir);
}

/** As `request` of a server, for one at this address (`http://127.0.0.1:8080`). */
export async function send(
  address: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const url = path.startsWith('//') ? `${address}${path.slice(1)}` : `${address}/v1${path}`;
  const headers: Record<string, string> = { ...options.headers };
  if (options.key !== undefined) headers['x-api-key'] = options.key;
  let body: BodyInit | undefined = options.body ?? options.form;
  if (options.json !== undefined) {
    headers['content-type'] ??= 'application/json';
    body = JSON.stringify(options.json);
  }
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  } as RequestInit);
  const text = await response.text();
  const { status } = response;
  const complaint = complaintOf({
    ...{ method, status, text },
    target: url.slice(address.length),
    type: response.headers.get('content-type'),
  });
  if (complaint !== null) throw new Error(`openapi.json is not true: ${complaint}: ${text.slice(0, 500)}`);
  const json = response.headers.get('content-type')?.startsWith('application/json') === true;
  // The answer to HEAD has the type of a body that it does not have.
  const isParsed = json && method !== 'HEAD';
  return { status, headers: response.headers, text, body: isParsed ? JSON.parse(text) : null };
}

/** The hash of `PASSWORD`, made once, because password hashes are slow by design. */
let passwordHash: Promise<string> | undefined;

async function addAccount(app: App, role: Role, status: 'ACTIVE' | 'PENDING'): Promise<TestAccount> {
  const { services } = app;
  const username = `u${randomBytes(6).toString('hex')}`;
  const account = { username, email: `${username}@example.com`, password: PASSWORD, key: newApiKey() };
  passwordHash ??= services.passwords.hash(PASSWORD);
  const hash = await passwordHash;
  const id = await services.db.write((trx) =>
    createAccount(services, trx, {
      ...account,
      passwordHash: hash,
      role,
      status,
      invitedBy: null,
      apiKey: account.key,
    }),
  );
  return { id, ...account };
}

/** A multipart form with one file. */
export function fileForm(
  bytes: Uint8Array | string,
  name: string,
  fields: Record<string, string> = {},
  type = '',
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new File([bytes as BlobPart], name, { type }));
  return form;
}
