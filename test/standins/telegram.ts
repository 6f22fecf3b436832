import { type Mood, misbehave, reply, type Standin, serve } from './http.js';

/** Options of a message to the bot. */
export interface Said {
  readonly text?: string;
  readonly userId?: number;
  readonly username?: string;
  readonly chatType?: string;
}

/** Telegram's Bot API for one bot: long polling, webhook and sending. */
export interface TelegramStandin extends Standin {
  mood: Mood;
  /** Set by `setWebhook`; then `say` calls it, and polling answers 409. */
  webhook: { url: string; secret: string } | null;
  /** The messages that the bot sent. */
  readonly sent: { chat_id: string; text: string }[];
  /** Chats whose people have blocked the bot. */
  readonly blocked: Set<string>;
  /** Updates that have not been confirmed yet. */
  readonly pending: { update_id: number }[];
  /**
   * A person writes to the bot; resolves after the webhook, if any, was called. Returns the update's number.
   */
  say(said: Said): Promise<number>;
}

export const BOT_TOKEN = '123456:token-canary';
export const BOT_NAME = 'holdall_bot';

/** Starts the stand-in with `BOT_TOKEN`. */
export async function startTelegram(): Promise<TelegramStandin> {
  let nextId = 1000;
  let wake: () => void = () => {};
  const standin = await serve(async (request, response) => {
    if (misbehave(telegram.mood, response)) return;
    const method = request.url.pathname.replace(`/bot${BOT_TOKEN}/`, '');
    const parameters = JSON.parse(request.body.toString('utf8') || '{}');
    const done = (result: unknown) => reply(response, 200, { ok: true, result });
    const refuse = (status: number, description: string) =>
      reply(response, status, { ok: false, error_code: status, description });

    if (method === 'getMe') return done({ id: 123456, is_bot: true, username: BOT_NAME });
    if (method === 'deleteWebhook') telegram.webhook = null;
    if (method === 'setWebhook') telegram.webhook = { url: parameters.url, secret: parameters.secret_token };
    if (method === 'deleteWebhook' || method === 'setWebhook') return done(true);
    if (method === 'sendMessage') {
      if (telegram.blocked.has(parameters.chat_id))
        return refuse(403, 'Forbidden: bot was blocked by the user');
      telegram.sent.push(parameters);
      return done({ message_id: telegram.sent.length });
    }
    if (method !== 'getUpdates')
      return refuse(request.url.pathname.startsWith('/bot') ? 401 : 404, 'Unauthorized');
    if (telegram.webhook !== null) return refuse(409, 'Conflict: webhook is active');
    while (telegram.pending[0] !== undefined && telegram.pending[0].update_id < parameters.offset) {
      telegram.pending.shift();
    }
    if (telegram.pending.length === 0) await held(parameters.timeout ?? 0);
    if (!response.destroyed) done(telegram.pending.slice(0, parameters.limit ?? 100));
  });

  const held = (seconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, seconds * 1000);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const telegram: TelegramStandin = {
    ...standin,
    mood: 'well',
    webhook: null,
    sent: [],
    blocked: new Set(),
    pending: [],
    async say({ text, userId = 77, username = 'ada', chatType = 'private' }) {
      const from = { id: userId, is_bot: false, first_name: 'Ada', username };
      const message = { message_id: nextId, date: 0, chat: { id: userId, type: chatType }, from };
      const update = {
        update_id: nextId++,
        message: { ...message, ...(text === undefined ? {} : { text }) },
      };
      if (telegram.webhook === null) {
        telegram.pending.push(update);
        wake();
      } else {
        await fetch(telegram.webhook.url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-telegram-bot-api-secret-token': telegram.webhook.secret,
          },
          body: JSON.stringify(update),
        });
      }
      return update.update_id;
    },
    close() {
      wake();
      return standin.close();
    },
  };
  return telegram;
}
