import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { guessDecoder } from '../../../../routers/base/text/charset.js';
import { isLeftBehind } from '../../../../routers/base/text/left-behind.js';
import type { ArchivedFile } from './file.js';
import type { ArchiveGuard } from './guard.js';
import { openSlice } from './zip-slice.js';

const STORED = 0;
const DEFLATED = 8;
const LOCAL_HEADER = 30;
/** Flag: the name is UTF-8. */
const UTF8 = 0x800;
/** Info-ZIP's extra field with the name in UTF-8. */
const UNICODE_PATH = 0x7075;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;

/** The files of a zip archive. Nothing is unpacked before the whole directory has passed the guard. */
export async function* zipFiles(archive: string, guard: ArchiveGuard): AsyncGenerator<ArchivedFile> {
  const { reader, size } = await openSlice(archive);
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false };
  const zip = await fromRandomAccessReaderPromise(reader, size, options);
  try {
    for (const { entry, raw, path } of await readDirectory(zip, guard)) {
      const size = entry.uncompressedSize;
      yield { path, isJunk: isLeftBehind(raw), size, content: readEntry(zip, entry, guard) };
    }
  } finally {
    zip.close();
  }
}

/** The files of the directory; all names are checked. */
async function readDirectory(zip: ZipFile, guard: ArchiveGuard) {
  const entries: Entry[] = [];
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    // What is junk is the same in every code page.
    guard.entry(entry.fileNameRaw.toString('latin1'));
    checkKind(entry, guard);
    guard.claims(entry.uncompressedSize);
    bytes += entry.uncompressedSize;
    guard.fits(bytes);
    entries.push(entry);
  }
  checkOverlap(entries, zip.fileSize, guard);
  const nameOf = decoderOf(entries);
  return entries
    .map((entry) => {
      const raw = nameOf(entry);
      return { entry, raw, path: guard.path(raw) };
    })
    .filter(({ raw }) => !/[/\\]$/.test(raw));
}

/**
 * Decodes the names of entries: by the UTF-8 flag, by Info-ZIP's field with the Unicode name, or by the code page that
 * fits all other names together. Windows, macOS and most older programs set neither.
 */
export function decoderOf(entries: readonly Entry[]): (entry: Entry) => string {
  const isMarked = ({ generalPurposeBitFlag, extraFields }: Entry) =>
    (generalPurposeBitFlag & UTF8) !== 0 || extraFields.some(({ id }) => id === UNICODE_PATH);
  const guess = guessDecoder(
    entries.filter((entry) => !isMarked(entry)).map(({ fileNameRaw }) => fileNameRaw),
    'dos',
  );
  return ({ generalPurposeBitFlag, fileNameRaw, extraFields }) => {
    // The field counts only with a checksum of the name, so what it says is compared with the plain reading.
    const usual = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, [], true);
    const said = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
    return said !== usual || (generalPurposeBitFlag & UTF8) !== 0 ? said : guess(fileNameRaw);
  };
}

function checkKind(entry: Entry, guard: ArchiveGuard): void {
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
  if (type !== 0 && type !== REGULAR && type !== FOLDER)
    guard.refuse('the archive contains links or devices');
  if (entry.isEncrypted()) guard.refuse('the archive is encrypted');
  const { compressionMethod: method } = entry;
  if (method !== STORED && method !== DEFLATED)
    guard.refuse('the archive uses an unsupported compression method');
}

/** Refuses entries that share bytes of the archive: that is how a small archive unpacks to a huge size. */
function checkOverlap(entries: readonly Entry[], size: number, guard: ArchiveGuard): void {
  const sorted = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  for (const [index, entry] of sorted.entries()) {
    const end =
      entry.relativeOffsetOfLocalHeader + LOCAL_HEADER + entry.fileNameLength + entry.compressedSize;
    if (end > (sorted[index + 1]?.relativeOffsetOfLocalHeader ?? size)) {
      guard.refuse('files in the archive overlap');
    }
  }
}

async function* readEntry(zip: ZipFile, entry: Entry, guard: ArchiveGuard): AsyncGenerator<Buffer> {
  const stream = await zip.openReadStreamPromise(entry);
  let sum = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    guard.count(chunk.length);
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (sum !== entry.crc32) guard.refuse('the archive is damaged');
}
