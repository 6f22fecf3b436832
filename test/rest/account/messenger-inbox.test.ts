import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { takeLease } from '../../../db/system/lease.js';
import { webhookSecret } from '../../../server/drivers/chat/telegram.js';
import { startServer, type TestServer } from '../../harness.js';
import { BOT_TOKEN, startTelegram, type TelegramStandin } from '../../standins/telegram.js';

const inbox = suite<{ telegram: TelegramStandin; server: TestServer }>('messages to the bot');
const env = (telegram: TelegramStandin) => ({
  MESSENGER_BOT_TOKEN: BOT_TOKEN,
  MESSENGER_API_URL: telegram.url,
});
const secret = webhookSecret({ token: BOT_TOKEN, apiUrl: '' });

inbox.before.each(async (world) => {
  world.telegram = await startTelegram();
});
inbox.after.each(async ({ server, telegram }) => {
  await server.close();
  await telegram.close();
});

const linked = async (server: TestServer, key: string) =>
  (await server.request('GET', '/telegram/@me', { key })).status === 200;

inbox('MESSENGER_WEBHOOK: the messenger pushes messages with its secret', async (world) => {
  const { telegram } = world;
  world.server = await startServer({ ...env(telegram), MESSENGER_WEBHOOK: 'true' });
  const { server } = world;
  while (telegram.webhook === null) await turn();
  assert.is(telegram.webhook.url, `${server.base}/telegram/webhook`);
  const { key } = await server.account();
  const asked = await server.request('POST', '/telegram/connect/request', { key });
  await telegram.say({ text: `/start ${asked.body.message.token}` });
  assert.ok(await linked(server, key));
});

inbox('401: a push without the correct secret has no effect; a repeated push acts once', async (world) => {
  const { telegram } = world;
  world.server = await startServer({ ...env(telegram), MESSENGER_WEBHOOK: 'true' });
  const { server } = world;
  const { key } = await server.account();
  const asked = await server.request('POST', '/telegram/connect/request', { key });
  const from = { id: 5, is_bot: false, first_name: 'Eve' };
  const text = `/start ${asked.body.message.token}`;
  const json = { update_id: 7, message: { message_id: 1, text, chat: { id: 5, type: 'private' }, from } };
  const push = (headers: Record<string, string>, update: unknown = json) =>
    server.request('POST', '/telegram/webhook', { headers, json: update });
  for (const wrong of ['', 'wrong', `${secret}0`]) {
    const forged = await push(wrong === '' ? {} : { 'x-telegram-bot-api-secret-token': wrong });
    assert.is(forged.status, 401);
  }
  assert.not.ok(await linked(server, key));
  const right = { 'x-telegram-bot-api-secret-token': secret };
  for (const odd of [{}, { update_id: 'x' }, { update_id: 8, message: { text: 'hello' } }]) {
    assert.is((await push(right, odd)).status, 200);
  }
  assert.is((await push(right)).status, 200);
  assert.ok(await linked(server, key));
  const told = telegram.sent.length;
  await Promise.all([push(right), push(right)]);
  assert.is(telegram.sent.length, told);
});

inbox('only one process polls; another takes over when it stops', async (world) => {
  const { telegram } = world;
  const first = await startServer(env(telegram));
  world.server = first;
  const polls = () => telegram.requests.filter(({ url }) => url.pathname.endsWith('/getUpdates')).length;
  while (polls() === 0) await turn();
  const { db } = first.app.services;
  const at = Date.now();
  const other = { name: 'messenger', holder: 'another process' };
  assert.not.ok(await db.write((trx) => takeLease(trx, other, at, at + 60_000)));
  // An expired lease can be taken by any process; its holder keeps renewing it.
  const taken = await db.write(async (trx) => {
    const { held_until: end } = await trx('leases').where('name', 'messenger').first();
    assert.ok(end > at);
    return takeLease(trx, other, end, end + 60_000);
  });
  assert.ok(taken);
  await db.write((trx) => trx('leases').delete());
});

inbox('a message that arrived while no process was listening is handled at the next start', async (world) => {
  const { telegram } = world;
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-inbox-'));
  try {
    const before = await startServer({ ...env(telegram), DATA_DIR: dataDir });
    const { key } = await before.account();
    const asked = await before.request('POST', '/telegram/connect/request', { key });
    await before.close();
    await telegram.say({ text: `/start ${asked.body.message.token}` });
    world.server = await startServer({ ...env(telegram), DATA_DIR: dataDir });
    while (!(await linked(world.server, key))) await turn();
  } finally {
    // The server still writes there; it ends after the test.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
});

inbox.run();
