import { MediaUnsupported } from '../../../../../routers/base/ports/media/media.js';
import type { Removal } from '../../metadata/policy.js';
import { counting } from '../../source.js';
import { uint32BE, uint32LE } from '../../words.js';
import { cleanCover, isUnwantedTag } from './songs.js';

const PICTURE = 'METADATA_BLOCK_PICTURE';

/**
 * A Vorbis comment block with only the wanted comments, and covers without metadata. Never longer than the original.
 * Throws `MediaUnsupported` if the block is cut off.
 */
export async function wantedComments(block: Buffer, removal: Removal): Promise<Buffer> {
  const reader = new LengthReader(block);
  const vendor = reader.next();
  const wanted: Buffer[] = [];
  const each = counting();
  for (let left = reader.number(); left > 0; left--) {
    each();
    const comment = await wantedComment(reader.next(), removal);
    if (comment !== null) wanted.push(comment);
  }
  const maker = sized(removal === 'strip' ? Buffer.alloc(0) : vendor);
  return Buffer.concat([maker, uint32LE(wanted.length), ...wanted.map(sized)]);
}

async function wantedComment(comment: Buffer, removal: Removal): Promise<Buffer | null> {
  const equals = comment.indexOf('=');
  const name = comment.toString('latin1', 0, Math.max(equals, 0));
  const value = comment.subarray(equals + 1);
  if (name.toUpperCase() !== PICTURE) return isUnwantedTag(name, value, removal) ? null : comment;
  const block = await wantedPicture(Buffer.from(value.toString('latin1'), 'base64'), removal);
  if (block === null) return null;
  const made = Buffer.from(`${PICTURE}=${block.toString('base64')}`);
  return made.length <= comment.length ? made : null;
}

/** The payload of a FLAC picture block with a cleaned cover and without its description; null if it is none. */
export async function wantedPicture(block: Buffer, removal: Removal): Promise<Buffer | null> {
  try {
    const typeEnd = 8 + block.readUInt32BE(4);
    const textEnd = typeEnd + 4 + block.readUInt32BE(typeEnd);
    const size = block.readUInt32BE(textEnd + 16);
    const data = block.subarray(textEnd + 20, textEnd + 20 + size);
    const cover = await cleanCover(data, removal);
    if (cover === null) return null;
    const text = removal === 'strip' ? Buffer.alloc(4) : block.subarray(typeEnd, textEnd);
    return Buffer.concat([
      block.subarray(0, typeEnd),
      text,
      block.subarray(textEnd, textEnd + 16),
      uint32BE(cover.length),
      cover,
    ]);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const sized = (bytes: Buffer): Buffer => Buffer.concat([uint32LE(bytes.length), bytes]);

/** Reads byte strings that each have their length before them. */
class LengthReader {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  number(): number {
    if (this.#at + 4 > this.bytes.length) throw new MediaUnsupported('the comments are cut off');
    this.#at += 4;
    return this.bytes.readUInt32LE(this.#at - 4);
  }

  next(): Buffer {
    const length = this.number();
    if (this.#at + length > this.bytes.length) throw new MediaUnsupported('the comments are cut off');
    this.#at += length;
    return this.bytes.subarray(this.#at - length, this.#at);
  }
}
