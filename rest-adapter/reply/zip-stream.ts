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
import { createZipNames } from './zip-names.js';

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
