import type { Services } from '../../routers/context.js';
import { unlessGone } from '../../routers/errors.js';
import { makePoster } from '../../routers/image/poster.js';
import { makeThumbhash } from '../../routers/image/thumbhash.js';
import { BlobMissing } from '../../routers/ports/storage.js';
import type { Handlers } from './queue.js';

/** What goes on behind uploads. An image that is deleted meanwhile ends its jobs. */
export const createMediaHandlers = (app: Services): Pick<Handlers, 'poster' | 'thumbhash'> => ({
  poster: ({ imageId }) => unlessImageGone(makePoster(app, imageId)),
  thumbhash: ({ imageId }) => unlessImageGone(makeThumbhash(app, imageId)),
});

/** The row of an image or its bytes may be gone first. */
async function unlessImageGone(work: Promise<void>): Promise<void> {
  await unlessGone(work).catch((error: unknown) => {
    if (!(error instanceof BlobMissing)) throw error;
  });
}
