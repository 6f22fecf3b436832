import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MediaUnsupported, type MetadataPolicy } from '../../../routers/base/ports/media/media.js';
import { cleanMovie } from '../../../server/drivers/media/formats/iso/clean/index.js';
import { createMedia } from '../../../server/drivers/media/index.js';
import { type ByteSource, bufferSource, TooManyParts } from '../../../server/drivers/media/source.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { pngChunk } from '../../../server/shared/png-chunk.js';
import {
  exiftool,
  gifPhoto,
  halves,
  heicPhoto,
  jpegPhoto,
  mediaFolder,
  movie,
  PLACE,
  pngPhoto,
  SECRETS,
  tiffPhoto,
  webmMovie,
  webpPhoto,
  XMP,
} from '../../support/media/media-fixtures.js';
import { box, u32 } from '../../support/media/media-fixtures-boxes.js';

const folder = await mediaFolder();
const media = createMedia({ tempDir: `${folder.root}/temp`, log: createLogs('silent').log });

/** The cleaned file, or the given one if nothing had to change. */
async function clean(
  bytes: Buffer,
  policy: MetadataPolicy,
): Promise<{ path: string; bytes: Buffer; changed: boolean }> {
  const path = await folder.put(bytes);
  const { path: made } = await media.clean(path, await media.probe(path), policy);
  return { path: made ?? path, bytes: await readFile(made ?? path), changed: made !== null };
}

