import { phoneExif } from './media-fixtures-tiff.js';

const u16 = (...values: number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])));
export const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
};
const text = (value: string) => Buffer.from(value, 'latin1');

/** A box of an ISO media file. */
export function box(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? text(part) : part)));
  return Buffer.concat([u32(body.length + 8), text(type), body]);
}

const full = (type: string, version: number, flags: number, ...parts: (Buffer | string)[]) =>
  box(type, u32((version << 24) | flags), ...parts);

/** 2020-05-17 in seconds since 1904. */
const SHOT = 3_672_554_672;
/** Where the movies of these fixtures were shot, as ISO 6709 and as its parts. */
export const PLACE = '+51.5034-000.1276/';

// One frame of 64 x 48 pixels, red on the left and blue on the right, in H.264 and in HEVC.
const AVCC = Buffer.from('AWQACv/hABhnZAAKrNlEewEQAAADABAAAAMDIPEiWWABAAZo6+ESyLD9+PgA', 'base64');
const AVC_FRAME = Buffer.from('AAAAKWWIhAAr//6EH8ClLwEdhSh053E/3VYBMoIm4oZvdN63AwvC3YNZjELd', 'base64');
const HVCC = Buffer.from(
  'AQQIAAAAn6gAAAAAHvAA/P34+AAADwOgAAEAF0ABDAH//wQIAAADAJ+oAAADAAAeugJAoQABACdCAQEECAAAAwCfqAAAAwAAHqAggxZbq5MrwFoCAAADAAIAAAMAMhCiAAEABkQBwXPAiQ==',
  'base64',
);
const HEVC_FRAME = Buffer.from('AAAAICgBr1jnebf/6Uj/8w7IdxgGP/2POZ7rLb+btir2EIGA', 'base64');

export interface MovieOptions {
  /** Major brand: `isom`, `qt  `, `M4A `. */
  readonly brand?: string;
  /** Puts the index after the media data, like cameras. */
  readonly indexLast?: boolean;
  readonly quarterTurn?: boolean;
  /** Locations, device and telemetry as phones and action cameras record them. */
  readonly metadata?: boolean;
}

const TELEMETRY = text(`DEVC GPS5 ${PLACE} telemetry`);

/** A movie of one second with one H.264 frame, and all the metadata that a camera adds. */
export function movie({
  brand = 'isom',
  indexLast = false,
  quarterTurn = false,
  metadata = true,
}: MovieOptions = {}) {
  const ftyp = box('ftyp', brand, u32(512), brand, 'mp41');
  const mdat = box('mdat', AVC_FRAME, metadata ? TELEMETRY : '');
  const index = (dataAt: number) => {
    const tracks = [videoTrack(dataAt, quarterTurn)];
    if (metadata) tracks.push(telemetryTrack(dataAt + AVC_FRAME.length));
    return box('moov', movieHeader(), ...tracks, ...(metadata ? [userData(), quickTimeTags()] : []));
  };
  const size = index(0).length;
  if (indexLast) return Buffer.concat([ftyp, mdat, index(ftyp.length + 8)]);
  return Buffer.concat([ftyp, index(ftyp.length + size + 8), mdat]);
}

const UPRIGHT = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
const TURNED = u32(0, 0x10000, 0, -0x10000, 0, 0, 48 << 16, 0, 0x40000000);

const movieHeader = () =>
  full(
    'mvhd',
    0,
    0,
    u32(SHOT, SHOT, 1000, 1000, 0x10000),
    u16(0x100),
    Buffer.alloc(10),
    UPRIGHT,
    Buffer.alloc(24),
    u32(3),
  );

function track(
  id: number,
  handler: string,
  sample: Buffer,
  size: number,
  dataAt: number,
  header: Buffer,
): Buffer {
  const table = box(
    'stbl',
    full('stsd', 0, 0, u32(1), sample),
    full('stts', 0, 0, u32(1, 1, 1000)),
    full('stsc', 0, 0, u32(1, 1, 1, 1)),
    full('stsz', 0, 0, u32(0, 1, size)),
    full('stco', 0, 0, u32(1, dataAt)),
  );
  const reference = box('dinf', full('dref', 0, 0, u32(1), full('url ', 0, 1)));
  const media = box(
    'minf',
    handler === 'vide' ? full('vmhd', 0, 1, Buffer.alloc(8)) : full('nmhd', 0, 0),
    reference,
    table,
  );
  const mdhd = full('mdhd', 0, 0, u32(SHOT, SHOT, 1000, 1000), u16(0x55c4, 0));
  const hdlr = full('hdlr', 0, 0, u32(0), handler, Buffer.alloc(12), 'Acme Snapper 9 handler\0');
  return box(
    'trak',
    full('tkhd', 0, 3, u32(SHOT, SHOT, id, 0, 1000), header),
    box('mdia', mdhd, hdlr, media),
  );
}

