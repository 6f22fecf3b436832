import { copyFile, rm, stat } from 'node:fs/promises';
import type { Log } from '../../../routers/base/ports/log.js';
import { FORMATS } from '../../../routers/base/ports/media/formats.js';
import { ladderWidth } from '../../../routers/base/ports/media/ladder.js';
import {
  type Media,
  MediaBusy,
  type MediaFacts,
  MediaUnsupported,
  type RenditionFormat,
} from '../../../routers/base/ports/media/media.js';
import type { ToolFormat, ToolResult } from '../../../routers/base/ports/media/picture-tools.js';
import { MAX_FRAME_PIXELS, pixelsOf } from '../../../routers/base/ports/media/pixels.js';
import { writePlan } from './edits.js';
import { metadataAfter, planCleaning } from './metadata/plan.js';
import { mayHavePicture, readFacts } from './probe.js';
import { TooManyParts, withFile } from './source.js';
import { TempFolder } from './temp.js';
import { videoChanges } from './video/index.js';
import type { Tasks } from './workers/tasks.js';
import { WorkerPool } from './workers/worker-pool.js';

/** The largest value of a width or height column in any supported database. */
const MAX_SIDE = 2 ** 31 - 1;

/**
 * Drops impossible numbers: a header can contain anything, and no record could hold such a number. Width and height
 * are only kept together.
 */
function plausible(facts: MediaFacts): MediaFacts {
  const sized = isSide(facts.width) && isSide(facts.height);
  const timed = Number.isSafeInteger(facts.durationMs) && (facts.durationMs ?? -1) >= 0;
  return {
    ...facts,
    width: sized ? facts.width : null,
    height: sized ? facts.height : null,
    durationMs: timed ? facts.durationMs : null,
  };
}

const isSide = (pixels: number | null): boolean =>
  Number.isInteger(pixels) && (pixels ?? 0) > 0 && (pixels ?? 0) <= MAX_SIDE;

/** The folder for media work, and the log for its failures. */
interface MediaOptions {
  /** A folder on the same disk as the blobs, so that results can be moved into the store; created if missing. */
  readonly tempDir: string;
  readonly log: Log;
  /** The path of FFmpeg, for the tools that change videos. */
  readonly ffmpeg?: string | null;
}

/** About a third of the CPU time of the server when both need it. Less would starve work that has a time limit. */
const DECODER_PRIORITY = 5;
/** Nobody waits for what is read for searches, so that everything else may hold it up: its time is that of the processor. */
const READER_PRIORITY = 15;
const READER_MEMORY = { resident: 256, heap: 160, slim: 160 };
const DOCUMENT = { processorMs: 30_000, clockMs: 600_000 };
const PICTURE_READER_MEMORY = { resident: 1024, heap: 512, slim: 640 };
/** More than ten thousand words take; a busy machine may need ten times as long for them. */
const PICTURE_WORDS = { processorMs: 180_000, clockMs: 1_800_000 };
const PICTURE_MS = 30_000;
const LARGE_PICTURE_MS = 90_000;
const POSTER_MS = 30_000;
const PLAYBACK_MS = 10_000;

/** Type and extension of a rendition or of the result of a tool. */
const called = (format: RenditionFormat | ToolFormat) => {
  const name = format === 'jpeg' ? 'jpg' : format === 'tiff' ? 'tif' : format;
  // The tools give a TIFF the extension by which they are asked for it.
  return { mimeType: FORMATS[name].mimeType, extension: format === 'tiff' ? format : name };
};

async function toolResult(
  path: string,
  { mimeType, extension }: { readonly mimeType: string; readonly extension: string },
): Promise<ToolResult> {
  const { size } = await stat(path);
  return { path, size, mimeType, extension, discard: () => rm(path, { force: true }) };
}

/**
 * The media driver (contract §4, Images). Types, dimensions and metadata are read and removed in this process, from
 * headers only. Anything that decodes runs in child processes, which a hostile file may crash.
 */
