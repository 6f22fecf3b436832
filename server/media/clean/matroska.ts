import { type Edit, overwrite, zero } from '../edits.js';
import type { ByteSource } from '../source.js';
import { namesPlace, type Removal } from './policy.js';

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TAGS = 0x1254c367;
const CLUSTER = 0x1f43b675;
const VOID = 0xec;
/** Fields of the file's description that tell when and with what it was made. */
const ORIGIN = [0x4461, 0x4d80, 0x5741];
const MAX_ELEMENTS = 200_000;
const MAX_PACKET = 1024 * 1024;

interface Element {
  readonly id: number;
  readonly start: number;
  readonly dataAt: number;
  readonly end: number;
}

/** The elements between two offsets; one of unknown size (a live recording) extends to the end. */
async function* elements(source: ByteSource, start: number, end: number): AsyncGenerator<Element> {
  let at = start;
  for (let count = 0; at < end && count < MAX_ELEMENTS; count++) {
    const head = await source.read(at, 12);
    const idSize = Math.clz32(head[0] ?? 0) - 23;
    const sizeSize = Math.clz32(head[idSize] ?? 0) - 23;
    if (idSize > 4 || sizeSize > 8 || head.length < idSize + sizeSize) return;
    const field = head.subarray(idSize, idSize + sizeSize);
    const high = field.readUInt8(0) & (0xff >> sizeSize);
    const size = field.subarray(1).reduce((sum, byte) => sum * 256 + byte, high);
    const dataAt = at + idSize + sizeSize;
    const unknown = size === 2 ** (7 * sizeSize) - 1;
    const element = { id: head.readUIntBE(0, idSize), start: at, dataAt, end: unknown ? end : dataAt + size };
    if (element.end > end) return;
    yield element;
    at = element.end;
  }
}

/** Replaces the tags of a Matroska or WebM file with empty space, and blanks when and with what it was made. */
export async function cleanMatroska(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const edits: Edit[] = [];
  for await (const segment of elements(source, 0, source.size)) {
    if (segment.id !== SEGMENT) continue;
    for await (const element of elements(source, segment.dataAt, segment.end)) {
      if (element.id === TAGS) edits.push(...(await blankTags(source, element, removal)));
      if (element.id === INFO && removal === 'strip') edits.push(...(await blankOrigin(source, element)));
      if (element.id === CLUSTER && element.end === source.size) break;
    }
  }
  return edits;
}

async function blankTags(source: ByteSource, tags: Element, removal: Removal): Promise<Edit[]> {
  const size = Math.min(tags.end - tags.dataAt, MAX_PACKET);
  if (removal === 'location' && !namesPlace(await source.read(tags.dataAt, size))) return [];
  return [
    overwrite(tags.start, voidHeader(tags.dataAt - tags.start, tags.end - tags.dataAt)),
    zero(tags.dataAt, tags.end),
  ];
}

/** The header of a void element that replaces another element of the same size. */
function voidHeader(headerSize: number, size: number): Buffer {
  const header = Buffer.alloc(headerSize);
  const sizeSize = Math.min(8, headerSize - 1);
  const total = size + headerSize - 1 - sizeSize;
  header.writeUInt8(VOID, 0);
  for (let index = 0, left = total; index < sizeSize; index++, left = Math.floor(left / 256)) {
    header.writeUInt8(left % 256, sizeSize - index);
  }
  header.writeUInt8(header.readUInt8(1) | (1 << (8 - sizeSize)), 1);
  return header;
}

async function blankOrigin(source: ByteSource, info: Element): Promise<Edit[]> {
  const edits: Edit[] = [];
  for await (const element of elements(source, info.dataAt, info.end)) {
    if (!ORIGIN.includes(element.id)) continue;
    const value = await source.read(element.dataAt, Math.min(element.end - element.dataAt, 4096));
    if (value.some((byte) => byte !== 0)) edits.push(zero(element.dataAt, element.end));
  }
  return edits;
}
