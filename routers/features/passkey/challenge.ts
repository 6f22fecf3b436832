import { randomBytes } from 'node:crypto';
import type { Services } from '../../core/context.js';

/** How long a challenge can be answered. */
const CHALLENGE_MS = 10 * 60 * 1000;

/** What a challenge is for: a new passkey of an account, a sign-in, or the second step of an account's sign-in. */
export type Purpose =
  | { readonly what: 'register' | 'second'; readonly userId: number }
  | { readonly what: 'login'; readonly userId: null };

const PARTS = /^([0-9a-f]{32})\.(\d{13,15})\.([0-9a-f]{64})$/;

const subjectOf = ({ what, userId }: Purpose, random: string, expiresAt: string): string =>
  `passkey:${what}:${userId ?? ''}:${random}:${expiresAt}`;

/** A challenge for one purpose. It is signed instead of stored, because anybody may ask for any number. */
export function newChallenge(app: Services, purpose: Purpose): Uint8Array<ArrayBuffer> {
  const random = randomBytes(16).toString('hex');
  const expiresAt = String(Date.now() + CHALLENGE_MS);
  const signature = app.secrets.sign(subjectOf(purpose, random, expiresAt));
  return new Uint8Array(Buffer.from(`${random}.${expiresAt}.${signature}`));
}

/** When a challenge, as it comes back in base64url, expires; null if it is not from here, for another purpose or over. */
export function expiryOf(app: Services, purpose: Purpose, challenge: string): number | null {
  const text = Buffer.from(challenge, 'base64url').toString('latin1');
  const [, random = '', expiresAt = '', signature = ''] = PARTS.exec(text) ?? [];
  if (random === '' || Number(expiresAt) <= Date.now()) return null;
  return app.secrets.verifySignature(subjectOf(purpose, random, expiresAt), signature)
    ? Number(expiresAt)
    : null;
}
