import { open } from 'node:fs/promises';
import type { FileFacts } from '../../../../db/content/file/image.js';
import { AGE, MAX_HEADER_BYTES, stanzasOf } from '../../../base/age.js';
import { fail } from '../../../base/errors.js';
import {
  type MediaFacts,
  MediaUnsupported,
  type MetadataPolicy,
  type MetadataState,
} from '../../../base/ports/media/media.js';
import type { StagedBlob } from '../../../base/ports/storage.js';
import type { Services } from '../../../core/context.js';
import { requireAcceptedType, requireClean } from '../../../core/entry/entry.js';
import { claimsMedia, displayName, mayBeMedia } from '../../../core/items/file-names.js';
import { posterInTime } from '../poster.js';
import type { StagedUpload } from './staged.js';

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
    /** Whether its sender has encrypted it: it has to be an age file, of which nothing else is looked at. */
    readonly sealed?: boolean;
  },
): Promise<PreparedFile> {
  if (file.blob.size === 0) fail('FILE_EMPTY');
  if (options.sealed === true) return prepareSealed(app, file, options.ownerId);
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

/** What a sealed file is, as far as anybody can say. */
const SEALED: MediaFacts = {
  kind: 'other',
  extension: AGE.type,
  mimeType: AGE.mimeType,
  ...{ width: null, height: null, durationMs: null, animated: false },
};

/** As `prepareFile`, for an age file. The name that came with it is dropped. */
async function prepareSealed(app: Services, { blob }: StagedUpload, ownerId: number): Promise<PreparedFile> {
  const beginning = blob.content ?? (await beginningOf(blob.path));
  if (stanzasOf(beginning.subarray(0, MAX_HEADER_BYTES), blob.size) === null)
    fail(
      'UNSUPPORTED',
      'A sealed file is an age file (binary, not armored); this is none, or not a whole one',
    );
  await requireAcceptedType(app, ownerId, AGE.mimeType);
  if ((await app.load.blockedHash(blob.sha256)) !== null) fail('CONTENT_BLOCKED');
  return {
    blob,
    facts: SEALED,
    ...{ metadata: null, originalName: null, sentSha256: blob.sha256, poster: null },
    discard: () => blob.discard(),
  };
}

/** The bytes in which the header of an age file ends. */
async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEADER_BYTES), 0, MAX_HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
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

/** Rejects content that cannot be the medium that its name or type says it is. */
function requireMatch({ originalName, declaredType }: StagedUpload, facts: MediaFacts): void {
  const type = declaredType?.trim() ?? '';
  const claims = [[originalName ?? '', type.includes('/') ? type : '']] as [string, string][];
  // Front ends also name a type by its extension.
  if (!type.includes('/')) claims.push([`.${type.replace(/^\./, '')}`, '']);
  const isWrong = claims.some(([name, of]) => claimsMedia(name, of) && !mayBeMedia(facts, name, of));
  if (isWrong) fail('FILE_MISMATCH');
}
