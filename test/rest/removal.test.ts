// on both databases
/**
 * Large deletions: they take effect at once and are carried out in bounded steps that can be interrupted
 * anywhere.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { insertLink } from '../../db/content/link/link.js';
import type { Db } from '../../db/engine/connect.js';
import { query } from '../../db/engine/query.js';
import { deleteVisits } from '../../db/statistics/visit.js';
import { removeSome } from '../../routers/features/account/removal.js';
import { createHandlers } from '../../server/runtime/jobs/handlers.js';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { cookieOf, cookies } from '../support/accounts/accounts.js';
import { pngPhoto } from '../support/media/media-fixtures.js';
import { followRequests, justBefore } from '../support/servers/interleave.js';

interface World {
  server: TestServer;
}
const removal = suite<World>('large deletions');
removal.before.each(async (world) => {
  world.server = await startServer({
    MAILGUN_DOMAIN: 'mail.example.org',
    EMAIL_INBOUND_TOKEN: 'worker-token',
  });
  followRequests(world.server.app.server);
});
removal.after.each(({ server }) => server.close());

const deleteUser = ({ request, owner }: TestServer, { id }: TestAccount) =>
  request('DELETE', `/admin/user/${id}`, { key: owner.key });
const post = async ({ request }: TestServer, key: string, path: string, json: object) => {
  const made = await request('POST', path, { key, json });
  assert.is(made.status, 200, made.text);
  return made;
};
const makeUrl = async (server: TestServer, key: string): Promise<string> =>
  (await post(server, key, '/url/create', { url: 'https://example.com/' })).body.uniqueId;
const count = async (db: Db, table: string): Promise<number> =>
  Number((await query<{ n: number }>(db.read, `SELECT count(*) AS n FROM ${table}`))[0]?.n);
const both = async (db: Db) => [await count(db, 'url_visits'), await count(db, 'visit_days')];

/** Adds visits to a link without requests, each on a day of its own. */
async function addVisits(db: Db, uniqueId: string, visits: number): Promise<number> {
  const { id } = await db.read('short_urls').where('unique_id', uniqueId).first();
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${visits})`;
  await db.write(async (trx) => {
    await query(
      trx,
      `INSERT INTO url_visits (url_id, visited_at) ${numbers}
       SELECT CAST(? AS integer), CAST(? AS bigint) - n FROM numbers`,
      [id, Date.now()],
    );
    await query(
      trx,
      `INSERT INTO visit_days (url_id, day, browser, system, referrer_host, bot, visits)
       ${numbers} SELECT CAST(? AS integer), n, '', '', '', 1 = 0, 1 FROM numbers`,
      [id],
    );
  });
  return id;
}

removal('the content of an account is closed before any of it is removed', async ({ server }) => {
  const { request, owner } = server;
  const { db } = server.app.services;
  const user = await server.account();
  const form = fileForm(await pngPhoto(), 'a.png');
  const image = (await request('POST', '/image/upload', { key: user.key, form })).body.uniqueId;
  const picture = fileForm(await pngPhoto(), 'me.png');
  assert.is((await request('PUT', '/user/get/@me/avatar', { key: user.key, form: picture })).status, 200);
  const paste = (await post(server, user.key, '/paste/create', { text: 'a text' })).body.uniqueId;
  const url = await makeUrl(server, user.key);
  const list = (
    await post(server, user.key, '/image/playlist/create', { title: 'a list', imagesUids: [image] })
  ).body.uniqueId;
  const box = await post(server, user.key, '/email/create', { name: 'ada' });
  const mailbox_token = cookieOf(box, 'mailbox_token');
  const statuses = async () => {
    const found: Record<string, number> = {};
    const paths = [
      `/image/get/${image}`,
      `/paste/get/${paste}`,
      `/url/get/${url}`,
      `/url/r/${url}`,
      `//r/${url}`,
      `//r/${paste}`,
      `/image/playlist/get/${list}`,
      `/user/avatar/${user.id}`,
      `/admin/user/${user.id}`,
    ];
    for (const path of paths)
      for (const key of [undefined, owner.key])
        found[`${path} ${key === undefined ? 'open' : 'owner'}`] = (
          await request('GET', path, { key })
        ).status;
    found.mail = (
      await request('POST', '/email/getmissing', {
        headers: cookies({ mailbox_token }),
        json: { mail: box.body.message.email, messageIds: [] },
      })
    ).status;
    return found;
  };
  const listed = async () => {
    const totals: number[] = [];
    for (const path of ['/admin/images', '/admin/pastes', '/admin/urls'])
      totals.push((await request('GET', path, { key: owner.key })).body.message.totalElements);
    const boxes = await request('GET', '/email/getall', { key: owner.key });
    return [...totals, boxes.body.message.length];
  };
  assert.equal(await listed(), [1, 1, 1, 1]);
  const before = await statuses();
  delete before[`/admin/user/${user.id} open`];
  assert.ok(
    Object.values(before).every((status) => status < 400),
    JSON.stringify(before),
  );

  let closed: Record<string, number> = {};
  let lists: number[] = [];
  let taken = 0;
  // The first write shuts the account out, the second removes its image.
  justBefore(db, 'write', async () => {
    justBefore(db, 'write', async () => {
      assert.is(await count(db, 'images'), 1);
      closed = await statuses();
      lists = await listed();
      // The same id in another kind is not affected by items that can no longer be opened.
      const json = { text: 'mine', customUniqueId: url, uniqueId: url };
      const made = await request('POST', '/paste/create', { key: owner.key, json });
      assert.is(made.body.uniqueId, url, made.text);
      taken = (await request('GET', `//r/${url}`)).status;
    });
  });
  assert.is((await deleteUser(server, user)).status, 200);
  for (const [path, status] of Object.entries(closed))
    assert.ok([401, 404].includes(status), `${path}: ${status}`);
  assert.is(Object.keys(closed).length, Object.keys(before).length + 1);
  assert.equal(lists, [0, 0, 0, 0]);
  assert.is(taken, 302);
  for (const table of ['images', 'short_urls', 'collections', 'url_visits', 'visit_days', 'blobs'])
    assert.is(await count(db, table), 0, table);
});

