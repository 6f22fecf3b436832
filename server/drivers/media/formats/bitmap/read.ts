import type { ByteSource } from '../../source.js';
import { type Details, displayed } from '../format.js';

const INFO_SIZES = [12, 16, 40, 52, 56, 64, 108, 124];

/**
 * Whether these are the first bytes of a Windows bitmap. The magic number alone would also match plain text. The
 * reserved fields behind the size may have any value: some programs sign with them.
 */
export const isBmp = (head: Buffer) =>
  head.length >= 26 && head.toString('latin1', 0, 2) === 'BM' && INFO_SIZES.includes(head.readUInt32LE(14));

/**
 * Whether these are the first bytes of an icon directory whose first image is inside the file. The reserved byte of
 * an entry is not looked at: .NET writes 255.
 */
export function isIco(head: Buffer, size: number): boolean {
  if (head.length < 22 || head.readUInt32LE(0) !== 0x00010000) return false;
  const count = head.readUInt16LE(4);
  const offset = head.readUInt32LE(18);
  return count > 0 && offset >= 6 + 16 * count && offset < size && isIconImage(head.subarray(offset));
}

/** An image of an icon is a bitmap without its file header or a PNG; it may lie behind the bytes that are known. */
const isIconImage = (start: Buffer): boolean =>
  start.length < 4 || INFO_SIZES.includes(start.readUInt32LE(0)) || start.readUInt32BE(0) === 0x89504e47;

/** Dimensions of a Windows bitmap. */
export async function readBmp(source: ByteSource): Promise<Details> {
  const head = await source.read(14, 12);
  if (head.length < 12) return {};
  if (head.readUInt32LE(0) === 12) return displayed(head.readUInt16LE(4), head.readUInt16LE(6), 1);
  // A negative height means that rows are stored from top to bottom.
  return displayed(head.readInt32LE(4), Math.abs(head.readInt32LE(8)), 1);
}

/** Dimensions of the largest image of an icon; 0 means 256. */
export async function readIco(source: ByteSource): Promise<Details> {
  const counter = await source.read(4, 2);
  const entries = await source.read(6, 16 * (counter.length < 2 ? 0 : counter.readUInt16LE(0)));
  let width = 0;
  let height = 0;
  for (let at = 0; at + 16 <= entries.length; at += 16) {
    const entryWidth = entries.readUInt8(at) || 256;
    if (entryWidth > width) {
      width = entryWidth;
      height = entries.readUInt8(at + 1) || 256;
    }
  }
  return displayed(width, height, 1);
}
