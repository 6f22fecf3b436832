import { z } from 'zod';

const password = z.union(
  [z.literal(''), z.string().min(3, 'use 3 to 100 characters').max(100, 'use 3 to 100 characters')],
  { error: ({ input }) => (input === undefined ? 'enter the new password, or "" for none' : undefined) },
);
const orNone = (value: string | null | undefined): string | null => value || null;

/** The password that protects a new item (contract §4: 3 to 100 characters); absent, "" and null mean none. */
export const itemPasswordInput = password.nullish().transform(orNone);

/** The password of an item from now on. It has to be there: a forgotten field must unlock nothing. */
export const changedPasswordInput = password.nullable().transform(orNone);

/** A password shown to open an item. What is too long is wrong like any other, but need not be hashed whole. */
export const shownPasswordInput = z
  .string()
  .transform((value) => value.slice(0, 200))
  .nullish();
