/**
 * The file formats by the extension under which they are stored, as the domain and the pages know them. How each is
 * recognised, read, cleaned and decoded is in `server/drivers/media/formats/`, which does not compile without one of
 * them.
 */

/**
 * Who shows the stored bytes: chat applications and browsers, all browsers, few of them (pages contain a rendition), or
 * nobody, perhaps because they may contain scripts. Of a video: whether some browser plays it.
 */
type Audience = 'everybody' | 'browsers' | 'few' | 'nobody';

/** What a format is called, and who shows it. */
export interface FileFormat {
  readonly kind: 'image' | 'video' | 'audio' | 'other';
  readonly mimeType: string;
  readonly shownBy: Audience;
  /** The extensions of files that claim to be of this format. */
  readonly names: readonly string[];
  /** Another extension by which it may be asked for. */
  readonly alias?: string;
  /** How `Accept` names it, if it is not the only one of its family. */
  readonly accept?: string;
  /** How each file of it begins, one character a byte, if every program knows it by that and by nothing else. */
  readonly signature?: RegExp;
}

const image = (mimeType: string, shownBy: Audience, ...names: string[]): FileFormat => ({
  kind: 'image',
  mimeType: `image/${mimeType}`,
  shownBy,
  names,
});
const video = (mimeType: string, shownBy: Audience, ...names: string[]): FileFormat => ({
  kind: 'video',
  mimeType: `video/${mimeType}`,
  shownBy,
  names,
});
const audio = (mimeType: string, ...names: string[]): FileFormat => ({
  kind: 'audio',
  mimeType: `audio/${mimeType}`,
  shownBy: 'browsers',
  names,
});
/** A raw photograph. */
const raw = (mimeType: string, ...names: string[]): FileFormat => image(`x-${mimeType}`, 'nobody', ...names);

/** Every format that the server names itself; others have the name and type that file-type gives them. */
export const FORMATS = {
  jpg: {
    ...image('jpeg', 'everybody', 'jpg', 'jpeg', 'jpe', 'jfif'),
    alias: 'jpeg',
    signature: /^\xff\xd8/,
  },
  png: { ...image('png', 'everybody', 'png'), signature: /^\x89PNG/ },
  gif: { ...image('gif', 'everybody', 'gif'), signature: /^GIF8/ },
  webp: { ...image('webp', 'browsers', 'webp'), signature: /^RIFF.{4}WEBP/s },
  avif: image('avif', 'browsers', 'avif'),
  apng: image('apng', 'browsers', 'apng'),
  bmp: image('bmp', 'browsers', 'bmp'),
  ico: image('x-icon', 'browsers', 'ico'),
  cur: image('x-icon', 'browsers'),
  heic: { ...image('heic', 'few', 'heic'), accept: 'image/hei' },
  heif: { ...image('heif', 'few', 'heif'), accept: 'image/hei' },
  tif: { ...image('tiff', 'few', 'tif', 'tiff'), alias: 'tiff' },
  svg: image('svg+xml', 'nobody', 'svg'),
  psd: image('vnd.adobe.photoshop', 'nobody', 'psd'),
  jxl: image('jxl', 'nobody', 'jxl'),
  jp2: image('jp2', 'nobody', 'jp2'),
  jpx: image('jpx', 'nobody'),
  j2c: image('j2c', 'nobody'),
  mj2: image('mj2', 'nobody'),
  '3fr': raw('hasselblad-3fr'),
  arw: raw('sony-arw', 'arw'),
  cr2: raw('canon-cr2', 'cr2'),
  cr3: raw('canon-cr3', 'cr3'),
  crw: raw('canon-crw'),
  dcr: raw('kodak-dcr'),
  dng: raw('adobe-dng', 'dng'),
  erf: raw('epson-erf'),
  fff: raw('hasselblad-fff'),
  gpr: raw('gopro-gpr'),
  iiq: raw('phaseone-iiq'),
  k25: raw('kodak-k25'),
  kdc: raw('kodak-kdc'),
  mef: raw('mamiya-mef'),
  mos: raw('leaf-mos'),
  mrw: raw('minolta-mrw'),
  nef: raw('nikon-nef', 'nef'),
  nrw: raw('nikon-nrw'),
  orf: raw('olympus-orf'),
  pef: raw('pentax-pef'),
  raf: raw('fujifilm-raf'),
  raw: raw('panasonic-raw'),
  rw2: raw('panasonic-rw2'),
  rwl: raw('leica-rwl'),
  sr2: raw('sony-sr2'),
  srf: raw('sony-srf'),
  srw: raw('samsung-srw'),
  x3f: raw('sigma-x3f'),
  mp4: video('mp4', 'browsers', 'mp4'),
  m4v: video('x-m4v', 'browsers', 'm4v'),
  mov: video('quicktime', 'browsers', 'mov'),
  '3gp': video('3gpp', 'browsers', '3gp'),
  '3g2': video('3gpp2', 'nobody', '3g2'),
  webm: video('webm', 'browsers', 'webm', 'weba'),
  mkv: video('x-matroska', 'browsers', 'mkv'),
  ogv: video('ogg', 'browsers', 'ogv'),
  avi: video('x-msvideo', 'nobody', 'avi'),
  asf: video('x-ms-asf', 'nobody'),
  wmv: video('x-ms-wmv', 'nobody', 'wmv'),
  flv: video('x-flv', 'nobody', 'flv'),
  mpg: video('mpeg', 'nobody', 'mpg', 'mpeg'),
  mts: video('mp2t', 'nobody', 'm2ts'),
  mxf: { ...video('', 'nobody'), mimeType: 'application/mxf' },
  mp3: audio('mpeg', 'mp3'),
  m4a: audio('mp4', 'm4a'),
  aac: audio('aac', 'aac'),
  ogg: audio('ogg', 'ogg', 'oga'),
  opus: audio('ogg', 'opus'),
  flac: audio('flac', 'flac'),
  wav: audio('wav', 'wav'),
  aif: audio('aiff', 'aif', 'aiff'),
  ape: audio('ape'),
  mpc: audio('x-musepack'),
  wv: audio('wavpack'),
  amr: audio('amr', 'amr'),
  wma: { ...audio('x-ms-wma', 'wma'), shownBy: 'nobody' },
  mid: audio('midi', 'mid', 'midi'),
  txt: { kind: 'other', mimeType: 'text/plain', shownBy: 'nobody', names: [] },
  bin: { kind: 'other', mimeType: 'application/octet-stream', shownBy: 'nobody', names: [] },
} satisfies Readonly<Record<string, FileFormat>>;

