import { type Edit, overwrite, type Plan } from '../../edits.js';
import type { ByteSource } from '../../source.js';
import { type Box, boxes, childrenOf, findBox } from './boxes.js';

/** The index is held in memory while it is moved; a larger one stays where it is. */
const MAX_INDEX = 64 * 1024 * 1024;
const MAX_OFFSET = 0xffffffff;

interface Layout {
  /** The index of the file. */
  readonly moov: Box;
  /** Its target position: after the file type. */
  readonly front: number;
}

/**
 * The plan that moves the index of an MP4 or QuickTime file before its media data and corrects every chunk offset, so
 * that players can start before they have read everything. Null if it is there already, or if the file contains other
 * absolute offsets (fragments, items, encryption) that would break.
 */
export async function faststart(source: ByteSource): Promise<Plan | null> {
  const layout = await readLayout(source);
  if (layout === null) return null;
  const { moov, front } = layout;
  const edits = await shiftOffsets(source, moov);
  if (edits === null) return null;
  return {
    order: [
      { start: 0, end: front },
      { start: moov.start, end: moov.end },
      { start: front, end: moov.start },
      { start: moov.end, end: source.size },
    ],
    edits,
  };
}

async function readLayout(source: ByteSource): Promise<Layout | null> {
  let front = 0;
  let moov: Box | null = null;
  let media = false;
  for await (const box of boxes(source, 0, source.size)) {
    if (box.type === 'ftyp') front = box.end;
    if (box.type === 'moof' || box.type === 'sidx' || box.type === 'meta') return null;
    if (box.type === 'mdat' && moov === null) media = true;
    if (box.type === 'moov') moov = box;
  }
  if (!media || moov === null || moov.end - moov.start > MAX_INDEX) return null;
  // A size that means "to the end of the file" would be wrong at any other position.
  const sized = (await source.read(moov.start, 4)).readUInt32BE(0) !== 0;
  return sized ? { moov, front } : null;
}

/** The corrected offset tables of all tracks; null if one cannot be corrected. */
async function shiftOffsets(source: ByteSource, moov: Box): Promise<Edit[] | null> {
  const edits: Edit[] = [];
  for await (const trak of childrenOf(source, moov)) {
    if (trak.type === 'cmov') return null;
    if (trak.type !== 'trak') continue;
    const stbl = await findBox(source, trak, 'mdia', 'minf', 'stbl');
    if (stbl === null) return null;
    for await (const table of childrenOf(source, stbl)) {
      if (table.type === 'saio') return null;
      if (table.type !== 'stco' && table.type !== 'co64') continue;
      const edit = await shiftTable(source, table, moov);
      if (edit === null) return null;
      edits.push(edit);
    }
  }
  return edits;
}

async function shiftTable(source: ByteSource, table: Box, moov: Box): Promise<Edit | null> {
  const size = moov.end - moov.start;
  const bytes = Buffer.from(await source.read(table.dataAt, table.end - table.dataAt));
  const width = table.type === 'stco' ? 4 : 8;
  if (bytes.length < 8) return null;
  const end = Math.min(bytes.length, 8 + bytes.readUInt32BE(4) * width);
  for (let at = 8; at + width <= end; at += width) {
    const offset = width === 4 ? bytes.readUInt32BE(at) : Number(bytes.readBigUInt64BE(at));
    if (offset >= moov.start) continue;
    if (width === 8) bytes.writeBigUInt64BE(BigInt(offset + size), at);
    else if (offset + size > MAX_OFFSET) return null;
    else bytes.writeUInt32BE(offset + size, at);
  }
  return overwrite(table.dataAt, bytes);
}
