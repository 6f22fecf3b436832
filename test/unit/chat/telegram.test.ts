import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Messenger, type MessengerUpdate, WebhookForged } from '../../../routers/base/ports/chat.js';
import { ProviderDown, ProviderRefused } from '../../../routers/base/ports/provider.js';
import { openTelegram, registerWebhook, webhookSecret } from '../../../server/drivers/chat/telegram.js';
import type { Bot } from '../../../server/drivers/chat/telegram-api.js';
import { pollTelegram } from '../../../server/drivers/chat/telegram-poll.js';
import { readConfig } from '../../../server/runtime/config/config.js';
import { createLogs } from '../../../server/runtime/logger.js';
import type { Mood } from '../../standins/http.js';
import { BOT_NAME, BOT_TOKEN, startTelegram, type TelegramStandin } from '../../standins/telegram.js';
import { startWebhookReceiver } from '../../standins/webhook-receiver.js';
import { until } from '../../support/until.js';

const telegram = suite<{ standin: TelegramStandin; bot: Bot; messenger: Messenger }>('Telegram');
const log = createLogs('silent').log;
const pace = { holdSeconds: 50, shortestPause: 1, longestPause: 4 };

function open(url: string, token = BOT_TOKEN, name?: string): Messenger {
  const { messenger } = readConfig({
    MESSENGER_API_URL: url,
    MESSENGER_BOT_TOKEN: token,
    ...(name === undefined ? {} : { MESSENGER_BOT_NAME: name }),
  });
  const opened = openTelegram(messenger, log);
  if (opened === null) throw new Error('must be configured');
  return opened;
}

async function throws(kind: typeof ProviderDown | typeof ProviderRefused, call: () => Promise<unknown>) {
  try {
    await call();
  } catch (error) {
    assert.instance(error, kind);
    assert.not.match(String((error as Error).stack), /token-canary/);
    return;
  }
  assert.unreachable('must fail');
}

/** Polls until `enough` is true; returns what was handled. */
async function poll(
  bot: Bot,
  enough: (taken: MessengerUpdate[]) => boolean | Promise<boolean>,
  handle: (update: MessengerUpdate) => void = () => {},
): Promise<MessengerUpdate[]> {
  const stop = new AbortController();
  const taken: MessengerUpdate[] = [];
  await pollTelegram(
    bot,
    async (update) => {
      handle(update);
      taken.push(update);
      if (await enough(taken)) stop.abort();
    },
    { signal: stop.signal, log, pace },
  );
  return taken;
}

telegram.before.each(async (context) => {
  context.standin = await startTelegram();
  context.bot = { token: BOT_TOKEN, apiUrl: context.standin.url };
  context.messenger = open(context.standin.url);
});
telegram.after.each(({ standin }) => standin.close());

telegram('without a token there is no messenger', () => {
  assert.is(openTelegram(readConfig({}).messenger, log), null);
});

telegram('the name is the configured one, or requested once', async ({ standin, messenger }) => {
  assert.is(await open(standin.url, BOT_TOKEN, '@my_bot').botName(), 'my_bot');
  assert.is(standin.requests.length, 0);
  standin.mood = 'down';
  await throws(ProviderDown, () => messenger.botName());
  standin.mood = 'well';
  assert.equal(await Promise.all([messenger.botName(), messenger.botName()]), [BOT_NAME, BOT_NAME]);
  assert.is(await messenger.botName(), BOT_NAME);
  assert.is(standin.requests.length, 2);
});

telegram('messages are sent, cut to the maximum length of Telegram', async ({ standin, messenger }) => {
  await messenger.send('77', 'x'.repeat(5000));
  assert.is(standin.sent[0]?.chat_id, '77');
  assert.is(standin.sent[0]?.text.length, 4096);
  standin.blocked.add('78');
  await throws(ProviderRefused, () => messenger.send('78', 'hello'));
  await throws(ProviderDown, () => open(standin.url, '1:wrong').send('77', 'hello'));
});

telegram('a waiting poll receives a message at once, and each message once', async ({ standin, bot }) => {
  const polling = poll(bot, (taken) => taken.length === 3);
  await standin.say({ text: '/start abc_DEF-1' });
  await standin.say({ text: 'hello' });
  await standin.say({ text: '/start@holdall_bot  token2 ', userId: 5, username: 'eve' });
  const taken = await polling;
  assert.equal(
    taken.map(({ startToken }) => startToken),
    ['abc_DEF-1', null, 'token2'],
  );
  assert.equal(taken[2], {
    updateId: 1002,
    chatId: '5',
    userId: '5',
    username: 'eve',
    name: 'Ada',
    startToken: 'token2',
  });
});

