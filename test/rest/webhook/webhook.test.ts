// on both databases
import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../standins/webhook-receiver.js';
import { deliveries, LOOPBACK_ALLOWED, PIXEL, paste, watched } from '../../support/web/webhook.js';

interface World {
  receiver: WebhookReceiver;
  server: TestServer;
}
const webhook = suite<World>('outgoing webhooks');

webhook.before(async (world) => {
  world.server = await startServer(LOOPBACK_ALLOWED);
});
webhook.after(({ server }) => server.close());
webhook.before.each(async (world) => {
  world.receiver = await startWebhookReceiver();
});
webhook.after.each(({ receiver }) => receiver.close());

const bodies = (receiver: WebhookReceiver) =>
  receiver.requests.map(({ body }) => JSON.parse(body.toString('utf8')));
const settle = (server: TestServer) => server.app.services.jobs.settle();

webhook('every event is delivered once, signed, with its item', async ({ server, receiver }) => {
  const user = await watched(server, receiver, { secret: 'signing-canary' });
  const { key } = user;
  const form = fileForm(PIXEL, 'holiday.png');
  const image = (await server.request('POST', '/image/upload', { key, form })).body.message;
  await settle(server);
  const made = (await paste(server, key, { title: 'notes', language: 'markdown' })).body.message;
  await settle(server);
  const url = (await server.request('POST', '/url/create', { key, json: { url: 'example.com', maxUses: 1 } }))
    .body.message;
  await settle(server);
  assert.is((await server.request('GET', `/url/r/${url.uniqueId}`)).status, 301);
  assert.is((await server.request('GET', `/url/r/${url.uniqueId}`)).status, 404);
  await settle(server);
  await server.request('DELETE', `/image/get/${image.uniqueId}`, { key });
  await settle(server);

  const events = bodies(receiver);
  assert.equal(
    events.map(({ type }) => type),
    ['image.created', 'paste.created', 'url.created', 'url.exhausted', 'image.deleted'],
  );
  const [upload, text, link, over] = events;
  assert.is(upload.item.uniqueId, image.uniqueId);
  assert.is(upload.item.title, 'holiday.png');
  assert.is(upload.item.filetype, 'png');
  assert.is(upload.item.size, image.size);
  assert.is(upload.item.link, image.urlSet.webUrl);
  assert.is(upload.item.imageUrl, image.urlSet.rawUrl);
  assert.is(upload.uploader.username, user.username);
  assert.is(upload.uploader.uid, user.id);
  assert.match(upload.uploader.avatar, /^http/);
  assert.is(text.item.uniqueId, made.uniqueId);
  assert.is(text.item.title, 'notes');
  assert.is(text.item.filetype, 'markdown');
  assert.is(link.item.title, 'https://example.com');
  assert.is(link.item.maxUses, 1);
  assert.is(over.item.visits, 1);

  for (const { headers, body } of receiver.requests) {
    const [, time, code] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-holdall-signature'])) ?? [];
    const right = createHmac('sha256', 'signing-canary').update(`${time}.${body.toString('utf8')}`);
    assert.is(code, right.digest('hex'));
    assert.is(headers['x-holdall-event'], JSON.parse(body.toString('utf8')).type);
  }
  assert.is(new Set(events.map(({ id }) => id)).size, events.length);
});

webhook('the delivery log lists the newest first, to its owner alone', async ({ server, receiver }) => {
  const user = await watched(server, receiver, { secret: 'signing-canary' });
  receiver.answer = { status: 200, body: 'thank you' };
  await paste(server, user.key);
  const last = (await paste(server, user.key)).body.message;
  await settle(server);
  const answer = await server.request('GET', '/user/get/@me/webhook/deliveries', { key: user.key });
  assert.is(answer.body.count, 2);
  const [newest] = answer.body.message;
  assert.is(newest.event, 'paste.created');
  assert.is(newest.uniqueId, last.uniqueId);
  assert.is(newest.state, 'DELIVERED');
  assert.is(newest.attempts, 1);
  assert.is(newest.status, 200);
  assert.is(newest.excerpt, 'thank you');
  assert.is(newest.error, null);
  assert.type(newest.durationMs, 'number');
  assert.not.match(answer.text, /canary|\/hook/);
  assert.equal(await deliveries(server, (await server.account()).key), []);
  assert.is((await server.request('GET', '/user/get/@me/webhook/deliveries')).status, 401);
});

webhook('only chosen events are sent, and none without an address', async ({ server, receiver }) => {
  const user = await watched(server, receiver, { events: ['url.created'] });
  await paste(server, user.key);
  await server.request('POST', '/url/create', { key: user.key, json: { url: 'example.com' } });
  await settle(server);
  assert.equal(
    bodies(receiver).map(({ type }) => type),
    ['url.created'],
  );
  await server.request('PATCH', '/user/get/@me/settings/webhook', { key: user.key, json: { url: null } });
  await server.request('POST', '/url/create', { key: user.key, json: { url: 'example.com' } });
  await settle(server);
  assert.is(receiver.requests.length, 1);
  assert.is((await deliveries(server, user.key)).length, 1);
});

