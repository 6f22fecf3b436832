/** The message as it came is stored once, and whatever is done with mail, mailboxes, accounts and installations knows it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { blobHolders } from '../../db/content/file/blob-holder.js';
import { DAY_MS } from '../../db/engine/days.js';
import { emptyEndedMailboxes } from '../../routers/features/mail/remove.js';
import { backUp } from '../../server/operations/backup/backup.js';
import { restore } from '../../server/operations/backup/restore.js';
import { readConfig } from '../../server/runtime/config/config.js';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { cookies, sessionOf } from '../support/accounts/accounts.js';
import { unzip } from '../support/media/unzip.js';
import { databaseKinds, type OwnDatabase } from '../support/stores/databases.js';
import { until } from '../support/until.js';

const TOKEN = 'worker-token';

interface Given {
  server: TestServer;
  user: TestAccount;
  env: Record<string, string>;
  otherEnv: Record<string, string>;
}

const silent = () => {};

let mails = 0;
/** A message that no other one is like. */
function newMessage() {
  mails += 1;
  const id = `original-${mails}@x`;
  const raw = `Message-ID: <${id}>\r\nX-Odd:  kept   as it is\r\nSubject: original ${mails}\r\n\r\nwords ${mails}\r\n`;
  return { id, raw };
}

async function newBox({ server, user }: Pick<Given, 'server' | 'user'>): Promise<string> {
  return (await server.request('POST', '/email/create', { key: user.key, json: {} })).body.message.email;
}

async function deliver({ server }: Pick<Given, 'server'>, to: readonly string[], raw: string): Promise<void> {
  const json = { from: 'ada@example.net', to, raw };
  const headers = { 'x-email-token': TOKEN };
  const answer = await server.request('POST', '/email/inbound', { json, headers });
  assert.is(answer.status, 200, answer.text);
}

const rawOf = ({ server, user }: Pick<Given, 'server' | 'user'>, box: string, id: string) =>
  server.request('GET', `/email/${box}/messages/${encodeURIComponent(id)}/raw`, { key: user.key });

/** The hashes of all stored blobs. */
async function stored({ app }: TestServer): Promise<string[]> {
  const found: string[] = [];
  for await (const { sha256 } of app.services.storage.blobs.list()) found.push(sha256);
  return found;
}

for (const kind of databaseKinds()) {
  const test = suite<Given>(`originals of mail: ${kind.name}`);
  const places: { remove(): Promise<void> }[] = [];

  const place = async (making: Promise<OwnDatabase>): Promise<Record<string, string>> => {
    const made = await making;
    places.push(made);
    const { dataDir, databaseUrl } = made.location;
    return {
      DATA_DIR: dataDir,
      EMAIL_INBOUND_TOKEN: TOKEN,
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    };
  };

  test.before.each(async (given) => {
    given.env = await place(kind.makeMigrated());
    given.otherEnv = await place(kind.make());
    given.server = await startServer(given.env);
    given.user = await given.server.account();
  });
  test.after.each(async ({ server }) => {
    await server.close();
    await Promise.all(places.splice(0).map((made) => made.remove()));
  });

  test('one blob for all mailboxes, which goes with the last message', async (given) => {
    const { server, user } = given;
    const [one, two] = [await newBox(given), await newBox(given)];
    const { id, raw } = newMessage();
    await deliver(given, [one, two], raw);
    assert.is((await stored(server)).length, 1);
    assert.is((await rawOf(given, one, id)).text, raw);
    const gone = await server.request('DELETE', `/email/${one}/inbox/${encodeURIComponent(id)}`, {
      key: user.key,
    });
    assert.is(gone.status, 200, gone.text);
    assert.is((await rawOf(given, one, id)).status, 404);
    assert.is((await rawOf(given, two, id)).text, raw);
    assert.is((await server.request('DELETE', `/email/${two}`, { key: user.key })).status, 200);
    assert.equal(await stored(server), []);
  });

  test('it stays for a week after its mailbox has expired, and goes then', async (given) => {
    const { server } = given;
    const { db } = server.app.services;
    const box = await newBox(given);
    const { id, raw } = newMessage();
    await deliver(given, [box], raw);
    const endAt = (at: number) =>
      db.write((trx) => trx('mailboxes').where('address', box).update({ expires_at: at }));
    await endAt(Date.now() - 6 * DAY_MS);
    await emptyEndedMailboxes(server.app.services);
    assert.is((await rawOf(given, box, id)).text, raw);
    await endAt(Date.now() - 8 * DAY_MS);
    await emptyEndedMailboxes(server.app.services);
    assert.is((await rawOf(given, box, id)).status, 404);
    assert.equal(await stored(server), []);
  });

  test('it goes with its account, whose export has it byte for byte', async (given) => {
    const { server, user } = given;
    const box = await newBox(given);
    const { raw } = newMessage();
    await deliver(given, [box], raw);
    const headers = cookies({ session_token: await sessionOf(server, user) });
    const answer = await fetch(`${server.origin}/web/settings/account/export`, { headers });
    assert.is(answer.status, 200);
    const entries = await unzip(Buffer.from(await answer.arrayBuffer()));
    const [, exported] = [...entries].find(([name]) => name.endsWith('.eml')) ?? [];
    assert.is(exported?.toString('latin1'), raw);
    const { password } = user;
    const left = await server.request('DELETE', '/user/get/@me', { key: user.key, json: { password } });
    assert.is(left.status, 200, left.text);
    await server.app.services.jobs.settle();
    await until(async () => (await stored(server)).length === 0);
  });

  test('a backup has it, a restore brings it back, and a lost one is named', async (given) => {
    const { server, user, env, otherEnv } = given;
    const box = await newBox(given);
    const { id, raw } = newMessage();
    await deliver(given, [box], raw);
    const folder = await mkdtemp(join(tmpdir(), 'holdall-originals-'));
    try {
      const backup = join(folder, 'first');
      assert.is((await backUp(readConfig(env), backup, silent)).files, 1);
      await restore(readConfig(otherEnv), backup, silent);
      const restored = await startServer(otherEnv);
      try {
        const found = await rawOf({ server: restored, user }, box, id);
        assert.equal([found.status, found.text], [200, raw]);
      } finally {
        await restored.close();
      }
      const [hash = ''] = await stored(server);
      const { db, storage } = server.app.services;
      const [holder] = await blobHolders(db, [hash], 10);
      assert.equal([holder?.kind, holder?.owner], ['original of mail', user.username]);
      await storage.blobs.remove(hash);
      const refused = await backUp(readConfig(env), join(folder, 'second'), silent).then(
        () => 'it was made',
        (error: Error) => error.message,
      );
      assert.match(refused, `original of mail ${holder?.id} of ${user.username}`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test.run();
}
