import { statfs } from 'node:fs/promises';

/** How long a reading is good for, in milliseconds. */
const RECENT_MS = 1_000;
/** On a small disk less is kept free. */
const MAX_SHARE = 0.05;

/**
 * Tells whether a disk still has this many bytes free, or a twentieth of it if that is less. Asked for each upload, so
 * the disk is read once a second, while it is full each time: whoever has made room can go on at once. Where it cannot be
 * read it is taken to have space: writing will tell.
 */
export function createSpaceCheck(folder: string, minFreeBytes: number): () => Promise<boolean> {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<boolean> = Promise.resolve(true);
  const read = async (): Promise<boolean> => {
    try {
      const { bavail, bsize, blocks } = await statfs(folder);
      const hasSpace = bavail * bsize >= Math.min(minFreeBytes, blocks * bsize * MAX_SHARE);
      if (!hasSpace) readAt = Number.NEGATIVE_INFINITY;
      return hasSpace;
    } catch {
      return true;
    }
  };
  return () => {
    const now = performance.now();
    if (now - readAt > RECENT_MS) {
      readAt = now;
      reading = read();
    }
    return reading;
  };
}
