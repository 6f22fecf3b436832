import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { halves, heicPhoto, movie } from '../media/media-fixtures.js';
import { box, u32 } from '../media/media-fixtures-boxes.js';
import { TRAILER } from './pictures.js';
import type { Row } from './row.js';
import { DEVICE, LATITUDE, LONGITUDE, PERSON, PLACE, PLACE_ISO, PLACE_PAIR } from './telltales.js';
import { pixels } from './tools.js';

/** A record as dashcams and phones write it: text, and a place in floating point. */
export function record(): Buffer {
  const numbers = Buffer.alloc(16);
  numbers.writeDoubleLE(LATITUDE, 0);
  numbers.writeDoubleLE(LONGITUDE, 8);
  return Buffer.concat([Buffer.from(`${DEVICE}\0${PLACE_PAIR}\0`, 'latin1'), numbers]);
}

/** A complete small movie that tells where it was shot, as phones append it to a picture. */
const motion = () =>
  Buffer.concat([
    movie({ metadata: false }),
    box('udta', box('\xa9xyz', u32(0), PLACE_ISO), box('\xa9mod', DEVICE)),
  ]);

const plainMovie = () => movie({ metadata: false, indexLast: true });

/** A movie with one more box at the end of the container that `path` names. Its index is last, so no offset changes. */
function inside(path: readonly string[], added: Buffer): Buffer {
  const bytes = plainMovie();
  const sizes: number[] = [];
  let at = 0;
  let end = bytes.length;
  for (const type of path) {
    while (bytes.toString('latin1', at + 4, at + 8) !== type) at += bytes.readUInt32BE(at);
    sizes.push(at);
    end = at + bytes.readUInt32BE(at);
    at += 8;
  }
  for (const size of sizes) bytes.writeUInt32BE(bytes.readUInt32BE(size) + added.length, size);
  return Buffer.concat([bytes.subarray(0, end), added, bytes.subarray(end)]);
}

/** The samples that the tables of these small movies point to. */
async function samples(path: string): Promise<string> {
  const bytes = await readFile(path);
  const at = bytes.readUInt32BE(bytes.indexOf('stco') + 12);
  const size = bytes.readUInt32BE(bytes.indexOf('stsz') + 16);
  return createHash('md5')
    .update(bytes.subarray(at, at + size))
    .digest('hex');
}

const mp4 = (carrier: string, make: () => Buffer): Row => ({
  format: 'MP4',
  carrier,
  extension: 'mp4',
  make,
  same: samples,
});

const heic = (carrier: string, added: () => Buffer): Row => ({
  format: 'HEIC',
  carrier,
  extension: 'heic',
  make: () => Buffer.concat([plainPhoto(), added()]),
});

const avif = (carrier: string, added: () => Buffer): Row => ({
  format: 'AVIF',
  carrier,
  extension: 'avif',
  make: async () => Buffer.concat([await halves(64, 48).avif().toBuffer(), added()]),
  same: pixels,
});

/** A HEIC photograph without metadata. */
const plainPhoto = () => {
  const bytes = heicPhoto();
  for (const type of ['Exif', 'mime']) bytes.write('free', bytes.indexOf(type), 'latin1');
  return bytes;
};

const uuid = (id: string) => box('uuid', Buffer.from(id, 'hex'), record());
const CAMERA_BOXES = [
  'gps0',
  'GPS ',
  'gps ',
  'udat',
  'gdat',
  'nbmt',
  'cust',
  'thum',
  'meco',
  'frea',
  'inst',
  'emsg',
];
const LEVELS = ['moov', 'moov/trak', 'moov/trak/mdia', 'moov/trak/mdia/minf', 'moov/trak/mdia/minf/stbl'];
const UNKNOWN_ID = '00112233445566778899aabbccddeeff';

const zerosFirst = (type: string) => box(type, Buffer.alloc(200_000), record());

/** Boxes that cameras, phones and programs add to ISO files, at every level, and what follows the last box. */
export const isoBoxes: readonly Row[] = [
  ...CAMERA_BOXES.map((type) => mp4(`box \`${type}\` at the end`, () => inside([], box(type, record())))),
  ...CAMERA_BOXES.slice(0, 2).map((type) =>
    mp4(`box \`${type}\` between others`, () => {
      const bytes = plainMovie();
      const at = bytes.length - bytes.readUInt32BE(bytes.indexOf('moov') - 4);
      return Buffer.concat([bytes.subarray(0, at), box(type, record()), bytes.subarray(at)]);
    }),
  ),
  ...['free', 'skip', 'wide'].flatMap((type) => [
    mp4(`\`${type}\` that begins with zeros`, () => inside([], zerosFirst(type))),
    mp4(`\`${type}\` in the index`, () => inside(['moov'], zerosFirst(type))),
  ]),
  ...LEVELS.flatMap((level) => [
    mp4(`unknown box in ${level}`, () => inside(level.split('/'), box('gsen', record()))),
    mp4(`no box at the end of ${level}`, () =>
      inside(level.split('/'), Buffer.concat([u32(2), Buffer.from('junk'), record()])),
    ),
  ]),
  mp4('unknown `uuid`', () => inside([], uuid(UNKNOWN_ID))),
  mp4('unknown `uuid` in a track', () => inside(['moov', 'trak'], uuid(UNKNOWN_ID))),
  mp4('binary user data', () => inside(['moov'], box('udta', box('CAMD', record())))),
  mp4('user data in text', () =>
    inside(['moov'], box('udta', box('\xa9cmt', u32(0), `${PERSON} ${PLACE} GPS ${PLACE_PAIR} ${DEVICE}`))),
  ),
  mp4('a box longer than the file', () => {
    const cut = box('gps0', record(), Buffer.alloc(100));
    return Buffer.concat([plainMovie(), cut.subarray(0, -50)]);
  }),
  mp4('user data cut off with the index', () =>
    inside(['moov'], box('udta', box('\xa9xyz', u32(0), PLACE_ISO), box('name', Buffer.alloc(60)))).subarray(
      0,
      -40,
    ),
  ),
  mp4('bytes behind the last box', () => Buffer.concat([plainMovie(), TRAILER])),
  mp4('XMP', () => inside([], Buffer.concat([uuid('be7acfcb97a942e89c71999491e3afac')]))),
  heic('motion video in `mpvd`', () => box('mpvd', motion())),
  heic('`sefd` of a phone', () => box('sefd', record())),
  heic('unknown `uuid`', () => uuid(UNKNOWN_ID)),
  heic('free space', () => zerosFirst('free')),
  heic('bytes behind the last box', () => TRAILER),
  avif('motion video in `mpvd`', () => box('mpvd', motion())),
  avif('`sefd` of a phone', () => box('sefd', record())),
];
