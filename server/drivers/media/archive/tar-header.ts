/** The size of a block of a tar. */
export const BLOCK = 512;

/** A header block; texts are Latin-1. */
export interface TarHeader {
  readonly name: string;
  readonly linkname: string;
  readonly size: number;
  readonly type: string;
  readonly block: Buffer;
}

/** A record of a pax header; its value is the bytes as Latin-1. */
export type PaxRecords = ReadonlyMap<string, string>;

/** A text that ends with a zero. */
export const textAt = (block: Buffer, at: number, length: number): string =>
  block.toString('latin1', at, at + length).replace(/\0.*$/s, '');

/** A number in octal digits, or in binary if it is large; an error if it is none or negative. */
export function numberAt(block: Buffer, at: number, length: number): number {
  const first = block[at] ?? 0;
  if ((first & 0x80) !== 0) {
    const value = block
      .subarray(at, at + length)
      .reduce((sum, byte, index) => sum * 256 + (index === 0 ? byte & 0x7f : byte), 0);
    if (first === 0xff || !Number.isSafeInteger(value)) throw new Error('impossible number');
    return value;
  }
  const text = textAt(block, at, length).trim();
  if (!/^[0-7]*$/.test(text)) throw new Error('not a number');
  return text === '' ? 0 : Number.parseInt(text, 8);
}

/** Whether a block is a header: it contains its own checksum, in every version of the format. */
export function isTarHeader(block: Buffer): boolean {
  if (block.length < BLOCK) return false;
  const claimed = Number.parseInt(block.toString('latin1', 148, 156), 8);
  const sum = block
    .subarray(0, BLOCK)
    .reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  return sum === claimed;
}

/** Reads a header block; an error if it is none. */
export function readTarHeader(block: Buffer): TarHeader {
  if (!isTarHeader(block)) throw new Error('not a tar header');
  const name = textAt(block, 0, 100);
  // Only POSIX has a prefix there; GNU keeps times and sparse maps in the same place.
  const prefix = block.toString('latin1', 257, 263) === 'ustar\0' ? textAt(block, 345, 155) : '';
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    linkname: textAt(block, 157, 100),
    size: numberAt(block, 124, 12),
    type: block.toString('latin1', 156, 157),
    block,
  };
}

/** The records of a pax header, until one is malformed. Of a repeated key, all values are joined with commas. */
export function readPax(data: Buffer): PaxRecords {
  const records = new Map<string, string>();
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(' ', at);
    const length = space < 0 ? 0 : Number(data.toString('latin1', at, space));
    if (!Number.isSafeInteger(length) || length <= 0) break;
    const record = data.toString('latin1', space + 1, at + length - 1);
    const equals = record.indexOf('=');
    if (equals < 0) break;
    const [key, value] = [record.slice(0, equals), record.slice(equals + 1)];
    const before = /^GNU\.sparse\.(?:offset|numbytes)$/.test(key) ? records.get(key) : undefined;
    records.set(key, before === undefined ? value : `${before},${value}`);
    at += length;
  }
  return records;
}
