// on both databases
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { insertDeliveries } from '../../../db/webhook/webhook-delivery.js';
import { pauseWebhook } from '../../../db/webhook/webhook-health.js';
import { queueMail } from '../../../routers/core/mail/outgoing.js';
import { emitEach } from '../../../routers/core/webhook/emit.js';
import { sampleItem } from '../../../routers/core/webhook/events.js';
import { startServer, type TestServer } from '../../harness.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../standins/webhook-receiver.js';
import { sessionOf } from '../../support/accounts/accounts.js';
import { deliveries, LOOPBACK_ALLOWED, letTimePass, paste, watched } from '../../support/web/webhook.js';

interface World {
  receiver: WebhookReceiver;
  server: TestServer;
}
const faults = suite<World>('failing webhooks');

faults.before.each(async (world) => {
  world.server = await startServer(LOOPBACK_ALLOWED);
  world.receiver = await startWebhookReceiver();
});
faults.after.each(async ({ server, receiver }) => {
  await receiver.close();
  await server.close();
});

const settle = (server: TestServer) => server.app.services.jobs.settle();
const healthOf = (server: TestServer, userId: number) =>
  server.app.services.db.read('webhook_health').where('user_id', userId).first();

/** A failure after which no retry comes for longer than any test takes. */
const OUT_OF_ORDER = { status: 503, headers: { 'retry-after': '900' } };

faults('a failure from before the settings were changed pauses nothing', async ({ server }) => {
  const { db } = server.app.services;
  const { id } = await server.account();
  const until = Date.now() + 3_600_000;
  const pause = (seen: { failures: number; pausedUntil: number }) =>
    db.write((trx) => pauseWebhook(trx, id, { ...seen, disabledAt: null }, until, true));
  assert.is(await pause({ failures: 6, pausedUntil: 5 }), null);
  assert.is(await healthOf(server, id), undefined);
  assert.is(await pause({ failures: 0, pausedUntil: 0 }), 1);
  assert.is(await pause({ failures: 0, pausedUntil: 0 }), null, 'one failure, seen twice');
  assert.is(await pause({ failures: 1, pausedUntil: until }), 2);
});

/** Mails in the outbox whose text contains these words. */
async function mailsAbout(server: TestServer, words: RegExp): Promise<string[]> {
  const folder = join(server.dataDir, 'outbox');
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return mails.filter((mail) => words.test(mail));
}

faults(
  'a failing receiver gets no events for a while, and all of them once it recovers',
  async ({ server, receiver }) => {
    const user = await watched(server, receiver);
    receiver.answer = { ...OUT_OF_ORDER, status: 500, body: 'out of memory' };
    await paste(server, user.key);
    await settle(server);
    await paste(server, user.key);
    await settle(server);
    assert.is(receiver.requests.length, 1);
    const [second, first] = await deliveries(server, user.key);
    assert.is(first.state, 'WAITING');
    assert.is(first.attempts, 1);
    assert.is(first.status, 500);
    assert.is(first.excerpt, 'out of memory');
    assert.is(second.attempts, 0);
    assert.is(second.attemptedAt, null);

    receiver.answer = { status: 204 };
    await letTimePass(server);
    assert.is(receiver.requests.length, 3);
    assert.ok(
      (await deliveries(server, user.key)).every(({ state }: { state: string }) => state === 'DELIVERED'),
    );
    assert.is(await healthOf(server, user.id), undefined);
    const ids = receiver.requests.map(({ headers }) => headers['x-holdall-delivery']);
    assert.is(new Set(ids).size, 2);
  },
);

faults('concurrent failures count as one', async ({ server, receiver }) => {
  const user = await watched(server, receiver);
  receiver.answer = OUT_OF_ORDER;
  await Promise.all(Array.from({ length: 12 }, () => paste(server, user.key)));
  await settle(server);
  assert.is((await healthOf(server, user.id)).failures, 1);
  assert.ok(receiver.requests.length <= 4);
});