removal('a link with many visits is gone at once, its visits in bounded transactions', async ({ server }) => {
  const { request, owner } = server;
  const { db, jobs } = server.app.services;
  // The queue runs nothing until it is started again.
  await jobs.stop();
  const url = await makeUrl(server, owner.key);
  const other = await makeUrl(server, owner.key);
  const id = await addVisits(db, url, 3_500);
  await addVisits(db, other, 10);
  assert.is((await request('DELETE', `/url/get/${url}`, { key: owner.key })).status, 200);
  assert.is((await request('GET', `/url/r/${url}`)).status, 404);
  assert.is((await request('GET', `/url/get/${url}/logs`, { key: owner.key })).status, 404);
  assert.equal(await both(db), [2_510, 2_510]);
  // A process that dies right after a step, and two that take one at the same time.
  assert.is(await db.write((trx) => deleteVisits(trx, id)), false);
  assert.equal(await both(db), [1_510, 1_510]);
  await Promise.all([db.write((trx) => deleteVisits(trx, id)), db.write((trx) => deleteVisits(trx, id))]);
  jobs.start(createHandlers(server.app.services));
  await jobs.settle();
  assert.equal(await both(db), [10, 10]);
  assert.equal(await db.read('jobs'), []);
});

removal('400 for an id that belongs to an account which is being removed', async ({ server }) => {
  const account = await server.account();
  const { key } = account;
  const uploadTo = async (by: string) =>
    (await server.request('POST', '/image/upload', { key: by, form: fileForm(await pngPhoto(), 'a.png') }))
      .body.uniqueId;
  const json = async (by: string) => ({ imagesUids: [await uploadTo(by)] });
  const path = '/image/playlist/get/HELD/images';
  assert.is((await server.request('PUT', path, { key, json: await json(key) })).status, 200);
  // The state after the first transaction of the deletion.
  await server.app.services.db.write((trx) =>
    trx('users').where('id', account.id).update({ role: 'DELETED' }),
  );
  const taken = await server.request('PUT', path, {
    key: server.owner.key,
    json: await json(server.owner.key),
  });
  assert.equal([taken.status, taken.body.message], [400, 'This id is taken, choose another one']);
});

removal('deleting a link while it is followed leaves no visit behind', async ({ server }) => {
  const { request, owner } = server;
  const { db, jobs } = server.app.services;
  for (let round = 0; round < 10; round += 1) {
    const url = await makeUrl(server, owner.key);
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => request('GET', `/url/r/${url}`)),
      request('DELETE', `/url/get/${url}`, { key: owner.key }),
      ...Array.from({ length: 10 }, () => request('GET', `/url/r/${url}`)),
    ]);
    assert.ok(answers.every(({ status }) => [200, 301, 404].includes(status)));
  }
  await jobs.settle();
  assert.equal(await both(db), [0, 0]);
});

removal(
  'a large account is removed from the queue, even if others remove it at the same time',
  async ({ server }) => {
    const { request } = server;
    const { db, jobs } = server.app.services;
    const user = await server.account();
    await db.write(async (trx) => {
      for (let n = 0; n < 700; n += 1)
        await insertLink(trx, {
          uniqueId: `LINK${n}`,
          ownerId: user.id,
          isPublic: true,
          passwordHash: null,
          createdAt: n,
          expiresAt: null,
          originalUrl: 'https://example.com/',
          maxUses: null,
        });
    });
    await addVisits(db, 'LINK699', 2_500);
    assert.is((await deleteUser(server, user)).status, 200);
    const left = await count(db, 'short_urls');
    assert.ok(left > 0 && left < 700, `${left} are left`);
    assert.is((await request('GET', '/url/r/LINK699')).status, 404);
    assert.is((await deleteUser(server, user)).status, 404);
    await db.write((trx) => trx('jobs').update({ run_at: 0 }));
    const { services } = server.app;
    await Promise.all([removeSome(services, user.id), removeSome(services, user.id), jobs.settle()]);
    await jobs.settle();
    for (const table of ['short_urls', 'content_days', 'url_visits', 'visit_days', 'jobs'])
      assert.is(await count(db, table), 0, table);
    assert.equal(await db.read('users').where('id', user.id), []);
  },
);

removal.run();
