import { writeFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { MAX_FRAME_PIXELS } from '../../../../routers/base/ports/media/pixels.js';
import { PREVIEW } from '../../../../routers/base/ports/media/preview-size.js';
import { readFacts } from '../probe.js';
import { bufferSource, withFile } from '../source.js';
import { ffmpeg } from './ffmpeg.js';
import { inOwnColours } from './heif-picture.js';
import type { Open } from './opening.js';
import { loadSharp } from './picture.js';
import { previewJpeg } from './preview.js';
import type { TaskRunner } from './tasks.js';

/** Position in seconds at which a video usually shows something: the first frames are often black. */
const telling = (durationMs: number | null) => Math.min(1, (durationMs ?? 10_000) / 10_000);

/** Writes a frame of a video as a JPEG. Throws if none can be decoded. */
export const poster: TaskRunner<'poster'> = async ({ path, target }) => {
  const facts = await withFile(path, readFacts);
  const sharp = await loadSharp();
  const picture = await pictureOf(path, facts.durationMs, (input) =>
    sharp(input, { limitInputPixels: MAX_FRAME_PIXELS }),
  );
  if (picture === null) throw new Error('no frame of the video can be decoded');
  const jpeg = await previewJpeg(picture, facts);
  // Not written by the library: it does not distinguish a full disk from a file that cannot be decoded.
  await writeFile(target, jpeg);
  return null;
};

async function pictureOf(path: string, durationMs: number | null, open: Open): Promise<Sharp | null> {
  const frame = (await decoded(path, telling(durationMs))) ?? (await decoded(path, 0));
  if (frame !== null) return open(frame);
  const av1 = await codedAv1(path);
  return av1 && inOwnColours(open(av1), bufferSource(av1), 'avif', open, false);
}

/** The frame in its proportions, which its pixels need not have. */
const SCALE = `scale=w='max(1,min(${PREVIEW.side},iw*sar))':h='max(1,ih*min(${PREVIEW.side},iw*sar)/(iw*sar))',setsar=1`;
/** From high dynamic range to that of a JPEG: what is darker than white stays as it is, brighter light is compressed. */
const TONES =
  'zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=mobius:desat=0,zscale=t=bt709:m=bt709:r=tv,format=rgb24';
/** The transfer functions of such videos, where FFmpeg describes the stream. */
const HIGH_RANGE = /\b(?:smpte2084|arib-std-b67)\b/;

/** A frame near a position. It is decoded a second time if it turns out to be of high dynamic range. */
async function decoded(path: string, seconds: number): Promise<Buffer | null> {
  let highRange = false;
  const plain = await frame(path, seconds, SCALE, (line) => {
    highRange ||= line.includes('Video: ') && HIGH_RANGE.test(line);
  });
  return (highRange ? await frame(path, seconds, `${SCALE},${TONES}`) : null) ?? plain;
}

const frame = (path: string, seconds: number, filters: string, log?: (line: string) => void) =>
  ffmpeg(path, ['-an', '-sn', '-dn', '-frames:v', '1', '-vf', filters], 'out.png', seconds, log);

/** This build has no AV1 decoder, but an AV1 key frame in another container is an AVIF picture. */
const codedAv1 = (path: string) =>
  ffmpeg(path, ['-an', '-c:v', 'copy', '-frames:v', '1', '-f', 'avif'], 'out.avif');
