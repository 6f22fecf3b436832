import { z } from 'zod';

/** The password that protects an item (contract §4: 3 to 100 characters); "" and null mean none. */
export const itemPasswordInput = z
  .union([z.literal(''), z.string().min(3, 'use 3 to 100 characters').max(100, 'use 3 to 100 characters')])
  .nullish()
  .transform((value) => (value === undefined || value === null || value === '' ? null : value));

/** A password shown to open an item; longer ones are wrong anyway. */
export const shownPasswordInput = z.string().max(200).nullish();
