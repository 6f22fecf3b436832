import { type Media, MediaBusy, type MediaFacts, MediaUnsupported } from '../../routers/ports/media.js';
import type { Logger } from '../logger.js';
import { planCleaning } from './clean/index.js';
import { writePlan } from './edits.js';
import { ladderWidth } from './ladder.js';
import { plausible } from './plausible.js';
import { readFacts } from './probe.js';
import { TooManyParts, withFile } from './source.js';
import { TempFolder } from './temp.js';
import type { RenditionFormat } from './workers/tasks.js';
import { WorkerPool } from './workers/worker-pool.js';

/** Where media work keeps its files, and where it reports what it could not do. */
export interface MediaOptions {
  /** A folder on the same disk as the blobs, so that results can be moved into the store; made when missing. */
  readonly tempDir: string;
  readonly log: Logger;
}

/** A third of the processor time of whoever answers, where both want it: more would starve work that has a time limit. */
const DECODER_PRIORITY = 5;
const PICTURE_MS = 30_000;
const POSTER_MS = 30_000;
const PLAYBACK_MS = 10_000;

const formats: Readonly<Record<RenditionFormat, { mimeType: string; extension: string }>> = {
  webp: { mimeType: 'image/webp', extension: 'webp' },
  avif: { mimeType: 'image/avif', extension: 'avif' },
  jpeg: { mimeType: 'image/jpeg', extension: 'jpg' },
  png: { mimeType: 'image/png', extension: 'png' },
};

/**
 * The media driver (contract §4, Images). Types, dimensions and metadata are read and removed in the process,
 * from headers only; whatever decodes runs in child processes that a hostile file may take down.
 */
export function createMedia({ tempDir, log }: MediaOptions): Media {
  const temp = new TempFolder(tempDir);
  // Decoding a picture takes as long as hundreds of answers: where processors are short, answers go first.
  const decoders = new WorkerPool({
    workers: 2,
    waiting: 64,
    patienceMs: 30_000,
    priority: DECODER_PRIORITY,
  });
  // Uploads wait for this one, so it does not stand behind renditions.
  const players = new WorkerPool({ workers: 1, waiting: 64, patienceMs: 10_000 });

  /** A file that cannot be decoded is no news to the caller, but to the operator it may be. */
  const nullWhenUnsupported = async <T>(path: string, work: Promise<T>): Promise<T | null> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof MediaUnsupported)) throw error;
      log.info({ path, reason: error.message }, 'media file not decoded');
      return null;
    }
  };

  /** Adds what only a container parser knows; an upload does not fail when that parser does. */
  const withPlayback = async (path: string, facts: MediaFacts): Promise<MediaFacts> => {
    if ((facts.kind !== 'video' && facts.kind !== 'audio') || facts.durationMs !== null) return facts;
    try {
      return audible({ ...facts, ...(await players.run('playback', { path }, PLAYBACK_MS)) });
    } catch (error) {
      if (error instanceof MediaUnsupported || error instanceof MediaBusy) return facts;
      throw error;
    }
  };

  return {
    probe: async (path, content) =>
      plausible(await withPlayback(path, await withFile(path, readFacts, content))),

    clean: (path, facts, policy, content) =>
      withFile(
        path,
        async (source) => {
          const plan = await planCleaning(source, facts, policy);
          return plan === null
            ? null
            : temp.fill(facts.extension, (target) => writePlan(source, plan, target));
        },
        content,
      ).catch(refuseOddParts),

    thumbhash: (path) => nullWhenUnsupported(path, decoders.run('thumbhash', { path }, PICTURE_MS)),

    poster: (path) =>
      nullWhenUnsupported(
        path,
        temp.fill('jpg', async (target) => {
          await decoders.run('poster', { path, target }, POSTER_MS);
        }),
      ),

    canonical: ({ width, format }) => ({ width: ladderWidth(width), format }),

    async rendition(path, request) {
      let format: RenditionFormat = 'jpeg';
      const made = await temp.fill('rendition', async (target) => {
        format = await decoders.run('rendition', { path, target, request }, PICTURE_MS);
      });
      return { path: made, ...formats[format] };
    },
  };
}

/** What cannot be walked through cannot be cleaned, and is not taken uncleaned. */
function refuseOddParts(error: unknown): never {
  const odd = error instanceof RangeError || error instanceof TooManyParts;
  throw odd ? new MediaUnsupported('the file is damaged: its metadata cannot be removed') : error;
}

/** A container made for video that holds sound only is sound. */
function audible(facts: MediaFacts): MediaFacts {
  return facts.kind === 'audio'
    ? { ...facts, mimeType: facts.mimeType.replace(/^video\//, 'audio/') }
    : facts;
}
