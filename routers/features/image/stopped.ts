import { fail } from '../../base/errors.js';
import type { MediaStopped } from '../../base/ports/media.js';

/** Answers for a file that was not processed although it may be in order. */
export function refuseStopped(error: MediaStopped): never {
  switch (error.why) {
    case 'time':
      return fail('UNAVAILABLE', {
        message: 'This took too long; try again later, or with a smaller file',
        retryAfter: 30,
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
