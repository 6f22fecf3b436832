import type { FormatName } from '../../../../../routers/base/ports/media/formats.js';
import { type Ifd, readIfd, readLayout, readNumbers, readText, TAG, type TiffLayout } from '../../ifd.js';
import type { ByteSource } from '../../source.js';
import { type Details, displayed, named } from '../format.js';

/** Compression codes that only cameras use: Sony, Samsung, Kodak, Nikon, Pentax and the lossy form of DNG. */
const CAMERA_COMPRESSIONS = [
  262, 32767, 32769, 32770, 32772, 32867, 34713, 34718, 34892, 65000, 65024, 65535,
];
/** Colour filter array, and the values of a sensor after demosaicing. */
const SENSOR_PICTURES = [32803, 34892];
/** Tags that only unprocessed photographs have: filter pattern, Leaf's and Kodak's directories. */
const SENSOR_TAGS = [0x828d, 0x828e, 0x8606, 0xfe00];
const MAX_IFDS = 32;

/** Whether these are the first bytes of a raw photograph that is no TIFF structure. */
export const hasMagic =
  (magic: string) =>
  (head: Buffer): boolean =>
    head.toString('latin1', 0, magic.length) === magic;

/** The types of one maker. The first whose models match is assumed; the file's name may choose another of them. */
interface Family {
  readonly make: RegExp;
  readonly types: readonly (readonly [extension: FormatName, models?: RegExp])[];
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
  const marked: FormatName | null =
    layout.variant ?? (mark.startsWith('CR\x02') ? 'cr2' : /^(IIII|MMMM)/.test(mark) ? 'iiq' : null);
  if (marked === null && !isRaw(found)) return null;
  const type = typeOf(found, marked, /\.([a-z0-9]+)$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? '');
  return {
    ...displayed(found.width, found.height, found.orientation),
    ...(type === null ? {} : { format: named(type) }),
  };
}

const isRaw = (found: Traits): boolean =>
  found.dng ||
  found.sensor ||
  (found.makerNote && found.subPictures > 0) ||
  (found.thumbnailFirst && found.fullSubPicture && familyOf(found.make) !== undefined);

const familyOf = (make: string) => FAMILIES.find((family) => family.make.test(make));

function typeOf({ make, model, dng }: Traits, marked: FormatName | null, claimed: string): FormatName | null {
  const types = familyOf(make)?.types ?? [];
  if (marked !== null && marked !== 'rw2') return marked;
  const chosen = types.find(([type]) => type === claimed);
  if (chosen !== undefined) return chosen[0];
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
