import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MetadataPolicy } from '../../../routers/base/ports/media/media.js';
import { createMedia } from '../../../server/drivers/media/index.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { exiftool, halves, jpegPhoto, mediaFolder, tiffPhoto } from '../../support/media/media-fixtures.js';
import {
  CANON_SETTINGS,
  cr3Photo,
  MAKER_NOTE,
  orfPhoto,
  type RawLayout,
  rafPhoto,
  rawPhoto,
  rw2Photo,
  SECONDS,
} from '../../support/media/media-fixtures-raw.js';
import { tiffBlock } from '../../support/media/media-fixtures-tiff.js';

const folder = await mediaFolder();
const media = createMedia({ tempDir: `${folder.root}/temp`, log: createLogs('silent').log });

async function clean(bytes: Buffer, policy: MetadataPolicy): Promise<{ path: string; bytes: Buffer }> {
  const path = await folder.put(bytes);
  const { path: made } = await media.clean(path, await media.probe(path), policy);
  return { path: made ?? path, bytes: await readFile(made ?? path) };
}

const cameras: readonly (readonly [type: string, make: string, model: string, layout: RawLayout])[] = [
  ['nef', 'NIKON CORPORATION', 'NIKON D5300', 'filter array'],
  ['nrw', 'NIKON', 'COOLPIX P7700', 'maker note'],
  ['arw', 'SONY', 'ILCE-7M3', 'filter array'],
  ['sr2', 'SONY', 'DSC-R1', 'filter array'],
  ['srf', 'SONY', 'DSC-F828', 'main picture'],
  ['pef', 'PENTAX Corporation', 'PENTAX K10D', 'compression'],
  ['pef', 'RICOH IMAGING COMPANY, LTD.', 'PENTAX K-1', 'maker note'],
  ['srw', 'SAMSUNG', 'NX300', 'filter array'],
  ['3fr', 'Hasselblad', 'X1D', 'maker'],
  ['dcr', 'EASTMAN KODAK COMPANY', 'DCS Pro SLR/n', 'maker'],
  ['erf', 'SEIKO EPSON CORP.', 'R-D1', 'filter array'],
  ['mef', 'Mamiya-OP Co.,Ltd.', 'MAMIYA ZD', 'maker'],
  ['mos', 'Leaf', 'Aptus 22', 'main picture'],
  ['iiq', 'Phase One', 'P 25', 'main picture'],
  ['cr2', 'Canon', 'Canon EOS 5D', 'compression'],
  ['dng', 'Acme Cameras', 'Snapper 9', 'DNG'],
  ['dng', 'PENTAX', 'K-3', 'DNG'],
];

const types = suite('media: raw photographs are told from finished pictures, and from each other');

for (const [type, make, model, layout] of cameras) {
  types(`${make} ${model} (${layout}): ${type}, with the dimensions of the sensor`, async () => {
    const path = await folder.put(rawPhoto(make, model, layout));
    const facts = await media.probe(path);
    assert.is(facts.extension, type);
    assert.match(facts.mimeType, new RegExp(`^image/x-[a-z]+-${type}$`));
    assert.is(facts.kind, 'image');
    assert.equal([facts.width, facts.height], [4000, 6000]);
  });
}

types('the name decides only between the types of one maker', async () => {
  const path = await folder.put(rawPhoto('SONY', 'Unknown', 'filter array'));
  const typeAs = async (name: string | null) => (await media.probe(path, null, name)).extension;
  assert.is(await typeAs('DSC0001.SR2'), 'sr2');
  assert.is(await typeAs('photo.nef'), 'arw');
  assert.is(await typeAs('photo.html'), 'arw');
  assert.is(await typeAs(null), 'arw');
});

types('structures with a magic number of their own', async () => {
  const typeOf = async (bytes: Buffer) => (await media.probe(await folder.put(bytes))).extension;
  const preview = await jpegPhoto();
  assert.is(await typeOf(orfPhoto()), 'orf');
  assert.is(await typeOf(rafPhoto(preview)), 'raf');
  assert.is(await typeOf(cr3Photo(preview)), 'cr3');
  assert.is(await typeOf(rw2Photo('Panasonic', preview)), 'rw2');
  assert.is(await typeOf(rw2Photo('LEICA', preview)), 'rwl');
});

types('a raw photograph of an unknown maker stays a TIFF', async () => {
  const path = await folder.put(rawPhoto('Acme Cameras', 'Snapper 9', 'filter array'));
  assert.is((await media.probe(path)).extension, 'tif');
});

