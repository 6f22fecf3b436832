import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skipping } from '../skip.js';

/** A disk in memory for one test, small enough to be filled. */
export interface SmallDisk {
  /** The root of the disk; initially empty and writable by everybody. */
  readonly folder: string;
  /** Uses up the free space, except for this many bytes. */
  fill(spare?: number): Promise<void>;
  /** Frees what `fill` has used. */
  free(): Promise<void>;
  /** Makes it read-only, or writable again. Nothing may be open for writing. */
  protect(readOnly: boolean): void;
  remove(): void;
}

const BALLAST = '.ballast';
/** Marks the process that runs in a namespace of its own. */
const INSIDE = 'HOLDALL_TEST_NAMESPACE';

/**
 * Tells whether disks can be mounted here, and prints a skip line if not. If that takes a separate namespace,
 * the test file is run again inside one, and this process exits with its exit code.
 */
export function canMount(): boolean {
  const disk = tryMount(1024 * 1024, mkdtempSync(join(tmpdir(), 'holdall-disk-')));
  disk?.remove();
  if (disk !== null) return true;
  if (process.env[INSIDE] === undefined && spawnSync('unshare', ['-rm', 'true']).status === 0) {
    const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
    const env = { ...process.env, [INSIDE]: 'true' };
    process.exit(spawnSync('unshare', ['-rm', ...again], { stdio: 'inherit', env }).status ?? 1);
  }
  skipping('no disk can be mounted here, neither directly nor with unshare -rm');
  return false;
}

/** Mounts a disk of this size, in bytes, over an empty folder: a new one, or the given one. */
export function mountDisk(bytes: number, folder = mkdtempSync(join(tmpdir(), 'holdall-disk-'))): SmallDisk {
  const disk = tryMount(bytes, folder);
  if (disk === null) throw new Error(`no disk can be mounted at ${folder}`);
  return disk;
}

function tryMount(bytes: number, folder: string): SmallDisk | null {
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=777`, 'holdall-test', folder]);
  if (mounted.status !== 0) {
    rmdirSync(folder);
    return null;
  }
  const ballast = join(folder, BALLAST);
  return {
    folder,
    fill: async (spare = 0) => {
      const file = await open(ballast, 'a');
      try {
        for (;;) {
          const { bavail, bsize } = await statfs(folder);
          const left = bavail * bsize - spare;
          if (left <= 0) return;
          // Others may use the rest meanwhile.
          const taken = await file.write(Buffer.alloc(Math.min(left, 1024 * 1024))).catch(() => null);
          if (taken === null) return;
        }
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
    protect: (readOnly) => {
      const { status, stderr } = spawnSync('mount', ['-o', `remount,bind,${readOnly ? 'ro' : 'rw'}`, folder]);
      if (status !== 0) throw new Error(String(stderr));
    },
    remove: () => {
      // Lazily: a process that was just killed may keep it busy a moment longer.
      spawnSync('umount', ['-l', folder]);
      rmdirSync(folder);
    },
  };
}
