import type { Media } from '../../routers/ports.js';
import type { Logger } from '../logger.js';
import { readFacts } from './probe.js';
import { withFile } from './source.js';

/** Where media work keeps its files, and where it reports what it could not do. */
export interface MediaOptions {
  /** A folder on the same disk as the blobs, so that results can be moved into the store. */
  readonly tempDir: string;
  readonly log: Logger;
}

/** The media driver (contract §4, Images). Heavy libraries are loaded when they are first needed. */
export function createMedia(_options: MediaOptions): Media {
  return {
    probe: (path) => withFile(path, readFacts),
    clean: async () => null,
    thumbhash: async () => null,
    poster: async () => null,
    rendition: async (path, facts) => ({ path, mimeType: facts.mimeType, extension: facts.extension }),
  };
}