const avifPhoto = () =>
  halves(64, 48)
    .withExif({ IFD0: { Make: 'Acme' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3/1' } })
    .withXmp(XMP)
    .avif()
    .toBuffer();

const photos: [string, () => Buffer | Promise<Buffer>][] = [
  ['JPEG', () => jpegPhoto()],
  ['PNG', () => pngPhoto()],
  ['WebP', () => webpPhoto()],
  ['GIF', gifPhoto],
  ['TIFF', () => tiffPhoto(64, 48, 6)],
  ['AVIF', avifPhoto],
  ['HEIC', heicPhoto],
  ['MP4', () => movie()],
  ['MP4 with its index at the end', () => movie({ indexLast: true })],
  ['MOV', () => movie({ brand: 'qt  ' })],
  ['WebM', webmMovie],
];

/**
 * What may remain: how the file is encoded and displayed, but nothing about who, where, when and with which
 * device.
 */
const TELLING =
  /gps|make$|model$|serial|date.?time|creat(or|ion)|artist|city|author|comment|credit|xmp|iptc|makernote|software|location|handlerdesc|compressorname|muxing|writing/i;
const TECHNICAL = /^(ExifTool|System|ICC|Composite)|DeviceM|FileModify/;

const strip = suite('media: `strip` removes everything but the picture');

for (const [name, bytes] of photos) {
  strip(`${name}: no secret remains in its bytes`, async () => {
    const cleaned = await clean(await bytes(), 'strip');
    for (const secret of SECRETS) assert.not.ok(cleaned.bytes.includes(secret), secret);
    assert.not.ok(cleaned.bytes.includes(XMP));
  });

  strip(`${name}: exiftool finds nothing revealing`, async () => {
    const found = await exiftool((await clean(await bytes(), 'strip')).path);
    const telling = Object.entries(found ?? {}).filter(([tag, value]) => {
      const empty = value === '' || value === 0 || value === '0000:00:00 00:00:00';
      return !TECHNICAL.test(tag) && TELLING.test(tag) && !empty;
    });
    assert.equal(telling, []);
  });

  strip(`${name}: type, dimensions and duration stay`, async () => {
    const original = await bytes();
    const cleaned = await clean(original, 'strip');
    assert.ok(cleaned.changed);
    assert.equal(await media.probe(cleaned.path), await media.probe(await folder.put(original)));
  });

  strip(`${name}: a cleaned file is left unchanged`, async () => {
    const once = await clean(await bytes(), 'strip');
    assert.not.ok((await clean(once.bytes, 'strip')).changed);
  });
}

strip('pixels are not changed', async () => {
  for (const [name, bytes] of photos.slice(0, 6)) {
    const original = await bytes();
    const cleaned = await clean(original, 'strip');
    const pixels = (input: Buffer) =>
      sharp(input, { animated: name === 'GIF' })
        .raw()
        .toBuffer();
    assert.ok((await pixels(original)).equals(await pixels(cleaned.bytes)), name);
  }
});

strip('the colour profile and the orientation are kept', async () => {
  for (const bytes of [await jpegPhoto(6), await pngPhoto(6)]) {
    const { icc, orientation } = await sharp((await clean(bytes, 'strip')).bytes).metadata();
    assert.ok(icc !== undefined && icc.length > 0);
    assert.is(orientation, 6);
  }
});

strip('an upright photo keeps no EXIF at all', async () => {
  for (const bytes of [await jpegPhoto(1), await pngPhoto(1), await webpPhoto(1)]) {
    assert.is((await sharp((await clean(bytes, 'strip')).bytes).metadata()).exif, undefined);
  }
});

strip('a file without metadata is not rewritten', async () => {
  for (const format of ['jpeg', 'png', 'webp', 'gif'] as const) {
    assert.not.ok((await clean(await halves(9, 9).toFormat(format).toBuffer(), 'strip')).changed, format);
  }
  assert.not.ok((await clean(movie({ metadata: false }), 'location')).changed);
});

strip('bytes after the end of a picture are removed', async () => {
  for (const bytes of [await jpegPhoto(), await pngPhoto(), await gifPhoto()]) {
    assert.ok(bytes.subarray(-6).includes('London'));
    assert.not.ok((await clean(bytes, 'strip')).bytes.includes('London'));
  }
});

strip('a truncated WebP keeps the picture data it has, and no partial metadata', async () => {
  for (const bytes of [await webpPhoto(1), await halves(300, 200).webp({ lossless: true }).toBuffer()]) {
    const picture = Math.max(bytes.indexOf('VP8 '), bytes.indexOf('VP8L'));
    const end = picture + 8 + bytes.readUInt32LE(picture + 4);
    const cut = bytes.subarray(0, end - 20);
    const cleaned = (await clean(cut, 'strip')).bytes;
    assert.ok(cleaned.subarray(-100).equals(cut.subarray(-100)));
    assert.not.ok((await clean(cleaned, 'strip')).changed);
  }
  const whole = await webpPhoto(1);
  const cut = whole.subarray(0, whole.indexOf('EXIF') + 60);
  const cleaned = (await clean(cut, 'strip')).bytes;
  assert.not.ok(cleaned.includes('EXIF'));
  assert.ok((await sharp(cleaned).raw().toBuffer()).equals(await sharp(whole).raw().toBuffer()));
});

strip('a WebP without a picture counts as damaged and is not rewritten', async () => {
  const whole = await webpPhoto(1);
  const unsized = Buffer.from(whole);
  unsized.writeUInt32LE(0, 4);
  for (const bytes of [unsized, whole.subarray(0, 30)]) {
    const told = await clean(bytes, 'strip').then(
      () => 'cleaned',
      (error: Error) => error.message,
    );
    assert.match(told, 'no picture');
  }
});

strip('a music file keeps its sound and title, but not its recording device', async () => {
  const { box, u32 } = await import('../../support/media/media-fixtures-boxes.js');
  const item = (type: string, text: string) => box(type, box('data', u32(1, 0), text));
  const tags = box(
    'ilst',
    item('\xa9nam', 'A song'),
    item('\xa9too', 'Acme Recorder'),
    item('\xa9xyz', PLACE),
  );
  const meta = box('meta', u32(0), box('hdlr', u32(0, 0), 'mdirappl', Buffer.alloc(9)), tags);
  const song = Buffer.concat([
    box('ftyp', 'M4A ', u32(0)),
    box('moov', box('udta', meta)),
    box('mdat', 'sound'),
  ]);
  const cleaned = (await clean(song, 'strip')).bytes;
  assert.ok(cleaned.includes('A song') && cleaned.includes('sound'));
  assert.not.ok(cleaned.includes('Acme') || cleaned.includes(PLACE));
});

strip.run();

const places = suite('media: `location` removes only the location');

for (const [name, bytes] of photos) {
  places(`${name}: exiftool finds no location`, async () => {
    const cleaned = await clean(await bytes(), 'location');
    const found = Object.entries((await exiftool(cleaned.path)) ?? {});
    const place = found.filter(([tag, value]) => /gps|location|city|iso6709/i.test(tag) && value !== '');
    assert.equal(place, []);
    assert.not.ok(cleaned.bytes.includes(PLACE));
  });

  places(`${name}: a cleaned file is left unchanged`, async () => {
    const once = await clean(await bytes(), 'location');
    assert.not.ok((await clean(once.bytes, 'location')).changed);
  });
}

places('the camera is kept', async () => {
  for (const [name, bytes] of photos.filter(([name]) => name !== 'GIF' && name !== 'WebM')) {
    assert.ok((await clean(await bytes(), 'location')).bytes.includes('Acme'), name);
  }
});

places('XMP and comments without a location are kept', async () => {
  const comment = Buffer.from([0xff, 0xfe, 0, 14, ...Buffer.from('Happy times!')]);
  const plain = await halves(9, 9).jpeg().toBuffer();
  const bytes = Buffer.concat([plain.subarray(0, 2), comment, plain.subarray(2)]);
  assert.not.ok((await clean(bytes, 'location')).changed);
});

places('pictures and video that follow a picture are cleaned without moving', async () => {
  const photo = (await jpegPhoto()).subarray(0, -'trailer: London'.length);
  const bytes = Buffer.concat([photo, photo, movie()]);
  const cleaned = await clean(bytes, 'location');
  assert.is(cleaned.bytes.length, bytes.length);
  assert.not.ok(cleaned.bytes.includes(PLACE) || cleaned.bytes.includes('photoshop:City'));
  const second = await folder.put(cleaned.bytes.subarray(photo.length));
  const found = Object.keys((await exiftool(second)) ?? {});
  assert.equal(
    found.filter((tag) => /gps/i.test(tag)),
    [],
  );
});

places.run();

const keep = suite('media: `keep` removes nothing');

keep('metadata and bytes stay unchanged', async () => {
  for (const [name, bytes] of photos.filter(([name]) => !name.includes('index'))) {
    assert.not.ok((await clean(await bytes(), 'keep')).changed, name);
  }
});

keep.run();

const damage = suite('media: cleaning survives any input');

damage('truncated and altered files are cleaned, left or refused, with bounded size', async () => {
  const originals = await Promise.all(photos.map(([, bytes]) => bytes()));
  const change = fc.record({
    which: fc.nat(originals.length - 1),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
    flips: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(
      change,
      fc.constantFrom('strip' as const, 'location' as const),
      async (damaged, policy) => {
        const original = Buffer.from(originals[damaged.which] ?? Buffer.alloc(0));
        for (const [at, value] of damaged.flips) original.writeUInt8(value, at % original.length);
        const bytes = original.subarray(0, Math.ceil(original.length * damaged.cut));
        const cleaned = await clean(bytes, policy).catch((error: unknown) => {
          if (error instanceof MediaUnsupported) return null;
          throw error;
        });
        assert.ok(cleaned === null || cleaned.bytes.length <= bytes.length + 64);
      },
    ),
    { numRuns: 400 },
  );
});

damage('a photo truncated inside its metadata keeps none of it', async () => {
  const photo = await jpegPhoto();
  const cut = photo.subarray(0, photo.indexOf('Acme') + 8);
  assert.not.ok((await clean(cut, 'strip')).bytes.includes('Acme'));
});

damage('a file of very many tiny parts is refused instead of parsed', async () => {
  const png = await halves(2, 2).png().toBuffer();
  const parts = Buffer.alloc(12 * 600_000, pngChunk('tEXt', Buffer.alloc(0)));
  const path = await folder.put(Buffer.concat([png.subarray(0, 33), parts, png.subarray(33)]));
  const facts = await media.probe(path);
  assert.is(facts.mimeType, 'image/png');
  const error = await media.clean(path, facts, 'strip').catch((reason: unknown) => reason);
  assert.instance(error, MediaUnsupported);
});

damage(
  'the tables of all tracks together are read only up to the number of rows of a genuine film; a file with more is refused',
  async () => {
    const full = (type: string, ...rows: Buffer[]) => box(type, u32(0), ...rows);
    const track = box(
      'trak',
      box(
        'mdia',
        full('hdlr', u32(0), Buffer.from('meta'), Buffer.alloc(12)),
        box(
          'minf',
          box(
            'stbl',
            full('stsd', u32(1), box('gpmd', Buffer.alloc(8))),
            full('stsc', u32(1), u32(1, 0, 1)),
            full('stsz', u32(0, 1, 1)),
            full('stco', u32(500_000), Buffer.alloc(4 * 500_000)),
          ),
        ),
      ),
    );
    const film = Buffer.concat([box('ftyp', 'isom', u32(0), 'isom'), box('moov', ...Array(8).fill(track))]);
    const inMemory = bufferSource(film);
    let read = 0;
    const source: ByteSource = {
      size: film.length,
      read: (offset, length) => {
        read += length;
        return inMemory.read(offset, length);
      },
    };
    const error = await cleanMovie(source, 'strip').catch((reason: unknown) => reason);
    assert.instance(error, TooManyParts);
    assert.ok(read < film.length / 2, `${read} of ${film.length} bytes read`);
  },
);

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

damage('a small file cannot demand much memory or time', async () => {
  const picture = Buffer.concat([await halves(64, 64).png().toBuffer(), Buffer.alloc(100_000)]);
  const icon = Buffer.alloc(6 + 16 * 5_000);
  icon.writeUInt16LE(1, 2);
  icon.writeUInt16LE(5_000, 4);
  for (let at = 6; at < icon.length; at += 16) {
    icon.writeUInt32LE(picture.length, at + 8);
    icon.writeUInt32LE(icon.length, at + 12);
  }
  const item = Buffer.concat([u16(1), u16(0), u16(0xffff)]);
  const iloc = box('iloc', u32(0), u16(0), u16(2_000), ...Array<Buffer>(2_000).fill(item));
  const heic = Buffer.concat([
    box('ftyp', 'heic', u32(0), 'mif1heic'),
    box('meta', u32(0), box('pitm', u32(0), u16(1)), iloc),
    box('mdat', Buffer.alloc(100)),
  ]);
  const packets = Buffer.from(`${'<x:xmpmeta '.repeat(90_000)}gps</x:xmpmeta>`);
  const resource = Buffer.concat([Buffer.from('8BIM'), u16(1), u16(0), u32(0)]);
  const resources = Buffer.concat(Array<Buffer>(100_000).fill(resource));
  const head = Buffer.alloc(26);
  head.write('8BPS');
  head.writeUInt16BE(1, 4);
  const files = {
    icon: Buffer.concat([icon, picture]),
    heic,
    packets: Buffer.concat([Buffer.from('II*\0\x08\0\0\0\0\0\0\0\0\0', 'latin1'), packets]),
    document: Buffer.concat([head, u32(0), u32(resources.length), resources, u32(0), u16(0)]),
  };
  for (const [name, bytes] of Object.entries(files))
    for (const policy of ['strip', 'location'] as const) {
      const before = process.memoryUsage().rss;
      await clean(bytes, policy).catch((error: unknown) => assert.instance(error, MediaUnsupported, name));
      const grown = (process.memoryUsage().rss - before) / 2 ** 20;
      assert.ok(grown < 300, `${name}, ${policy}: ${Math.round(grown)} MiB more`);
    }
});

/** A bitmap of one row with a header of this size, whose pixels are zeros. */
function bmp(headerSize: number, compression: number): Buffer {
  const bytes = Buffer.alloc(14 + headerSize + 64);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(14 + headerSize, 10);
  bytes.writeUInt32LE(headerSize, 14);
  bytes.writeUInt32LE(16, 18);
  bytes.writeUInt32LE(1, 22);
  bytes.writeUInt16LE(32, 28);
  if (headerSize >= 40) bytes.writeUInt32LE(compression, 30);
  return bytes;
}

damage('a bitmap keeps its pixels, also if its header does not say how long they are', async () => {
  for (const [size, compression] of [
    [16, 0],
    [40, 0],
    [40, 1],
    [64, 4],
    [108, 0],
    [124, 1],
  ] as const)
    assert.is((await clean(bmp(size, compression), 'strip')).changed, false, `${size}, ${compression}`);
});

damage.after(folder.remove);
damage.run();
