import { halves } from '../media/media-fixtures.js';
import { EXIF } from './pictures.js';
import type { Row } from './row.js';
import { DATE, DEVICE, PERSON, PLACE, PLACE_ISO, PLACE_PAIR } from './telltales.js';
import { bytesFrom, filmed, heard, packets, SCENE, tagged } from './tools.js';

const SOUND = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1'];
const TAGS = [
  ...['-metadata', 'title=A song', '-metadata', `comment=${PERSON} GPS ${PLACE_PAIR}`],
  ...['-metadata', `location=${PLACE_ISO}`, '-metadata', `encoded_by=${DEVICE}`],
  ...['-metadata', `copyright=${PERSON}`, '-metadata', `date=${DATE.slice(0, 10).replaceAll(':', '-')}`],
];

const sized = (name: string, payload: Buffer | string, write: 'writeUInt32LE' | 'writeUInt32BE') => {
  const bytes = Buffer.from(payload);
  const size = Buffer.alloc(4);
  size[write](bytes.length);
  return Buffer.concat([Buffer.from(name, 'latin1'), size, bytes, Buffer.alloc(bytes.length % 2)]);
};

/** A chunk of a RIFF file. */
export const riff = (name: string, payload: Buffer | string) => sized(name, payload, 'writeUInt32LE');

/** A sound that ffmpeg writes with its tags, and what else is put into the file. */
const sound = (
  extension: string,
  carrier: string,
  args: readonly string[] = [],
  change: (bytes: Buffer) => Buffer = (bytes) => bytes,
  suffix = extension,
): Row => ({
  format: suffix.toUpperCase(),
  carrier,
  extension,
  make: async () => {
    const bytes = await filmed(suffix, [...SOUND, ...TAGS, ...args]);
    return bytes && change(bytes);
  },
  same: heard,
});

/** Inserts chunks before the sound of a WAV file. */
const before =
  (...chunks: Buffer[]) =>
  (bytes: Buffer) => {
    const at = bytes.indexOf('data');
    return Buffer.concat([bytes.subarray(0, at), ...chunks, bytes.subarray(at)]);
  };
const behind = (bytes: Buffer, extra: Buffer | string) => Buffer.concat([bytes, Buffer.from(extra)]);

const bext = Buffer.alloc(602);
bext.write(`GPS ${PLACE_PAIR} at ${PLACE}`, 0);
bext.write(DEVICE, 256);
bext.write('2019-03-04', 320);
const iXml = `<BWFXML><LOCATION><LOCATION_NAME>${PLACE}</LOCATION_NAME><LOCATION_GPS>${PLACE_PAIR}</LOCATION_GPS></LOCATION></BWFXML>`;

const version1 = Buffer.alloc(128);
version1.write('TAG', 0);
version1.write('A song', 3);
version1.write(`GPS ${PLACE_PAIR} x`, 97);

/** A frame of ID3v2.3. */
const frame = (id: string, payload: Buffer | string) => {
  const bytes = Buffer.from(payload as string, 'latin1');
  const head = Buffer.alloc(10);
  head.write(id, 'latin1');
  head.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
};
function id3(...frames: Buffer[]): Buffer {
  const size = frames.reduce((sum, { length }) => sum + length, 0);
  const safe = [21, 14, 7, 0].map((bits) => (size >> bits) & 0x7f);
  return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, ...safe]), ...frames]);
}
const odd = id3(
  frame('TIT2', '\0A song'),
  frame('GEOB', `\0text/plain\0\0\0${PLACE}, GPS`),
  frame('PRIV', `acme\0GPS ${PLACE_PAIR}`),
  frame('TXXX', `\0place\0${PLACE_PAIR}`),
  frame(
    'COMM',
    Buffer.concat([
      Buffer.from('\x01eng\xff\xfe\0\0\xff\xfe', 'latin1'),
      Buffer.from(`GPS ${PLACE}`, 'utf16le'),
    ]).toString('latin1'),
  ),
  frame('UFID', `${DEVICE}\0${PERSON}`),
);

