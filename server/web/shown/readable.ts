import { DomainError } from '../../../routers/base/errors.js';
import { outageOf } from '../../../routers/core/outage.js';

/**
 * What a page shows of the content of a file; null if it cannot be read, or not now: the page has everything else, and
 * offers the file for download.
 */
export async function orNothing<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DomainError || outageOf(error) !== null) return null;
    throw error;
  }
}