faults(
  'the delay that the receiver asks for is respected, and 429 is not a failure',
  async ({ server, receiver }) => {
    const user = await watched(server, receiver);
    receiver.answer = { status: 429, headers: { 'retry-after': '900' } };
    const before = Date.now();
    await paste(server, user.key);
    await settle(server);
    const busy = await healthOf(server, user.id);
    assert.is(busy.failures, 0);
    assert.ok(busy.paused_until >= before + 900_000);
    assert.is((await deliveries(server, user.key))[0].attempts, 0);
    receiver.answer = { status: 503, headers: { 'retry-after': '999999' } };
    await letTimePass(server);
    const down = await healthOf(server, user.id);
    assert.is(down.failures, 1);
    assert.ok(down.paused_until >= before + 3_600_000 && down.paused_until <= Date.now() + 3_600_000);
  },
);

faults('an event is given up after eight attempts, and after a day', async ({ server, receiver }) => {
  const user = await watched(server, receiver);
  receiver.answer = { status: 400 };
  await paste(server, user.key);
  await settle(server);
  for (let round = 0; round < 9; round += 1) await letTimePass(server);
  assert.is(receiver.requests.length, 8);
  const [given] = await deliveries(server, user.key);
  assert.is(given.state, 'FAILED');
  assert.is(given.attempts, 8);
  assert.is((await server.app.services.db.read('jobs').where('kind', 'webhook')).length, 0);

  await paste(server, user.key);
  await settle(server);
  const old = Date.now() - 25 * 60 * 60 * 1000;
  await server.app.services.db.write((trx) =>
    trx('webhook_deliveries').where('state', 'WAITING').update({ created_at: old }),
  );
  await letTimePass(server);
  assert.is((await deliveries(server, user.key))[0].state, 'FAILED');
});

faults(
  'a webhook that keeps failing is switched off, with one mail, until it is saved again',
  async ({ server, receiver }) => {
    const user = await watched(server, receiver);
    receiver.answer = { status: 500 };
    for (let round = 0; round < 14; round += 1) {
      await paste(server, user.key);
      await letTimePass(server);
    }
    const settings = () => server.request('GET', '/user/get/@me/settings/webhook', { key: user.key });
    assert.ok(Date.parse((await settings()).body.message.disabledAt) <= Date.now());
    const mails = await mailsAbout(server, /webhook was turned off/i);
    assert.is(mails.length, 1);
    assert.match(mails[0] ?? '', new RegExp(user.email));
    assert.not.match(mails[0] ?? '', /\/hook/);
    const all = await deliveries(server, user.key);
    assert.ok(all.every(({ state }: { state: string }) => state === 'FAILED'));
    const asked = receiver.requests.length;

    await paste(server, user.key);
    await settle(server);
    assert.is(receiver.requests.length, asked);
    assert.is((await deliveries(server, user.key)).length, all.length);

    receiver.answer = { status: 204 };
    const json = { enabled: true };
    await server.request('PATCH', '/user/get/@me/settings/webhook', { key: user.key, json });
    assert.is((await settings()).body.message.disabledAt, null);
    await paste(server, user.key);
    await settle(server);
    assert.is((await deliveries(server, user.key))[0].state, 'DELIVERED');
  },
);

faults('a receiver that redirects has failed, one that floods has accepted', async ({ server, receiver }) => {
  const user = await watched(server, receiver);
  receiver.mood = 'redirect';
  await paste(server, user.key);
  await settle(server);
  assert.is((await deliveries(server, user.key))[0].status, 302);
  receiver.mood = 'flood';
  await letTimePass(server);
  const [flooded] = await deliveries(server, user.key);
  assert.is(flooded.state, 'DELIVERED');
  assert.ok(flooded.excerpt.length <= 300);
});

