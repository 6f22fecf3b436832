import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { releaseLease, takeLease } from '../../db/lease.js';
import type { Services } from '../../routers/context.js';
import { takeUpdate } from '../../routers/messenger/update.js';
import type { Config } from '../config/config.js';
import type { Logger } from '../logger.js';
import { configuredBot, registerWebhook } from './telegram.js';
import type { Bot } from './telegram-api.js';
import { pollTelegram } from './telegram-poll.js';

/** Messages to the bot, as they come in. */
export interface MessengerInbox {
  /** Finishes the message at hand and takes no more. */
  stop(): Promise<void>;
}

/** A process that ends without giving its lease back holds up the next one for this long. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
const REGISTER_AGAIN_MS = 30_000;

/**
 * Receives messages to the bot, where one is configured: by long polling in exactly one process of all that
 * share the database, or pushed by the messenger with `MESSENGER_WEBHOOK`.
 */
export function openMessengerInbox(
  config: Pick<Config, 'messenger' | 'origin'>,
  app: Services,
  log: Logger,
): MessengerInbox {
  const bot = configuredBot(config.messenger);
  if (bot === null) return { stop: async () => {} };
  const end = new AbortController();
  const running = config.messenger.webhook
    ? register(bot, `${config.origin}/v1/telegram/webhook`, end.signal, log)
    : pollInTurn(bot, app, end.signal, log);
  return {
    stop: async () => {
      end.abort();
      await running;
    },
  };
}

const rest = (ms: number, signal: AbortSignal): Promise<unknown> =>
  pause(ms, undefined, { signal, ref: false }).catch(() => {});

/** Tells the messenger where to push, until it has understood. */
async function register(bot: Bot, url: string, signal: AbortSignal, log: Logger): Promise<void> {
  while (!signal.aborted) {
    try {
      await registerWebhook(bot, url);
      return;
    } catch (error) {
      log.warn({ err: error }, 'the webhook of the messenger could not be registered');
    }
    await rest(REGISTER_AGAIN_MS, signal);
  }
}

/** Polls while this process holds the lease; waits for it otherwise. */
async function pollInTurn(bot: Bot, app: Services, signal: AbortSignal, log: Logger): Promise<void> {
  const lease = { name: 'messenger', holder: randomUUID() };
  const hold = async (): Promise<boolean> => {
    try {
      const at = Date.now();
      return await app.db.write((trx) => takeLease(trx, lease, at, at + LEASE_MS));
    } catch (error) {
      log.warn({ err: error }, 'the lease of the messenger could not be renewed');
      return false;
    }
  };
  while (!signal.aborted) {
    if (await hold()) {
      const lost = new AbortController();
      const polling = pollTelegram(bot, (update) => takeUpdate(app, update), {
        signal: AbortSignal.any([signal, lost.signal]),
        log,
      });
      do await rest(RENEW_MS, signal);
      while (!signal.aborted && (await hold()));
      lost.abort();
      await polling;
    } else {
      await rest(RENEW_MS, signal);
    }
  }
  await app.db
    .write((trx) => releaseLease(trx, lease))
    .catch((error: unknown) => log.warn({ err: error }, 'the lease of the messenger could not be released'));
}
