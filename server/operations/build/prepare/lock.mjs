import { linkSync, mkdirSync, renameSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A holder renews its lock every second; without a renewal for this long (ms) it counts as dead. */
const STALE = 10_000;

/**
 * Runs `work` while no other process does. The lock is a file whose mtime the holder keeps renewing, so that the lock
 * of a killed process can be taken over; this also works in containers, where process IDs mean nothing.
 */
export async function underLock(path, say, work) {
  makeFolder(dirname(path));
  const silence = { time: null, since: 0 };
  for (let waited = 0; !take(path, silence); waited += 1) {
    if (waited === 4) say('waiting for another process that is installing or building');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const renew = setInterval(() => utimes(path, new Date(), new Date(), () => undefined), 1000);
  try {
    await work();
  } finally {
    clearInterval(renew);
    rmSync(path, { force: true });
  }
}

/** Not `recursive`: on a read-only file system, Node would then report a missing folder. */
function makeFolder(path) {
  try {
    mkdirSync(path);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

function take(path, silence) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    dropStale(path, silence);
    return false;
  }
}

/** Moves a stale lock away; puts it back if another process has replaced it in the meantime. */
function dropStale(path, silence) {
  const seen = statSync(path, { throwIfNoEntry: false });
  if (seen === undefined) return;
  if (!isSilent(seen.mtimeMs, silence) && Date.now() - seen.mtimeMs < STALE) return;
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (statSync(aside).mtimeMs !== seen.mtimeMs) linkSync(aside, path);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
  rmSync(aside, { force: true });
}

/**
 * Whether the mtime of a lock has not changed while we watched. Its age alone is not reliable, because the clock may
 * have gone back.
 */
function isSilent(time, silence) {
  if (time !== silence.time) Object.assign(silence, { time, since: performance.now() });
  return performance.now() - silence.since >= STALE;
}
