import type { ByteSource } from '../../source.js';
import { type Details, displayed, named } from '../format.js';
import { type Box, boxes, childrenOf, findBox, readBox } from './boxes.js';

interface Track {
  readonly handler: string;
  readonly width: number;
  readonly height: number;
}

/** Dimensions (with rotation) and duration of an MP4 or QuickTime movie, wherever its index is. */
export async function readMp4(source: ByteSource): Promise<Details> {
  for await (const box of boxes(source, 0, source.size)) {
    if (box.type === 'moov') return readMovie(source, box);
  }
  return {};
}

/** Facts of a `moov` box. */
export async function readMovie(source: ByteSource, moov: Box): Promise<Details> {
  let durationMs: number | null = null;
  let fragmented = false;
  const tracks: Track[] = [];
  for await (const box of childrenOf(source, moov)) {
    if (box.type === 'mvhd') durationMs = durationOf(await readBox(source, box, 32));
    if (box.type === 'mvex') fragmented = true;
    if (box.type === 'trak') tracks.push(await readTrack(source, box));
  }
  // It counts the part before the first fragment only.
  if (fragmented) durationMs = null;
  const picture = tracks.find(({ handler }) => handler === 'vide' || handler === 'pict');
  if (picture !== undefined) return { durationMs, ...displayed(picture.width, picture.height, 1) };
  const silent = !tracks.some((track) => track.handler === 'soun');
  return silent ? { durationMs } : { durationMs, format: named('m4a') };
}

function durationOf(mvhd: Buffer): number | null {
  if (mvhd.length < 32) return null;
  const wide = mvhd[0] === 1;
  const timescale = mvhd.readUInt32BE(wide ? 20 : 12);
  const duration = wide ? Number(mvhd.readBigUInt64BE(24)) : mvhd.readUInt32BE(16);
  const unknown = duration === 0 || (wide ? duration > Number.MAX_SAFE_INTEGER : duration === 0xffffffff);
  return unknown || timescale === 0 ? null : Math.round((duration / timescale) * 1000);
}

async function readTrack(source: ByteSource, trak: Box): Promise<Track> {
  const hdlr = await findBox(source, trak, 'mdia', 'hdlr');
  const tkhd = await findBox(source, trak, 'tkhd');
  const handler = hdlr === null ? '' : (await readBox(source, hdlr, 12)).toString('latin1', 8, 12);
  const header = tkhd === null ? Buffer.alloc(0) : await readBox(source, tkhd, 96);
  const matrix = header[0] === 1 ? 52 : 40;
  if (header.length < matrix + 44) return { handler, width: 0, height: 0 };
  const width = Math.round(header.readUInt32BE(matrix + 36) / 65_536);
  const height = Math.round(header.readUInt32BE(matrix + 40) / 65_536);
  // With a quarter turn, the diagonal of the matrix is zero.
  const turned = header.readInt32BE(matrix) === 0 && header.readInt32BE(matrix + 4) !== 0;
  return turned ? { handler, width: height, height: width } : { handler, width, height };
}
