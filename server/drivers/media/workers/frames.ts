import { leadingTagsEnd } from '../formats/audio-tags/id3.js';
import type { FrameReader, Stream } from '../formats/mpeg-audio/read.js';
import type { ByteSource } from '../source.js';

const CHUNK = 1024 * 1024;
/** More than the longest frame, and two headers. */
const MARGIN = 16 * 1024;

/**
 * How long the frames of an MP3 or an AAC stream sound, in seconds: all of them are counted, because frames may
 * differ in length, an index may be missing or wrong, and what comes before, between and after them is no sound.
 */
export async function soundingSeconds(source: ByteSource, { frame: read, index }: Stream): Promise<number> {
  // The pictures of tags may contain anything.
  let at = await leadingTagsEnd(source);
  let seconds = 0;
  let first = true;
  while (at < source.size) {
    const bytes = await source.read(at, CHUNK + MARGIN);
    let offset = 0;
    while (offset < Math.min(CHUNK, bytes.length)) {
      const frame = read(bytes, offset);
      if (frame === null) {
        offset = nextFrame(bytes, offset + 1, read);
        continue;
      }
      const isIndex = first && index?.test(bytes.toString('latin1', offset, offset + 64));
      if (!isIndex) seconds += frame.seconds;
      first = false;
      offset += frame.length;
    }
    at += offset;
  }
  return seconds;
}

/** The next offset at which two frames follow each other, or the frames end with the bytes. */
function nextFrame(bytes: Buffer, from: number, read: FrameReader): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const frame = read(bytes, at);
    if (frame === null) continue;
    if (at + frame.length === bytes.length || read(bytes, at + frame.length) !== null) return at;
  }
  return bytes.length;
}
