import { z } from 'zod';
import type { Context } from '../context.js';
import { userSummary } from '../shared/user-summary.js';
import { type ContentDelivery, contentInput, delivery, getContent } from './content.js';
import { describeImage } from './describe.js';
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

export const imageAnswer = z.union([delivery, description]);
export type ImageAnswer = ContentDelivery | Description;

/** Handles GET /image/get: returns bytes, or details and base64 in the envelope. */
export async function getImage(ctx: Context, input: ImageQuery): Promise<ImageAnswer> {
  const described = input.base64 || input.info || (input.imageInfo && !input.raw);
  return described ? describeImage(ctx, input) : getContent(ctx, input);
}
