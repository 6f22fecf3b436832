import { z } from 'zod';
import { ProviderDown, ProviderRefused } from '../../../routers/base/ports/provider.js';
import { askProviderFor } from '../outbound/provider.js';

const PROVIDER = 'the challenge service';
const verdict = z.object({
  success: z.boolean(),
  'error-codes': z.array(z.string()).optional(),
});
/** Faults that no visitor can mend. */
const OURS = new Set(['missing-input-secret', 'invalid-input-secret', 'internal-error', 'bad-request']);

/**
 * Whether Turnstile accepts a token. Throws `ProviderDown` if it does not answer, or refuses our secret: then nobody's
 * token is right.
 */
export async function verifyTurnstile(
  { secret, url }: { readonly secret: string; readonly url: string },
  token: string,
  address: string,
): Promise<boolean> {
  try {
    const answer = await askProviderFor(verdict, {
      provider: PROVIDER,
      url: new URL(url),
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ secret, response: token, remoteip: address })),
    });
    const fault = answer['error-codes']?.find((code) => OURS.has(code));
    if (!answer.success && fault !== undefined) throw new ProviderDown(PROVIDER, `answered ${fault}`);
    return answer.success;
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    throw new ProviderDown(PROVIDER, `refused the call with ${error.status}`, null, error.status);
  }
}
