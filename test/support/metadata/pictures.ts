import { animation, halves } from '../media/media-fixtures.js';
import type { Row } from './row.js';
import { DATE, DEVICE, LATITUDE, LONGITUDE, PERSON, PLACE, PLACE_PAIR } from './telltales.js';
import { heif, heifPixels, pixels, tagged } from './tools.js';

/** Arguments for exiftool, by carrier. */
export const EXIF = [
  `-EXIF:GPSLatitude=${LATITUDE}`,
  '-EXIF:GPSLatitudeRef=N',
  `-EXIF:GPSLongitude=${LONGITUDE}`,
  '-EXIF:GPSLongitudeRef=E',
  `-EXIF:GPSAreaInformation=${PLACE}`,
  `-EXIF:Model=${DEVICE}`,
  `-EXIF:Artist=${PERSON}`,
  `-EXIF:DateTimeOriginal=${DATE}`,
];
/** Place and person as an XMP packet. */
export const XMP = [
  `-XMP:City=${PLACE}`,
  `-XMP:GPSLatitude=${LATITUDE}`,
  `-XMP:Creator=${PERSON}`,
  `-XMP:Model=${DEVICE}`,
  `-XMP:CreateDate=${DATE}`,
];
const IPTC = [`-IPTC:City=${PLACE}`, `-IPTC:By-line=${PERSON}`, `-IPTC:Headline=${DEVICE}`];
const COMMENT = [`-Comment=GPS ${PLACE_PAIR} ${DEVICE} ${PERSON}`];

/** Bytes behind the end of a file, as editors and phones leave them. */
export const TRAILER = Buffer.from(`\0\0trailer GPS ${PLACE_PAIR} ${DEVICE}`, 'latin1');

const plain = {
  jpg: () => halves(64, 48).jpeg().toBuffer(),
  png: () => halves(64, 48).png().toBuffer(),
  webp: () => halves(64, 48).webp().toBuffer(),
  gif: () => animation('gif'),
  tif: () => halves(64, 48).tiff().toBuffer(),
  avif: () => halves(64, 48).avif().toBuffer(),
  heic: async () => heif(await halves(64, 48).png().toBuffer(), 'heic'),
};
type Extension = keyof typeof plain;

const seen = (extension: string) => (extension === 'heic' ? heifPixels : pixels);

const written = (extension: Extension, carrier: string, tags: readonly string[]): Row => ({
  format: extension.toUpperCase(),
  carrier,
  extension,
  make: async () => tagged(await plain[extension](), extension, tags),
  same: seen(extension),
});

const trailed = (extension: Extension): Row => ({
  format: extension.toUpperCase(),
  carrier: 'bytes behind the end',
  extension,
  make: async () => {
    const bytes = await plain[extension]();
    return bytes && Buffer.concat([bytes, TRAILER]);
  },
  same: seen(extension),
});

const WITH_EXIF: readonly Extension[] = ['jpg', 'png', 'tif', 'avif', 'heic'];
const WITH_XMP: readonly Extension[] = [...WITH_EXIF, 'gif'];
const WITH_IPTC: readonly Extension[] = ['jpg', 'tif'];
const WITH_COMMENT: readonly Extension[] = ['jpg', 'png', 'gif'];
const WITH_END: readonly Extension[] = ['jpg', 'png', 'webp', 'gif'];

/** Photographs and drawings with the metadata that programs write into them. */
export const pictures: readonly Row[] = [
  ...WITH_EXIF.map((extension) => written(extension, 'EXIF', EXIF)),
  ...WITH_XMP.map((extension) => written(extension, 'XMP', XMP)),
  ...WITH_IPTC.map((extension) => written(extension, 'IPTC', IPTC)),
  ...WITH_COMMENT.map((extension) => written(extension, 'comment', COMMENT)),
  ...WITH_END.map(trailed),
  {
    format: 'WEBP',
    carrier: 'EXIF and XMP',
    extension: 'webp',
    make: () =>
      halves(64, 48)
        .withExif({ IFD0: { Model: DEVICE, Artist: PERSON }, IFD3: { GPSLatitude: '48/1 51/1 2952/100' } })
        .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/" photoshop:City="${PLACE}"/>`)
        .webp()
        .toBuffer(),
    same: pixels,
  },
];
