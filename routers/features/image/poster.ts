import { rm } from 'node:fs/promises';
import { imageById } from '../../../db/content/file/image.js';
import { setPoster } from '../../../db/content/file/image-derived.js';
import { fail } from '../../base/errors.js';
import { MediaBusy } from '../../base/ports/media/media.js';
import type { StagedBlob } from '../../base/ports/storage.js';
import { within } from '../../base/text/within.js';
import { keepBlobs } from '../../core/blobs/blobs.js';
import type { Services } from '../../core/context.js';

/** How long an upload waits for its poster, which the response should contain; a small, busy machine takes seconds. */
const POSTER_WAIT_MS = 15_000;

/**
 * The poster of a video as a staged blob. Null if no frame can be decoded, `LATE` if it takes longer than an
 * upload may wait (`waitMs`); then a job makes it.
 */
export async function posterInTime(
  app: Services,
  path: string,
  waitMs = POSTER_WAIT_MS,
): Promise<StagedBlob | 'LATE' | null> {
  const made = app.media.poster(path);
  try {
    const poster = await within(waitMs, made);
    if (poster !== undefined) return poster === null ? null : await app.storage.blobs.stageFile(poster);
  } catch (error) {
    if (error instanceof MediaBusy) return 'LATE';
    throw error;
  }
  // Too late: delete the result when it is done.
  made.then((poster) => (poster === null ? undefined : rm(poster, { force: true }))).catch(() => undefined);
  return 'LATE';
}

/** The job `poster`: gives a video its poster, unless it has one or is gone. */
export async function makePoster(app: Services, imageId: number): Promise<void> {
  const image = await imageById(app.db.read, imageId);
  if (image === null || image.posterSha256 !== null) return;
  const path = await app.storage.blobs.lend(image.sha256, (copy) => app.media.poster(copy));
  if (path === null) return;
  const poster = await app.storage.blobs.stageFile(path);
  try {
    await keepBlobs(app, [poster], async (trx) => {
      if (!(await setPoster(trx, image, poster.sha256))) fail('NOT_FOUND');
      await app.jobs.add(trx, 'thumbhash', { imageId });
    });
  } finally {
    await poster.discard();
  }
  app.jobs.kick();
}
