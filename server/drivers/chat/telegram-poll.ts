import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { MessengerUpdate } from '../../../routers/base/ports/chat.js';
import type { Log } from '../../../routers/base/ports/log.js';
import { ProviderDown } from '../../../routers/base/ports/provider.js';
import { type Bot, callBot } from './telegram-api.js';
import { readUpdate } from './telegram-update.js';

/** Timing of the polling loop, in milliseconds unless stated otherwise. */
interface PollPace {
  /** How long Telegram holds a request open. */
  readonly holdSeconds: number;
  /** First pause after a failure; doubled after each further one. */
  readonly shortestPause: number;
  readonly longestPause: number;
}

const PACE: PollPace = { holdSeconds: 50, shortestPause: 1000, longestPause: 60_000 };
const GRACE_MS = 10_000;
const BATCH = 100;
/** A full batch of the longest messages, every character escaped, is 2.4 MB. */
const BATCH_BYTES = 8 * 1024 * 1024;
/** Only the ID is required, so that any update can be skipped. */
const updates = z.array(z.looseObject({ update_id: z.number().int().nonnegative() }));
/** An update that fails this often is skipped, so that it does not block all others. */
const MAX_TRIES = 5;

/**
 * Fetches messages until `signal` aborts, then returns. An update is done once `handle` returns; if `handle` throws,
 * it is delivered again. After failures it pauses, longer each time. Removes a registered webhook, because Telegram
 * supports only one of the two. Only one process may poll: Telegram answers a second one with 409, which counts as a
 * failure.
 */
export async function pollTelegram(
  bot: Bot,
  handle: (update: MessengerUpdate) => Promise<void>,
  { signal, log, pace = PACE }: { signal: AbortSignal; log: Log; pace?: PollPace },
): Promise<void> {
  const position = { offset: 0, failingId: -1, tries: 0 };
  let failures = 0;
  let polling = false;
  while (!signal.aborted) {
    try {
      if (!polling) await callBot(bot, 'deleteWebhook', {}, z.unknown(), { signal });
      polling = true;
      for (const update of await fetchUpdates(bot, position.offset, pace.holdSeconds, signal)) {
        if (signal.aborted) return;
        await take(update, handle, position, log);
      }
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      const asked = error instanceof ProviderDown ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
      const wait = Math.max(asked, Math.min(pace.shortestPause * 2 ** failures, pace.longestPause));
      failures = Math.min(failures + 1, 30);
      log.warn({ err: error, waitMs: wait }, 'the messenger could not be polled');
      await pause(wait, undefined, { signal }).catch(() => {});
    }
  }
}

function fetchUpdates(bot: Bot, offset: number, holdSeconds: number, signal: AbortSignal) {
  const parameters = { offset, limit: BATCH, timeout: holdSeconds, allowed_updates: ['message'] };
  const timeoutMs = holdSeconds * 1000 + GRACE_MS;
  return callBot(bot, 'getUpdates', parameters, updates, { timeoutMs, maxBytes: BATCH_BYTES, signal });
}

/** Handles one update and advances the offset past it. */
async function take(
  update: z.output<typeof updates>[number],
  handle: (update: MessengerUpdate) => Promise<void>,
  position: { offset: number; failingId: number; tries: number },
  log: Log,
): Promise<void> {
  const message = readUpdate(update);
  try {
    if (message !== null) await handle(message);
  } catch (error) {
    position.tries = position.failingId === update.update_id ? position.tries + 1 : 1;
    position.failingId = update.update_id;
    if (position.tries < MAX_TRIES) throw error;
    log.error({ err: error, updateId: update.update_id }, 'a message to the bot was given up');
  }
  position.offset = update.update_id + 1;
}
