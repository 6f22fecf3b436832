import { z } from 'zod';
import { fail } from '../../base/errors.js';
import { localizableOfIssue } from '../../base/text/zod-messages.js';
import type { Services } from '../context.js';

const password = z.union(
  [z.literal(''), z.string().min(3, 'use 3 to 100 characters').max(100, 'use 3 to 100 characters')],
  { error: ({ input }) => (input === undefined ? 'enter the new password, or "" for none' : undefined) },
);
const orNone = (value: string | null | undefined): string | null => value || null;

/** The password for a new item (contract §4: 3 to 100 characters); absent, "" and null mean none. */
export const itemPasswordInput = password.nullish().transform(orNone);

/** As `itemPasswordInput`, for a field that may be another password as well; 400 for one that an item cannot have. */
export function readItemPassword(given: string | null | undefined): string | null {
  const read = itemPasswordInput.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return fail('INVALID', issue && localizableOfIssue({ ...issue, path: ['password'] }));
}

/** The new password of an item. Required, so that a forgotten field does not unlock the item. */
export const changedPasswordInput = password.nullable().transform(orNone);

/** A password given to open an item. Truncated: a longer one is wrong anyway and need not be hashed completely. */
export const shownPasswordInput = z
  .string()
  .transform((value) => value.slice(0, 200))
  .nullish();

/** The hash of the password that an account gives to an item; null for none. */
export const hashItemPassword = async (
  { itemPasswords }: Services,
  ownerId: number,
  password: string | null,
): Promise<string | null> => (password === null ? null : itemPasswords.hash(password, `account ${ownerId}`));
