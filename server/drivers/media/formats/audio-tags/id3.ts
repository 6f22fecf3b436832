import { type ByteSource, counting } from '../../source.js';
import { uint32BE } from '../../words.js';

/** One frame of an ID3v2 tag, decoded. */
export interface Id3Frame {
  readonly id: string;
  readonly data: Buffer;
}

interface Id3Tag {
  readonly version: number;
  readonly frames: readonly Id3Frame[];
  /** Whether these are all frames; those that are compressed or encrypted cannot be read. */
  readonly isWhole: boolean;
}

const HEADER = 10;
const FLAG = { unsynchronised: 0x80, extended: 0x40, footer: 0x10 } as const;
const MAX_TAGS = 16;

/** The end of the ID3v2 tag at an offset, with its footer; null if there is none. */
export async function id3End(source: ByteSource, at: number): Promise<number | null> {
  const head = await source.read(at, HEADER);
  if (head.length < HEADER || head.toString('latin1', 0, 3) !== 'ID3') return null;
  const sizes = [...head.subarray(6, 10)];
  if (head.readUInt8(3) > 4 || sizes.some((byte) => byte >= 0x80)) return null;
  const footer = head.readUInt8(3) === 4 && (head.readUInt8(5) & FLAG.footer) !== 0 ? HEADER : 0;
  return at + HEADER + synchsafe(head, 6) + footer;
}

/** The end of all ID3v2 tags at the start of a file; 0 if there is none. */
export async function leadingTagsEnd(source: ByteSource): Promise<number> {
  let end = 0;
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const next = await id3End(source, end);
    if (next === null) break;
    end = next;
  }
  return Math.min(end, source.size);
}

const synchsafe = (bytes: Buffer, at: number): number =>
  [0, 1, 2, 3].reduce((sum, index) => sum * 128 + (bytes.readUInt8(at + index) & 0x7f), 0);

/** Decodes a whole tag. Compressed and encrypted frames are left out. */
export function readId3(tag: Buffer): Id3Tag {
  const [version, flags] = [tag.readUInt8(3), tag.readUInt8(5)];
  const stored = tag.subarray(HEADER, HEADER + synchsafe(tag, 6));
  const whole = (flags & FLAG.unsynchronised) !== 0 && version < 4 ? resynchronised(stored) : stored;
  // In version 2.2 the flag means compression, for which no method was ever defined.
  if (version === 2 && (flags & FLAG.extended) !== 0) return { version, frames: [], isWhole: false };
  const body = whole.subarray((flags & FLAG.extended) === 0 ? 0 : extendedSize(whole, version));
  const frames = version === 2 ? shortFrames(body) : [...longFrames(body, version)];
  const readable = frames.filter((frame) => frame !== null);
  return { version, frames: readable, isWhole: readable.length === frames.length };
}

const extendedSize = (body: Buffer, version: number): number =>
  body.length < 4 ? 0 : version === 4 ? synchsafe(body, 0) : 4 + body.readUInt32BE(0);

/** Undoes the escaping of bytes that look like the start of a frame of sound. */
function resynchronised(bytes: Buffer): Buffer {
  const made = Buffer.alloc(bytes.length);
  let size = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0 && at > 0 && bytes[at - 1] === 0xff) continue;
    made[size++] = bytes[at] ?? 0;
  }
  return made.subarray(0, size);
}

function shortFrames(body: Buffer): Id3Frame[] {
  const frames: Id3Frame[] = [];
  const frame = counting();
  for (let at = 0; at + 6 <= body.length && body[at] !== 0; ) {
    frame();
    const end = at + 6 + body.readUIntBE(at + 3, 3);
    frames.push({ id: body.toString('latin1', at, at + 3), data: body.subarray(at + 6, end) });
    at = end;
  }
  return frames;
}

function* longFrames(body: Buffer, version: number): Generator<Id3Frame | null> {
  const frame = counting();
  for (let at = 0; at + HEADER <= body.length && body[at] !== 0; ) {
    frame();
    const size = version === 4 ? sizeOf(body, at) : body.readUInt32BE(at + 4);
    const end = at + HEADER + size;
    const data = plainData(body.subarray(at + HEADER, end), body.readUInt8(at + 9), version);
    yield data === null ? null : { id: body.toString('latin1', at, at + 4), data };
    at = end;
  }
}

/** The size of a frame of version 2.4; some programs wrote it as in 2.3. */
function sizeOf(body: Buffer, at: number): number {
  const [safe, plain] = [synchsafe(body, at + 4), body.readUInt32BE(at + 4)];
  if (safe === plain) return safe;
  const fits = (size: number) => {
    const next = at + HEADER + size;
    return (
      next === body.length ||
      body[next] === 0 ||
      /^[A-Z0-9]{4}$/.test(body.toString('latin1', next, next + 4))
    );
  };
  return !fits(safe) && fits(plain) ? plain : safe;
}

/** The data of a frame without what its flags put before it; null if it is compressed or encrypted. */
function plainData(data: Buffer, flags: number, version: number): Buffer | null {
  if (version < 4) return (flags & 0xc0) !== 0 ? null : data.subarray((flags & 0x20) === 0 ? 0 : 1);
  if ((flags & 0x0c) !== 0) return null;
  const ahead = ((flags & 0x40) === 0 ? 0 : 1) + ((flags & 1) === 0 ? 0 : 4);
  const plain = data.subarray(ahead);
  return (flags & 2) === 0 ? plain : resynchronised(plain);
}

/** Encodes a tag without padding and flags; empty if it has no frames. */
export function writeId3({ version, frames }: Pick<Id3Tag, 'version' | 'frames'>): Buffer {
  if (frames.length === 0) return Buffer.alloc(0);
  const body = Buffer.concat(frames.map((frame) => writeFrame(frame, version)));
  const head = Buffer.from([0x49, 0x44, 0x33, version, 0, 0, ...safeBytes(body.length)]);
  return Buffer.concat([head, body]);
}

function writeFrame({ id, data }: Id3Frame, version: number): Buffer {
  const length = uint32BE(data.length);
  if (version === 2) return Buffer.concat([Buffer.from(id, 'latin1'), length.subarray(1), data]);
  const size = version === 4 ? Buffer.from(safeBytes(data.length)) : length;
  return Buffer.concat([Buffer.from(id, 'latin1'), size, Buffer.alloc(2), data]);
}

const safeBytes = (size: number): number[] => [21, 14, 7, 0].map((bits) => (size >>> bits) & 0x7f);
