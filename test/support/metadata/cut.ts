import { pngChunk } from '../../../server/shared/png-chunk.js';
import { animation, halves } from '../media/media-fixtures.js';
import { box } from '../media/media-fixtures-boxes.js';
import { tiffBlock } from '../media/media-fixtures-tiff.js';
import { record } from './boxes.js';
import { EXIF, TRAILER, XMP } from './pictures.js';
import type { Row } from './row.js';
import { DEVICE, PERSON, PLACE, PLACE_ISO } from './telltales.js';
import { bytesFrom, filmed, frames, heifPixels, PLAIN, packets, pixels, SCENE, tagged } from './tools.js';

const latin = (text: string) => Buffer.from(text, 'latin1');

/** An element of a Matroska file with an identifier of up to four bytes. */
function element(id: string, payload: Buffer): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(payload.length));
  size.writeUInt8(1, 0);
  return Buffer.concat([Buffer.from(id, 'hex'), size, payload]);
}

const TAGS = ['title', 'artist', 'comment', 'location'].flatMap((name) => [
  '-metadata',
  `${name}=${PLACE_ISO} ${PLACE} ${PERSON} ${DEVICE}`,
]);
const webmCodecs = ['-c:v', 'libvpx-vp9', '-c:a', 'libopus'];

const film = (extension: 'mkv' | 'webm', more: readonly string[] = []) =>
  filmed(extension, [...SCENE, ...(extension === 'mkv' ? PLAIN : webmCodecs), ...more]);

/** A film with an element inserted before its first cluster, whose segment has no size (as in a live recording). */
async function live(inserted: Buffer): Promise<Buffer | null> {
  const bytes = await film('mkv', ['-live', '1']);
  if (bytes === null) return null;
  const at = bytes.indexOf(Buffer.from('1f43b675', 'hex'));
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]);
}

const matroska = (carrier: string, make: Row['make'], more: Partial<Row> = {}): Row => ({
  format: 'MKV',
  carrier,
  extension: 'mkv',
  make,
  same: packets,
  ...more,
});

const cutAt = (share: number) => async () => {
  const bytes = await film('mkv', TAGS);
  return bytes?.subarray(0, Math.floor(bytes.length * share)) ?? null;
};

const painting = (extension: string, codec: readonly string[]) =>
  filmed(extension, ['-f', 'lavfi', '-i', 'testsrc=size=64x48', '-frames:v', '1', ...codec]);

/** A picture in a format that ffmpeg writes, with tags by exiftool. */
const painted = (
  format: string,
  extension: string,
  carrier: string,
  tags: readonly string[],
  codec: string[],
): Row => ({
  format,
  carrier,
  extension,
  make: async () => tagged(await painting(extension, codec), extension, tags),
  same: frames,
});

/** Files that are cut off or longer than they say, and containers without an end. */
export const cut: readonly Row[] = [
  ...[0.5, 0.7, 0.9, 0.99].map((share) => matroska(`cut at ${share * 100} % of the file`, cutAt(share))),
  matroska('bytes behind the segment', async () => {
    const bytes = await film('mkv');
    return bytes && Buffer.concat([bytes, TRAILER]);
  }),
  matroska('empty space that is not empty', () => live(element('ec', record()))),
  matroska('unknown element', () => live(element('1abcdef0', record()))),
  matroska('tags behind a live recording', async () => {
    const bytes = await live(Buffer.alloc(0));
    return bytes && Buffer.concat([bytes, element('1254c367', record())]);
  }),
  matroska('attached journey', async () =>
    live(
      element(
        '1941a469',
        element(
          '61a7',
          Buffer.concat([
            element('466e', latin('track.gpx')),
            element('4660', latin('application/gpx+xml')),
            element('46ae', Buffer.from([1])),
            element('465c', record()),
          ]),
        ),
      ),
    ),
  ),
  matroska(
    'attached cover with EXIF',
    async () => {
      const cover = await tagged(await halves(64, 48).jpeg().toBuffer(), 'jpg', EXIF);
      const name = [element('466e', latin('cover.jpg')), element('4660', latin('image/jpeg'))];
      const data = (bytes: Buffer) => [element('46ae', Buffer.from([1])), element('465c', bytes)];
      return cover && live(element('1941a469', element('61a7', Buffer.concat([...name, ...data(cover)]))));
    },
    { same: frames },
  ),
  { ...matroska('tags', () => film('webm', TAGS)), format: 'WEBM', extension: 'webm' },
  {
    format: 'GIF',
    carrier: 'no end mark, and bytes behind',
    extension: 'gif',
    make: async () => Buffer.concat([(await animation('gif')).subarray(0, -1), TRAILER]),
    same: pixels,
  },
  {
    format: 'PNG',
    carrier: 'bytes behind an invalid chunk',
    extension: 'png',
    make: async () => {
      const bytes = await halves(64, 48).png().toBuffer();
      return Buffer.concat([
        bytes.subarray(0, -12),
        pngChunk('a 1!', record()),
        bytes.subarray(-12),
        TRAILER,
      ]);
    },
    same: pixels,
  },
  painted('JXL', 'jxl', 'EXIF', EXIF, ['-c:v', 'libjxl', '-distance', '0']),
  painted('JXL', 'jxl', 'XMP', XMP, ['-c:v', 'libjxl', '-distance', '0']),
  painted('JP2', 'jp2', 'EXIF', EXIF, ['-c:v', 'libopenjpeg']),
  painted('JP2', 'jp2', 'XMP and IPTC', [...XMP, `-IPTC:City=${PLACE}`], ['-c:v', 'libopenjpeg']),
  {
    format: 'JP2',
    carrier: 'where it is on the map (GeoTIFF)',
    extension: 'jp2',
    make: async () => {
      const bytes = await painting('jp2', ['-c:v', 'libopenjpeg']);
      const at = (bytes?.indexOf('jp2c') ?? 0) - 4;
      const map = tiffBlock({
        fields: [
          [33922, record()],
          [34737, PLACE],
        ],
      });
      const uuid = box('uuid', Buffer.from('b14bf8bd083d4b43a5ae8cd7d5a6ce03', 'hex'), map);
      return bytes && Buffer.concat([bytes.subarray(0, at), uuid, bytes.subarray(at)]);
    },
    // The header of the first tile: the comment of the encoder is before it.
    same: bytesFrom('\xff\x90\0\x0a'),
  },
  {
    format: 'AVIF',
    carrier: 'bytes behind the last box',
    extension: 'avif',
    make: async () => Buffer.concat([await halves(64, 48).avif().toBuffer(), TRAILER]),
    same: heifPixels,
  },
];
