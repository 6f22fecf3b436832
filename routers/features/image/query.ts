import { z } from 'zod';
import { userSummary } from '../../core/accounts/user-summary.js';
import { contentInput } from './content.js';
import { imageRecord } from './record.js';

/** All options of GET /image/get (contract §4). */
export const imageQuery = contentInput.extend({
  base64: z.boolean().default(false),
  info: z.boolean().default(false),
  imageInfo: z.boolean().default(false),
  /** Sends bytes whatever the `Accept` header says; with `base64` only the text. */
  raw: z.boolean().default(false),
});
export type ImageQuery = z.output<typeof imageQuery>;

/** The description of an image: what its envelope is made of. */
export const description = z.object({
  as: z.literal('description'),
  uniqueId: z.string(),
  message: imageRecord.partial().extend({ uploader: userSummary }),
  /** The bytes to send as base64; null for none. */
  base64: z.object({ sha256: z.string(), size: z.int() }).nullable(),
  /** Whether to send only the base64 text, without the envelope. */
  textOnly: z.boolean(),
  facts: z.object({ size: z.int(), type: z.string() }).nullable(),
});
export type Description = z.output<typeof description>;
