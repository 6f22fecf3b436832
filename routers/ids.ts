import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { Db } from '../db/connect.js';
import { isBlank } from './blank.js';
import { fail } from './errors.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const GENERATED_LENGTH = 8;
/** 36^8 ids: two collisions in a row mean that something else is wrong. */
const ATTEMPTS = 8;

/** An id as it stands in a path. Anything longer or with control characters never existed (contract §2). */
export const uniqueIdInput = z
  .string()
  .min(1)
  .max(64, 'an id can have at most 64 characters')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  .regex(/^[^\u0000-\u001f\u007f]+$/, 'an id cannot contain control characters');

/** An id that a caller wishes for; "" counts as none. */
export const customIdInput = z
  .union([
    z.literal(''),
    z.string().regex(/^[A-Za-z0-9_-]{1,20}$/, 'use 1 to 20 letters, digits, hyphens and underscores'),
  ])
  .nullish()
  .transform((value) => (isBlank(value) ? null : value));

/** True for what can be the number of a row: whole, positive, within 32 bits. */
export const isRowId = (value: number): boolean =>
  Number.isInteger(value) && value > 0 && value <= 0x7fffffff;

/** The number of an account as input. */
export const uidInput = z.int().min(1).max(0x7fffffff);

/** So many random characters of an alphabet. */
export const randomText = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Eight random characters of `A-Z0-9`. */
export const generateId = (): string => randomText(ALPHABET, GENERATED_LENGTH);

/**
 * Inserts under the wished id, or under generated ones until one is free. The unique index decides, so of
 * simultaneous wishes for one id exactly one wins; the others are refused with ID_TAKEN.
 */
export async function insertUnderId<T>(
  db: Db,
  wished: string | null,
  insert: (uniqueId: string) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await insert(wished ?? generateId());
    } catch (error) {
      if (!db.dialect.isUniqueViolation(error)) throw error;
      if (wished !== null) fail('ID_TAKEN');
      if (attempt === ATTEMPTS) throw error;
    }
  }
}
