import { z } from 'zod';
import { NOTIFY } from '../../../db/content/told/told.js';

/** How often an owner is told, as a record says it. */
export const notifyField = z.enum(NOTIFY);

const word = z
  .string()
  .transform((value) => value.trim().toLowerCase() || 'none')
  .pipe(z.enum(NOTIFY, 'use none, first, each or daily'));

/** How often the owner is to be told; absent: as it is, null and "": never. */
export const notifyInput = word
  .nullish()
  .transform((value) => (value === null ? ('none' as const) : value))
  .optional();

/** As `notifyInput`; earlier clients say yes (each time) or no. Null leaves it. */
export const notifyOrNotInput = z
  .union([z.boolean().transform((yes) => (yes ? ('each' as const) : ('none' as const))), word])
  .nullish();
