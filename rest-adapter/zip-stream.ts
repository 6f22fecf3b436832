import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createZipNames } from './zip-names.js';

/** An entry's name (any text; `/` separates folders), modification time, and size in bytes if known in advance. */
export interface ZipEntry {
  readonly name: string;
  readonly mtime: Date;
  readonly size?: number;
}

/** An entry whose content is already open; the receiver must read or destroy it. */
export interface OpenEntry extends ZipEntry {
  readonly content: Readable;
}

/** A zip being written. */
export interface ZipStream {
  /** Emits `error` if an entry cannot be read; destroying it stops the reading of entries. */
  readonly output: Readable;
  /** Adds an entry under a name that can be unpacked everywhere; its stream is opened only when it is written. */
  add(entry: ZipEntry, open: () => Promise<Readable>): void;
  /** Finishes the zip. Returns its total length in bytes if the size of each entry is known. */
  end(): Promise<number>;
}

/**
 * Creates a zip that is written while it is read, one entry after the other. Entries are not compressed,
 * because media already is. No stream stays open, however the zip ends.
 */
export async function openZip(): Promise<ZipStream> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const nameOf = createZipNames();
  let reading: Readable | null = null;
  // Reading starts with the first entry, before anyone may listen to the output.
  output.on('error', () => undefined);
  output.once('close', () => reading?.destroy());
  zip.on('error', (error: Error) => output.destroy(error));
  return {
    output,
    add: ({ name, ...entry }, open) => {
      zip.addReadStreamLazy(nameOf(name), { ...entry, compress: false, mode: 0o100644 }, (take) => {
        open().then(
          (stream) => {
            reading = stream;
            // The library only forwards the bytes and ignores errors.
            stream.once('error', (error) => output.destroy(error));
            if (output.destroyed) stream.destroy();
            else take(null, stream);
          },
          (error: Error) => output.destroy(error),
        );
      });
    },
    // Forces the zip64 end record: otherwise the library counts its 76 bytes for a 64 KiB directory without
    // writing it.
    end: () =>
      new Promise((resolve) => zip.end({ forceZip64Format: true, comment: '' }, resolve as () => void)),
  };
}

/**
 * A zip of entries in their order. The next entry is requested only when the previous one has been read, so
 * nothing is opened or buffered in advance. An error destroys the zip, so that an incomplete one never looks
 * complete.
 */
export async function zipOf(entries: AsyncIterable<OpenEntry>): Promise<Readable> {
  const zip = await openZip();
  fill(zip, entries).catch((error: Error) => zip.output.destroy(error));
  return zip.output;
}

async function fill(zip: ZipStream, entries: AsyncIterable<OpenEntry>): Promise<void> {
  // One variable for all entries: the library keeps every `open` callback until the end, which would keep the
  // entries.
  let content = Readable.from([]);
  zip.output.once('close', () => content.destroy());
  for await (const entry of entries) {
    content = entry.content;
    if (zip.output.destroyed) content.destroy();
    else zip.add(entry, async () => content);
    await finished(content);
  }
  await zip.end();
}
