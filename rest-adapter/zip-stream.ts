import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createZipNames } from './zip-names.js';

/** What an entry is called, in any words (`/` begins a folder's content), when it was made, and its size in bytes where that is known beforehand. */
export interface ZipEntry {
  readonly name: string;
  readonly mtime: Date;
  readonly size?: number;
}

/** An entry whose content is open already; whoever gets it reads or destroys it. */
export interface OpenEntry extends ZipEntry {
  readonly content: Readable;
}

/** A zip in the making. */
export interface ZipStream {
  /** Emits `error` when an entry cannot be read; whoever destroys it ends the reading of entries. */
  readonly output: Readable;
  /** Adds an entry under a name that can be unpacked everywhere; its stream is opened when it is its turn. */
  add(entry: ZipEntry, open: () => Promise<Readable>): void;
  /** No more entries follow. Answers the length of the whole in bytes when the size of each entry is known. */
  end(): Promise<number>;
}

/**
 * Begins a zip that is written while it is read, one entry after the other, uncompressed: media is compressed already.
 * No stream stays open behind it, however it ends.
 */
export async function openZip(): Promise<ZipStream> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const nameOf = createZipNames();
  let reading: Readable | null = null;
  // Entries are read from the first one added on, when nobody may listen to the output yet.
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
            // The library passes the bytes on and listens to nothing else.
            stream.once('error', (error) => output.destroy(error));
            if (output.destroyed) stream.destroy();
            else take(null, stream);
          },
          (error: Error) => output.destroy(error),
        );
      });
    },
    // Without this end the library takes a directory of 64 KiB to be 76 bytes longer than it writes it.
    end: () =>
      new Promise((resolve) => zip.end({ forceZip64Format: true, comment: '' }, resolve as () => void)),
  };
}

/**
 * A zip of entries as they come. The next one is asked for when the one before has been read, so that nothing is
 * opened or held ahead of whoever takes the zip. An error destroys it: half a zip never looks whole.
 */
export async function zipOf(entries: AsyncIterable<OpenEntry>): Promise<Readable> {
  const zip = await openZip();
  fill(zip, entries).catch((error: Error) => zip.output.destroy(error));
  return zip.output;
}

async function fill(zip: ZipStream, entries: AsyncIterable<OpenEntry>): Promise<void> {
  // One variable for all of them: the library keeps what opens an entry until the end, and so would keep the entry.
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
