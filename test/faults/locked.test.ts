/**
 * Another program holds the write lock of the SQLite database: a backup tool, an operator's shell. Callers
 * see: reads and `/status` continue normally; writes wait, and succeed once the lock is free; those that have
 * waited longer than the busy timeout get 503 with Retry-After. After the release everything works as before.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BUSY_TIMEOUT_MS } from '../../db/engine/clients/sqlite-client.js';
import { openSqliteFile, sqliteFile } from '../../db/engine/connect.js';
import { explainServerError } from '../../server/operations/command/explain.js';
import { readConfig } from '../../server/runtime/config/config.js';
import { createLogs } from '../../server/runtime/logger.js';
import { openWritable } from '../../server/runtime/open-database.js';
import { explained } from '../../server/runtime/services.js';
import { ConfigError } from '../../server/shared/config-error.js';
import { launchServer, type ServerProcess } from '../support/servers/server-process.js';
import { printed, until } from '../support/until.js';
import { type Answer, BOUNDARY, type Client, fileForm } from './clients/client.js';
import { ask, signIn } from './clients/visitor.js';
import { openPlace, type Place } from './servers/place.js';
import { checkRefusal, inTime } from './servers/troubled.js';
import { checkBlobs, checkIntegrity } from './servers/verify.js';

const HELD_MS = 10_000;
/** A lock of less than this is over before a write that waits for it is refused. */
const SHORT_MS = BUSY_TIMEOUT_MS - 2_000;

const test = suite('database locked by another program');

/** Runs `work` while another program holds the write lock. */
async function whileLocked<T>(
  { dataDir }: Place,
  kind: 'IMMEDIATE' | 'EXCLUSIVE',
  work: () => Promise<T>,
): Promise<T> {
  const other = openSqliteFile(sqliteFile(dataDir));
  try {
    await other.raw(`BEGIN ${kind}`);
    return await work();
  } finally {
    await other.raw('ROLLBACK');
    await other.destroy();
  }
}

/** An upload, a paste and a link to read. */
async function fill(client: Client): Promise<{ readonly paths: readonly string[]; readonly link: string }> {
  const image = await client.upload(Buffer.from('kept'));
  const paste = await client.json('POST', '/paste/create', { text: 'kept' });
  const { uniqueId: link } = await client.json('POST', '/url/create', { url: 'https://example.org/' });
  const items = [`/image/get/${image.uniqueId}`, `/paste/get/${paste.uniqueId}`, `/url/get/${link}`];
  return { paths: [...items, '/user/get/@me', '/status'], link };
}

/** One write of each kind, all sent concurrently. */
function writes(client: Client, link: string): Promise<Answer>[] {
  const json = (method: string, path: string, body: object) =>
    client.send(method, path, 'application/json', JSON.stringify(body));
  const form = `multipart/form-data; boundary=${BOUNDARY}`;
  return [
    client.send('POST', '/image/upload', form, fileForm(Buffer.from('new'), 'new.bin')),
    json('POST', '/paste/create', { text: 'new' }),
    json('POST', '/url/create', { url: 'https://example.org/new' }),
    json('PATCH', '/user/get/@me/settings/webhook', { title: 'new' }),
    json('POST', '/admin/invite/create', {}),
    client.send('GET', `/url/r/${link}`),
  ];
}

const DONE = [200, 200, 200, 204, 202, 301];

const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);

/** A session that was last used long ago, so that its next use would be recorded. */
async function oldSession(server: ServerProcess, { dataDir }: Place): Promise<string> {
  const cookie = await signIn(server);
  const other = openSqliteFile(sqliteFile(dataDir));
  await other('sessions').update({ last_used_at: 0 });
  await other.destroy();
  return cookie;
}

async function readAll(client: Client, paths: readonly string[]): Promise<void> {
  const read = paths.map((path) => inTime(client.send('GET', path), path));
  for (const [index, { status }] of (await Promise.all(read)).entries()) assert.is(status, 200, paths[index]);
}

/**
 * Ten seconds of a lock, as the owner of one server sees them. False if the machine stood still meanwhile, so that the lock
 * was held for longer than writes wait.
 */
