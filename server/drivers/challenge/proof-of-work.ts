import { createHash, randomBytes } from 'node:crypto';
import type { Task } from '../../../routers/base/ports/challenge.js';
import type { Secrets } from '../../../routers/base/ports/secrets.js';

/** About 260,000 hashes: below a second on a computer, a few on a phone. */
const BITS = 18;
const LIFE_MS = 10 * 60 * 1000;
/** `{random}~{expires}~{bits}~{signature}.{nonce}` */
const TOKEN = /^(([\w-]{22})~(\d{13})~(\d{1,2})~([\da-f]{64}))\.(\d{1,15})$/;

const signed = (random: string, expiresAt: string, bits: string): string =>
  `proof of work:${random}~${expiresAt}~${bits}`;

/** A task that only this installation can have made, until it expires. */
export function newTask(secrets: Secrets, now = Date.now()): Task {
  const expiresAt = now + LIFE_MS;
  const random = randomBytes(16).toString('base64url');
  const signature = secrets.sign(signed(random, String(expiresAt), String(BITS)));
  return { challenge: `${random}~${expiresAt}~${BITS}~${signature}`, bits: BITS, expiresAt };
}

/** Whether a token has the form of a solved task, right or wrong. */
export const isProof = (token: string): boolean => TOKEN.test(token);

/** The challenge that a token solves; null if it solves none of ours, or too late. */
export function solvedTask(secrets: Secrets, token: string, now = Date.now()): string | null {
  const [, challenge = '', random = '', expiresAt = '', bits = '', signature = ''] = TOKEN.exec(token) ?? [];
  if (challenge === '' || Number(expiresAt) <= now) return null;
  if (!secrets.verifySignature(signed(random, expiresAt, bits), signature)) return null;
  const hash = createHash('sha256').update(token).digest();
  return hash.readUInt32BE() >>> (32 - Number(bits)) === 0 ? challenge : null;
}
