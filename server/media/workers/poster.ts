import { writeFile } from 'node:fs/promises';
import { PREVIEW } from '../preview.js';
import { readFacts } from '../probe.js';
import { withFile } from '../source.js';
import { MAX_PIXELS } from './bounds.js';
import { ffmpeg } from './ffmpeg.js';
import { loadSharp } from './picture.js';
import { previewJpeg } from './preview.js';
import type { TaskRunner } from './tasks.js';

/** Position in seconds at which a video usually shows something: the first frames are often black. */
const telling = (durationMs: number | null) => Math.min(1, (durationMs ?? 10_000) / 10_000);

/** Writes a frame of a video as a JPEG. Throws if none can be decoded. */
export const poster: TaskRunner<'poster'> = async ({ path, target }) => {
  const facts = await withFile(path, readFacts);
  const frame =
    (await decoded(path, telling(facts.durationMs))) ?? (await decoded(path, 0)) ?? (await codedAv1(path));
  if (frame === null) throw new Error('no frame of the video can be decoded');
  const sharp = await loadSharp();
  const jpeg = await previewJpeg(sharp(frame, { limitInputPixels: MAX_PIXELS }), facts);
  // Not written by the library: it does not distinguish a full disk from a file that cannot be decoded.
  await writeFile(target, jpeg);
  return null;
};

const decoded = (path: string, seconds: number) =>
  ffmpeg(
    path,
    ['-an', '-sn', '-dn', '-frames:v', '1', '-vf', `scale='min(${PREVIEW.side},iw)':-2`],
    'out.png',
    seconds,
  );

/** This build has no AV1 decoder, but an AV1 key frame in another container is an AVIF picture. */
const codedAv1 = (path: string) =>
  ffmpeg(path, ['-an', '-c:v', 'copy', '-frames:v', '1', '-f', 'avif'], 'out.avif');
