import { z } from 'zod';
import { ProviderDown, ProviderRefused } from '../../../routers/base/ports/provider.js';
import { askProviderFor } from '../outbound/provider.js';

const PROVIDER = 'Telegram';
const SHORT_MS = 10_000;

/** A bot of the Bot API. */
export interface Bot {
  readonly token: string;
  readonly apiUrl: string;
}

/** Options for a method call where the defaults do not fit. */
interface CallOptions {
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/**
 * Calls a method of the Bot API and returns its result. A wrong bot token is `ProviderDown`, because our callers
 * cannot fix it; other refusals are `ProviderRefused`. Errors never contain the URL, because it includes the token.
 */
export async function callBot<T>(
  bot: Bot,
  method: string,
  parameters: Readonly<Record<string, unknown>>,
  result: z.ZodType<T>,
  options: CallOptions = {},
): Promise<T> {
  try {
    const answer = await askProviderFor(z.object({ ok: z.literal(true), result }), {
      provider: PROVIDER,
      url: new URL(`${bot.apiUrl}/bot${bot.token}/${method}`),
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
      timeoutMs: options.timeoutMs ?? SHORT_MS,
      ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    return answer.result;
  } catch (error) {
    if (error instanceof ProviderRefused && (error.status === 401 || error.status === 404)) {
      throw new ProviderDown(PROVIDER, 'does not accept our bot token');
    }
    throw error;
  }
}
