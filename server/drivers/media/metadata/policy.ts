import { isUtf8 } from 'node:buffer';
import type { MetadataPolicy } from '../../../../routers/base/ports/media/media.js';
import type { Edit } from '../edits.js';
import type { ByteSource } from '../source.js';

/** The metadata to remove; `keep` never reaches a cleaner. */
export type Removal = Exclude<MetadataPolicy, 'keep'>;

/** Finds the edits that remove metadata from one format; empty if nothing has to change. */
export type Cleaner = (source: ByteSource, removal: Removal) => Promise<Edit[]>;

const PLACE_NAMES =
  /gps|latitude|longitude|location|\bcity|country|\bstate|province|\bgeo:|\bloc position|wgs ?84/i;
/** Two decimal degrees: with signs (ISO 6709), or in any text as a pair. */
const COORDINATES =
  /[+-]\d{2,6}\.\d+[+-]\d{3,7}\.\d|(?<![\d.])-?\d{1,2}\.\d{3,}\s?°?\s?[NS]?\s?[,;/]\s?-?\d{1,3}\.\d{3,}/;
/** Prefixes of IPTC records of a place (city, region, country ...), and the EXIF resource in Photoshop's blocks. */
const PLACE_RECORDS = [
  ...[0x1a, 0x1b, 0x5a, 0x5c, 0x5f, 0x64, 0x65].map((record) => Buffer.from([0x1c, 2, record])),
  Buffer.from('8BIM\x04\x22'),
];

/**
 * Whether a metadata packet names a place. With `location`, such a packet is removed as a whole: removing single
 * properties would rely on every writer naming them alike.
 */
export function namesPlace(packet: Buffer): boolean {
  // Half of the bytes of UTF-16 are zeros.
  const text = packet.toString('latin1').replaceAll('\0', '');
  return PLACE_NAMES.test(text) || PLACE_RECORDS.some((record) => packet.includes(record));
}

/** The same for free text, in which a place may be nothing but two numbers. Zeros end texts, or belong to UTF-16. */
export function revealsLocation(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  return namesPlace(bytes) || COORDINATES.test(text) || COORDINATES.test(text.replaceAll('\0', ''));
}

/** Whether bytes are text in UTF-8 or UTF-16, perhaps with zeros around it; what is not text is not understood. */
export function isText(bytes: Buffer): boolean {
  const compact = bytes.filter((byte) => byte !== 0);
  return isUtf8(compact) && !compact.some((byte) => byte < 9 || (byte > 13 && byte < 32));
}