async function livesThrough(kind: 'IMMEDIATE' | 'EXCLUSIVE'): Promise<boolean> {
  const place = await openPlace();
  try {
    const server = await place.start();
    const client = place.clientOf(server);
    const { paths, link } = await fill(client);
    const image = await client.upload(Buffer.from('listed'));
    const images = { imagesUids: [image.uniqueId] };
    const { uniqueId: playlist } = await client.json('POST', '/image/playlist/create', images);
    const cookie = await oldSession(server, place);
    const begun = performance.now();
    const isShort = () => performance.now() - begun < SHORT_MS;
    const { writing, starting } = await whileLocked(place, kind, async () => {
      const held = { writing: Promise.all(writes(client, link)), starting: place.start() };
      let answered = false;
      held.writing.finally(() => {
        answered = true;
      });
      for (const end = performance.now() + HELD_MS; performance.now() < end; await delay(100))
        await readAll(client, paths);
      assert.is((await ask(server, 'GET', '/auth/me', { cookie })).status, 200, 'a session');
      const looked = await ask(server, 'GET', `/image/playlist/get/${playlist}`);
      assert.is(looked.status, 200, "a stranger's look at a playlist");
      if (isShort()) assert.not.ok(answered, 'nothing is answered before it holds');
      return held;
    });
    if (!isShort()) {
      await Promise.allSettled([writing, starting]);
      return false;
    }
    assert.equal(statuses(await inTime(writing, 'writes after the release')), DONE);
    await starting;
    const { message } = await client.ask('GET', `/url/get/${link}`);
    assert.is(message.visits, 1);
    assert.is((await client.ask('GET', `/image/playlist/get/${playlist}`)).message.views, 1);
    return true;
  } finally {
    await place.remove();
  }
}

test('for 10 s: reads continue, writes wait and succeed, and so does a start', async () => {
  const live = async (kind: 'IMMEDIATE' | 'EXCLUSIVE') => {
    while (!(await livesThrough(kind))) console.log(`# held for too long: ${kind}`);
  };
  await Promise.all([live('IMMEDIATE'), live('EXCLUSIVE')]);
});

test('a start waits for the lock, says so, and is alive but not ready meanwhile', async () => {
  const place = await openPlace();
  const { dataDir } = place;
  try {
    let server: ServerProcess | null = null;
    await whileLocked(place, 'IMMEDIATE', async () => {
      const waiting = await launchServer({ dataDir, env: { LOG_LEVEL: 'warn' } });
      server = waiting;
      const statusAt = (path: string) =>
        fetch(waiting.origin + path).then(
          ({ status }) => status,
          () => null,
        );
      await until(async () => (await statusAt('/healthz')) === 200);
      assert.is(await statusAt('/v1/readyz'), 503);
      assert.is(await statusAt('/status'), null, 'as if nobody listened');
      await printed(waiting, /waiting for the database: .*holdall\.db|holdall\.db.*waiting for the database/);
    });
    const { origin, kill } = server as unknown as ServerProcess;
    await until(async () => (await fetch(`${origin}/readyz`).catch(() => null))?.status === 200);
    await kill();
  } finally {
    await place.remove();
  }
});

test('a start that waited for too long names the file and what to do', async () => {
  const place = await openPlace();
  const config = readConfig({ DATA_DIR: place.dataDir });
  try {
    await whileLocked(place, 'IMMEDIATE', async () => {
      const refused = await openWritable(config, createLogs('silent').log, 0).catch((error) => error);
      const { message } = explained(refused, config) as Error;
      assert.instance(explained(refused, config), ConfigError);
      assert.ok(message.includes(sqliteFile(place.dataDir)), message);
      assert.match(message, /locked by another program .*: stop that program/);
      assert.match(explainServerError(refused) ?? '', /locked by another program/, 'so do commands');
    });
  } finally {
    await place.remove();
  }
});

test('past the busy timeout: writes are refused with 503, and nothing of them remains', async () => {
  const place = await openPlace();
  try {
    const server = await place.start();
    const client = place.clientOf(server);
    const { paths, link } = await fill(client);
    await whileLocked(place, 'IMMEDIATE', async () => {
      for (const answer of await inTime(Promise.all(writes(client, link)), 'refusals')) {
        assert.is(answer.status, 503);
        checkRefusal(answer);
      }
      await readAll(client, paths);
    });

    const { message } = await client.ask('GET', `/url/get/${link}`);
    assert.is(message.visits, 0, 'a refused visit does not count');
    const answers = await inTime(Promise.all(writes(client, link)), 'writes after the release');
    assert.equal(statuses(answers), DONE);
    await server.stop();
    await checkIntegrity(place.dataDir);
    await checkBlobs(place.dataDir);
  } finally {
    await place.remove();
  }
});

test.run();
