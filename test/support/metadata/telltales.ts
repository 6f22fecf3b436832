/** What a test plants in a file and searches for in every byte afterwards. */
export type Telltale = 'place' | 'device' | 'person' | 'date';

/** Where the planted photograph was taken: no other file contains this pair of numbers. */
export const LATITUDE = 48.8582;
export const LONGITUDE = 2.2945;

/** The planted texts, each distinct enough not to occur by chance. */
export const PLACE = 'Telltale-Harbour';
export const PLACE_PAIR = `${LATITUDE},${LONGITUDE}`;
export const PLACE_ISO = '+48.8582+002.2945/';
export const DEVICE = 'Telltale-Cam 9';
export const PERSON = 'Nora Telltale';
export const DATE = '2019:03:04 05:06:07';

const latin = (text: string) => Buffer.from(text, 'latin1');
const wide = (text: string) => Buffer.from(text, 'utf16le');

/** A text in one byte per character and in both forms of UTF-16. */
const written = (text: string): Buffer[] => [latin(text), wide(text), wide(text).swap16()];

/** The binary forms of a coordinate that cameras write: floating point and degrees in fractions. */
function coordinate(value: number): Buffer[] {
  const double = Buffer.alloc(8);
  double.writeDoubleBE(value);
  const float = Buffer.alloc(4);
  float.writeFloatBE(value);
  const degrees = Math.floor(value);
  const minutes = Math.floor((value - degrees) * 60);
  const fractions = Buffer.alloc(16);
  for (const [index, number] of [degrees, 1, minutes, 1].entries())
    fractions.writeUInt32BE(number, index * 4);
  return [
    double,
    Buffer.from(double).swap64(),
    float,
    Buffer.from(float).swap32(),
    fractions,
    Buffer.from(fractions).swap32(),
  ];
}

const FORMS: Readonly<Record<Telltale, readonly Buffer[]>> = {
  place: [
    ...[PLACE, PLACE_PAIR, PLACE_ISO, String(LATITUDE)].flatMap(written),
    ...coordinate(LATITUDE),
    ...coordinate(LONGITUDE),
  ],
  device: written('Telltale-Cam'),
  person: written(PERSON),
  date: ['2019:03:04', '2019-03-04'].flatMap(written),
};

/** The kinds of planted data that some byte sequence of a file still contains. */
export const found = (bytes: Buffer): Telltale[] =>
  (Object.keys(FORMS) as Telltale[]).filter((kind) => FORMS[kind].some((form) => bytes.includes(form)));
