import type { ByteSource } from '../../source.js';
import { type Details, displayed } from '../format.js';

/** One block of a GIF. `label` is the extension label, or null for an image. */
interface GifBlock {
  readonly label: number | null;
  readonly start: number;
  readonly end: number;
  /** Identifier of an application extension; otherwise empty. */
  readonly application: string;
}

const READ = 32 * 1024;
const tableSize = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));

/** Whether these are the first bytes of a GIF: a header that is followed by a block and not by text. */
export function isGif(head: Buffer): boolean {
  if (!/^GIF8[79]a$/.test(head.toString('latin1', 0, 6)) || head.length < 13) return false;
  const first = head[13 + tableSize(head.readUInt8(10))];
  return first === undefined || first === 0x21 || first === 0x2c || first === 0x3b;
}

/** The end of the sub-blocks that start at `at` (after their terminator); null if the file is truncated. */
async function skipSubBlocks(source: ByteSource, at: number): Promise<number | null> {
  let position = at;
  for (;;) {
    const bytes = await source.read(position, READ);
    let offset = 0;
    while (offset < bytes.length) {
      const length = bytes.readUInt8(offset);
      offset += 1 + length;
      if (length === 0) return position + offset;
    }
    if (bytes.length === 0) return null;
    position += offset;
  }
}

/** The offset of the first block of a GIF, by its first 13 bytes. */
export const firstBlock = (header: Buffer): number =>
  header.length < 13 ? header.length : 13 + tableSize(header.readUInt8(10));

/** The blocks of a GIF up to its trailer, or to where the file is truncated. */
export async function* gifBlocks(source: ByteSource): AsyncGenerator<GifBlock> {
  const header = await source.read(0, 13);
  if (header.length < 13) return;
  let at = firstBlock(header);
  for (;;) {
    const head = await source.read(at, 14);
    if (head[0] === 0x21 && head.length > 2) {
      const application = head[1] === 0xff ? head.toString('latin1', 3, 14) : '';
      const end = await skipSubBlocks(source, at + 2);
      if (end === null) return;
      yield { label: head.readUInt8(1), start: at, end, application };
      at = end;
    } else if (head[0] === 0x2c && head.length >= 11) {
      const end = await skipSubBlocks(source, at + 11 + tableSize(head.readUInt8(9)));
      yield { label: null, start: at, end: end ?? source.size, application: '' };
      if (end === null) return;
      at = end;
    } else {
      return;
    }
  }
}

/** Dimensions of a GIF, and whether it has a second frame. */
export async function readGif(source: ByteSource): Promise<Details> {
  const header = await source.read(6, 4);
  if (header.length < 4) return {};
  let frames = 0;
  for await (const block of gifBlocks(source)) {
    if (block.label === null && ++frames > 1) break;
  }
  return { animated: frames > 1, ...displayed(header.readUInt16LE(0), header.readUInt16LE(2), 1) };
}
