import { z } from 'zod';
import type { Context } from '../context.js';
import { userSummary } from '../user-summary.js';
import { contentInput, type Delivery, delivery, getContent } from './content.js';
import { describeImage } from './describe.js';
import { imageRecord } from './record.js';

/** Everything GET /image/get can be asked for (contract §4). */
export const imageQuery = contentInput.extend({
  base64: z.boolean().default(false),
  info: z.boolean().default(false),
  imageInfo: z.boolean().default(false),
  /** Bytes whatever the caller accepts; with `base64` the bare text. */
  raw: z.boolean().default(false),
});
export type ImageQuery = z.output<typeof imageQuery>;

const description = z.object({
  as: z.literal('description'),
  uniqueId: z.string(),
  message: imageRecord.partial().extend({ uploader: userSummary }),
  /** The bytes that go out as base64; null when none do. */
  base64: z.object({ sha256: z.string(), size: z.int() }).nullable(),
  /** The base64 text alone, without envelope. */
  textOnly: z.boolean(),
  facts: z.object({ size: z.int(), type: z.string() }).nullable(),
});
/** The description of an image inside the envelope. */
export type Description = z.output<typeof description>;

export const imageAnswer = z.union([delivery, description]);
export type ImageAnswer = Delivery | Description;

/** Answers GET /image/get: bytes, or facts and base64 in the envelope. */
export async function getImage(ctx: Context, input: ImageQuery): Promise<ImageAnswer> {
  const described = input.base64 || input.info || (input.imageInfo && !input.raw);
  return described ? describeImage(ctx, input) : getContent(ctx, input);
}
