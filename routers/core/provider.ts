import { fail } from '../base/errors.js';
import { ProviderDown, ProviderRefused } from '../base/ports/provider.js';
import type { Services } from './context.js';

/**
 * Calls another service on behalf of a caller: its refusal becomes 400, its failure 502 (contract §5).
 * Details go to the log only.
 */
export async function askOnBehalf<T>(app: Pick<Services, 'log'>, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderRefused) {
      app.log.info({ err: error }, 'another service refused a request');
      fail('PROVIDER_REFUSED', { cause: error });
    }
    if (!(error instanceof ProviderDown)) throw error;
    app.log.warn({ err: error }, 'another service did not respond as expected');
    const retryAfter = error.retryAfterSeconds;
    fail('PROVIDER_FAILED', { cause: error, ...(retryAfter === null ? {} : { retryAfter }) });
  }
}
