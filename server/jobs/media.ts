import type { Services } from '../../routers/context.js';
import { DomainError } from '../../routers/errors.js';
import { makePoster } from '../../routers/image/poster.js';
import { makeThumbhash } from '../../routers/image/thumbhash.js';
import { BlobMissing } from '../../routers/ports/storage.js';
import type { Handlers } from './queue.js';

/** What goes on behind uploads. An image that is deleted meanwhile ends its jobs. */
export const createMediaHandlers = (app: Services): Pick<Handlers, 'poster' | 'thumbhash'> => ({
  poster: ({ imageId }) => unlessGone(makePoster(app, imageId)),
  thumbhash: ({ imageId }) => unlessGone(makeThumbhash(app, imageId)),
});

async function unlessGone(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const gone =
      error instanceof BlobMissing || (error instanceof DomainError && error.reason === 'NOT_FOUND');
    if (!gone) throw error;
  }
}
