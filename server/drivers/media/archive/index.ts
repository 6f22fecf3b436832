import { rm } from 'node:fs/promises';
import type { Log } from '../../../../routers/base/ports/log.js';
import { ArchiveRefused, type Archives } from '../../../../routers/base/ports/media/archives.js';
import { MediaUnsupported } from '../../../../routers/base/ports/media/media.js';
import { TempFolder } from '../temp.js';
import { WorkerPool } from '../workers/worker-pool.js';
import { type ArchiveLimits, tooMany } from './guard.js';

export type { ArchiveLimits } from './guard.js';

/** Where archives are unpacked, and their limits. */
interface ArchiveOptions {
  /** A folder on the same disk as the blobs; created if missing. */
  readonly tempDir: string;
  readonly limits: ArchiveLimits;
  readonly log: Log;
}

const UNPACK_MS = 180_000;
/** Longer than the reading of a tar may take. */
const LIST_MS = 15_000;

/**
 * Opens archives (contract §4) one at a time in a child process with limited memory and time. `open` throws
 * `MediaBusy` if too many archives are waiting. A refused archive leaves no files behind.
 */
export function createArchives({ tempDir, limits, log }: ArchiveOptions): Archives {
  // The worker says it, and its text is recognised here.
  tooMany(limits);
  const temp = new TempFolder(tempDir);
  const workers = new WorkerPool({ workers: 1, waiting: 8, patienceMs: 60_000 });
  // A page waits for it, and shows the archive without a list if it takes too long.
  const listers = new WorkerPool({ workers: 1, waiting: 8, patienceMs: 5_000, priority: 5 });
  return {
    async list(path) {
      try {
        return await listers.run('list', { path }, LIST_MS);
      } catch (error) {
        if (!(error instanceof MediaUnsupported)) throw error;
        throw new ArchiveRefused(error.message);
      }
    },
    async open(path) {
      const folder = await temp.path('unpacked');
      const dispose = () => rm(folder, { recursive: true, force: true });
      try {
        return { ...(await workers.run('unpack', { path, folder, limits }, UNPACK_MS)), dispose };
      } catch (error) {
        await dispose();
        if (!(error instanceof MediaUnsupported)) throw error;
        log.info({ path, reason: error.message }, 'archive refused');
        throw new ArchiveRefused(error.message);
      }
    },
  };
}
