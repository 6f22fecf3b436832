import { box } from './media-fixtures-boxes.js';
import { type Directory, GPS, tiffBlock } from './media-fixtures-tiff.js';

/** What a raw photograph must keep: developing needs the maker note. */
export const MAKER_NOTE = 'maker note: white balance 570 263 438';

/** How cameras lay out their raw photographs; what tells that they are raw differs. */
export type RawLayout = 'filter array' | 'compression' | 'maker note' | 'maker' | 'DNG' | 'main picture';

/** The big-endian TIFF structure of a raw photograph with a location, a maker note and the serial SN-4711. */
export function rawPhoto(make: string, model: string, layout: RawLayout): Buffer {
  const sensor: Directory = {
    fields: [
      [0xfe, [0]],
      [0x100, [6000]],
      [0x101, [4000]],
      [0x103, [layout === 'compression' ? 65535 : 1]],
      [0x106, [layout === 'filter array' ? 32803 : 1]],
      [0x111, [8]],
      [0x117, [16]],
    ],
  };
  const noted = layout !== 'maker';
  const picture = layout === 'main picture' ? sensor.fields.filter(([tag]) => tag !== 0x106) : [];
  const main: Directory = {
    fields: [
      ...(layout === 'main picture'
        ? ([...picture, [0x106, [32803]]] as const)
        : ([
            [0xfe, [1]],
            [0x100, [160]],
            [0x101, [120]],
            [0x103, [1]],
            [0x106, [2]],
          ] as const)),
      [0x10f, make],
      [0x110, model],
      [0x112, [6]],
      ...(layout === 'main picture' ? [] : ([[0x14a, sensor]] as const)),
      [
        0x8769,
        {
          fields: [
            [0x9003, '2020:05:17 10:11:12'],
            ...(noted ? ([[0x927c, Buffer.from(MAKER_NOTE)]] as const) : []),
            [0xa431, 'SN-4711'],
          ],
        },
      ],
      [0x8825, GPS],
      ...(layout === 'DNG' ? ([[0xc612, Buffer.from([1, 4, 0, 0])]] as const) : []),
    ],
  };
  return tiffBlock(main);
}

/** A Fujifilm photograph: a header that points to a whole JPEG. */
export function rafPhoto(preview: Buffer): Buffer {
  const head = Buffer.alloc(148);
  head.write('FUJIFILMCCD-RAW 0201FF383501FinePix S5Pro', 'latin1');
  head.writeUInt32BE(148, 84);
  head.writeUInt32BE(preview.length, 88);
  return Buffer.concat([head, preview, Buffer.from('sensor data')]);
}

/** The seconds of the latitude in the location of these photographs, as an Intel processor writes them. */
export const SECONDS = Buffer.from([0xd2, 4, 0, 0, 100, 0, 0, 0]);

/**
 * A Panasonic photograph: a TIFF structure with a magic number and a location of its own, and a JPEG in a field.
 */
export function rw2Photo(make: string, preview: Buffer): Buffer {
  const named = Buffer.from(`${make}\0`.padEnd(12, '\0'));
  const entry = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16LE(tag, 0);
    bytes.writeUInt16LE(type, 2);
    bytes.writeUInt32LE(count, 4);
    bytes.writeUInt32LE(value, 8);
    return bytes;
  };
  const nameAt = 8 + 2 + 4 * 12 + 4;
  const gpsAt = nameAt + named.length;
  const latitudeAt = gpsAt + 2 + 2 * 12 + 4;
  const previewAt = latitudeAt + 24;
  return Buffer.concat([
    Buffer.from('IIU\0\x08\0\0\0\x04\0', 'latin1'),
    entry(0x02, 3, 1, 3724),
    entry(0x2e, 7, preview.length, previewAt),
    entry(0x10f, 2, make.length + 1, nameAt),
    entry(0x8825, 4, 1, gpsAt),
    Buffer.alloc(4),
    named,
    Buffer.from([2, 0]),
    entry(1, 2, 2, 'N'.charCodeAt(0)),
    entry(2, 5, 3, latitudeAt),
    Buffer.alloc(4),
    Buffer.from([51, 0, 0, 0, 1, 0, 0, 0, 30, 0, 0, 0, 1, 0, 0, 0]),
    SECONDS,
    preview,
  ]);
}

/** What a Canon photograph must keep: image, exposure with the serial SN-4711, maker note. */
export const CANON_SETTINGS = [
  box('CMT1', tiffBlock({ fields: [[0x10f, 'Canon']] })),
  box('CMT2', tiffBlock({ fields: [[0xa431, 'SN-4711']] })),
  box('CMT3', tiffBlock({ fields: [[0x4001, Buffer.from(MAKER_NOTE)]] })),
];

const PACKET =
  '<?xpacket begin=""?><x:xmpmeta><photoshop:City>London</photoshop:City></x:xmpmeta><?xpacket end="w"?>';

/** A Canon photograph: boxes with the camera's settings, the place among them, a packet that names a city, a JPEG. */
export function cr3Photo(preview: Buffer, packet = Buffer.from(PACKET)): Buffer {
  const uuid = (id: string, ...parts: Buffer[]) => box('uuid', Buffer.from(id, 'hex'), ...parts);
  return Buffer.concat([
    box('ftyp', 'crx ', Buffer.from([0, 0, 0, 1]), 'crx ', 'isom'),
    box('moov', uuid('85c0b687820f11e08111f4ce462b6a48', ...CANON_SETTINGS, box('CMT4', tiffBlock(GPS)))),
    uuid('be7acfcb97a942e89c71999491e3afac', packet),
    uuid('eaf42b5e1c984b88b9fbb7dc406e4d16', Buffer.alloc(8), box('PRVW', Buffer.alloc(16), preview)),
    uuid('00112233445566778899aabbccddeeff', Buffer.from('of the Thames at London')),
    box('mdat', preview, 'sensor data'),
  ]);
}

/** An Olympus photograph: a TIFF structure with a magic number of its own. */
export function orfPhoto(): Buffer {
  const bytes = rawPhoto('OLYMPUS IMAGING CORP.', 'E-510', 'maker note');
  bytes.write('MMOR', 'latin1');
  return bytes;
}
