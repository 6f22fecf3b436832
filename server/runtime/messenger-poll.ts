import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { releaseLease, takeLease } from '../../db/system/lease.js';
import type { Messenger } from '../../routers/base/ports/chat.js';
import type { Services } from '../../routers/core/context.js';
import { takeUpdate } from '../../routers/features/messenger/update.js';
import type { Config } from './config/config.js';
import type { Logger } from './logger.js';

interface MessengerInbox {
  /** Finishes the current message and takes no more. */
  stop(): Promise<void>;
}

/** If a process dies without releasing its lease, the next one waits this long. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
const REGISTER_AGAIN_MS = 30_000;

/**
 * Receives messages to the bot, if one is configured. Either exactly one of the processes that share the database
 * uses long polling, or, with `MESSENGER_WEBHOOK`, the messenger pushes them.
 */
export function openMessengerInbox(
  config: Pick<Config, 'messenger' | 'origin'>,
  app: Services,
  log: Logger,
): MessengerInbox {
  const { messenger } = app.chat;
  if (messenger === null) return { stop: async () => {} };
  const end = new AbortController();
  const running = config.messenger.webhook
    ? register(messenger, `${config.origin}/v1/telegram/webhook`, end.signal, log)
    : pollInTurn(messenger, app, end.signal, log);
  return {
    stop: async () => {
      end.abort();
      await running;
    },
  };
}

const rest = (ms: number, signal: AbortSignal): Promise<unknown> =>
  pause(ms, undefined, { signal, ref: false }).catch(() => {});

/** Registers the webhook URL with the messenger; retries until that succeeds. */
async function register(messenger: Messenger, url: string, signal: AbortSignal, log: Logger): Promise<void> {
  while (!signal.aborted) {
    try {
      await messenger.pushTo(url);
      return;
    } catch (error) {
      log.warn({ err: error }, 'the webhook of the messenger could not be registered');
    }
    await rest(REGISTER_AGAIN_MS, signal);
  }
}

/** Polls while this process holds the lease; otherwise waits for the lease. */
async function pollInTurn(
  messenger: Messenger,
  app: Services,
  signal: AbortSignal,
  log: Logger,
): Promise<void> {
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
      const polling = messenger.poll(
        (update) => takeUpdate(app, update),
        AbortSignal.any([signal, lost.signal]),
      );
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
