import { type Ifd, readIfd, readLayout, readNumbers, readText, TAG, type TiffLayout } from '../../ifd.js';
import type { ByteSource } from '../../source.js';
import { type Details, displayed, type Format, image } from '../format.js';

/** Compression codes that only cameras use: Sony, Samsung, Kodak, Nikon, Pentax and the lossy form of DNG. */
const CAMERA_COMPRESSIONS = [
  262, 32767, 32769, 32770, 32772, 32867, 34713, 34718, 34892, 65000, 65024, 65535,
];
/** Colour filter array, and the values of a sensor after demosaicing. */
const SENSOR_PICTURES = [32803, 34892];
/** Tags that only unprocessed photographs have: filter pattern, Leaf's and Kodak's directories. */
const SENSOR_TAGS = [0x828d, 0x828e, 0x8606, 0xfe00];
const MAX_IFDS = 32;

const raw = (extension: string, mimeType: string) => image(extension, `image/x-${mimeType}`);

/** The types of raw photographs by extension. */
export const RAW_FORMATS: Readonly<Record<string, Format>> = Object.fromEntries(
  [
    raw('3fr', 'hasselblad-3fr'),
    raw('arw', 'sony-arw'),
    raw('cr2', 'canon-cr2'),
    raw('crw', 'canon-crw'),
    raw('dcr', 'kodak-dcr'),
    raw('dng', 'adobe-dng'),
    raw('erf', 'epson-erf'),
    raw('fff', 'hasselblad-fff'),
    raw('gpr', 'gopro-gpr'),
    raw('iiq', 'phaseone-iiq'),
    raw('k25', 'kodak-k25'),
    raw('kdc', 'kodak-kdc'),
    raw('mef', 'mamiya-mef'),
    raw('mos', 'leaf-mos'),
    raw('mrw', 'minolta-mrw'),
    raw('nef', 'nikon-nef'),
    raw('nrw', 'nikon-nrw'),
    raw('orf', 'olympus-orf'),
    raw('pef', 'pentax-pef'),
    raw('raf', 'fujifilm-raf'),
    raw('raw', 'panasonic-raw'),
    raw('rw2', 'panasonic-rw2'),
    raw('rwl', 'leica-rwl'),
    raw('sr2', 'sony-sr2'),
    raw('srf', 'sony-srf'),
    raw('srw', 'samsung-srw'),
    raw('x3f', 'sigma-x3f'),
  ].map((format) => [format.extension, format]),
);

/** First bytes of raw photographs that are no TIFF structure. */
const MAGICS: readonly (readonly [magic: string, extension: string])[] = [
  ['FUJIFILMCCD-RAW', 'raf'],
  ['II\x1a\0\0\0HEAPCCDR', 'crw'],
  ['FOVb', 'x3f'],
  ['\0MRM', 'mrw'],
];

/** The type of a raw photograph that is no TIFF structure, by its first bytes; null for anything else. */
export function rawByMagic(head: Buffer): Format | null {
  const start = head.toString('latin1', 0, 16);
  const type = MAGICS.find(([magic]) => start.startsWith(magic))?.[1];
  return type === undefined ? null : (RAW_FORMATS[type] ?? null);
}

/** The types of one maker. The first whose models match is assumed; the file's name may choose another of them. */
interface Family {
  readonly make: RegExp;
  readonly types: readonly (readonly [extension: string, models?: RegExp])[];
}

const FAMILIES: readonly Family[] = [
  { make: /^nikon/i, types: [['nrw', /coolpix/i], ['nef']] },
  { make: /^sony/i, types: [['srf', /F828|DSC-V3/], ['sr2', /DSC-R1\b/], ['arw']] },
  { make: /^(pentax|ricoh|asahi)/i, types: [['pef']] },
  { make: /^samsung/i, types: [['pef', /GX-?[12]/], ['srw']] },
  { make: /^hasselblad/i, types: [['3fr'], ['fff']] },
  { make: /^imacon/i, types: [['fff']] },
  { make: /kodak/i, types: [['kdc', /DC120|DC50|EasyShare|P[78]\d\d|Z\d{3}/i], ['dcr'], ['k25']] },
  { make: /^(seiko )?epson/i, types: [['erf']] },
  { make: /^mamiya/i, types: [['mos', /leaf|aptus/i], ['mef']] },
  { make: /^leaf/i, types: [['mos']] },
  { make: /^phase ?one/i, types: [['iiq']] },
  { make: /^canon/i, types: [['cr2']] },
  { make: /^(leica|panasonic)/i, types: [['rwl'], ['rw2'], ['raw']] },
  { make: /^gopro/i, types: [['gpr']] },
];

/** What a TIFF structure says about the origin of its pictures. */
interface Traits {
  make: string;
  model: string;
  dng: boolean;
  sensor: boolean;
  makerNote: boolean;
  thumbnailFirst: boolean;
  subPictures: number;
  fullSubPicture: boolean;
  width: number;
  height: number;
  orientation: number;
}

/**
 * The type and size of a raw photograph in a TIFF structure; null if its pictures are finished ones. The structure
 * tells that it is raw and the maker tells the type; the name counts only between the types of that maker.
 */