faults('a hanging receiver does not delay others', async ({ server, receiver }) => {
  const user = await watched(server, receiver);
  receiver.mood = 'hang';
  await paste(server, user.key);
  while (receiver.requests.length === 0) await turn();
  const { services } = server.app;
  const { db, jobs } = services;
  const mail = { to: 'ada@example.org', subject: 'meanwhile', text: 'not held up' };
  await db.write((trx) => queueMail(services, trx, mail));
  jobs.kick();
  while ((await mailsAbout(server, /not held up/)).length === 0) await turn();
  const other = await startWebhookReceiver();
  const neighbour = await watched(server, other);
  await paste(server, neighbour.key);
  while (other.requests.length === 0) await turn();
  await other.close();
  assert.is((await deliveries(server, user.key))[0].state, 'WAITING');
});

faults('a name that resolves to a non-public address looks like one that does not exist', async () => {
  const strict = await startServer();
  try {
    const { key } = await strict.account();
    const settings = (url: string) =>
      strict.request('PATCH', '/user/get/@me/settings/webhook', { key, json: { url } });
    for (const url of [
      'http://example.com/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://10.0.0.1/',
      'x',
    ]) {
      assert.is((await settings(url)).status, 400, url);
    }
    const told: unknown[] = [];
    for (const host of ['localhost', 'localhost.', 'nothing.invalid']) {
      const other = await strict.account();
      const json = { url: `https://${host}:9/` };
      const set = await strict.request('PATCH', '/user/get/@me/settings/webhook', { key: other.key, json });
      assert.is(set.status, 204);
      await paste(strict, other.key);
      await settle(strict);
      const [{ state, status, error }] = await deliveries(strict, other.key);
      const cookie = `session_token=${await sessionOf(strict, other)}`;
      const page = await strict.request('GET', '//web/settings/webhook', {
        headers: { cookie, accept: 'text/html', 'accept-language': 'de' },
      });
      assert.match(page.text, 'Der Hostname des Empfängers wurde nicht gefunden');
      const test = await strict.request('POST', '/user/get/@me/webhook/test', { key: other.key });
      told.push({
        state,
        status,
        error,
        test: test.status,
        text: test.body.message.error ?? test.body.message,
      });
    }
    assert.equal(told[0], told[2]);
    assert.equal(told[1], told[2]);
    assert.match(JSON.stringify(told[0]), 'could not be found, or has no public address');
  } finally {
    await strict.close();
  }
});

faults('events of an account that is banned are dropped', async ({ server, receiver }) => {
  const user = await watched(server, receiver);
  receiver.answer = OUT_OF_ORDER;
  await paste(server, user.key);
  await settle(server);
  const { db } = server.app.services;
  await db.write((trx) => trx('users').where('id', user.id).update({ role: 'BANNED' }));
  receiver.answer = { status: 204 };
  await letTimePass(server);
  assert.is(receiver.requests.length, 1);
  assert.is((await db.read('webhook_deliveries').where('user_id', user.id).first()).state, 'FAILED');
});

faults('the log of an account is bounded', async ({ server, receiver }) => {
  const user = await watched(server, receiver);
  const { db } = server.app.services;
  await db.write(async (trx) => {
    for (let n = 0; n < 505; n += 1) {
      const event = { event: 'paste.created', uniqueId: `P${n}`, createdAt: Date.now() };
      await insertDeliveries(trx, user.id, [event]);
    }
  });
  const kept = await db.read('webhook_deliveries').where('user_id', user.id).orderBy('id');
  assert.is(kept.length, 500);
  assert.is(kept[0].unique_id, 'P5');
  assert.is((await deliveries(server, user.key)).length, 100);
  const { services } = server.app;
  const items = Array.from({ length: 505 }, (_, n) => ({ ...sampleItem(services), uniqueId: `E${n}` }));
  const queued = await db.write(async (trx) => {
    assert.ok(await emitEach(services, trx, user.id, 'image.deleted', items));
    return trx('jobs').where('kind', 'webhook');
  });
  assert.is(queued.length, 500, 'no more jobs than events that are kept');
  const last = await db.read('webhook_deliveries').where('user_id', user.id).orderBy('id');
  assert.equal([last.length, last[0].unique_id, last[499].unique_id], [500, 'E5', 'E504']);
});

faults.run();
