import type { LimitType } from '../../../db/account/limits.js';
import { type FileFacts, type Image, insertImage, type NewImage } from '../../../db/content/image.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail } from '../../base/errors.js';
import {
  type MediaFacts,
  MediaUnsupported,
  type MetadataPolicy,
  type MetadataState,
} from '../../base/ports/media.js';
import type { StagedBlob } from '../../base/ports/storage.js';
import { keepBlobs } from '../../core/blobs/blobs.js';
import type { AccountContext, Services } from '../../core/context.js';
import { requireAcceptedType, requireClean, requireUnblockedHashes } from '../../core/entry/entry.js';
import { claimsMedia, displayName, mayBeMedia } from '../../core/items/file-names.js';
import { spend } from '../../core/quotas/spend.js';
import { requireCreator } from '../../core/trpc.js';
import { emitIfWatched } from '../../core/webhook/emit.js';
import { imageItem } from '../../core/webhook/events.js';
import { posterInTime } from './poster.js';
import type { StagedUpload } from './staged.js';
import { pictureOf } from './thumbhash.js';

/** A staged file whose type is known and whose metadata is removed. `discard` frees it, stored or not. */
export interface PreparedFile {
  readonly blob: StagedBlob;
  readonly facts: MediaFacts;
  readonly metadata: MetadataState | null;
  readonly originalName: string | null;
  /** The hash of the bytes as they were sent; that of `blob` differs if metadata was removed. */
  readonly sentSha256: string;
  /** The poster of a video, the cover of a sound; `LATE` if a job has to make it. */
  readonly poster: StagedBlob | 'LATE' | null;
  discard(): Promise<void>;
}

/** The fields of an item besides its file. */
export type ItemFields = Pick<
  NewImage,
  'uniqueId' | 'ownerId' | 'isPublic' | 'passwordHash' | 'expiresAt' | 'description' | 'source' | 'maxViews'
> & { readonly tags?: readonly string[] };

/**
 * Prepares a staged file: detects its type, has it scanned, removes metadata according to the policy, and makes the poster of a video
 * right away if the caller waits for it. Fails with 400 for an empty file, for content that is not the media its name
 * says, of a type that is not accepted here, blocked or malware, and for media too damaged to remove its metadata. The caller still has to discard the staged file.
 */
export async function prepareFile(
  app: Services,
  file: StagedUpload,
  options: {
    /** Whose file it will be. */
    readonly ownerId: number;
    readonly policy: MetadataPolicy;
    readonly waitForPoster: boolean;
    /** Whether the name of a file may say something else than its content, as in a pack of any files. */
    readonly anyContent?: boolean;
  },
): Promise<PreparedFile> {
  if (file.blob.size === 0) fail('FILE_EMPTY');
  const { path, content } = file.blob;
  const facts = await app.media.probe(path, content, file.originalName);
  if (options.anyContent !== true) requireMatch(file, facts);
  await requireAcceptedType(app, options.ownerId, facts.mimeType);
  if ((await app.load.blockedHash(file.blob.sha256)) !== null) fail('CONTENT_BLOCKED');
  await requireClean(app, path);
  const cleaned = await app.media.clean(path, facts, options.policy, content).catch(refuseDamaged);
  const blob = cleaned.path === null ? file.blob : await app.storage.blobs.stageFile(cleaned.path);
  try {
    const poster = await posterOf(app, blob.path, facts, options.waitForPoster);
    return {
      blob,
      facts,
      metadata: cleaned.metadata,
      originalName: displayName(file.originalName),
      sentSha256: file.blob.sha256,
      poster,
      discard: async () => {
        await blob.discard();
        if (poster !== null && poster !== 'LATE') await poster.discard();
      },
    };
  } catch (error) {
    await blob.discard();
    throw error;
  }
}

/** If the metadata cannot be removed, the file is not accepted. */
function refuseDamaged(error: unknown): never {
  if (error instanceof MediaUnsupported)
    fail('UNSUPPORTED', {
      message: 'The file is damaged, its metadata cannot be removed: save it again and upload the new file',
      cause: error,
    });
  throw error;
}

const posterOf = async (app: Services, path: string, facts: MediaFacts, wait: boolean) => {
  if (facts.kind !== 'video' && facts.kind !== 'audio') return null;
  return wait ? posterInTime(app, path) : 'LATE';
};

/** The staged bytes of prepared files. */
export const blobsOf = (files: readonly PreparedFile[]): StagedBlob[] =>
  files.flatMap(({ blob, poster }) => (poster === null || poster === 'LATE' ? [blob] : [blob, poster]));

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
  await requireCreator(ctx);
  const wanted = { count: files.length, bytes: files.reduce((sum, { blob }) => sum + blob.size, 0) };
  return keepBlobs(ctx.app, blobsOf(files), async (trx) => {
    const hashes = files.flatMap(({ blob, sentSha256 }) => [blob.sha256, sentSha256]);
    await requireUnblockedHashes(trx, hashes);
    const kept = await insert(trx);
    await spend(trx, ctx.account.id, type, wanted);
    return kept;
  });
}

/** Inserts the row of a prepared file and its follow-up jobs; inside the transaction of `keepPrepared`. */
export async function insertPrepared(
  ctx: AccountContext,
  trx: Queryable,
  file: PreparedFile,
  { tags, ...fields }: ItemFields,
): Promise<Image> {
  const { app } = ctx;
  const image = await insertImage(trx, { ...newImage(app, file, fields), tags });
  await followUp(app, trx, image, file.poster === 'LATE');
  await emitIfWatched(ctx, trx, 'image.created', () => imageItem(app, image));
  return image;
}

/** A prepared file as a new item. */
export const newImage = (app: Services, file: PreparedFile, fields: Omit<ItemFields, 'tags'>): NewImage => ({
  ...fields,
  ...fileFacts(app, file),
  createdAt: Date.now(),
  originalName: file.originalName,
  thumbhash: null,
});

/** What an item is by its prepared file. */
export const fileFacts = (
  app: Services,
  { blob, facts, poster, metadata, sentSha256 }: PreparedFile,
): FileFacts => ({
  sha256: blob.sha256,
  sentSha256: sentSha256 === blob.sha256 ? null : sentSha256,
  size: blob.size,
  mimeType: facts.mimeType,
  type: facts.extension,
  mediaKind: facts.kind,
  location: app.storage.blobs.location,
  width: facts.width,
  height: facts.height,
  durationMs: facts.durationMs,
  animated: facts.animated,
  metadata,
  posterSha256: poster === null || poster === 'LATE' ? null : poster.sha256,
});

/** Adds the jobs that follow new bytes, in the transaction that stores them. */
export async function followUp(
  app: Services,
  trx: Queryable,
  image: Image,
  posterLate: boolean,
): Promise<void> {
  if (posterLate) await app.jobs.add(trx, 'poster', { imageId: image.id });
  else if (pictureOf(image) !== null) await app.jobs.add(trx, 'thumbhash', { imageId: image.id });
}

/** Rejects content that cannot be the medium that its name or type says it is. */
function requireMatch({ originalName, declaredType }: StagedUpload, facts: MediaFacts): void {
  const type = declaredType?.trim() ?? '';
  const claims = [[originalName ?? '', type.includes('/') ? type : '']] as [string, string][];
  // Front ends also name a type by its extension.
  if (!type.includes('/')) claims.push([`.${type.replace(/^\./, '')}`, '']);
  const isWrong = claims.some(([name, of]) => claimsMedia(name, of) && !mayBeMedia(facts, name, of));
  if (isWrong) fail('FILE_MISMATCH');
}
