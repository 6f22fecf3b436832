import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { Db } from '../../../db/engine/connect.js';
import { fail } from '../../base/errors.js';
import { rule } from '../../base/language/rules.js';
import { slugOf } from '../../base/link-domain.js';
import { charactersOf, isReserved, isSlug, MAX_ID } from '../../base/slug.js';
import { isBlank } from '../../base/text/blank.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const GENERATED_LENGTH = 8;
/** There are 36^8 ids: several collisions in a row mean that something else is wrong. */
const ATTEMPTS = 8;

/** What an id can be, as the source of a regular expression and of the `pattern` of a field. */
export const ID_PATTERN = `[A-Za-z0-9_\\-]{1,${MAX_ID}}`;
const MAX_FOLLOWED = 4_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const NO_CONTROLS = /^[^\u0000-\u001f\u007f]+$/;
const CUSTOM_ID = new RegExp(`^${ID_PATTERN}$`);

/** What follows in a link where its id should be, with what stood behind that in a text. */
export const followedInput = z
  .string()
  .min(1)
  .max(MAX_FOLLOWED)
  .regex(NO_CONTROLS, 'an id cannot contain control characters');

/** An id in a path. Longer ids or ids with control characters cannot exist (contract §2). */
export const uniqueIdInput = z
  .string()
  .min(1)
  .normalize('NFC')
  .refine(
    (id) => slugOf(id).length <= 2 * MAX_ID && charactersOf(slugOf(id)) <= MAX_ID,
    'an id can have at most 128 characters',
  )
  .regex(NO_CONTROLS, 'an id cannot contain control characters');

/** Why an id is refused that other addresses begin with. */
export const RESERVED_WORD = rule('this word has a meaning of its own, choose another id');

/** A custom id; "" means none. */
export const customIdInput = z
  .union([
    z.literal(''),
    z.string().regex(CUSTOM_ID, 'use 1 to 128 letters, digits, hyphens and underscores'),
  ])
  .nullish()
  .transform((value) => (isBlank(value) ? null : value));

/** Words that follow `/image/get/` or `/image/get/video/` in other paths. */
const FILE_WORDS: ReadonlySet<string> = new Set(['poster', 'video', 'links']);

/** A custom id of a file. */
export const fileIdInput = customIdInput.refine(
  (id) => id === null || !FILE_WORDS.has(id.toLowerCase()),
  RESERVED_WORD,
);

/** A custom id of a link, also one that is reserved; "" means none. */
export const slugInput = z
  .union([
    z.literal(''),
    z
      .string()
      .normalize('NFC')
      .refine(
        isSlug,
        'use 1 to 128 letters and digits of any script, -, _, . and ~, with slashes only between them',
      ),
  ])
  .nullish()
  .transform((value) => (isBlank(value) ? null : value));

/** A custom id of a new link. */
export const newSlugInput = slugInput.refine((id) => id === null || !isReserved(id), RESERVED_WORD);

/** Words that follow `/collection/` or `/collection/open/` in other paths. */
const COLLECTION_WORDS: ReadonlySet<string> = new Set([
  ...['open', 'shared', 'shared-with-me', 'links', 'members'],
]);

/** A custom id of a collection, whatever its face. */
export const collectionIdInput = customIdInput.refine(
  (id) => id === null || !COLLECTION_WORDS.has(id.toLowerCase()),
  RESERVED_WORD,
);

/** Whether a number can be a row id: whole, positive, within 32 bits. */
export const isRowId = (value: number): boolean =>
  Number.isInteger(value) && value > 0 && value <= 0x7fffffff;

/** The id of an account as input. */
export const uidInput = z.int().min(1).max(0x7fffffff);

/** This many random characters of an alphabet. */
export const randomText = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Eight random characters of `A-Z0-9`. */
export const generateId = (): string => randomText(ALPHABET, GENERATED_LENGTH);

/**
 * Inserts under the custom id, or under generated ones until one is free. The unique index decides, so
 * exactly one of several concurrent requests for an id wins; the others are refused with ID_TAKEN.
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
