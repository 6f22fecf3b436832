import { type Box, boxes, childrenOf, findBox, metaSkip, readBox } from '../boxes.js';
import type { ByteSource } from '../source.js';
import { type Details, displayed, image } from './format.js';
import { readMovie } from './mp4.js';

export const HEIC = image('heic');
export const HEIF = image('heif');
export const AVIF = image('avif');

const MAX_PROPERTIES = 64 * 1024;

/** Dimensions of the primary image of a HEIF container, rotation applied. */
export async function readHeif(source: ByteSource): Promise<Details> {
  let sequence = false;
  let still: Details = {};
  for await (const box of boxes(source, 0, source.size)) {
    if (box.type === 'ftyp')
      sequence = /^(avis|msf1|hevc|hevx)/.test((await readBox(source, box, 4)).toString('latin1'));
    if (box.type === 'meta') still = await readPrimary(source, box);
    if (box.type === 'moov' && sequence) {
      return { animated: true, ...still, ...(await readMovie(source, box)) };
    }
  }
  return { ...still, animated: sequence };
}

async function readPrimary(source: ByteSource, meta: Box): Promise<Details> {
  let primary: number | null = null;
  let properties: Box | null = null;
  for await (const box of childrenOf(source, meta, await metaSkip(source, meta))) {
    if (box.type === 'pitm') primary = itemId(await readBox(source, box, 8));
    if (box.type === 'iprp') properties = box;
  }
  if (primary === null || properties === null) return {};
  const container = await findBox(source, properties, 'ipco');
  const association = await findBox(source, properties, 'ipma');
  if (container === null || association === null) return {};
  const wanted = propertiesOf(await readBox(source, association, MAX_PROPERTIES), primary);
  let index = 0;
  let size: Buffer | null = null;
  let turns = 0;
  for await (const box of childrenOf(source, container)) {
    index++;
    if (!wanted.includes(index)) continue;
    if (box.type === 'ispe') size = await readBox(source, box, 12);
    if (box.type === 'irot') turns = ((await readBox(source, box, 1))[0] ?? 0) & 3;
  }
  if (size === null || size.length < 12) return {};
  return displayed(size.readUInt32BE(4), size.readUInt32BE(8), turns % 2 === 1 ? 6 : 1);
}

function itemId(pitm: Buffer): number | null {
  if (pitm[0] === 0) return pitm.length < 6 ? null : pitm.readUInt16BE(4);
  return pitm.length < 8 ? null : pitm.readUInt32BE(4);
}

/** Indices (from 1) of the properties that an `ipma` payload assigns to an item. */
function propertiesOf(ipma: Buffer, item: number): number[] {
  if (ipma.length < 8) return [];
  const idSize = ipma[0] === 0 ? 2 : 4;
  const wide = ((ipma[3] ?? 0) & 1) === 1;
  let at = 8;
  for (let left = ipma.readUInt32BE(4); left > 0 && at + idSize + 1 <= ipma.length; left--) {
    const id = ipma.readUIntBE(at, idSize);
    const count = ipma.readUInt8(at + idSize);
    at += idSize + 1;
    const bytes = ipma.subarray(at, at + count * (wide ? 2 : 1));
    at += count * (wide ? 2 : 1);
    if (id !== item) continue;
    return Array.from({ length: Math.floor(bytes.length / (wide ? 2 : 1)) }, (_, index) =>
      wide ? bytes.readUInt16BE(index * 2) & 0x7fff : bytes.readUInt8(index) & 0x7f,
    );
  }
  return [];
}
