import type { ByteSource } from '../../source.js';
import { type Details, displayed } from '../format.js';
import { type Box, boxes, childrenOf, findBox, metaSkip, readBox } from './boxes.js';
import { readMovie } from './movie.js';

const MAX_PROPERTIES = 64 * 1024;
const MAX_PROFILE = 4 * 1024 * 1024;

/** Dimensions of the primary image of a HEIF container, cropped and turned. */
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
  const properties = await primaryProperties(source, meta);
  const coded = properties.find((box) => box.type === 'ispe');
  const ispe = coded === undefined ? null : await readBox(source, coded, 12);
  if (ispe === null || ispe.length < 12) return {};
  let [width, height] = [ispe.readUInt32BE(4), ispe.readUInt32BE(8)];
  // In the order in which they are applied: an image is cropped before or after it is turned.
  for (const box of properties) {
    if (box.type === 'clap') [width, height] = cropped(await readBox(source, box, 16), width, height);
    if (box.type === 'irot' && (((await readBox(source, box, 1))[0] ?? 0) & 1) === 1)
      [width, height] = [height, width];
  }
  return displayed(width, height, 1);
}

/** The size of the part of an image that a `clap` payload says is shown. */
function cropped(clap: Buffer, width: number, height: number): [number, number] {
  if (clap.length < 16) return [width, height];
  const [across, down] = [
    Math.round(clap.readUInt32BE(0) / clap.readUInt32BE(4)),
    Math.round(clap.readUInt32BE(8) / clap.readUInt32BE(12)),
  ];
  const fits = across > 0 && across <= width && down > 0 && down <= height;
  return fits ? [across, down] : [width, height];
}

/** The properties of the primary image of a `meta` box, in the order of their association. */
async function primaryProperties(source: ByteSource, meta: Box): Promise<Box[]> {
  let primary: number | null = null;
  let properties: Box | null = null;
  for await (const box of childrenOf(source, meta, await metaSkip(source, meta))) {
    if (box.type === 'pitm') primary = itemId(await readBox(source, box, 8));
    if (box.type === 'iprp') properties = box;
  }
  if (primary === null || properties === null) return [];
  const container = await findBox(source, properties, 'ipco');
  const association = await findBox(source, properties, 'ipma');
  if (container === null || association === null) return [];
  const all: Box[] = [];
  for await (const box of childrenOf(source, container)) all.push(box);
  const wanted = propertiesOf(await readBox(source, association, MAX_PROPERTIES), primary);
  return wanted.flatMap((index) => all[index - 1] ?? []);
}

/** Colours by numbers that name their primaries and their transfer function (H.273). */
export interface NamedColours {
  readonly primaries: number;
  readonly transfer: number;
}

/** The colours that a HEIF container states for its primary image, a profile before numbers; null if it states none. */
export async function readColours(source: ByteSource): Promise<Buffer | NamedColours | null> {
  const meta = await firstMeta(source);
  let named: NamedColours | null = null;
  for (const box of meta === null ? [] : await primaryProperties(source, meta)) {
    if (box.type !== 'colr') continue;
    const colr = await readBox(source, box, MAX_PROFILE);
    const kind = colr.toString('latin1', 0, 4);
    if (kind === 'prof' || kind === 'rICC') return colr.subarray(4);
    if (kind === 'nclx' && colr.length >= 8)
      named = { primaries: colr.readUInt16BE(4), transfer: colr.readUInt16BE(6) };
  }
  return named;
}

async function firstMeta(source: ByteSource): Promise<Box | null> {
  for await (const box of boxes(source, 0, source.size)) if (box.type === 'meta') return box;
  return null;
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
