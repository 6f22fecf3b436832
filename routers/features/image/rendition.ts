import { z } from 'zod';
import type { Image } from '../../../db/content/file/image.js';
import {
  findRendition,
  insertRendition,
  noteRenditionUse,
  type RenditionName,
  type StoredRendition,
} from '../../../db/content/file/rendition.js';
import { fail } from '../../base/errors.js';
import {
  MediaBusy,
  MediaStopped,
  MediaUnsupported,
  RENDITION_FORMATS,
  type Rendition,
  type RenditionRequest,
} from '../../base/ports/media/media.js';
import { BlobMissing } from '../../base/ports/storage.js';
import { keepBlobs } from '../../core/blobs/blobs.js';
import type { Services } from '../../core/context.js';
import { trimRenditions } from './rendition-budget.js';
import { refuseStopped, unlessSlow } from './stopped.js';

/** Maximum width in a request; it is rounded to a step of the ladder anyway. */
const MAX_WIDTH = 16_384;

/** `?width=` and `?format=` of an image (contract §4); neither means the original. */
export const renditionInput = {
  width: z.int().min(1).max(MAX_WIDTH).nullish(),
  format: z.enum([...RENDITION_FORMATS, 'preview']).nullish(),
};

/** The requested rendition; null = the original. */
export function renditionWanted(input: {
  readonly width?: number | null | undefined;
  readonly format?: RenditionRequest['format'] | undefined;
}): RenditionRequest | null {
  const width = input.width ?? null;
  const format = input.format ?? null;
  return width === null && format === null ? null : { width, format };
}

/**
 * The rendition of an image: made on the first request, only once for concurrent requests, and stored as a
 * blob. Refuses images that cannot be rendered with UNSUPPORTED, without trying again the next time.
 */
export async function renditionOf(
  app: Services,
  image: Image,
  request: RenditionRequest,
): Promise<StoredRendition> {
  if (image.mediaKind !== 'image') fail('UNSUPPORTED');
  const wanted = app.media.canonical(request);
  const name: RenditionName = {
    sourceSha256: image.sha256,
    width: wanted.width ?? 0,
    format: wanted.format ?? '',
  };
  // One flight includes lookup and creation, so that a rendition just made is not made again.
  return app.singleFlight(
    `rendition:${Object.values(name).join(':')}`,
    async () => (await find(app, name)) ?? make(app, name, wanted),
  );
}

async function find(app: Services, name: RenditionName): Promise<StoredRendition | null> {
  const kept = await findRendition(app.db.read, name);
  if (kept === 'IMPOSSIBLE') fail('UNSUPPORTED');
  const now = Date.now();
  // Not awaited: reads must work even if the database takes no writes.
  if (kept !== null && kept.usedAt < now - USE_NOTED_MS)
    void app.db
      .write((trx) => noteRenditionUse(trx, name, now))
      .catch((error: unknown) =>
        app.log.warn({ err: error }, 'the use of a rendition could not be recorded'),
      );
  return kept;
}

async function make(app: Services, name: RenditionName, wanted: RenditionRequest): Promise<StoredRendition> {
  const { sourceSha256 } = name;
  const render = (path: string) => app.limits.renditions(() => app.media.rendition(path, wanted));
  // By the picture: it is the same to decode at every size, and in every format.
  const made = await unlessSlow(app, `rendition:${sourceSha256}`, () =>
    app.limits.originals(() => app.storage.blobs.lend(sourceSha256, render)),
  ).catch(impossible);
  if (made === null) {
    await app.db.write((trx) => insertRendition(app.db, trx, name, null, Date.now()));
    return fail('UNSUPPORTED');
  }
  return keep(app, name, made);
}

/** Null for a failure that lasts; others are refused. */
function impossible(error: unknown): null {
  // The image was deleted after it was looked up.
  if (error instanceof BlobMissing) fail('NOT_FOUND', { cause: error });
  // On another day it may be faster, so this is no lasting failure.
  if (error instanceof MediaStopped && error.why === 'time') refuseStopped(error);
  if (error instanceof MediaUnsupported) return null;
  if (error instanceof MediaBusy) fail('UNAVAILABLE', { retryAfter: 1, cause: error });
  throw error;
}

/** The use of a rendition is recorded at most this often. */
const USE_NOTED_MS = 6 * 3_600_000;

/** Another process stored the same rendition first. */
class KeptAlready extends Error {}

async function keep(app: Services, name: RenditionName, made: Rendition): Promise<StoredRendition> {
  const staged = await app.storage.blobs.stageFile(made.path);
  const { sha256, size } = staged;
  const rendition = { sha256, size, mimeType: made.mimeType, extension: made.extension };
  try {
    // An image may be its own rendition; then no reference is added, because referencing itself would keep it
    // for ever.
    const isItself = sha256 === name.sourceSha256;
    await keepBlobs(
      app,
      isItself ? [] : [staged],
      async (trx) => {
        if (!(await insertRendition(app.db, trx, name, rendition, Date.now()))) throw new KeptAlready();
      },
      { derived: true },
    );
    await trimRenditions(app);
    return rendition;
  } catch (error) {
    if (!(error instanceof KeptAlready)) throw error;
    return (await find(app, name)) ?? fail('NOT_FOUND');
  } finally {
    await staged.discard();
  }
}
