import { z } from 'zod';
import { fileColumns, type Image, type ImageRow, imageFromRow } from '../../../../db/content/file/image.js';
import { dropWords } from '../../../../db/content/file/words.js';
import { found } from '../../../base/errors.js';
import { releaseBlobs, removeUnreferenced } from '../../../core/blobs/blobs.js';
import type { AccountContext } from '../../../core/context.js';
import { applyChange } from '../../../core/items/change.js';
import { uniqueIdInput } from '../../../core/items/ids.js';
import { ifMatchInput } from '../../../core/items/revision.js';
import { changedSeal, clearInput, refuseSaid } from '../../../core/items/seal.js';
import { requireAllowed } from '../../../core/policies.js';
import { imageItem } from '../../../core/webhook/events.js';
import { type ImageRecord, toImageRecord } from '../record.js';
import { blobsOf, fileFacts, type PreparedFile, prepareFile } from './prepare.js';
import { stagedUploadInput } from './staged.js';
import { followUp, keepPrepared } from './store.js';
import { metadataPolicyOf } from './upload.js';

/** An image and the file that takes its place. */
export const replaceInput = z.object({
  ...clearInput,
  uniqueId: uniqueIdInput,
  ifMatch: ifMatchInput,
  file: stagedUploadInput,
  sealedName: z.string().max(100_000).nullish(),
});

/**
 * Puts other bytes under the id of an image of the caller, durably before it returns; the same bytes change nothing. What
 * is sealed stays so: its new bytes are an age file, and its sealed name stays unless another one comes with them. A
 * file is refused for the same reasons as at an upload. The old bytes are removed unless another item has them.
 */
export async function replaceImage(
  ctx: AccountContext,
  input: z.output<typeof replaceInput>,
): Promise<ImageRecord> {
  const { app, account } = ctx;
  const image = found(await app.load.image(input.uniqueId));
  requireAllowed(account, 'change', 'image', image);
  const policy = await metadataPolicyOf(app, account.id);
  const seal = changedSeal(image.seal, input.sealedName);
  refuseSaid(image.seal, input);
  const file = await prepareFile(app, input.file, {
    ...{ ownerId: account.id, policy, waitForPoster: true, sealed: image.seal !== null },
  });
  try {
    const { row, unreferenced } = await exchange(ctx, image, { file, seal }, input.ifMatch);
    app.jobs.kick();
    await removeUnreferenced(app, unreferenced);
    return toImageRecord(app, imageFromRow(row), { access: true, own: true });
  } finally {
    await file.discard();
  }
}

/** The row with the new bytes, and the blobs that nothing references any more. */
function exchange(
  ctx: AccountContext,
  image: Image,
  { file, seal }: { readonly file: PreparedFile; readonly seal: string | undefined },
  ifMatch: string | null | undefined,
): Promise<{ readonly row: ImageRow; readonly unreferenced: readonly string[] }> {
  const { app } = ctx;
  return keepPrepared(ctx, [file], async (trx) => {
    let held: readonly string[] = [];
    let isSame = true;
    const { row } = await applyChange<ImageRow, Image>(
      ctx,
      trx,
      image,
      { ifMatch },
      {
        kind: 'image',
        event: 'image.updated',
        fromRow: imageFromRow,
        eventItem: imageItem,
        own: (before) => {
          const name = { original_name: file.originalName ?? before.original_name, seal };
          isSame = before.sha256 === file.blob.sha256;
          // Each blob was retained once more for the row, whatever it references now.
          held = isSame ? blobsOf([file]).map(({ sha256 }) => sha256) : heldBy(imageFromRow(before));
          return isSame ? name : { ...name, ...fileColumns(fileFacts(app, file)), thumbhash: null };
        },
      },
    );
    if (!isSame) {
      await dropWords(trx, row.id);
      await followUp(app, trx, imageFromRow(row), file.poster === 'LATE');
    }
    return { row, unreferenced: await releaseBlobs(trx, held) };
  });
}

const heldBy = ({ sha256, posterSha256 }: Image): string[] =>
  posterSha256 === null ? [sha256] : [sha256, posterSha256];
