/** A field of a TIFF directory: text, 16-bit numbers, fractions, raw bytes, or another directory. */
export type Field = readonly [
  tag: number,
  value: string | readonly number[] | Fraction[] | Buffer | Directory,
];
export type Directory = { readonly fields: readonly Field[] };
interface Fraction {
  readonly over: number;
  readonly under: number;
}

const fraction = (over: number, under = 1): Fraction => ({ over, under });

/** 51 degrees 30 minutes north, 7 minutes west, on a hill. */
export const GPS: Directory = {
  fields: [
    [0, Buffer.from([2, 3, 0, 0])],
    [1, 'N'],
    [2, [fraction(51), fraction(30), fraction(1234, 100)]],
    [3, 'W'],
    [4, [fraction(0), fraction(7), fraction(5678, 100)]],
    [6, [fraction(86_00, 100)]],
    [0x1d, '2020:05:17'],
  ],
};

/** The EXIF block of a phone: make, model, orientation, time, maker note, serial number, location. */
export const phoneExif = (orientation: number): Buffer =>
  tiffBlock({
    fields: [
      [0x10f, 'Acme Cameras'],
      [0x110, 'Snapper 9'],
      [0x112, [orientation]],
      [0x131, 'AcmeOS 1.2'],
      [0x132, '2020:05:17 10:11:12'],
      [
        0x8769,
        {
          fields: [
            [0x9003, '2020:05:17 10:11:12'],
            [0x927c, Buffer.from('Acme maker note with serial SN-4711')],
            [0xa431, 'SN-4711'],
          ],
        },
      ],
      [0x8825, GPS],
    ],
  });

/** A big-endian TIFF structure with one directory and its subdirectories. */
export function tiffBlock(root: Directory): Buffer {
  const head = Buffer.from('MM\0*\0\0\0\x08', 'latin1');
  return Buffer.concat([head, writeDirectory(root, 8)]);
}

/** The bytes of a directory at `position`, followed by everything it points to. */
function writeDirectory({ fields }: Directory, position: number): Buffer {
  const entries = Buffer.alloc(2 + fields.length * 12 + 4);
  entries.writeUInt16BE(fields.length, 0);
  const tail: Buffer[] = [];
  let free = position + entries.length;
  for (const [index, [tag, value]] of fields.entries()) {
    const at = 2 + index * 12;
    const { type, count, bytes } = encode(value, free);
    entries.writeUInt16BE(tag, at);
    entries.writeUInt16BE(type, at + 2);
    entries.writeUInt32BE(count, at + 4);
    if (bytes.length <= 4 && type !== 4) {
      bytes.copy(entries, at + 8);
      continue;
    }
    entries.writeUInt32BE(free, at + 8);
    const padded = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)]);
    tail.push(padded);
    free += padded.length;
  }
  return Buffer.concat([entries, ...tail]);
}

function encode(value: Field[1], at: number): { type: number; count: number; bytes: Buffer } {
  if (typeof value === 'string') {
    const bytes = Buffer.from(`${value}\0`, 'latin1');
    return { type: 2, count: bytes.length, bytes };
  }
  if (Buffer.isBuffer(value)) return { type: 7, count: value.length, bytes: value };
  if ('fields' in value) return { type: 4, count: 1, bytes: writeDirectory(value, at) };
  const bytes = Buffer.alloc(value.length * 8);
  let size = 0;
  for (const item of value) {
    if (typeof item === 'number') {
      size = bytes.writeUInt16BE(item, size);
    } else {
      size = bytes.writeUInt32BE(item.under, bytes.writeUInt32BE(item.over, size));
    }
  }
  return { type: typeof value[0] === 'number' ? 3 : 5, count: value.length, bytes: bytes.subarray(0, size) };
}

/** An uncompressed RGB TIFF file with the metadata of a phone, with the given orientation. */
export function tiffPhoto(width: number, height: number, orientation: number): Buffer {
  const pixels = Buffer.alloc(width * height * 3, 0x5a);
  const fields = (stripAt: number): Field[] => [
    [0x100, [width]],
    [0x101, [height]],
    [0x102, [8, 8, 8]],
    [0x103, [1]],
    [0x106, [2]],
    [0x10f, 'Acme Cameras'],
    [0x111, [stripAt]],
    [0x112, [orientation]],
    [0x115, [3]],
    [0x116, [height]],
    [0x117, [pixels.length]],
    [0x13b, 'Jane Doe'],
    [
      0x2bc,
      Buffer.from('<x:xmpmeta xmlns:x="adobe:ns:meta/"><photoshop:City>London</photoshop:City></x:xmpmeta>'),
    ],
    [0x8769, { fields: [[0x9003, '2020:05:17 10:11:12']] }],
    [0x8825, GPS],
  ];
  const size = tiffBlock({ fields: fields(0) }).length;
  return Buffer.concat([tiffBlock({ fields: fields(size) }), pixels]);
}