export async function readRaw(source: ByteSource, name: string | null): Promise<Details | null> {
  const layout = await readLayout(source);
  if (layout === null) return null;
  const mark = (await source.read(8, 4)).toString('latin1');
  const found = await new TraitReader(source, layout).read();
  const marked =
    layout.variant ?? (mark.startsWith('CR\x02') ? 'cr2' : /^(IIII|MMMM)/.test(mark) ? 'iiq' : null);
  if (marked === null && !isRaw(found)) return null;
  const type = typeOf(found, marked, /\.([a-z0-9]+)$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? '');
  const format = type === null ? undefined : RAW_FORMATS[type];
  return {
    ...displayed(found.width, found.height, found.orientation),
    ...(format === undefined ? {} : { format }),
  };
}

const isRaw = (found: Traits): boolean =>
  found.dng ||
  found.sensor ||
  (found.makerNote && found.subPictures > 0) ||
  (found.thumbnailFirst && found.fullSubPicture && familyOf(found.make) !== undefined);

const familyOf = (make: string) => FAMILIES.find((family) => family.make.test(make));

function typeOf({ make, model, dng }: Traits, marked: string | null, named: string): string | null {
  const types = familyOf(make)?.types ?? [];
  if (marked !== null && marked !== 'rw2') return marked;
  if (types.some(([type]) => type === named)) return named;
  if (marked !== null) return /^leica/i.test(make) ? 'rwl' : marked;
  if (dng) return 'dng';
  return types.find(([, models]) => models === undefined || models.test(model))?.[0] ?? null;
}

class TraitReader {
  readonly #seen = new Set<number>();
  readonly #found: Traits = {
    make: '',
    model: '',
    dng: false,
    sensor: false,
    makerNote: false,
    thumbnailFirst: false,
    subPictures: 0,
    fullSubPicture: false,
    width: 0,
    height: 0,
    orientation: 1,
  };

  constructor(
    private readonly source: ByteSource,
    private readonly layout: TiffLayout,
  ) {}

  async read(): Promise<Traits> {
    for (let at = this.layout.firstIfd, first = true; at !== 0; first = false) {
      const ifd = await this.#enter(at);
      if (ifd === null) break;
      if (first) await this.#main(ifd);
      await this.#picture(ifd);
      for (const sub of await this.#pointers(ifd, TAG.subIfds)) await this.#subPicture(sub);
      await this.#exif(ifd);
      at = ifd.next;
    }
    return this.#found;
  }

  async #enter(at: number): Promise<Ifd | null> {
    if (this.#seen.has(at) || this.#seen.size >= MAX_IFDS) return null;
    this.#seen.add(at);
    return readIfd(this.source, this.layout, at);
  }

  async #main(ifd: Ifd): Promise<void> {
    this.#found.make = await readText(this.source, ifd, TAG.make);
    this.#found.model = await readText(this.source, ifd, TAG.model);
    this.#found.thumbnailFirst = ((await this.#number(ifd, TAG.subfileType)) & 1) === 1;
    const orientation = await this.#number(ifd, TAG.orientation);
    if (orientation >= 1 && orientation <= 8) this.#found.orientation = orientation;
  }

  async #subPicture(at: number): Promise<void> {
    const ifd = await this.#enter(at);
    if (ifd === null) return;
    this.#found.subPictures++;
    if (((await this.#number(ifd, TAG.subfileType)) & 1) === 0) this.#found.fullSubPicture = true;
    await this.#picture(ifd);
  }

  async #picture(ifd: Ifd): Promise<void> {
    const has = (tag: number) => ifd.entries.some((entry) => entry.tag === tag);
    if (has(TAG.dngVersion)) this.#found.dng = true;
    if (
      SENSOR_TAGS.some(has) ||
      SENSOR_PICTURES.includes(await this.#number(ifd, TAG.photometric)) ||
      CAMERA_COMPRESSIONS.includes(await this.#number(ifd, TAG.compression))
    )
      this.#found.sensor = true;
    const [width, height] = [await this.#number(ifd, TAG.width), await this.#number(ifd, TAG.height)];
    if (width * height > this.#found.width * this.#found.height)
      Object.assign(this.#found, { width, height });
  }

  async #exif(ifd: Ifd): Promise<void> {
    const directories = [ifd];
    for (const at of await this.#pointers(ifd, TAG.exifIfd)) {
      const exif = await this.#enter(at);
      if (exif !== null) directories.push(exif);
    }
    if (directories.some(({ entries }) => entries.some(({ tag }) => tag === TAG.makerNote)))
      this.#found.makerNote = true;
  }

  async #number(ifd: Ifd, tag: number): Promise<number> {
    const entry = ifd.entries.find((candidate) => candidate.tag === tag);
    return entry === undefined ? 0 : ((await readNumbers(this.source, this.layout, entry, 1))[0] ?? 0);
  }

  async #pointers(ifd: Ifd, tag: number): Promise<number[]> {
    const entry = ifd.entries.find((candidate) => candidate.tag === tag);
    return entry === undefined ? [] : readNumbers(this.source, this.layout, entry, MAX_IFDS);
  }
}
