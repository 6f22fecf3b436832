import { createReadStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { bunzip2 } from './bunzip2.js';
import type { ArchivedFile } from './file.js';
import type { ArchiveGuard } from './guard.js';

/** The compression of the tar. */
export type TarWrap = 'none' | 'gzip' | 'bzip2';

const LINKS: readonly unknown[] = ['link', 'symlink'];
const FILES: readonly unknown[] = ['file', 'contiguous-file'];

/** The files of a tar archive in one pass. Every decompressed byte is counted first. */
export async function* tarFiles(
  path: string,
  wrap: TarWrap,
  guard: ArchiveGuard,
): AsyncGenerator<ArchivedFile> {
  const entries = extract();
  const reading = pipeline([...unwrapped(path, wrap, guard), entries]);
  // The error also ends the loop below; without this it would count as unhandled until then.
  reading.catch(() => undefined);
  for await (const entry of entries) {
    const file = checkEntry(entry.header, guard);
    const content = entry as AsyncIterable<unknown> as AsyncIterable<Buffer>;
    if (file !== null) yield { path: file, size: entry.header.size ?? 0, content };
    entry.resume();
  }
  await reading;
}

/** The streams from the file to the uncompressed tar. */
function unwrapped(path: string, wrap: TarWrap, guard: ArchiveGuard): (Readable | Transform)[] {
  if (wrap === 'bzip2') return [Readable.from(bunzip2(path, guard))];
  const file = createReadStream(path);
  return wrap === 'gzip' ? [file, createGunzip(), counter(guard)] : [file, counter(guard)];
}

function counter(guard: ArchiveGuard): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        guard.count(chunk.length);
        done(null, chunk);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}

/** The path of a regular file, null for a folder; anything else makes the archive refused. */
function checkEntry({ name, type, size, linkname }: Header, guard: ArchiveGuard): string | null {
  guard.entry();
  if (LINKS.includes(type) || linkname) guard.refuse('the archive contains links or devices');
  if (type === 'directory') {
    guard.folder(name);
    return null;
  }
  if (!FILES.includes(type)) guard.refuse('the archive contains links or devices');
  guard.claims(size ?? 0);
  return guard.file(name);
}