types('a finished picture of a camera is a TIFF', async () => {
  const scan = tiffBlock({
    fields: [
      [0x100, [9]],
      [0x101, [9]],
      [0x106, [2]],
      [0x10f, 'NIKON CORPORATION'],
      [0x8769, { fields: [[0x927c, Buffer.from(MAKER_NOTE)]] }],
    ],
  });
  assert.is((await media.probe(await folder.put(scan))).extension, 'tif');
  assert.not.ok((await clean(scan, 'strip')).bytes.includes(MAKER_NOTE));
  assert.not.ok((await clean(tiffPhoto(8, 8, 1), 'strip')).bytes.includes('Acme'));
});

types.run();

const cleaning = suite('media: a raw photograph loses its location and nothing else');

const photos: [string, Buffer][] = [
  ...cameras.map(([type, make, model, layout]): [string, Buffer] => [
    `${type} of ${make}`,
    rawPhoto(make, model, layout),
  ]),
  ['tif of an unknown maker', rawPhoto('Acme', 'Snapper', 'filter array')],
  ['orf', orfPhoto()],
];

for (const policy of ['strip', 'location'] as const) {
  for (const [name, original] of photos) {
    cleaning(`${policy}: ${name}`, async () => {
      const cleaned = await clean(original, policy);
      const found = Object.keys((await exiftool(cleaned.path)) ?? {});
      assert.equal(
        found.filter((tag) => /gps/i.test(tag)),
        [],
      );
      assert.ok(cleaned.bytes.includes('SN-4711'));
      assert.is(cleaned.bytes.includes(MAKER_NOTE), original.includes(MAKER_NOTE));
      assert.is(cleaned.bytes.length, original.length);
      const again = await clean(cleaned.bytes, policy);
      assert.ok(again.bytes.equals(cleaned.bytes));
    });
  }

  cleaning(`${policy}: the location in an embedded JPEG, with its XMP and IPTC`, async () => {
    const preview = await jpegPhoto();
    for (const original of [rafPhoto(preview), rw2Photo('Panasonic', preview), cr3Photo(preview)]) {
      const cleaned = await clean(original, policy);
      const found = Object.keys((await exiftool(cleaned.path)) ?? {});
      assert.equal(
        found.filter((tag) => /gps|city/i.test(tag)),
        [],
      );
      assert.not.ok(cleaned.bytes.includes('photoshop:City'));
      assert.ok(cleaned.bytes.includes('SN-4711'));
      assert.is(cleaned.bytes.length, original.length);
      assert.ok((await clean(cleaned.bytes, policy)).bytes.equals(cleaned.bytes));
    }
  });

  cleaning(`${policy}: the directory of the place in a photograph of Panasonic and of Canon`, async () => {
    const preview = await halves(8, 8).jpeg().toBuffer();
    const seconds = { panasonic: SECONDS, canon: Buffer.from(SECONDS).swap32() };
    const panasonic = rw2Photo('Panasonic', preview);
    const canon = cr3Photo(preview);
    assert.ok(panasonic.includes(seconds.panasonic) && canon.includes(seconds.canon));
    assert.not.ok((await clean(panasonic, policy)).bytes.includes(seconds.panasonic));
    const { bytes } = await clean(canon, policy);
    assert.not.ok(bytes.includes(seconds.canon) || bytes.includes('London'));
    for (const kept of [...CANON_SETTINGS, preview, Buffer.from('sensor data')])
      assert.is(bytes.indexOf(kept), canon.indexOf(kept));
    assert.is(bytes.lastIndexOf(preview), canon.lastIndexOf(preview));
  });

  cleaning(`${policy}: a packet of Canon that is too long to be searched, as a whole`, async () => {
    const long = Buffer.from(`<?xpacket begin=""?>${' '.repeat(1 << 20)}<photoshop:City>Leeds`);
    const { bytes } = await clean(cr3Photo(await halves(8, 8).jpeg().toBuffer(), long), policy);
    assert.not.ok(bytes.includes('Leeds'));
  });
}

cleaning('keep: every byte', async () => {
  for (const [name, original] of photos) {
    assert.ok((await clean(original, 'keep')).bytes.equals(original), name);
  }
});

const GEO_TAGS = [33550, 33920, 33922, 34264, 34735, 34736, 34737];

cleaning('location: a map loses where it lies, with `strip` all else too', async () => {
  const map = tiffBlock({
    fields: [
      [0x100, [9]],
      [0x101, [9]],
      [0x106, [2]],
      [0x131, 'Acme Maps'],
      ...GEO_TAGS.map((tag) => [tag, Buffer.from('WGS-84 51.5034')] as const),
      [42112, '<GDALMetadata><Item name="CITY">London</Item></GDALMetadata>'],
    ],
  });
  const placeless = (await clean(map, 'location')).bytes;
  assert.not.ok(placeless.includes('51.5034') || placeless.includes('London'));
  assert.ok(placeless.includes('Acme Maps'));
  assert.not.ok((await clean(map, 'strip')).bytes.includes('Acme'));
});

cleaning.after(folder.remove);
cleaning.run();