/** A sound with a cover that has metadata of its own. */
const covered = (extension: string, args: readonly string[] = []): Row => ({
  format: extension.toUpperCase(),
  carrier: 'the metadata of its cover',
  extension,
  make: async () => {
    const cover = await tagged(await halves(64, 48).jpeg().toBuffer(), 'jpg', EXIF);
    if (cover === null) return null;
    const pictured = ['-i', 'cover.jpg', '-map', '0', '-map', '1', '-c:v', 'copy'];
    return filmed(extension, [...SOUND, ...pictured, '-disposition:v', 'attached_pic', ...args], {
      'cover.jpg': cover,
    });
  },
  same: heard,
});

const wav = (carrier: string, ...chunks: Buffer[]) => sound('wav', carrier, [], before(...chunks));

/** Sounds, and AVI, with the tags of programs and recorders. */
export const sounds: readonly Row[] = [
  wav('list of texts'),
  wav('broadcast extension', riff('bext', bext)),
  wav('iXML', riff('iXML', iXml)),
  wav('ADM and XMP', riff('axml', iXml), riff('_PMX', iXml)),
  wav('ID3', riff('id3 ', odd)),
  wav(
    'chunks of bat detectors',
    riff('guan', `Loc Position: ${PLACE_PAIR}`),
    riff('wamd', `WGS84,${PLACE_PAIR}`),
  ),
  wav(
    'labels of cue points',
    riff('LIST', `adtllabl\x20\0\0\0\x01\0\0\0GPS ${PLACE_PAIR} ${PLACE} `.slice(0, 60)),
  ),
  sound('wav', 'bytes behind the end', [], (bytes) => behind(bytes, `GPS ${PLACE_PAIR} ${DEVICE}`)),
  sound('aif', 'texts', [], undefined, 'aiff'),
  sound('aif', 'ID3', ['-write_id3v2', '1'], undefined, 'aiff'),
  sound('mp3', 'ID3v2.3', ['-id3v2_version', '3']),
  sound('mp3', 'ID3v2.4', ['-id3v2_version', '4']),
  sound('mp3', 'private frames', ['-map_metadata', '-1'], (bytes) => Buffer.concat([odd, bytes])),
  sound('mp3', 'ID3v1', [], (bytes) => behind(bytes, version1)),
  sound('mp3', 'lyrics', [], (bytes) => behind(bytes, `LYRICSBEGINGPS ${PLACE}LYRICSEND`)),
  sound('aac', 'ID3', [], (bytes) => Buffer.concat([odd, bytes])),
  sound('flac', 'comments'),
  sound('flac', 'ID3', [], (bytes) => Buffer.concat([odd, bytes])),
  sound('ogg', 'comments of Vorbis', ['-c:a', 'libvorbis']),
  sound('ogg', 'comments of FLAC', ['-c:a', 'flac'], undefined, 'oga'),
  sound('opus', 'comments'),
  {
    format: 'MPC',
    carrier: 'ID3',
    extension: 'mpc',
    make: () => Buffer.concat([odd, Buffer.from('MP+\x07', 'latin1'), Buffer.alloc(400, 0x5a)]),
    same: bytesFrom('MP+\x07'),
  },
  covered('mp3'),
  covered('flac'),
  {
    format: 'AVI',
    carrier: 'list of texts',
    extension: 'avi',
    make: () => filmed('avi', [...SCENE, ...TAGS, '-c:v', 'mpeg4']),
    same: packets,
  },
  {
    format: 'AVI',
    carrier: 'data of a camera in the description of a stream, dates, and space that should be empty',
    extension: 'avi',
    make: async () => {
      const film = await filmed('avi', [...SCENE, '-c:v', 'mpeg4']);
      const at = film?.indexOf('JUNK') ?? -1;
      if (film === null || at === -1) return null;
      const bytes = Buffer.from(film);
      bytes.write(`${DEVICE} GPS ${PLACE_PAIR}`, at + 8);
      return behind(bytes, riff('IDIT', DATE));
    },
    same: packets,
  },
];
