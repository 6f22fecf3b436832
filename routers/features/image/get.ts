import { z } from 'zod';
import { authorise, shownTo } from '../../core/access.js';
import type { Context } from '../../core/context.js';
import { findAddressed, getContent, represent } from './content.js';
import { type ContentDelivery, countView, delivery } from './deliver.js';
import { type Description, description, type ImageQuery } from './query.js';
import { toImageRecord } from './record.js';

/** The details of an image and, on request, its bytes as base64, which use up one view (contract §4). */
async function describeImage(ctx: Context, input: ImageQuery): Promise<Description> {
  const image = await findAddressed(ctx, input.uniqueId);
  await authorise(ctx, 'image', image, input.password);
  const record = await toImageRecord(ctx.app, image, {
    access: true,
    ...(await shownTo(ctx, 'image', image)),
  });
  const bytes = input.base64 ? await represent(ctx, image, input) : null;
  if (bytes !== null && !input.transfer.head) await countView(ctx, image, bytes.whole);
  const { uploader, size, type, width, height, mimeType } = record;
  return {
    as: 'description',
    uniqueId: image.uniqueId,
    message: {
      uploader,
      ...(input.imageInfo ? { size, type, width, height, mimeType } : {}),
      ...(input.info ? record : {}),
    },
    base64: bytes === null ? null : { sha256: bytes.sha256, size: bytes.size },
    textOnly: input.base64 && input.raw,
    facts: input.imageInfo ? { size: image.size, type: image.type } : null,
  };
}

/** Bytes, or details in the envelope. */
export const imageAnswer = z.union([delivery, description]);
export type ImageAnswer = ContentDelivery | Description;

/** Handles GET /image/get: returns bytes, or details and base64 in the envelope. */
export async function getImage(ctx: Context, input: ImageQuery): Promise<ImageAnswer> {
  const described = input.base64 || input.info || (input.imageInfo && !input.raw);
  return described ? describeImage(ctx, input) : getContent(ctx, input);
}
