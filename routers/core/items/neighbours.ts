import { z } from 'zod';

/** What comes before and after an image in its owner's library; null at an end. `index` counts from 0. */
export const neighbours = z.object({
  previous: z.string().nullable(),
  next: z.string().nullable(),
  index: z.int(),
  total: z.int(),
});
