import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { type Messenger, WebhookForged } from '../../../routers/base/ports/chat.js';
import type { Log } from '../../../routers/base/ports/log.js';
import { cutText } from '../../../routers/base/text/cut.js';
import { loadedOnce } from '../../shared/loaded-once.js';
import { sameSecret } from '../secrets/same-secret.js';
import type { MessengerOptions } from './options.js';
import { type Bot, callBot } from './telegram-api.js';
import { pollTelegram } from './telegram-poll.js';
import { readUpdate } from './telegram-update.js';

const MAX_TEXT_LENGTH = 4096;

/** The configured bot; null without `MESSENGER_BOT_TOKEN`. */
function configuredBot({ botToken, apiUrl }: MessengerOptions): Bot | null {
  return botToken === null ? null : { token: botToken, apiUrl };
}

/** The Telegram bot; null if none is configured. */
export function openTelegram(config: MessengerOptions, log: Log): Messenger | null {
  const bot = configuredBot(config);
  if (bot === null) return null;
  const askName = loadedOnce(async () => {
    const { username } = await callBot(bot, 'getMe', {}, z.object({ username: z.string().min(1) }));
    return username;
  });
  return {
    label: 'Telegram',
    botName() {
      if (config.botName !== null) return Promise.resolve(config.botName.replace(/^@/, ''));
      return askName();
    },
    startUrl: (botname, token) => `https://t.me/${botname}?start=${token}`,
    async send(chatId, text) {
      const parameters = { chat_id: chatId, text: cutText(text, MAX_TEXT_LENGTH) };
      await callBot(bot, 'sendMessage', parameters, z.unknown());
    },
    readWebhook(secret, body) {
      if (!sameSecret(secret ?? '', webhookSecret(bot))) throw new WebhookForged();
      return readUpdate(body);
    },
    pushTo: (url) => registerWebhook(bot, url),
    poll: (handle, signal) => pollTelegram(bot, handle, { signal, log }),
  };
}

/** Makes Telegram call `url` for each message, instead of long polling. */
export async function registerWebhook(bot: Bot, url: string): Promise<void> {
  const parameters = { url, secret_token: webhookSecret(bot), allowed_updates: ['message'] };
  await callBot(bot, 'setWebhook', parameters, z.unknown());
}

/** The secret that Telegram sends with each webhook call. Derived from the bot token, so it needs no setting. */
export function webhookSecret(bot: Bot): string {
  return createHmac('sha256', bot.token).update('holdall messenger webhook').digest('hex');
}
