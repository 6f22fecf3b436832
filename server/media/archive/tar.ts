import { createReadStream } from 'node:fs';
import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import bunzip2 from 'unbzip2-stream';
import type { ArchivedFile } from './file.js';
import type { ArchiveGuard } from './guard.js';

/** How the tar is wrapped. */
export type TarWrap = 'none' | 'gzip' | 'bzip2';

const LINKS: readonly unknown[] = ['link', 'symlink'];
const FILES: readonly unknown[] = ['file', 'contiguous-file'];

/** The files of a tar archive in one pass; every byte that comes out of the wrapping is counted first. */
export async function* tarFiles(
  path: string,
  wrap: TarWrap,
  guard: ArchiveGuard,
): AsyncGenerator<ArchivedFile> {
  const entries = extract();
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        guard.count(chunk.length);
        done(null, chunk);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  const reading = pipeline(createReadStream(path), unwrap(wrap), counter, entries);
  // The error also ends the loop below; this keeps it from counting as unhandled until then.
  reading.catch(() => undefined);
  for await (const entry of entries) {
    const file = checkEntry(entry.header, guard);
    if (file !== null)
      yield {
        path: file,
        size: entry.header.size ?? 0,
        content: entry as AsyncIterable<unknown> as AsyncIterable<Buffer>,
      };
    entry.resume();
  }
  await reading;
}

function unwrap(wrap: TarWrap): Transform {
  if (wrap === 'gzip') return createGunzip();
  return wrap === 'none' ? new PassThrough() : (bunzip2() as unknown as Transform);
}

/** The path of a regular file, null for a folder; everything else refuses the archive. */
function checkEntry({ name, type, size, linkname }: Header, guard: ArchiveGuard): string | null {
  guard.entry();
  if (LINKS.includes(type) || linkname) guard.refuse('the archive holds links or devices');
  if (type === 'directory') {
    guard.folder(name);
    return null;
  }
  if (!FILES.includes(type)) guard.refuse('the archive holds links or devices');
  guard.claims(size ?? 0);
  return guard.file(name);
}
