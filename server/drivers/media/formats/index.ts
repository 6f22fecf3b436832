import type { FormatName } from '../../../../routers/base/ports/media/formats.js';
import { asf } from './asf.js';
import { taggedAudio } from './audio-tags/clean.js';
import { flacCover } from './audio-tags/covers.js';
import { bmp, cur, ico } from './bitmap/index.js';
import { cleanFlac } from './flac.js';
import type { FormatDriver } from './format.js';
import { gif } from './gif/index.js';
import { aiff, avi, wave } from './iff/index.js';
import { avif, cr3, heic, heif, j2c, jp2, jxl, m4a, mj2, mobile, mov, mp4 } from './iso/index.js';
import { jpeg } from './jpeg/index.js';
import { matroska, webm } from './matroska/index.js';
import { aac, mp3 } from './mpeg-audio/index.js';
import { ogg, opus, theora } from './ogg/index.js';
import { cleanPhotoshop } from './photoshop.js';
import { png } from './png/index.js';
import { svg } from './svg/index.js';
import { isText } from './text.js';
import { crw, mrw, raf, raw, tiff, x3f } from './tiff/index.js';
import { isTransportStream } from './transport-stream.js';
import { webp } from './webp/index.js';

/** Sound with tags of its own that programs put an ID3 tag before. */
const tagged: FormatDriver = { clean: taggedAudio(), id3Before: true };
/** Recognised by file-type, and stored as it was sent. */
const asSent: FormatDriver = {};

/** All formats, in the order in which their first bytes are looked for. */
const DRIVERS: Readonly<Record<FormatName, FormatDriver>> = {
  jpg: jpeg,
  png,
  gif,
  webp,
  svg,
  txt: { is: isText },
  avif,
  heic,
  heif,
  mp4,
  mov,
  '3gp': mobile,
  m4a,
  cr3,
  wav: wave,
  avi,
  flac: {
    ...tagged,
    is: (head) => head.toString('latin1', 0, 4) === 'fLaC',
    clean: taggedAudio(cleanFlac),
    hasCover: flacCover,
    demuxer: 'flac',
  },
  opus,
  ogv: theora,
  ogg,
  webm,
  mkv: matroska,
  mp3,
  aac,
  bmp,
  ico,
  tif: tiff,
  raf,
  crw,
  x3f,
  mrw,
  mts: { is: isTransportStream, demuxer: 'mpegts' },
  cur,
  psd: { clean: cleanPhotoshop, cleansPartly: true },
  jxl,
  jp2,
  jpx: jp2,
  j2c,
  mj2,
  aif: aiff,
  ape: tagged,
  mpc: tagged,
  wv: tagged,
  '3fr': raw,
  arw: raw,
  cr2: raw,
  dcr: raw,
  dng: raw,
  erf: raw,
  fff: raw,
  gpr: raw,
  iiq: raw,
  k25: raw,
  kdc: raw,
  mef: raw,
  mos: raw,
  nef: raw,
  nrw: raw,
  orf: raw,
  pef: raw,
  raw,
  rw2: raw,
  rwl: raw,
  sr2: raw,
  srf: raw,
  srw: raw,
  apng: asSent,
  m4v: { demuxer: 'mov' },
  '3g2': { demuxer: 'mov' },
  asf,
  wmv: { demuxer: 'asf' },
  wma: { demuxer: 'asf' },
  flv: { demuxer: 'flv' },
  mpg: { demuxer: 'mpeg' },
  mxf: { demuxer: 'mxf' },
  amr: asSent,
  mid: asSent,
  bin: asSent,
};

const drivers = new Map<string, FormatDriver>(Object.entries(DRIVERS));
const recognised = Object.entries(DRIVERS).filter(([, { is }]) => is !== undefined) as [
  FormatName,
  FormatDriver,
][];

/** What can be done with the format that is stored under an extension. */
export const driverOf = (extension: string): FormatDriver => drivers.get(extension) ?? asSent;

/** The format that a file of `size` bytes has by its first ones; null if only file-type may know it. */
export const recognise = (head: Buffer, size: number): FormatName | null =>
  recognised.find(([, driver]) => driver.is?.(head, size))?.[0] ?? null;

/** The loaders of libvips that some format needs. */
export const LOADERS: readonly string[] = [
  ...new Set(Object.values(DRIVERS).flatMap(({ decoding }) => decoding?.loaders ?? [])),
];