function videoTrack(dataAt: number, quarterTurn: boolean): Buffer {
  const compressor = Buffer.alloc(32);
  compressor.write('\x0cAcme encoder', 'latin1');
  const format = box(
    'avc1',
    Buffer.alloc(6),
    u16(1),
    Buffer.alloc(16),
    u16(64, 48),
    u32(0x480000, 0x480000, 0),
    u16(1),
    compressor,
    u16(24, 0xffff),
    box('avcC', AVCC),
  );
  const header = Buffer.concat([Buffer.alloc(16), quarterTurn ? TURNED : UPRIGHT, u32(64 << 16, 48 << 16)]);
  return track(1, 'vide', format, AVC_FRAME.length, dataAt, header);
}

const telemetryTrack = (dataAt: number) =>
  track(
    2,
    'meta',
    box('gpmd', Buffer.alloc(6), u16(1)),
    TELEMETRY.length,
    dataAt,
    Buffer.concat([Buffer.alloc(16), UPRIGHT, u32(0, 0)]),
  );

const userData = () =>
  box(
    'udta',
    box('\xa9xyz', u16(PLACE.length, 0x15c7), PLACE),
    box('\xa9mak', u16(4, 0x15c7), 'Acme'),
    box('\xa9mod', u16(9, 0x15c7), 'Snapper 9'),
  );

/** Tags in QuickTime format: a list of keys and, by number, their values. */
function quickTimeTags(): Buffer {
  const tags = {
    'com.apple.quicktime.location.ISO6709': PLACE,
    'com.apple.quicktime.make': 'Acme',
    'com.apple.quicktime.creationdate': '2020-05-17T10:11:12+0100',
  };
  const keys = Object.keys(tags).map((key) => box('mdta', key));
  const values = Object.values(tags).map((value, index) => {
    const data = box('data', u32(1, 0), value);
    return Buffer.concat([u32(data.length + 8, index + 1), data]);
  });
  return box(
    'meta',
    full('hdlr', 0, 0, u32(0), 'mdta', Buffer.alloc(13)),
    full('keys', 0, 0, u32(keys.length), ...keys),
    box('ilst', ...values),
  );
}

/** What can be different about a HEIC photo. */
export interface HeicOptions {
  /** Another picture of 64 x 48 pixels in HEVC: its configuration, and its frame. */
  readonly hvcc?: Buffer;
  readonly frame?: Buffer;
  /** More property boxes of the picture, such as `colr` and `clap`. */
  readonly properties?: readonly Buffer[];
}

/**
 * A HEIC photo of 64 x 48 coded pixels, displayed with a quarter turn, with EXIF (location and device) and
 * XMP.
 */
export function heicPhoto({ hvcc = HVCC, frame = HEVC_FRAME, properties = [] }: HeicOptions = {}): Buffer {
  const exif = Buffer.concat([u32(0), phoneExif(6)]);
  const xmp = text('<x:xmpmeta xmlns:x="adobe:ns:meta/"><photoshop:City>London</photoshop:City></x:xmpmeta>');
  const items = [frame, exif, xmp];
  const shown = [...properties, box('irot', Buffer.from([3]))];
  const infe = (id: number, type: string, ...more: string[]) =>
    full('infe', 2, 0, u16(id, 0), type, '\0', ...more);
  const ftyp = box('ftyp', 'heic', u32(0), 'mif1', 'heic');
  const meta = (dataAt: number) => {
    let at = dataAt;
    const locations = items.map((item, index) => {
      const entry = Buffer.concat([u16(index + 1, 0, 1), u32(at, item.length)]);
      at += item.length;
      return entry;
    });
    return full(
      'meta',
      0,
      0,
      full('hdlr', 0, 0, u32(0), 'pict', Buffer.alloc(13)),
      full('pitm', 0, 0, u16(1)),
      full('iloc', 0, 0, Buffer.from([0x44, 0]), u16(items.length), ...locations),
      full('iinf', 0, 0, u16(3), infe(1, 'hvc1'), infe(2, 'Exif'), infe(3, 'mime', 'application/rdf+xml\0')),
      full('iref', 0, 0, box('cdsc', u16(2, 1, 1)), box('cdsc', u16(3, 1, 1))),
      box(
        'iprp',
        box('ipco', box('hvcC', hvcc), full('ispe', 0, 0, u32(64, 48)), ...shown),
        full(
          'ipma',
          0,
          0,
          u32(1),
          u16(1),
          Buffer.from([2 + shown.length, 0x81, 2, ...shown.map((_, index) => 0x83 + index)]),
        ),
      ),
    );
  };
  const size = meta(0).length;
  return Buffer.concat([ftyp, meta(ftyp.length + size + 8), box('mdat', ...items)]);
}
