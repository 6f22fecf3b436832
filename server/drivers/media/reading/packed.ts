import { stat } from 'node:fs/promises';
import { ArchiveGuard } from '../archive/guard.js';
import { zipFiles } from '../archive/zip.js';
import type { Gathered } from './gathered.js';
import { spentMs } from './spent.js';
import { wordsOfXml, type XmlText } from './xml-words.js';

/** Far more than a document has, and little enough to be looked through in time. */
const LIMITS = {
  entries: 20_000,
  entryBytes: 1024 * 1024 * 1024,
  totalBytes: 2 * 1024 * 1024 * 1024,
  ratio: 1_000,
};

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Of the formats of Microsoft Office. */
const OFFICE: XmlText = { counts: { t: true }, parts: set('p si br cr tab') };

/** Of spreadsheets: also the value of a cell, unless it is the number of a text that stands elsewhere. */
function spreadsheet(): XmlText {
  let isValue = false;
  return {
    counts: { t: true },
    parts: set('si c row'),
    decide: (name, attributes) => {
      if (name === 'c')
        isValue = !attributes.some(({ name, value }) => name === 't' && /^[sbe]$/.test(value));
      return name === 'v' ? isValue : undefined;
    },
  };
}

const OPEN_DOCUMENT: XmlText = {
  counts: { p: true, h: true, 'binary-data': false, script: false },
  parts: set('p h s tab line-break list-item table-cell'),
};

const BOOK: XmlText = {
  counts: { body: true, script: false, style: false, svg: false },
  parts: set('body p div br h1 h2 h3 h4 h5 h6 li dt dd td th tr blockquote pre section aside figcaption hr'),
};

/** Which files of a package have text, and how it stands in them. */
interface Package {
  readonly has: RegExp;
  readonly form: () => XmlText;
}

const openDocument: Package = { has: /^content\.xml$/, form: () => OPEN_DOCUMENT };

/** The packages that are read, by the extension under which they are stored. */
export const PACKAGES: Readonly<Record<string, Package>> = {
  docx: {
    has: /^word\/(?:document|(?:header|footer)\d*|footnotes|endnotes|comments)\.xml$/,
    form: () => OFFICE,
  },
  xlsx: { has: /^xl\/(?:sharedStrings|worksheets\/[^/]+|comments\d*)\.xml$/, form: spreadsheet },
  pptx: { has: /^ppt\/(?:slides|notesSlides)\/[^/]+\.xml$/, form: () => OFFICE },
  odt: openDocument,
  ods: openDocument,
  odp: openDocument,
  epub: { has: /\.x?html?$/i, form: () => BOOK },
};

/** Reads the text of a package. A damaged or hostile one throws; what was read before stays in `text`. */
export async function readPackage(
  path: string,
  { has, form }: Package,
  text: Gathered,
  until: number,
): Promise<void> {
  const guard = new ArchiveGuard(LIMITS, (await stat(path)).size);
  for await (const file of zipFiles(path, guard)) {
    if (!has.test(file.path)) continue;
    await wordsOfXml(file.content, form(), text, until);
    if (!text.add('\n') || spentMs() > until) return;
  }
}
