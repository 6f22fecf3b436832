import type { LimitType } from '../../../../db/account/limits.js';
import { type Image, insertImages, type NewImage } from '../../../../db/content/file/image.js';
import type { Queryable } from '../../../../db/engine/queryable.js';
import { keepBlobs, retain, storeBlobs } from '../../../core/blobs/blobs.js';
import type { AccountContext, Services } from '../../../core/context.js';
import { announceNew, creating } from '../../../core/items/create.js';
import type { FileCreation } from '../../../core/items/creations.js';
import { requireCreator } from '../../../core/trpc.js';
import { imageItem } from '../../../core/webhook/events.js';
import { pictureOf } from '../thumbhash.js';
import { readIfAny } from '../words.js';
import { blobsOf, fileFacts, type PreparedFile } from './prepare.js';

/** The fields of an item besides its file. */
export type ItemFields = Pick<
  NewImage,
  | 'uniqueId'
  | 'ownerId'
  | 'isPublic'
  | 'passwordHash'
  | 'expiresAt'
  | 'description'
  | 'source'
  | 'maxViews'
  | 'notify'
> & { readonly tags?: readonly string[]; readonly seal?: string | null };

/** A file as it counts: by the bytes that are stored. */
const counted = (ownerId: number, { blob, sentSha256 }: PreparedFile) => ({
  ...{ ownerId, bytes: blob.size },
  hashes: [blob.sha256, sentSha256],
});

/** Stores new files in one transaction, by the rules of a creation. */
export async function storeImages(
  app: Services,
  trx: Queryable,
  group: readonly FileCreation[],
): Promise<Image[]> {
  await retain(
    trx,
    group.map(({ committed }) => committed),
  );
  return creating(
    trx,
    'IMAGE',
    group.map(({ item, hashes }) => ({ ownerId: item.ownerId, bytes: item.size, hashes })),
    () => insertFiles(app, trx, group),
  );
}

/** A new file before its bytes are in the store. */
type Unstored = Omit<FileCreation, 'committed' | 'hashes'>;

async function insertFiles(app: Services, trx: Queryable, group: readonly Unstored[]): Promise<Image[]> {
  const images = await insertImages(
    trx,
    group.map(({ item, tags }) => ({ ...item, tags })),
  );
  for (const [index, image] of images.entries())
    await followUp(app, trx, image, group[index]?.posterLate === true);
  await announceNew(app, trx, 'image.created', group, images, imageItem);
  return images;
}

const unstored = (
  { app, account }: AccountContext,
  file: PreparedFile,
  { tags, ...fields }: ItemFields,
): Unstored => ({
  item: {
    ...fields,
    ...fileFacts(app, file),
    ...{ createdAt: Date.now(), originalName: file.originalName, thumbhash: null },
  },
  tags,
  watched: account.hasWebhook,
  posterLate: file.poster === 'LATE',
});

/** Stores a prepared file of the caller by the statements of those that come at the same time. */
export async function storeTogether(
  ctx: AccountContext,
  file: PreparedFile,
  fields: ItemFields,
): Promise<Image> {
  const { app } = ctx;
  await requireCreator(ctx);
  const { hashes } = counted(fields.ownerId, file);
  return storeBlobs(app, blobsOf([file]), (committed) =>
    app.creations.file({ ...unstored(ctx, file, fields), committed, hashes }),
  );
}

/**
 * Stores prepared files with the rows that `insert` adds, as `keepBlobs` does, and counts them against the limits of
 * the caller. Checks the caller's permission again, because receiving and preparing the files may have taken long.
 */
export async function keepPrepared<T>(
  ctx: AccountContext,
  files: readonly PreparedFile[],
  insert: (trx: Queryable) => Promise<T>,
  type: LimitType = 'IMAGE',
): Promise<T> {
  const { app, account } = ctx;
  await requireCreator(ctx);
  const all = files.map((file) => counted(account.id, file));
  return keepBlobs(app, blobsOf(files), (trx) => creating(trx, type, all, () => insert(trx)));
}

/** A prepared file and what else its item has. */
interface NewFile {
  readonly file: PreparedFile;
  readonly fields: ItemFields;
}

/** Inserts the rows of prepared files and their follow-up jobs; inside the transaction of `keepPrepared`. */
export const insertPrepared = (
  ctx: AccountContext,
  trx: Queryable,
  files: readonly NewFile[],
): Promise<Image[]> =>
  insertFiles(
    ctx.app,
    trx,
    files.map(({ file, fields }) => unstored(ctx, file, fields)),
  );

/** Adds the jobs that follow new bytes, in the transaction that stores them. */
export async function followUp(
  app: Services,
  trx: Queryable,
  image: Image,
  posterLate: boolean,
): Promise<void> {
  if (posterLate) await app.jobs.add(trx, 'poster', { imageId: image.id });
  else if (pictureOf(image) !== null) await app.jobs.add(trx, 'thumbhash', { imageId: image.id });
  await readIfAny(app, trx, image);
}
