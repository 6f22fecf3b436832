import { authorise, shownTo } from '../../core/access.js';
import type { Context } from '../../core/context.js';
import { findAddressed, represent } from './content.js';
import { countView } from './deliver.js';
import type { Description, ImageQuery } from './query.js';
import { toImageRecord } from './record.js';

/** The details of an image and, on request, its bytes as base64, which use up one view (contract §4). */
export async function describeImage(ctx: Context, input: ImageQuery): Promise<Description> {
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