webhook('restricted items are sent without name and picture', async ({ server, receiver }) => {
  const { key } = await watched(server, receiver);
  for (const fields of [{ private: 'true' }, { password: 'secret' }, { maxViews: '3' }]) {
    await server.request('POST', '/image/upload', { key, form: fileForm(PIXEL, 'diary.png', fields) });
  }
  await paste(server, key, { title: 'diary', private: true });
  await server.request('POST', '/url/create', {
    key,
    json: { url: 'example.com/diary', password: 'secret' },
  });
  await settle(server);
  const items = bodies(receiver).map(({ item }) => item);
  assert.is(items.length, 5);
  assert.ok(items.every(({ imageUrl }) => imageUrl === null));
  assert.equal(
    items.map(({ title }) => title).filter((title) => title !== null),
    ['diary.png'],
  );
});

webhook("chat formats use the owner's embed settings", async ({ server, receiver }) => {
  const look = { enabled: true, title: 'by {username}', color: '#ff8800' };
  const discord = await watched(server, receiver, { format: 'discord', ...look });
  await paste(server, discord.key);
  await settle(server);
  const slack = await watched(server, receiver, { format: 'slack', ...look });
  await paste(server, slack.key);
  await settle(server);
  const [first, second] = bodies(receiver);
  assert.is(first.embeds[0].title, `by ${discord.username}`);
  assert.is(first.embeds[0].color, 0xff8800);
  assert.equal(first.allowed_mentions, { parse: [] });
  assert.is(second.attachments[0].title, `by ${slack.username}`);
  assert.is(second.attachments[0].color, '#ff8800');
});

webhook('a link reports being used up once, under concurrent visits', async ({ server, receiver }) => {
  const { key } = await watched(server, receiver, { events: ['url.exhausted'] });
  const made = await server.request('POST', '/url/create', { key, json: { url: 'example.com', maxUses: 5 } });
  const { uniqueId } = made.body.message;
  const visits = await Promise.all(
    Array.from({ length: 20 }, () => server.request('GET', `/url/r/${uniqueId}`)),
  );
  assert.is(visits.filter(({ status }) => status === 301).length, 5);
  await settle(server);
  const events = bodies(receiver);
  assert.is(events.length, 1);
  assert.is(events[0].item.visits, 5);
  assert.is(events[0].item.maxUses, 5);
});

webhook(
  'the owner is told of deletions by moderators; failed operations send nothing',
  async ({ server, receiver }) => {
    const { key } = await watched(server, receiver);
    const form = () => fileForm(PIXEL, 'a.png', { uniqueId: 'told-once' });
    assert.is((await server.request('POST', '/image/upload', { key, form: form() })).status, 200);
    assert.is((await server.request('POST', '/image/upload', { key, form: form() })).status, 400);
    const moderator = await server.account('MODERATOR');
    await server.request('DELETE', '/image/get/told-once', { key: moderator.key });
    await settle(server);
    assert.equal(
      bodies(receiver)
        .map(({ type }) => type)
        .sort(),
      ['image.created', 'image.deleted'],
    );
  },
);

webhook('without a webhook nothing is queued', async ({ server }) => {
  const { key } = await server.account();
  await paste(server, key);
  const { db } = server.app.services;
  assert.is((await db.read('jobs').where('kind', 'webhook')).length, 0);
  assert.equal(await deliveries(server, key), []);
});

webhook('a test call is made at once and its result returned', async ({ server, receiver }) => {
  const path = '/user/get/@me/webhook/test';
  assert.is((await server.request('POST', path)).status, 401);
  assert.is((await server.request('POST', path, { key: server.owner.key })).status, 400);
  const user = await watched(server, receiver);
  const well = await server.request('POST', path, { key: user.key });
  assert.is(well.status, 200);
  assert.is(well.body.message.state, 'DELIVERED');
  assert.is(well.body.message.status, 204);
  assert.is(bodies(receiver)[0].type, 'webhook.test');
  receiver.mood = 'down';
  const down = await server.request('POST', path, { key: user.key });
  assert.is(down.body.message.state, 'FAILED');
  assert.is(down.body.message.status, 503);
  await settle(server);
  assert.is(receiver.requests.length, 2);
  assert.is((await deliveries(server, user.key)).length, 2);
});

webhook('the secret is never returned and never stored in plain text', async ({ server, receiver }) => {
  const user = await watched(server, receiver, { secret: 'signing-canary' });
  const settings = await server.request('GET', '/user/get/@me/settings/webhook', { key: user.key });
  assert.not.match(settings.text, /canary/);
  assert.is(settings.body.message.disabledAt, null);
  await paste(server, user.key);
  const { db } = server.app.services;
  for (const table of ['webhooks', 'webhook_deliveries', 'jobs', 'audit_log']) {
    assert.not.match(JSON.stringify(await db.read(table)), /canary/, table);
  }
  await settle(server);
});

webhook.run();