telegram('groups, bots, pictures and malformed tokens start nothing', async ({ standin, bot }) => {
  await standin.say({ text: '/start abc', chatType: 'group' });
  await standin.say({ text: '/start abc', chatType: 'channel' });
  await standin.say({});
  for (const text of [
    '/start',
    '/start ',
    '/startabc',
    'x /start abc',
    '/start a b',
    '/start a;b',
    `/start ${'x'.repeat(65)}`,
  ]) {
    await standin.say({ text });
  }
  await standin.say({ text: '/start end' });
  const taken = await poll(bot, (all) => all.at(-1)?.startToken === 'end');
  assert.is(taken.length, 8);
  assert.ok(taken.slice(0, -1).every(({ startToken }) => startToken === null));
});

telegram(
  'an update that the handler fails on is retried, and skipped after five attempts',
  async ({ standin, bot }) => {
    await standin.say({ text: '/start bad' });
    await standin.say({ text: '/start good' });
    let tries = 0;
    const taken = await poll(
      bot,
      (all) => all.length === 1,
      ({ startToken }) => {
        if (startToken !== 'bad') return;
        tries += 1;
        throw new Error('the database is away');
      },
    );
    assert.is(tries, 5);
    assert.equal(
      taken.map(({ startToken }) => startToken),
      ['good'],
    );
  },
);

telegram('a full batch of the longest messages is accepted', async ({ standin, bot }) => {
  for (let n = 0; n < 100; n += 1) await standin.say({ text: '\u0001'.repeat(4096) });
  assert.is((await poll(bot, (all) => all.length === 100)).length, 100);
});

telegram('an update of an unknown kind is skipped', async ({ standin, bot }) => {
  standin.pending.push({ update_id: 900 }, Object.assign({ update_id: 901 }, { message: { chat: 'odd' } }));
  await standin.say({ text: '/start hello' });
  assert.equal(
    (await poll(bot, () => true)).map(({ startToken }) => startToken),
    ['hello'],
  );
});

telegram('polling survives a provider that lies, redirects or floods', async ({ standin, bot }) => {
  for (const mood of ['lie', 'redirect', 'flood'] satisfies Mood[]) {
    standin.mood = mood;
    const before = standin.requests.length;
    const polling = poll(bot, () => true);
    await until(() => standin.requests.length >= before + 2);
    standin.mood = 'well';
    await standin.say({ text: `/start ${mood}` });
    assert.is((await polling).at(-1)?.startToken, mood);
    standin.pending.length = 0;
  }
});

telegram('stopping takes effect at once, during a long poll and during a pause', async ({ standin, bot }) => {
  for (const mood of ['hang', 'down'] satisfies Mood[]) {
    standin.mood = mood;
    const stop = new AbortController();
    const before = standin.requests.length;
    const longPace = { holdSeconds: 50, shortestPause: 600_000, longestPause: 600_000 };
    const polling = pollTelegram(bot, async () => {}, { signal: stop.signal, log, pace: longPace });
    await until(() => standin.requests.length > before);
    stop.abort();
    await polling;
  }
});

telegram('a webhook left over from before does not stop polling', async ({ standin, bot }) => {
  await registerWebhook(bot, 'http://127.0.0.1:1/');
  const polling = poll(bot, () => true);
  await until(() => standin.webhook === null);
  await standin.say({ text: '/start hello' });
  assert.is((await polling).length, 1);
});

telegram('webhook calls are accepted only with their secret', async ({ standin, bot, messenger }) => {
  const receiver = await startWebhookReceiver();
  try {
    await registerWebhook(bot, receiver.url);
    await standin.say({ text: '/start abc' });
    const [call] = receiver.requests;
    const secret = String(call?.headers['x-telegram-bot-api-secret-token']);
    const body: unknown = JSON.parse(call?.body.toString() ?? '');
    assert.is(secret, webhookSecret(bot));
    assert.not.match(secret, /token-canary/);
    assert.is(messenger.readWebhook(secret, body)?.startToken, 'abc');
    for (const wrong of [null, '', `${secret}0`, secret.slice(1)]) {
      assert.throws(
        () => messenger.readWebhook(wrong, body),
        (error: unknown) => error instanceof WebhookForged,
      );
    }
    for (const odd of [null, {}, [], 'x', { update_id: 'one' }, { update_id: 1, callback_query: {} }]) {
      assert.is(messenger.readWebhook(secret, odd), null);
    }
  } finally {
    await receiver.close();
  }
});

telegram.run();