/** The extension under which a format is stored. */
export type FormatName = keyof typeof FORMATS;

const all: readonly FileFormat[] = Object.values(FORMATS);
const byExtension: ReadonlyMap<string, FileFormat> = new Map(Object.entries(FORMATS));
/** Of formats that share a type, the first counts. */
const byType: ReadonlyMap<string, FileFormat> = new Map(
  all.map((format) => [format.mimeType, format] as const).reverse(),
);
const names: ReadonlySet<string> = new Set(all.flatMap((format) => format.names));
const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries<FileFormat>(FORMATS).flatMap(([name, { alias }]) =>
    alias === undefined ? [] : [[alias, name]],
  ),
);

/** The format that is stored under an extension; undefined if it is not listed. */
export const formatNamed = (extension: string): FileFormat | undefined => byExtension.get(extension);

/** Who shows content of a media type. */
export const shownBy = (mimeType: string): Audience => byType.get(mimeType)?.shownBy ?? 'nobody';

const signed = all.filter(({ signature }) => signature !== undefined);

/** Whether bytes, one character each, begin like a format that has a signature. */
export const isSigned = (head: string): boolean => signed.some(({ signature }) => signature?.test(head));

/** Whether an extension or a media type claims that a file is of a format that has a signature. */
export const claimsSignature = (extension: string, mimeType: string): boolean =>
  signed.some(
    (format) =>
      format.names.includes(extension) ||
      format.mimeType === mimeType ||
      format.names.some((name) => mimeType === `image/${name}`),
  );

/** Whether an extension claims that a file is an image, a video or sound. */
export const isMediaExtension = (extension: string): boolean => names.has(extension);

/** The extension under which a format is stored that is asked for by this one (`jpeg`). */
export const storedExtension = (extension: string): string => aliases.get(extension) ?? extension;
