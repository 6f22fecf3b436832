import { audio } from './format.js';

export const MP3 = audio('mp3', 'audio/mpeg');
export const AAC = audio('aac');

const BITRATES_V1 = [
  [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
];
const BITRATES_V2 = [
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/** Length in bytes of the MPEG audio frame with a header at `at`; null if there is none. */
function frameLength(bytes: Buffer, at: number): number | null {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return null;
  const [second, third] = [bytes.readUInt8(at + 1), bytes.readUInt8(at + 2)];
  if ((second & 0xe0) !== 0xe0) return null;
  const version = (second >> 3) & 3;
  const layer = 3 - ((second >> 1) & 3);
  const rate = SAMPLE_RATES[(third >> 2) & 3];
  if (version === 1 || layer === 3 || rate === undefined) return null;
  const bitrate = (version === 3 ? BITRATES_V1 : BITRATES_V2)[layer]?.[third >> 4];
  if (bitrate === undefined || bitrate === 0) return null;
  const sampleRate = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4;
  const padding = (third >> 1) & 1;
  if (layer === 0) return (Math.floor((12_000 * bitrate) / sampleRate) + padding) * 4;
  const samples = layer === 2 && version !== 3 ? 72_000 : 144_000;
  return Math.floor((samples * bitrate) / sampleRate) + padding;
}

/** Length in bytes of the ADTS frame at `at`; null if there is none. */
function adtsLength(bytes: Buffer, at: number): number | null {
  if (at + 7 > bytes.length || bytes[at] !== 0xff || (bytes.readUInt8(at + 1) & 0xf6) !== 0xf0) return null;
  const length =
    ((bytes.readUInt8(at + 3) & 3) << 11) | (bytes.readUInt8(at + 4) << 3) | (bytes.readUInt8(at + 5) >> 5);
  return length < 7 ? null : length;
}

type FrameReader = (bytes: Buffer, at: number) => number | null;

/** Number of consecutive frames required if the data is long enough; a single match occurs in any data. */
const FRAMES = 4;

/** What may follow the last frame. */
const TAGS = /^(TAG|APETAGEX|LYRICSBEGIN)/;

/**
 * Whether at least two frames follow each other, or `FRAMES` if the data goes on. A header has `headerBytes` bytes.
 */
function chains(bytes: Buffer, read: FrameReader, headerBytes: number): boolean {
  let at = 0;
  for (let frames = 0; frames < FRAMES; frames += 1) {
    const length = read(bytes, at);
    if (length === null)
      return (
        frames >= 2 && (at > bytes.length - headerBytes || TAGS.test(bytes.toString('latin1', at, at + 11)))
      );
    at += length;
  }
  return true;
}

/** Whether these are the first bytes of MPEG audio: an ID3 tag, or consecutive frames. */
export const isMp3 = (head: Buffer) =>
  (head.toString('latin1', 0, 3) === 'ID3' && (head[3] ?? 9) < 5) || chains(head, frameLength, 4);

/** Whether these are the first bytes of AAC in ADTS frames. */
export const isAac = (head: Buffer) => chains(head, adtsLength, 7);
