import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import decompress from 'decompress';
import { type ArchiveEntry, ArchiveRefused } from '../../../../routers/base/ports/media/archives.js';
import { mayBeMedia, namesMedia } from '../../../../routers/core/items/file-names.js';
import { SNIFF_BYTES, sniff } from '../sniff.js';
import { bufferSource, withFile } from '../source.js';
import type { ArchivedFile } from './file.js';
import { ArchiveGuard, type ArchiveLimits } from './guard.js';
import { type TarWrap, tarFiles } from './tar.js';
import { isTarHeader } from './tar-header.js';
import { zipFiles } from './zip.js';

/** The result of unpacking an archive into a folder. */
export interface Extracted {
  readonly entries: readonly ArchiveEntry[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/** A zip that starts later is not looked for. */
const PREFIX_BYTES = 64 * 1024;
const ARCHIVES = /zip|tar|gzip|bzip|7z|rar|x-xz|zstd|compress|lz|java-archive/;

/**
 * Unpacks the media files of an archive into `folder`, with memory that does not depend on the archive size. Throws
 * `ArchiveRefused` if it is not an archive, is damaged or exceeds a limit; files written until then stay in the
 * folder.
 */
export async function extractMedia(path: string, folder: string, limits: ArchiveLimits): Promise<Extracted> {
  const guard = new ArchiveGuard(limits, (await stat(path)).size);
  const entries: ArchiveEntry[] = [];
  const skipped: { path: string; reason: string }[] = [];
  try {
    for await (const file of await filesOf(path, guard)) {
      // Numbers, because names may repeat, be too long for this file system, or not be there at all.
      const name = String(entries.length);
      const reason = await place(file, folder, name);
      if (reason === null) entries.push({ path: file.path, file: join(folder, name) });
      else skipped.push({ path: file.path, reason });
    }
  } catch (error) {
    refuseDamaged(error);
  }
  if (entries.length === 0) throw new ArchiveRefused('the archive contains no images, videos or audio files');
  return { entries, skipped };
}

/** File system errors are ours; all others come from reading the archive. */
export function refuseDamaged(error: unknown): never {
  if (error instanceof ArchiveRefused || (error instanceof Error && 'syscall' in error)) throw error;
  throw new ArchiveRefused('the archive is damaged');
}

async function filesOf(path: string, guard: ArchiveGuard): Promise<AsyncIterable<ArchivedFile>> {
  const form = await archiveForm(path);
  return form === 'zip' ? zipFiles(path, guard) : tarFiles(path, form, guard);
}

/** What kind of archive a file is, by its content: a zip, or how its tar is compressed. */
export async function archiveForm(path: string): Promise<'zip' | TarWrap> {
  const head = await withFile(path, (source) => source.read(0, 512));
  const magic = head.toString('latin1', 0, 4);
  if (magic === 'PK\x03\x04' || magic === 'PK\x05\x06') return 'zip';
  if (magic.startsWith('\x1f\x8b\x08')) return 'gzip';
  if (/^BZh[1-9]$/.test(magic)) return 'bzip2';
  if (isTarHeader(head)) return 'none';
  // Some programs write something in front of a zip; behind a picture it is a picture.
  if (await isPrefixed(path)) return 'zip';
  throw new ArchiveRefused('the file is not a zip, tar, tar.gz or tar.bz2 archive');
}

/** Whether a zip follows within the first bytes of something that is not a file of its own. */
async function isPrefixed(path: string): Promise<boolean> {
  const start = await withFile(path, (source) => source.read(0, PREFIX_BYTES));
  if (start.indexOf('PK\x03\x04', 0, 'latin1') < 0) return false;
  const { kind, mimeType } = await sniff(bufferSource(start));
  return kind === 'other' && !ARCHIVES.test(mimeType);
}

/** Writes a file into the folder, or returns why it is skipped. */
async function place(file: ArchivedFile, folder: string, name: string): Promise<string | null> {
  if (file.isJunk) return 'left by a file manager';
  if (file.path === '') return 'its name cannot be used';
  if (file.size === 0) return 'empty';
  const chunks = file.content[Symbol.asyncIterator]();
  const start: Buffer[] = [];
  let known = 0;
  while (known < SNIFF_BYTES) {
    const { value, done } = await chunks.next();
    if (done) break;
    start.push(value);
    known += value.length;
  }
  const head = Buffer.concat(start);
  const format = await sniff({ ...bufferSource(head), size: file.size });
  if (format.kind === 'other' && !(namesMedia(file.path) && mayBeMedia(format, file.path, ''))) {
    while (!(await chunks.next()).done);
    return ARCHIVES.test(format.mimeType)
      ? 'an archive inside the archive'
      : 'not an image, video or audio file';
  }
  await write(name, folder, head, chunks);
  return null;
}

/**
 * Lets `decompress` write one file. Its own decoders, which hold whole archives in memory, are replaced by the
 * guarded stream; its path checks are applied after those of the guard.
 */
async function write(name: string, folder: string, head: Buffer, rest: AsyncIterator<Buffer>): Promise<void> {
  async function* data() {
    yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  }
  const entry = { path: name, type: 'file', mode: 0o600, mtime: new Date(), data: data() } as const;
  await decompress(Buffer.alloc(0), folder, { plugins: [async () => [entry]] });
}
