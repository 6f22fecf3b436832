import { createHmac } from 'node:crypto';
import { InboundRefused } from '../../../routers/base/ports/mail/mail.js';
import { sameSecret } from '../secrets/same-secret.js';

/** How old a signature may be, or how far in the future. */
const MAX_AGE_SECONDS = 15 * 60;
/** How long Mailgun repeats what was refused for now, with a margin. */
const MAX_REPEAT_SECONDS = 12 * 60 * 60;
/** Longer than any token from Mailgun (50). */
const MAX_TOKEN_LENGTH = 200;

/** The three fields of Mailgun's signature. It does not cover the body. */
interface SignedFields {
  readonly timestamp: string;
  readonly token: string;
  readonly signature: string;
}

/**
 * Checks that `signature` is the HMAC-SHA256 of timestamp and token; `late` if it is more than 15 minutes old, and can
 * only be that of a repeated call. Throws `InboundRefused`: `forged` if the signature is wrong or no key is configured,
 * `stale` if it is too old even for that, or from the future.
 */
export function checkMailgunSignature(
  fields: SignedFields,
  key: string | null,
  now: number,
): { readonly late: boolean } {
  const { timestamp, token, signature } = fields;
  const sound = /^\d{1,12}$/.test(timestamp) && token !== '' && token.length <= MAX_TOKEN_LENGTH;
  if (key === null || !sound) throw new InboundRefused('forged', 'The signature is missing or wrong');
  const expected = createHmac('sha256', key).update(timestamp).update(token).digest('hex');
  if (!sameSecret(signature.toLowerCase(), expected)) {
    throw new InboundRefused('forged', 'The signature is missing or wrong');
  }
  const age = now / 1000 - Number(timestamp);
  if (age > MAX_REPEAT_SECONDS || age < -MAX_AGE_SECONDS) throw tooOld();
  return { late: age > MAX_AGE_SECONDS };
}

/** The refusal of a signature that is too old. */
export const tooOld = (): InboundRefused => new InboundRefused('stale', 'The signature is too old');
