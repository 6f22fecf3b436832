import { fail } from '../../base/errors.js';
import { MediaStopped } from '../../base/ports/media/media.js';
import type { Services } from '../../core/context.js';

/** How long it is remembered that a file took too long: asked for again and again, it would keep the decoders busy. */
const SLOW_MS = 60_000;

/**
 * Does slow work on a file. Once it has taken too long it throws that `MediaStopped` at once for a minute, in this process.
 * `key`: the work and the hash of the file. Work that `leaving` ended says nothing about the file.
 */
export async function unlessSlow<T>(
  app: Pick<Services, 'slowFiles'>,
  key: string,
  work: () => Promise<T>,
  leaving?: AbortSignal,
): Promise<T> {
  if (app.slowFiles.get(key) !== null) throw new MediaStopped('time');
  try {
    return await work();
  } catch (error) {
    const isSlow = error instanceof MediaStopped && error.why === 'time';
    if (isSlow && leaving?.aborted !== true) app.slowFiles.keep(key, '', SLOW_MS);
    throw error;
  }
}

/** Answers for a file that was not processed although it may be in order. */
export function refuseStopped(error: MediaStopped): never {
  switch (error.why) {
    case 'time':
      return fail('UNAVAILABLE', {
        message: 'This took too long; try again later, or with a smaller file',
        retryAfter: SLOW_MS / 1000,
        cause: error,
      });
    case 'memory':
    case 'size':
      return fail('UNSUPPORTED', {
        message: 'This would take too much memory or space; try a smaller or shorter file',
        cause: error,
      });
    case 'stream':
      return fail('UNSUPPORTED', { message: 'This file has no sound', cause: error });
    case 'encoder':
      return fail('NOT_AVAILABLE', {
        message: 'This server cannot write this format; choose another',
        cause: error,
      });
  }
}
