import { createHmac } from 'node:crypto';
import { InboundRefused } from '../../../routers/ports/mail.js';
import { sameSecret } from '../secrets/same-secret.js';

/** How old a signature may be, or how far in the future. */
const MAX_AGE_SECONDS = 15 * 60;
/** Longer than any token from Mailgun (50). */
const MAX_TOKEN_LENGTH = 200;

/** The three fields of Mailgun's signature. It does not cover the body. */
export interface SignedFields {
  readonly timestamp: string;
  readonly token: string;
  readonly signature: string;
}

/**
 * Checks that `signature` is the HMAC-SHA256 of timestamp and token and at most 15 minutes old. Throws
 * `InboundRefused`: `forged` if the signature is wrong or no key is configured, `stale` if it is too old.
 */
export function checkMailgunSignature(fields: SignedFields, key: string | null, now: number): void {
  const { timestamp, token, signature } = fields;
  const sound = /^\d{1,12}$/.test(timestamp) && token !== '' && token.length <= MAX_TOKEN_LENGTH;
  if (key === null || !sound) throw new InboundRefused('forged', 'The signature is missing or wrong');
  const expected = createHmac('sha256', key).update(timestamp).update(token).digest('hex');
  if (!sameSecret(signature.toLowerCase(), expected)) {
    throw new InboundRefused('forged', 'The signature is missing or wrong');
  }
  if (Math.abs(now / 1000 - Number(timestamp)) > MAX_AGE_SECONDS) {
    throw new InboundRefused('stale', 'The signature is too old');
  }
}
