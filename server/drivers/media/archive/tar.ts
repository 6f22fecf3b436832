import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { guessDecoder } from '../../../../routers/base/text/charset.js';
import { isLeftBehind } from '../../../../routers/base/text/left-behind.js';
import { bunzip2 } from './bunzip2.js';
import { ByteReader } from './byte-reader.js';
import type { ArchivedFile } from './file.js';
import type { ArchiveGuard } from './guard.js';
import {
  BLOCK,
  isTarHeader,
  type PaxRecords,
  readPax,
  readTarHeader,
  type TarHeader,
  textAt,
} from './tar-header.js';
import { expand, readSparse } from './tar-sparse.js';

/** The compression of the tar. */
export type TarWrap = 'none' | 'gzip' | 'bzip2';

/** A header that describes the next entry may not be longer. */
const DESCRIPTION_BYTES = 4 * 1024 * 1024;

const FILES = ['0', '\0', '7', 'S'];
const FOLDERS = ['5', 'D'];
/** Links and devices, which have no content whatever size they name. */
const BARE = ['1', '2', '3', '4', '6'];
/** The name of a volume: an entry without content. */
const LABELS = ['V'];

/** What the headers in front of an entry say about it. */
interface Description {
  readonly name: string | null;
  readonly linkname: string | null;
  readonly pax: PaxRecords;
}
const NOTHING: Description = { name: null, linkname: null, pax: new Map() };

/** The files of a tar archive in one pass, in every form of the format. Every decompressed byte is counted first. */
export async function* tarFiles(
  path: string,
  wrap: TarWrap,
  guard: ArchiveGuard,
): AsyncGenerator<ArchivedFile> {
  const reader = new ByteReader(unwrapped(path, wrap, guard));
  const nameOf = createNames();
  let description = NOTHING;
  let zeros = 0;
  try {
    for (let block = await reader.take(BLOCK); block !== null; block = await reader.take(BLOCK)) {
      if (block.every((byte) => byte === 0)) {
        zeros += 1;
        continue;
      }
      // Behind the end there may be anything; another archive is read as well.
      if (zeros >= 2 && !isTarHeader(block)) break;
      zeros = 0;
      const header = readTarHeader(block);
      if ('LKxg'.includes(header.type)) {
        const data = await readDescription(reader, header);
        // One for all entries says nothing about a single one.
        if (header.type !== 'g') description = describe(description, header.type, data);
        continue;
      }
      yield* readEntry(reader, header, description, nameOf, guard);
      description = NOTHING;
    }
  } finally {
    await reader.close();
  }
}

async function readDescription(reader: ByteReader, { size }: TarHeader): Promise<Buffer> {
  if (size > DESCRIPTION_BYTES) throw new Error('too long');
  const data = await reader.take(size);
  if (data === null && size > 0) throw new Error('unexpected end');
  await reader.skip(paddingOf(size));
  return data ?? Buffer.alloc(0);
}

function describe(before: Description, type: string, data: Buffer): Description {
  const text = textAt(data, 0, data.length);
  if (type === 'L') return { ...before, name: text };
  if (type === 'K') return { ...before, linkname: text };
  return { ...before, pax: readPax(data) };
}

const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

/** The file of a header, if it is one; leaves the reader behind its content. */
async function* readEntry(
  reader: ByteReader,
  header: TarHeader,
  { name, linkname, pax }: Description,
  nameOf: (raw: string) => string,
  guard: ArchiveGuard,
): AsyncGenerator<ArchivedFile> {
  const size = pax.has('size') ? Number(pax.get('size')) : header.size;
  if (!Number.isSafeInteger(size) || size < 0) throw new Error('impossible size');
  const sparseName = pax.get('GNU.sparse.name');
  const raw = nameOf(sparseName ?? pax.get('path') ?? name ?? header.name);
  guard.entry(raw);
  const link = pax.get('linkpath') ?? linkname ?? header.linkname;
  const isFolder = FOLDERS.includes(header.type) || ('0\0'.includes(header.type) && raw.endsWith('/'));
  const path = guard.path(raw);
  const isSpecial = link !== '' || !(isFolder || FILES.includes(header.type) || LABELS.includes(header.type));
  if (isSpecial) guard.unusual('the archive contains links or devices');
  if (isSpecial || isFolder || LABELS.includes(header.type)) {
    if (header.type === 'D' || (isSpecial && !BARE.includes(header.type)))
      await reader.skip(size + paddingOf(size));
    return;
  }
  guard.claims(size);
  const sparse = await readSparse(reader, header, pax, size);
  if (sparse !== null) guard.claims(sparse.size);
  const content = resumable(sparse === null ? reader.stream(size) : expand(reader, sparse, guard));
  yield { path, isJunk: isLeftBehind(raw), size: sparse?.size ?? size, content };
  // What was not read is still in front of the next header.
  for await (const _ of content);
  await reader.skip(paddingOf(sparse?.stored ?? size));
}

/** The same bytes, of which reading continues where it stopped. */
function resumable(content: AsyncGenerator<Buffer>): AsyncIterable<Buffer> {
  const next = () => content.next();
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

/**
 * Decodes names, which are UTF-8 or, in older archives, in a code page: the one that fits all names so far. A tar is
 * read once, so later names cannot help.
 */
function createNames(): (raw: string) => string {
  const seen: Buffer[] = [];
  return (raw) => {
    const bytes = Buffer.from(raw, 'latin1');
    seen.push(bytes);
    return guessDecoder(seen, 'windows')(bytes);
  };
}

/** The uncompressed tar. */
async function* unwrapped(path: string, wrap: TarWrap, guard: ArchiveGuard): AsyncGenerator<Buffer> {
  if (wrap === 'bzip2') {
    yield* bunzip2(path, guard);
    return;
  }
  const file = createReadStream(path);
  const gunzip = wrap === 'gzip' ? createGunzip() : null;
  file.once('error', (error) => gunzip?.destroy(error));
  const stream = gunzip === null ? file : file.pipe(gunzip);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      guard.count(chunk.length);
      yield chunk;
    }
  } finally {
    file.destroy();
    stream.destroy();
  }
}
