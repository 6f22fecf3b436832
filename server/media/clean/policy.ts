import type { MetadataPolicy } from '../../../routers/ports/media.js';
import type { Edit } from '../edits.js';
import type { ByteSource } from '../source.js';

/** The metadata to remove; `keep` never reaches a cleaner. */
export type Removal = Exclude<MetadataPolicy, 'keep'>;

/** Finds the edits that remove metadata from one format; empty if nothing has to change. */
export type Cleaner = (source: ByteSource, removal: Removal) => Promise<Edit[]>;

const PLACE_NAMES = /gps|latitude|longitude|location|\bcity|country|\bstate|province|\bgeo:/i;
/** Prefixes of IPTC records of a place (city, region, country ...), and the EXIF resource in Photoshop's blocks. */
const PLACE_RECORDS = [
  ...[0x1a, 0x1b, 0x5a, 0x5c, 0x5f, 0x64, 0x65].map((record) => Buffer.from([0x1c, 2, record])),
  Buffer.from('8BIM\x04\x22'),
];

/**
 * Whether a metadata packet names a place. With `location`, such a packet is removed as a whole: removing single
 * properties would rely on every writer naming them alike.
 */
export const namesPlace = (packet: Buffer): boolean =>
  PLACE_NAMES.test(packet.toString('latin1')) || PLACE_RECORDS.some((record) => packet.includes(record));
