import { createHmac } from 'node:crypto';
import { InboundRefused } from '../../routers/ports/mail.js';
import { sameSecret } from '../secrets/same-secret.js';

/** How long a signature is good for, in both directions of the clock. */
const LONGEST_AGE_SECONDS = 15 * 60;
/** Longer than any token Mailgun makes (50). */
const LONGEST_TOKEN = 200;

/** The three fields with which Mailgun signs a call. The body is not signed. */
export interface SignedFields {
  readonly timestamp: string;
  readonly token: string;
  readonly signature: string;
}

/**
 * Passes when `signature` is the HMAC-SHA256 of timestamp and token and no older than 15 minutes. Throws
 * `InboundRefused`: `forged` when the signature is wrong or no key is configured, `stale` when it is old.
 */
export function checkMailgunSignature(fields: SignedFields, key: string | null, now: number): void {
  const { timestamp, token, signature } = fields;
  const sound = /^\d{1,12}$/.test(timestamp) && token !== '' && token.length <= LONGEST_TOKEN;
  if (key === null || !sound) throw new InboundRefused('forged', 'The signature is missing or wrong');
  const expected = createHmac('sha256', key).update(timestamp).update(token).digest('hex');
  if (!sameSecret(signature.toLowerCase(), expected)) {
    throw new InboundRefused('forged', 'The signature is missing or wrong');
  }
  if (Math.abs(now / 1000 - Number(timestamp)) > LONGEST_AGE_SECONDS) {
    throw new InboundRefused('stale', 'The signature is too old');
  }
}
