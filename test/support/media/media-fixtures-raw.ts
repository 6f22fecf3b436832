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

/** A Panasonic photograph: a TIFF structure with a magic number of its own and a JPEG in a field. */
export function rw2Photo(make: string, preview: Buffer): Buffer {
  const named = Buffer.from(`${make}\0`);
  const entry = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16LE(tag, 0);
    bytes.writeUInt16LE(type, 2);
    bytes.writeUInt32LE(count, 4);
    bytes.writeUInt32LE(value, 8);
    return bytes;
  };
  const behind = 8 + 2 + 3 * 12 + 4;
  return Buffer.concat([
    Buffer.from('IIU\0\x08\0\0\0\x03\0', 'latin1'),
    entry(0x02, 3, 1, 3724),
    entry(0x2e, 7, preview.length, behind + named.length),
    entry(0x10f, 2, named.length, behind),
    Buffer.alloc(4),
    named,
    preview,
  ]);
}

/** An Olympus photograph: a TIFF structure with a magic number of its own. */
export function orfPhoto(): Buffer {
  const bytes = rawPhoto('OLYMPUS IMAGING CORP.', 'E-510', 'maker note');
  bytes.write('MMOR', 'latin1');
  return bytes;
}
