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

interface Frame {
  readonly length: number;
  readonly seconds: number;
}

/** The MPEG audio frame with a header at `at`; null if there is none. */
export function mpegFrame(bytes: Buffer, at: number): Frame | null {
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
  const samples = layer === 0 ? 384 : layer === 2 && version !== 3 ? 576 : 1152;
  // Layer I counts in slots of four bytes.
  const length =
    layer === 0
      ? (Math.floor((12_000 * bitrate) / sampleRate) + padding) * 4
      : Math.floor((samples * 125 * bitrate) / sampleRate) + padding;
  return { length, seconds: samples / sampleRate };
}

const ADTS_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];

/** The ADTS frame at `at`; null if there is none. */
export function adtsFrame(bytes: Buffer, at: number): Frame | null {
  if (at + 7 > bytes.length || bytes[at] !== 0xff || (bytes.readUInt8(at + 1) & 0xf6) !== 0xf0) return null;
  const rate = ADTS_RATES[(bytes.readUInt8(at + 2) >> 2) & 15];
  const length =
    ((bytes.readUInt8(at + 3) & 3) << 11) | (bytes.readUInt8(at + 4) << 3) | (bytes.readUInt8(at + 5) >> 5);
  if (rate === undefined || length < 7) return null;
  return { length, seconds: (1024 * (1 + (bytes.readUInt8(at + 6) & 3))) / rate };
}

/** Reads the header of a frame at an offset; null if there is none. */
export type FrameReader = (bytes: Buffer, at: number) => Frame | null;

/** How long a stream sounds can only be counted: its frames, without a first one that holds an index. */
export interface Stream {
  readonly frame: FrameReader;
  readonly index: RegExp | null;
}

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
    const frame = read(bytes, at);
    if (frame === null)
      return (
        frames >= 2 && (at > bytes.length - headerBytes || TAGS.test(bytes.toString('latin1', at, at + 11)))
      );
    at += frame.length;
  }
  return true;
}

/** How many bytes of a frame that was cut, or of an encoder's remark, may come before the first whole frame. */
const MAX_JUNK = 8192;
/** More frames than at the start of a file, because any data contains something that looks like one or two. */
const FRAMES_BEHIND_JUNK = 6;

/**
 * MPEG audio or AAC that does not begin with a frame, because a stream was recorded or an encoder wrote something
 * else first: zeros of any number, or a little junk. Null if there are no frames behind them.
 */
export function findAudio(head: Buffer): 'mp3' | 'aac' | null {
  const start = head.findIndex((byte) => byte !== 0);
  if (start === -1) return null;
  for (
    let at = head.indexOf(0xff, start);
    at !== -1 && at - start <= MAX_JUNK;
    at = head.indexOf(0xff, at + 1)
  ) {
    if (continues(head, at, mpegFrame, 0x0c)) return 'mp3';
    if (continues(head, at, adtsFrame, 0xfc)) return 'aac';
  }
  return null;
}

/** Whether frames of one kind follow each other: their headers agree in layer, and in the bits `same` of the rate. */
function continues(bytes: Buffer, from: number, read: FrameReader, same: number): boolean {
  let at = from;
  for (let frames = 0; frames < FRAMES_BEHIND_JUNK; frames += 1) {
    const frame = read(bytes, at);
    // The end of what is known, after enough frames for a short file.
    if (frame === null) return frames >= FRAMES && at >= bytes.length - 7;
    if (bytes[at + 1] !== bytes[from + 1]) return false;
    if (((bytes[at + 2] ?? 0) & same) !== ((bytes[from + 2] ?? 0) & same)) return false;
    at += frame.length;
  }
  return true;
}

/** Whether these are the first bytes of MPEG audio: an ID3 tag, or consecutive frames. */
export const isMp3 = (head: Buffer) =>
  (head.toString('latin1', 0, 3) === 'ID3' && (head[3] ?? 9) < 5) || chains(head, mpegFrame, 4);

/** Whether these are the first bytes of AAC in ADTS frames. */
export const isAac = (head: Buffer) => chains(head, adtsFrame, 7);
