import { Readable } from 'node:stream';
import {
  centralHeader,
  descriptor,
  endRecords,
  localHeader,
  StoredBlocks,
  type WrittenEntry,
  zipBytes,
} from './zip-format.js';

/** Longer names, in bytes, cannot be unpacked everywhere; there is still room for a number that makes a name unique. */
const NAME_BYTES = 240;
/** A longer ending is not a file type. */
const EXTENSION = /.(\.[^. ]{1,15})$/u;

const FORBIDDEN = /[\p{Cc}<>:"|?*\\/]/gu;
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i;

/** One path segment in a form that every system can unpack, including Windows; keeps its extension. */
function safeName(name: string): string {
  const plain = name.toWellFormed().replace(FORBIDDEN, '_');
  const extension = EXTENSION.exec(plain)?.[1] ?? '';
  const stem = cut(
    plain.slice(0, plain.length - extension.length),
    NAME_BYTES - Buffer.byteLength(extension),
  );
  // Windows drops trailing dots and spaces, so the name could collide with another file.
  const whole = `${stem}${extension}`.replace(/[. ]$/, '_');
  return whole === '' || RESERVED.test(whole) ? `_${whole}` : whole;
}

/** The beginning of a text, at most this many bytes, without splitting a character. */
const cut = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });

/**
 * Assigns archive paths: each segment is made safe, and the file gets a number if its name is already taken.
 * Names that differ only in case count as equal.
 */
function createZipNames(): (path: string) => string {
  const taken = new Map<string, number>();
  return (path) => {
    const safe = path.split('/').map(safeName).join('/');
    const extension = EXTENSION.exec(safe)?.[1] ?? '';
    const stem = safe.slice(0, safe.length - extension.length);
    for (let number = taken.get(safe.toLowerCase()) ?? 1; ; number += 1) {
      const candidate = number === 1 ? safe : `${stem} (${number})${extension}`;
      if (taken.has(candidate.toLowerCase())) continue;
      taken.set(candidate.toLowerCase(), 2);
      taken.set(safe.toLowerCase(), number + 1);
      return candidate;
    }
  };
}

/** An entry's name (any text; `/` separates folders), modification time, and size in bytes if known in advance. */
interface ZipEntry {
  readonly name: string;
  readonly mtime: Date;
  readonly size?: number;
}

/** An entry whose content is already open; whoever receives it must read or destroy it. */
export interface OpenEntry extends ZipEntry {
  readonly content: Readable;
}

/** The length in bytes of a zip of these entries. */
export function zipLength(entries: readonly (ZipEntry & { readonly size: number })[]): number {
  const nameOf = createZipNames();
  return zipBytes(entries.map(({ name, size }) => ({ name: Buffer.from(nameOf(name)), size })));
}

/**
 * A zip of entries in their order, under names that can be unpacked everywhere, written while it is read. The next
 * entry is requested only when the previous one has been read, so nothing is opened or buffered in advance, and no
 * stream stays open, however the zip ends. An error destroys the zip, so that an incomplete one never looks complete.
 */
export function zipOf(entries: AsyncIterable<OpenEntry>): Readable {
  let content: Readable | null = null;
  const output = Readable.from(
    chunksOf(entries, (opened) => {
      content = opened;
      if (output.destroyed) opened.destroy();
    }),
    { objectMode: false },
  );
  // The generator cannot be ended while it waits for the bytes of an entry.
  output.once('close', () => content?.destroy());
  return output;
}

async function* chunksOf(
  entries: AsyncIterable<OpenEntry>,
  opened: (content: Readable) => void,
): AsyncGenerator<Buffer> {
  const nameOf = createZipNames();
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, mtime, size = null, content } of entries) {
    opened(content);
    const header = { name: Buffer.from(nameOf(name)), mtime, size };
    const local = localHeader(header);
    const blocks = new StoredBlocks(size);
    yield local;
    for await (const chunk of content)
      yield blocks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    yield blocks.end();
    const written: WrittenEntry = {
      ...header,
      crc: blocks.crc,
      size: blocks.size,
      packed: blocks.packed,
      offset,
    };
    const end = descriptor(written);
    yield end;
    offset += local.length + blocks.packed + end.length;
    directory.push(centralHeader(written));
  }
  yield* directory;
  yield endRecords(
    directory.length,
    offset,
    directory.reduce((sum, { length }) => sum + length, 0),
  );
}
