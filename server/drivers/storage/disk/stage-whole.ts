import type { Readable } from 'node:stream';
import type { StageOptions } from '../../../../routers/base/ports/storage.js';

/**
 * Stages a stream that only this call uses, and always closes it. `stage` itself leaves its source paused, with its
 * file or connection open.
 */
export async function stageWhole<T>(
  to: { stage(source: Readable, options: StageOptions): Promise<T> },
  source: Readable,
  options: StageOptions,
): Promise<T> {
  try {
    return await to.stage(source, options);
  } finally {
    source.destroy();
  }
}
