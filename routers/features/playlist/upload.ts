import { z } from 'zod';
import { type Collection, insertCollection } from '../../../db/content/collection/collection.js';
import { addItems } from '../../../db/content/collection/place-items.js';
import type { Image } from '../../../db/content/file/image.js';
import { DomainError, fail } from '../../base/errors.js';
import { localizableOfRule } from '../../base/language/rules.js';
import { mapLimit } from '../../base/map-limit.js';
import { type ArchiveEntry, ArchiveRefused, type OpenedArchive } from '../../base/ports/media/archives.js';
import { MediaBusy, type MetadataPolicy } from '../../base/ports/media/media.js';
import { removeUnreferenced } from '../../core/blobs/blobs.js';
import type { AccountContext, Services } from '../../core/context.js';
import { displayName, mayBeMedia } from '../../core/items/file-names.js';
import { generateId, insertUnderId } from '../../core/items/ids.js';
import {
  blobsOf,
  fieldsOf,
  insertPrepared,
  itemFields,
  keepPrepared,
  metadataPolicyOf,
  type PreparedFile,
  prepareFile,
  StagedUpload,
  stagedUploadInput,
} from '../image/public.js';
import { wordsInput } from './inputs.js';

/** How many files of an archive are processed at the same time. */
const AT_ONCE = 4;

/** An archive whose files become a playlist. */
export const archiveInput = z.object({ file: stagedUploadInput, ...itemFields, ...wordsInput });
type ArchiveInput = z.output<typeof archiveInput>;

/** A file of an archive that did not become an image. */
export const skippedFile = z.object({ path: z.string(), reason: z.string() });
type SkippedFile = z.output<typeof skippedFile>;

/** The result of an archive upload. */
interface Unpacked {
  readonly playlist: Collection;
  readonly images: Image[];
  readonly skipped: SkippedFile[];
}

/**
 * Stores every media file of an archive as an image of the caller, in one new playlist ordered by name: all
 * of them or, if anything fails, none. Refuses with 400 a file that is not an archive, a zip bomb, or an
 * archive without media.
 */
export async function uploadArchive(ctx: AccountContext, input: ArchiveInput): Promise<Unpacked> {
  if (input.file.blob.size === 0) fail('FILE_EMPTY');
  if (input.sealed === true || input.sealedName)
    fail('INVALID', 'sealed: archives are unpacked here, and what is sealed cannot be');
  const archive = await open(ctx.app, input.file);
  const files: PreparedFile[] = [];
  try {
    const { leftOut, refusal } = await prepareEntries(ctx, archive, files);
    const skipped = [...archive.skipped, ...leftOut];
    if (files.length === 0)
      throw refusal ?? fail('UNSUPPORTED', 'The archive contains no images, videos or audio files');
    return { ...(await keep(ctx, input, files.sort(byName))), skipped };
  } catch (error) {
    const committed = blobsOf(files).map((blob) => blob.sha256);
    await removeUnreferenced(ctx.app, committed);
    throw error;
  } finally {
    for (const file of files) await file.discard();
    await archive.dispose();
  }
}

async function open(app: Services, file: StagedUpload): Promise<OpenedArchive> {
  try {
    return await app.media.archives.open(file.blob.path);
  } catch (error) {
    if (error instanceof ArchiveRefused)
      fail('UNSUPPORTED', { message: localizableOfRule(error.message), cause: error });
    if (error instanceof MediaBusy) fail('UNAVAILABLE', { retryAfter: 5, cause: error });
    throw error;
  }
}

const { compare } = new Intl.Collator('en', { numeric: true });
const byName = (a: PreparedFile, b: PreparedFile) => compare(a.originalName ?? '', b.originalName ?? '');

/** Adds the files that can be stored to `files`; returns those left out, and why the first of them is refused that is a medium. */
async function prepareEntries(
  ctx: AccountContext,
  archive: OpenedArchive,
  files: PreparedFile[],
): Promise<{ readonly leftOut: SkippedFile[]; readonly refusal: DomainError | null }> {
  const policy = await metadataPolicyOf(ctx.app, ctx.account.id);
  const leftOut: SkippedFile[] = [];
  let refusal: DomainError | null = null;
  await mapLimit(AT_ONCE, archive.entries, async (entry) => {
    const prepared = await prepareEntry(ctx.app, entry, ctx.account.id, policy);
    if (typeof prepared === 'string' || prepared instanceof DomainError) {
      const reason = typeof prepared === 'string' ? prepared : prepared.message;
      leftOut.push({ path: entry.path, reason });
      if (typeof prepared !== 'string' && prepared.reason !== 'FILE_EMPTY') refusal ??= prepared;
      return;
    }
    files.push(prepared);
    // Committed now, so that the staged file need not be kept until the last one is ready.
    for (const blob of blobsOf([prepared])) await blob.commit();
  });
  return { leftOut, refusal };
}

/** A file of the archive, ready to be stored, or the reason why it is left out. */
async function prepareEntry(
  app: Services,
  entry: ArchiveEntry,
  ownerId: number,
  policy: MetadataPolicy,
): Promise<PreparedFile | DomainError | string> {
  const staged = await app.storage.blobs.stageFile(entry.file);
  let prepared: PreparedFile | null = null;
  try {
    const upload = new StagedUpload(staged, entry.path, null);
    const file = await prepareFile(app, upload, { ownerId, policy, waitForPoster: false });
    if (!mayBeMedia(file.facts, entry.path, '')) return 'not an image, video or audio file';
    prepared = file;
    return file;
  } catch (error) {
    if (error instanceof DomainError && error.status === 400) return error;
    throw error;
  } finally {
    if (prepared?.blob !== staged) await staged.discard();
  }
}

async function keep(
  ctx: AccountContext,
  input: ArchiveInput,
  files: readonly PreparedFile[],
): Promise<{ playlist: Collection; images: Image[] }> {
  const { app, account } = ctx;
  const fields = await fieldsOf(app, account.id, input);
  const name = displayName(input.file.originalName)?.replace(/\.(zip|tgz|tbz2?|tar(\.\w+)?)$/i, '');
  const kept = await insertUnderId(app.db, null, (uniqueId) =>
    keepPrepared(ctx, files, async (trx) => {
      const images = await insertPrepared(
        ctx,
        trx,
        files.map((file) => ({ file, fields: { ...fields, uniqueId: generateId() } })),
      );
      const words = { title: input.title || name || uniqueId, description: input.description || null };
      const playlist = await insertCollection(trx, {
        ...{ uniqueId, ownerId: account.id, face: 'playlist', createdAt: Date.now() },
        ...words,
      });
      const items = images.map(({ id }) => ({ imageId: id }));
      await addItems(app.db, trx, playlist.id, items);
      return { playlist, images };
    }),
  );
  app.jobs.kick();
  return kept;
}
