// on both databases
/** Pastes and links that many create at once share their statements, and still each succeeds or fails by itself. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, startServer, type TestServer } from '../harness.js';

interface World {
  server: TestServer;
}
const together = suite<World>('created together');
together.before.each(async (world) => {
  world.server = await startServer();
});
together.after.each(({ server }) => server.close());

const MANY = 60;
const BAD = 'a blocked text';
const each = <T>(of: (index: number) => T): T[] => Array.from({ length: MANY }, (_, index) => of(index));

/** How many answers have each status. */
function statuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

together('one that is refused takes no other with it', async ({ server }) => {
  const { request, owner } = server;
  const [limited, other] = [await server.account(), await server.account()];
  const set = await request('PUT', `/admin/limits/users/${limited.id}`, {
    key: owner.key,
    json: { limits: { PASTE: { dailyCount: 5 } } },
  });
  assert.is(set.status, 200, set.text);
  const value = createHash('sha256').update(BAD).digest('hex');
  const blocked = await request('POST', '/admin/blocks', { key: owner.key, json: { kind: 'hash', value } });
  assert.is(blocked.status, 200, blocked.text);

  const paste = (key: string, json: object) => request('POST', '/paste/create', { key, json });
  const [ofLimited, ofOther, sameId, bad] = await Promise.all([
    Promise.all(each((index) => paste(limited.key, { text: `limited ${index}` }))),
    Promise.all(each((index) => paste(other.key, { text: `other ${index}`, tags: [`tag ${index}`] }))),
    Promise.all(each((index) => paste(owner.key, { text: `same ${index}`, uniqueId: 'same' }))),
    Promise.all([paste(other.key, { text: BAD }), paste(other.key, { text: BAD })]),
  ]);
  assert.equal(statuses(ofLimited), { 200: 5, 403: MANY - 5 });
  assert.equal(statuses(ofOther), { 200: MANY });
  assert.equal(statuses(sameId), { 200: 1, 400: MANY - 1 });
  assert.equal(statuses(bad), { 400: 2 });
  for (const [index, { body }] of ofOther.entries()) {
    const { status, body: stored } = await request('GET', `/paste/get/${body.uniqueId}`);
    assert.is(status, 200);
    assert.is(stored.message.content, `other ${index}`);
    assert.equal(body.message.tags, [`tag ${index}`]);
  }
  const found = await request('GET', '/user/get/@me/items?search=other', { key: other.key });
  assert.is(found.body.message.totalElements, MANY, found.text);
});

together('links of many accounts keep to what each may have', async ({ server }) => {
  const { request, owner } = server;
  const accounts = await Promise.all([1, 2, 3].map(() => server.account()));
  for (const [index, { id }] of accounts.entries())
    await request('PUT', `/admin/limits/users/${id}`, {
      key: owner.key,
      json: { limits: { URL: { dailyCount: 10 * (index + 1) } } },
    });
  const made = await Promise.all(
    accounts.map(({ key }) =>
      Promise.all(
        each((index) =>
          request('POST', '/url/create', { key, json: { url: `https://example.org/${index}`, maxUses: 1 } }),
        ),
      ),
    ),
  );
  assert.equal(made.map(statuses), [
    { 200: 10, 403: 50 },
    { 200: 20, 403: 40 },
    { 200: 30, 403: 30 },
  ]);
  const [first] = (made[2] ?? []).filter(({ status }) => status === 200);
  const ids = made.flat().flatMap(({ status, body }) => (status === 200 ? [body.uniqueId] : []));
  assert.is(new Set(ids).size, 60);
  const followed = await Promise.all(each(() => request('GET', `/url/r/${first?.body.uniqueId}`)));
  assert.is(followed.filter(({ status }) => status === 301 || status === 302).length, 1);
});

together.run();
