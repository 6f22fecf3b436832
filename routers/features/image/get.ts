import { z } from 'zod';
import type { Context } from '../../core/context.js';
import { getContent } from './content.js';
import { type ContentDelivery, delivery } from './deliver.js';
import { describeImage } from './describe.js';
import { type Description, description, type ImageQuery } from './query.js';

/** Bytes, or details in the envelope. */
export const imageAnswer = z.union([delivery, description]);
export type ImageAnswer = ContentDelivery | Description;

/** Handles GET /image/get: returns bytes, or details and base64 in the envelope. */
export async function getImage(ctx: Context, input: ImageQuery): Promise<ImageAnswer> {
  const described = input.base64 || input.info || (input.imageInfo && !input.raw);
  return described ? describeImage(ctx, input) : getContent(ctx, input);
}
