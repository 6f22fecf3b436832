import { type Edit, remove } from '../../../edits.js';
import { isText, type Removal, revealsLocation } from '../../../metadata/policy.js';
import type { ByteSource } from '../../../source.js';
import { type Box, everyBox } from '../boxes.js';
import { Blanker } from './blanker.js';
import { FREE_SPACE } from './rules.js';

/** Boxes that describe how the image is decoded and composed. */
const NEEDED = [
  'jP  ',
  'ftyp',
  'rreq',
  'jp2h',
  'jp2c',
  'jpch',
  'jplh',
  'ftbl',
  'flst',
  'mdat',
  'comp',
  'copt',
  'inst',
];
const HEADERS: Readonly<Record<string, ReadonlySet<string>>> = {
  jp2h: new Set(['ihdr', 'bpcc', 'colr', 'pclr', 'cmap', 'cdef', 'res ']),
  jpch: new Set(['ihdr', 'bpcc', 'pclr', 'cmap', 'cdef', 'res ', 'roid']),
  jplh: new Set(['cgrp', 'colr', 'opct', 'creg', 'cdef', 'res ']),
};
const MAX_PACKET = 1024 * 1024;
const START_OF_TILE = 0xff90;
const COMMENT = 0xff64;
const END = 0xffd9;

/** Cleans a JPEG 2000 image in place: XML, extended boxes (XMP, GeoTIFF, IPTC) and unknown boxes become free space. */
export async function cleanJp2(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const blanker = new Blanker(source, removal);
  let end = 0;
  let unneeded: Box[] = [];
  for await (const box of everyBox(source, 0, source.size)) {
    if (!NEEDED.includes(box.type) && !(await isHarmless(blanker, box))) {
      unneeded.push(box);
      continue;
    }
    for (const hole of unneeded) await blanker.erase(hole);
    unneeded = [];
    end = box.end;
    const parts = HEADERS[box.type];
    if (parts !== undefined) await blanker.eraseOthers(box, parts);
    if (box.type === 'jp2c')
      await blanker.blank(await cleanCodestream(blanker, box.dataAt, box.end), box.end);
  }
  if (unneeded.every((box) => FREE_SPACE.has(box.type))) for (const box of unneeded) await blanker.erase(box);
  else blanker.edits.push(remove(end, source.size));
  return blanker.edits;
}

/** Cleans a bare codestream (J2K): comments, and what follows its end. */
export async function cleanJ2k(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const blanker = new Blanker(source, removal);
  const end = await cleanCodestream(blanker, 0, source.size);
  return end < source.size ? [...blanker.edits, remove(end, source.size)] : blanker.edits;
}

async function isHarmless({ source, removal }: Blanker, box: Box): Promise<boolean> {
  if (removal === 'strip' || box.type !== 'xml ' || box.end - box.dataAt > MAX_PACKET) return false;
  const packet = await source.read(box.dataAt, box.end - box.dataAt);
  return isText(packet) && !revealsLocation(packet);
}

/** Blanks comments in the headers of a codestream, and returns where it ends: behind its end marker, if it has one. */
async function cleanCodestream(blanker: Blanker, start: number, end: number): Promise<number> {
  const { source, removal } = blanker;
  let tile: number | null = null;
  for (let at = start + 2; at < end; ) {
    const head = await source.read(at, 12);
    const marker = head.length < 2 ? 0 : head.readUInt16BE(0);
    if (marker === END) return at + 2;
    if (head.length < 4 || marker < 0xff00) break;
    const next = at + 2 + head.readUInt16BE(2);
    if (marker === COMMENT) {
      const text = await source.read(at + 6, next - at - 6);
      if (removal === 'strip' || revealsLocation(text) || !isText(text))
        await blanker.blank(at + 6, Math.min(next, end));
    }
    if (marker === START_OF_TILE) {
      const size = head.length < 10 ? 0 : head.readUInt32BE(6);
      tile = size === 0 ? end : at + size;
    }
    // Data follows the header of a tile; the next marker is where the tile ends.
    at = marker === 0xff93 && tile !== null ? tile : next;
  }
  return end;
}
