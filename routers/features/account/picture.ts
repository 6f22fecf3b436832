import { createHash } from 'node:crypto';
import { updateUser } from '../../../db/account/account.js';
import { blobSize } from '../../../db/content/file/blob.js';
import { fail, found } from '../../base/errors.js';
import { MediaBusy, MediaStopped, MediaUnsupported } from '../../base/ports/media/media.js';
import type { StagedBlob } from '../../base/ports/storage.js';
import { planTransfer, type Transfer } from '../../base/transfer.js';
import { lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import { keepBlobs, releaseBlobs, removeUnreferenced } from '../../core/blobs/blobs.js';
import type { AccountContext, Context } from '../../core/context.js';
import { requireClean, requireUnblockedHashes } from '../../core/entry/entry.js';
import { type ContentDelivery, refuseStopped, type StagedUpload } from '../image/public.js';

/**
 * The default picture of an account: a symmetric pattern with its own colour, always the same for the same
 * id. An SVG without scripts, styles or references.
 */
function generatedAvatar(userId: number): string {
  const hash = createHash('sha256').update(`avatar:${userId}`).digest();
  const hue = Math.round(((hash[0] ?? 0) / 255) * 360);
  const cells: string[] = [];
  for (let x = 0; x < 3; x += 1) {
    for (let y = 0; y < 5; y += 1) {
      if ((hash[1 + x * 5 + y] ?? 0) % 2 === 0) continue;
      cells.push(`<rect x="${x}" y="${y}" width="1" height="1"/>`);
      if (x < 2) cells.push(`<rect x="${4 - x}" y="${y}" width="1" height="1"/>`);
    }
  }
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 7 7" shape-rendering="crispEdges">' +
    `<rect x="-1" y="-1" width="7" height="7" fill="hsl(${hue} 40% 92%)"/>` +
    `<g fill="hsl(${hue} 55% 42%)">${cells.join('')}</g></svg>`
  );
}

/** Maximum width and height in pixels of the stored picture; large enough for every place that shows it. */
const PICTURE_WIDTH = 320;

/** The picture of an account: uploaded bytes, or a generated SVG. */
type Picture = { readonly as: 'generated'; readonly svg: string } | ContentDelivery;

/** The uploaded picture of an account, or the generated one; 404 for an unknown id. */
export async function pictureOf(ctx: Context, uid: number, transfer: Transfer): Promise<Picture> {
  const user = found(await ctx.app.load.user(uid));
  const sha256 = user.avatarSha256;
  const size = sha256 === null ? null : await blobSize(ctx.app.db.read, sha256);
  if (sha256 === null || size === null) return { as: 'generated', svg: generatedAvatar(user.id) };
  return {
    as: 'bytes',
    sha256,
    size,
    mimeType: 'image/webp',
    disposition: 'inline',
    filename: null,
    uploader: user.username,
    shared: true,
    open: true,
    facts: { size, type: 'webp' },
    plan: planTransfer(transfer, `"${sha256}"`, size),
  };
}

/**
 * Sets the caller's picture. It is redrawn at a small size, so that nothing but its look is kept. 400 if the
 * file is not a picture.
 */
export async function setPicture(ctx: AccountContext, file: StagedUpload): Promise<void> {
  if (file.blob.size === 0) fail('FILE_EMPTY');
  await requireUnblockedHashes(ctx.app.db.read, [file.blob.sha256]);
  await requireClean(ctx.app, file.blob.path);
  const small = await drawSmall(ctx, file.blob.path);
  try {
    await replacePicture(ctx, small);
  } finally {
    await small.discard();
  }
}

async function drawSmall(ctx: AccountContext, path: string): Promise<StagedBlob> {
  const {
    media,
    storage: { blobs },
  } = ctx.app;
  const facts = await media.probe(path);
  if (facts.kind !== 'image') fail('UNSUPPORTED', 'This is not an image; choose one, such as a JPEG or PNG');
  try {
    const drawn = await media.rendition(path, { width: PICTURE_WIDTH, format: 'webp' });
    return await blobs.stageFile(drawn.path);
  } catch (error) {
    if (error instanceof MediaStopped) refuseStopped(error);
    if (error instanceof MediaUnsupported)
      fail('UNSUPPORTED', {
        message: 'This image cannot be read; convert it to JPEG or PNG and try again',
        cause: error,
      });
    if (error instanceof MediaBusy) fail('UNAVAILABLE', { retryAfter: 2, cause: error });
    throw error;
  }
}

/** Removes the uploaded picture, so that the generated one is shown again. */
export async function resetPicture(ctx: AccountContext): Promise<void> {
  await replacePicture(ctx, null);
}

async function replacePicture(ctx: AccountContext, blob: StagedBlob | null): Promise<void> {
  const { app, account } = ctx;
  const unreferenced = await keepBlobs(app, blob === null ? [] : [blob], async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    await updateUser(trx, user.id, { avatar: null, avatarSha256: blob?.sha256 ?? null });
    await audit(ctx, trx, 'picture.changed', { subject: user.id, info: { removed: blob === null } });
    return user.avatarSha256 === null ? [] : releaseBlobs(trx, [user.avatarSha256]);
  });
  await removeUnreferenced(app, unreferenced);
}
