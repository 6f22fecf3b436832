import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDb, openPostgresDatabase, openSqliteFile } from '../../../db/engine/connect.js';
import { query } from '../../../db/engine/query.js';
import { argon2id } from '../../../server/drivers/secrets/passwords.js';
import { ROOT } from '../root.js';
import { skipping } from '../skip.js';
import {
  openMigratedDatabase,
  openTestDatabase,
  postgresUrl,
  type TestDatabase,
} from '../stores/postgres.js';
import { type CommandWorld, endCommandWorld, type Result, startCommandWorld } from './command.js';
import { OWNER } from './server-process.js';

/** The password of all accounts and items of the fixtures that have one. */
export const PASSWORD = 'as it was before';
/** A picture of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const hashes = { BCRYPT: await bcrypt(PASSWORD, 10), ARGON2: await argon2id.hash(PASSWORD) };

/** An installation that is moved into. */
export interface ImportWorld extends CommandWorld {
  /** Its database, as the server is told; empty for SQLite in its folder. */
  databaseUrl: string;
}

/** Runs the tests that `define` adds in an installation on SQLite, and in one on PostgreSQL. */
export function onBothDatabases(
  name: string,
  define: (test: ReturnType<typeof suite<ImportWorld>>) => void,
): void {
  for (const database of ['SQLite', 'PostgreSQL']) {
    const test = suite<ImportWorld>(`${name}, into ${database}`);
    const address = database === 'SQLite' ? '' : postgresUrl();
    if (address === null) test('comes in', () => skipping('PostgreSQL: TEST_DATABASE_URL is not set'));
    else {
      let made: TestDatabase | null = null;
      test.before(async (context) => {
        made = address === '' ? null : await openMigratedDatabase(address, randomUUID());
        context.databaseUrl = made?.url ?? '';
        await startCommandWorld(context, made === null ? {} : { DATABASE_URL: made.url });
      });
      test.after(async (context) => {
        await endCommandWorld(context);
        await made?.drop();
      });
      define(test);
    }
    test.run();
  }
}

/** The statements of a fixture, with hashes of a known password. */
export async function fixtureStatements(product: string): Promise<string[]> {
  const text = await readFile(join(ROOT, 'test/fixtures/import', `${product}.sql`), 'utf8');
  return text
    .replaceAll(/BCRYPT|ARGON2/g, (kind) => hashes[kind as keyof typeof hashes])
    .split(/;\n/)
    .filter((statement) => statement.trim() !== '');
}

/** The statements that make the tables of a product, which then are empty. */
export const tablesOf = async (product: string): Promise<string[]> =>
  (await fixtureStatements(product)).filter((statement) => /CREATE T(?:ABLE|YPE)/.test(statement));

/** The database of another product in SQLite, as the fixture has it. */
export async function sqliteOf({ folder }: CommandWorld, product: string): Promise<string> {
  const file = join(folder, `${product}.sqlite`);
  if (existsSync(file)) return file;
  const knex = openSqliteFile(file);
  try {
    for (const statement of await fixtureStatements(product)) await knex.raw(statement);
  } finally {
    await knex.destroy();
  }
  return file;
}

/** What a query of the tables of the installation finds. */
export async function found(world: ImportWorld, sql: string): Promise<Record<string, unknown>[]> {
  const db = await openDb({ databaseUrl: world.databaseUrl || null, dataDir: world.folder });
  return query<Record<string, unknown>>(db.read, sql).finally(() => db.close());
}

/** Writes files into a folder, which is returned. */
export async function put(folder: string, files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

/** Runs an import that succeeds. */
export async function run(world: CommandWorld, ...args: string[]): Promise<Pick<Result, 'out' | 'err'>> {
  const { code, out, err } = await world.holdall(['import', ...args]);
  assert.is(code, 0, err);
  return { out, err };
}

/** Follows redirects within the server, but not out of it. */
export async function visit({ server }: CommandWorld, path: string, key?: string) {
  let url = new URL(path, server.origin);
  for (;;) {
    const headers = key === undefined ? {} : { 'X-API-Key': key };
    const answer = await fetch(url, { redirect: 'manual', headers });
    const to = answer.headers.get('location');
    const next = to === null ? null : new URL(to, url);
    // The server calls itself localhost.
    if (next === null || next.port !== url.port)
      return { url: url.href, status: answer.status, to, body: Buffer.from(await answer.arrayBuffer()) };
    await answer.arrayBuffer();
    url = new URL(next.pathname + next.search, server.origin);
  }
}

/** The status of the answer to somebody who signs in. */
export async function signIn(
  { server }: CommandWorld,
  username: string,
  password = PASSWORD,
): Promise<number> {
  const answer = await fetch(`${server.origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: username, password }),
  });
  return answer.status;
}

/** What the owner of the installation is told. */
export const api = async ({ server }: CommandWorld, path: string) => {
  const answer = await fetch(`${server.origin}/v1${path}`, { headers: { 'X-API-Key': OWNER.OWNER_API_KEY } });
  return { status: answer.status, text: await answer.text() };
};

/** A database of another product in PostgreSQL, as the fixture has it; null where there is none. */
export async function postgresOf(product: string): Promise<TestDatabase | null> {
  const address = postgresUrl();
  if (address === null) return null;
  const database = await openTestDatabase(address, randomUUID());
  const knex = await openPostgresDatabase(database.url, 'test');
  // A question mark in a text is no placeholder.
  for (const statement of await fixtureStatements(product)) await knex.raw(statement.replaceAll('?', '\\?'));
  await knex.destroy();
  return database;
}
