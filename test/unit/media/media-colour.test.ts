import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMedia } from '../../../server/drivers/media/index.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { filmed } from '../../support/media/film.js';
import { look, near } from '../../support/media/look.js';
import { box, heicPhoto, mediaFolder } from '../../support/media/media-fixtures.js';

const folder = await mediaFolder();
const media = createMedia({ tempDir: `${folder.root}/temp`, log: createLogs('silent').log });

const render = async (bytes: Buffer) =>
  (await media.rendition(await folder.put(bytes), { width: 160, format: 'png' })).path;

const COLOUR_NAMES: Readonly<Record<number, string>> = { 1: 'bt709', 9: 'bt2020', 12: 'smpte432' };
const CURVE_NAMES: Readonly<Record<number, string>> = { 8: 'linear', 13: 'iec61966-2-1', 14: 'bt2020-10' };

/** A picture of one colour as ffmpeg codes it. */
const oneColour = (coded: string, codec: readonly string[], format: string) =>
  filmed(
    [
      ...['-f', 'lavfi', '-i', `color=c=${coded}:s=64x48:d=1:r=1`, '-frames:v', '1'],
      ...['-vf', 'scale=out_color_matrix=bt709:out_range=pc,format=yuv444p', '-colorspace', 'bt709'],
      ...['-color_range', 'pc', ...codec],
    ],
    format,
  );

/** The payload of the first box of a type, wherever it is. */
function payloadOf(bytes: Buffer, type: string): Buffer {
  const at = bytes.indexOf(type) - 4;
  return bytes.subarray(at + 8, at + bytes.readUInt32BE(at));
}

/** A HEIC photo of one colour with more properties; null without ffmpeg. */
async function heicOf(coded: string, ...properties: Buffer[]): Promise<Buffer | null> {
  const codec = ['-c:v', 'libx265', '-tag:v', 'hvc1', '-x265-params', 'log-level=none:info=0', '-crf', '1'];
  const film = await oneColour(coded, codec, 'mp4');
  if (film === null) return null;
  return heicPhoto({ hvcc: payloadOf(film, 'hvcC'), frame: payloadOf(film, 'mdat'), properties });
}

function nclx(primaries: number, transfer: number): Buffer {
  const payload = Buffer.from('nclx\0\0\0\0\0\x01\x80', 'latin1');
  payload.writeUInt16BE(primaries, 4);
  payload.writeUInt16BE(transfer, 6);
  return box('colr', payload);
}

const colours = suite('media: renditions have the colours of their picture');

/** Colours as they are coded, and what they are in sRGB. */
const named: [string, number, number, string, number[]][] = [
  ['Display P3', 12, 13, '0xea3323', [255, 0, 0]],
  ['BT.2020', 9, 13, '0xd04a23', [255, 0, 0]],
  ['BT.2020 with the curve of video', 9, 14, '0x808080', [128, 128, 128]],
  ['sRGB', 1, 13, '0xea3323', [234, 51, 35]],
  ['linear light', 1, 8, '0x373737', [128, 128, 128]],
];
for (const [name, primaries, transfer, coded, expected] of named) {
  colours(`an AVIF that names ${name}`, async () => {
    const tags = [
      '-color_primaries',
      COLOUR_NAMES[primaries] ?? '',
      '-color_trc',
      CURVE_NAMES[transfer] ?? '',
    ];
    const avif = await oneColour(coded, ['-c:v', 'libaom-av1', '-crf', '1', ...tags], 'avif');
    if (avif !== null) near((await look(await render(avif))).colour, expected, 9);
  });
  colours(`a HEIC that names ${name}`, async () => {
    const heic = await heicOf(coded, nclx(primaries, transfer));
    if (heic !== null) near((await look(await render(heic))).colour, expected, 9);
  });
}

for (const kind of ['prof', 'rICC']) {
  colours(`a HEIC with a profile (${kind})`, async () => {
    const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
      .jpeg()
      .withIccProfile('p3')
      .toBuffer();
    const { icc } = await sharp(jpeg).metadata();
    assert.ok(icc);
    const heic = await heicOf('0xea3323', box('colr', kind, icc));
    if (heic !== null) near((await look(await render(heic))).colour, [255, 0, 0], 9);
  });
}

colours('a part of a picture is shown and recorded with its own size, turned like the whole', async () => {
  const clap = Buffer.alloc(32);
  [40, 1, 20, 1, 0, 1, 0, 1].forEach((value, index) => {
    clap.writeUInt32BE(value, index * 4);
  });
  const heic = heicPhoto({ properties: [box('clap', clap)] });
  const { width, height } = await media.probe(await folder.put(heic));
  assert.equal([width, height], [20, 40]);
  assert.equal((await look(await render(heic))).size, [20, 40]);
});

colours.after(folder.remove);
colours.run();
