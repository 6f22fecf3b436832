import { z } from 'zod';
import { type Image, insertImage, type NewImage } from '../../db/image.js';
import { keepBlobs } from '../blobs.js';
import { expiryInput } from '../dates.js';
import { fail } from '../errors.js';
import { customIdInput, insertUnderId } from '../ids.js';
import { itemPasswordInput } from '../item-password.js';
import type { MediaFacts, StagedBlob } from '../ports.js';
import type { AccountContext } from '../trpc.js';
import { displayName } from './names.js';

/** A file the transport has staged. Only this process can make one: no JSON input ever passes for it. */
export class StagedUpload {
  constructor(
    readonly blob: StagedBlob,
    readonly originalName: string | null,
    readonly declaredType: string | null,
  ) {}
}

/** A staged file as a procedure's input. */
export const stagedUploadInput = z
  .custom<StagedUpload>((value) => value instanceof StagedUpload, {
    error: 'Send the file in the form field "file" of POST /v1/image/upload',
  })
  .meta({ override: { type: 'string', format: 'binary' } });

export const SOURCES = ['UNKNOWN', 'API', 'PORTAL', 'WEB', 'TELEGRAM', 'DISCORD'] as const;

/** What describes an upload besides its bytes. */
export const uploadFields = {
  uniqueId: customIdInput,
  private: z.boolean().nullish(),
  password: itemPasswordInput,
  desc: z.string().max(200, 'a description has at most 200 characters').nullish(),
  source: z
    .string()
    .nullish()
    .transform((value) => SOURCES.find((source) => source === value?.toUpperCase()) ?? 'UNKNOWN'),
  expiresAt: expiryInput,
  maxViews: z.int().min(1).max(1_000_000_000).nullish(),
};

export const uploadInput = z.object({ file: stagedUploadInput, ...uploadFields });
export type UploadInput = z.output<typeof uploadInput>;

/**
 * Stores a staged file as an item of the caller, durably before it answers. Refuses with 400 an empty file,
 * media by name but not by content, and an id in use; nothing stays behind then.
 */
export async function uploadImage(ctx: AccountContext, input: UploadInput): Promise<Image> {
  const { blob } = input.file;
  if (blob.size === 0) fail('FILE_EMPTY');
  const facts = await ctx.app.media.probe(blob.path);
  requireMatch(input.file, facts);
  const cleaned = await clean(ctx, blob, facts);
  try {
    return await storeImage(ctx, cleaned ?? blob, facts, input);
  } finally {
    await cleaned?.discard();
  }
}

/** The file without the metadata its owner does not share, staged anew; null when nothing had to change. */
async function clean(ctx: AccountContext, blob: StagedBlob, facts: MediaFacts): Promise<StagedBlob | null> {
  const path = await ctx.app.media.clean(blob.path, facts, 'strip');
  return path === null ? null : ctx.app.blobs.stageFile(path);
}

async function storeImage(
  ctx: AccountContext,
  blob: StagedBlob,
  facts: MediaFacts,
  input: UploadInput,
): Promise<Image> {
  const { app } = ctx;
  if (input.uniqueId !== null && (await app.load.image(input.uniqueId.toLowerCase())) !== null)
    fail('ID_TAKEN');
  const passwordHash = input.password === null ? null : await app.passwords.hash(input.password);
  const description = input.desc?.trim() ?? '';
  return insertUnderId(app.db, input.uniqueId, (uniqueId) => {
    const image: NewImage = {
      uniqueId,
      ownerId: ctx.account.id,
      isPublic: input.private !== true,
      passwordHash,
      createdAt: Date.now(),
      expiresAt: input.expiresAt,
      sha256: blob.sha256,
      size: blob.size,
      mimeType: facts.mimeType,
      type: facts.extension,
      mediaKind: facts.kind,
      originalName: displayName(input.file.originalName),
      description: description === '' ? null : description,
      source: input.source,
      location: app.blobs.location,
      width: facts.width,
      height: facts.height,
      durationMs: facts.durationMs,
      animated: facts.animated,
      thumbhash: null,
      posterSha256: null,
      maxViews: input.maxViews ?? null,
    };
    return keepBlobs(app, [blob], (trx) => insertImage(app.db, trx, image));
  });
}

const MEDIA_NAME =
  /\.(jpe?g|jfif|png|gif|webp|avif|tiff?|bmp|ico|heic|heif|mp4|m4v|webm|mov|mkv|avi|mp3|m4a|aac|ogg|oga|opus|flac|wav)$/i;
const MEDIA_TYPE = /^(image|video|audio)\//i;

/** Refuses content that is no media at all under a name or type that says it is. */
function requireMatch(file: StagedUpload, facts: MediaFacts): void {
  if (facts.kind !== 'other') return;
  if (MEDIA_NAME.test(file.originalName ?? '') || MEDIA_TYPE.test(file.declaredType ?? ''))
    fail('FILE_MISMATCH');
}
