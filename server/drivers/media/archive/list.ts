import { stat } from 'node:fs/promises';
import { type Entry, fromRandomAccessReaderPromise } from 'yauzl';
import type { ArchiveListing } from '../../../../routers/base/ports/media/archives.js';
import { isLeftBehind } from '../../../../routers/base/text/left-behind.js';
import { archiveForm, refuseDamaged } from './extract.js';
import { ArchiveGuard } from './guard.js';
import { type TarWrap, tarFiles } from './tar.js';
import { decoderOf } from './zip.js';
import { openSlice } from './zip-slice.js';

/** The most entries of a listing, folders and what file managers leave included. */
const MAX_LISTED = 1_000;
/** A tar has no directory: as much of it is read, unpacked. */
const MAX_READ_BYTES = 256 * 1024 * 1024;
/** A compressed tar takes long, and somebody waits. */
const MAX_READ_MS = 4_000;

/** As much was read as is listed. */
class Enough extends Error {}

/** Lets everything be read that would not be unpacked, and ends the reading when there is enough of it. */
class ListingGuard extends ArchiveGuard {
  readonly #until = performance.now() + MAX_READ_MS;

  constructor(archiveBytes: number) {
    super(
      {
        entries: MAX_LISTED,
        entryBytes: Number.POSITIVE_INFINITY,
        totalBytes: MAX_READ_BYTES,
        ratio: Number.POSITIVE_INFINITY,
      },
      archiveBytes,
    );
  }

  override count(bytes: number): void {
    if (performance.now() > this.#until) throw new Enough();
    super.count(bytes);
  }

  override claims(): void {}

  override unusual(): void {}

  override refuse(): never {
    throw new Enough();
  }
}

/** The files of an archive; throws `ArchiveRefused` for what is none or is damaged at its start. */
export async function listArchive(path: string): Promise<ArchiveListing> {
  try {
    const form = await archiveForm(path);
    return form === 'zip' ? await listZip(path) : await listTar(path, form);
  } catch (error) {
    refuseDamaged(error);
  }
}

/** Of a zip only the directory is read. */
async function listZip(path: string): Promise<ArchiveListing> {
  const { reader, size } = await openSlice(path);
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false };
  const zip = await fromRandomAccessReaderPromise(reader, size, options);
  try {
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      entries.push(entry);
      if (entries.length === MAX_LISTED) break;
    }
    const nameOf = decoderOf(entries);
    const guard = new ListingGuard(size);
    const named = entries.map((entry) => ({ raw: nameOf(entry), size: entry.uncompressedSize }));
    return {
      entries: named
        .filter(({ raw }) => !isLeftBehind(raw) && !/[/\\]$/.test(raw))
        .map((entry) => ({ path: guard.path(entry.raw), size: entry.size })),
      more: zip.entryCount > entries.length,
    };
  } finally {
    zip.close();
  }
}

async function listTar(path: string, form: TarWrap): Promise<ArchiveListing> {
  const entries: { path: string; size: number }[] = [];
  try {
    for await (const file of tarFiles(path, form, new ListingGuard((await stat(path)).size))) {
      if (!file.isJunk) entries.push({ path: file.path, size: file.size });
    }
    return { entries, more: false };
  } catch (error) {
    // What was read before something damaged is there all the same.
    if (error instanceof Enough || (entries.length > 0 && !isOurs(error))) return { entries, more: true };
    throw error;
  }
}

const isOurs = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