export function createMedia({ tempDir, log, ffmpeg = null }: MediaOptions): Media {
  const temp = new TempFolder(tempDir);
  // Decoding a picture takes as long as hundreds of responses, so responses take priority when CPU is scarce.
  const decoders = new WorkerPool({
    workers: 2,
    waiting: 64,
    patienceMs: 30_000,
    priority: DECODER_PRIORITY,
  });
  // Uploads wait for this pool, so it does not queue behind renditions.
  const players = new WorkerPool({ workers: 1, waiting: 64, patienceMs: 10_000 });

  // One file at a time; others wait in the queue of jobs.
  const readers = new WorkerPool({
    ...{ workers: 1, waiting: 8, patienceMs: 60_000 },
    ...{ priority: READER_PRIORITY, memory: READER_MEMORY },
  });

  const pictureReaders = new WorkerPool({
    ...{ workers: 1, waiting: 8, patienceMs: 60_000 },
    ...{ priority: READER_PRIORITY, memory: PICTURE_READER_MEMORY },
  });

  /** Logs that a file cannot be decoded: callers just get null, but operators may want to know. */
  const nullWhenUnsupported = async <T>(path: string, work: Promise<T>): Promise<T | null> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof MediaUnsupported)) throw error;
      log.info({ path, reason: error.message }, 'media file not decoded');
      return null;
    }
  };

  /** A picture of very many pixels gets more time. */
  const decodePicture = async <Name extends 'rendition' | 'thumbhash'>(
    name: Name,
    input: Tasks[Name]['input'],
  ): Promise<Tasks[Name]['output']> => {
    const large = pixelsOf(await withFile(input.path, readFacts)) > MAX_FRAME_PIXELS;
    return decoders.run(name, input, large ? LARGE_PICTURE_MS : PICTURE_MS);
  };

  /** Adds what only a container parser knows. If the parser fails, the upload still succeeds. */
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
    probe: async (path, content, name) =>
      plausible(
        await withPlayback(path, await withFile(path, (source) => readFacts(source, name ?? null), content)),
      ),

    clean: (path, facts, policy, content) =>
      withFile(
        path,
        async (source) => {
          const plan = await planCleaning(source, facts, policy);
          const made =
            plan === null
              ? null
              : await temp.fill(facts.extension, (target) => writePlan(source, plan, target));
          return { path: made, metadata: metadataAfter(facts, policy) };
        },
        content,
      ).catch(refuseOddParts),

    exif: (path) => nullWhenUnsupported(path, players.run('exif', { path }, PLAYBACK_MS)),
    documentWords: (path, type) =>
      nullWhenUnsupported(path, readers.run('documentWords', { path, type }, DOCUMENT)),
    pictureWords: (path, languages) =>
      nullWhenUnsupported(path, pictureReaders.run('pictureWords', { path, languages }, PICTURE_WORDS)),
    thumbhash: (path) => nullWhenUnsupported(path, decodePicture('thumbhash', { path })),

    poster: async (path) =>
      (await withFile(path, mayHavePicture))
        ? nullWhenUnsupported(
            path,
            temp.fill('jpg', async (target) => {
              await decoders.run('poster', { path, target }, POSTER_MS);
            }),
          )
        : null,

    canonical: ({ width, format }) => ({ width: format === 'preview' ? null : ladderWidth(width), format }),

    async change(path, change) {
      let format: ToolFormat = 'png';
      const made = await temp.fill('tool', async (target) => {
        format = await decoders.run('pictureTool', { path, target, change }, PICTURE_MS);
      });
      return toolResult(made, called(format));
    },

    changeVideo: ffmpeg === null ? null : videoChanges(ffmpeg, temp),

    async withoutMetadata(path, facts) {
      const copy = await temp.fill('tool', async (target) => {
        await withFile(path, async (source) => {
          const plan = await planCleaning(source, facts, 'strip');
          if (plan === null) await copyFile(path, target);
          else await writePlan(source, plan, target);
        }).catch(refuseOddParts);
      });
      return toolResult(copy, facts);
    },

    async rendition(path, request) {
      let format: RenditionFormat = 'jpeg';
      const made = await temp.fill('rendition', async (target) => {
        format = await decodePicture('rendition', { path, target, request });
      });
      return { path: made, ...called(format) };
    },
  };
}

/** A file that cannot be parsed cannot be cleaned, and uncleaned files are not accepted. */
function refuseOddParts(error: unknown): never {
  const odd = error instanceof RangeError || error instanceof TooManyParts;
  throw odd ? new MediaUnsupported('the file is damaged: its metadata cannot be removed') : error;
}

/** A video container with sound only counts as audio. */
function audible(facts: MediaFacts): MediaFacts {
  return facts.kind === 'audio'
    ? { ...facts, mimeType: facts.mimeType.replace(/^video\//, 'audio/') }
    : facts;
}
