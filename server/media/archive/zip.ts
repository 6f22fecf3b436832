import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl';
import type { ArchivedFile } from './file.js';
import type { ArchiveGuard } from './guard.js';

const STORED = 0;
const DEFLATED = 8;
const LOCAL_HEADER = 30;
/** Flag: the name is UTF-8. */
const UTF8 = 0x800;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;

/** The files of a zip archive. Nothing is unpacked before the whole directory has passed the guard. */
export async function* zipFiles(path: string, guard: ArchiveGuard): AsyncGenerator<ArchivedFile> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false });
  try {
    for (const { entry, name } of await readDirectory(zip, guard)) {
      yield { path: name, size: entry.uncompressedSize, content: readEntry(zip, entry, guard) };
    }
  } finally {
    zip.close();
  }
}

async function readDirectory(zip: ZipFile, guard: ArchiveGuard) {
  const entries: Entry[] = [];
  const files: { entry: Entry; name: string }[] = [];
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    guard.entry();
    checkKind(entry, guard);
    guard.claims(entry.uncompressedSize);
    bytes += entry.uncompressedSize;
    guard.fits(bytes);
    entries.push(entry);
    const raw = nameOf(entry);
    if (/[/\\]$/.test(raw)) guard.folder(raw);
    else files.push({ entry, name: guard.file(raw) });
  }
  checkOverlap(entries, zip.fileSize, guard);
  return files;
}

/** macOS writes UTF-8 names without the flag. Few names in the old code page happen to be valid UTF-8. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | UTF8 : generalPurposeBitFlag;
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, false);
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
