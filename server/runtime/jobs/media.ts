import { dropForgotten } from '../../../db/content/file/words.js';
import { unlessRemoved } from '../../../routers/base/errors.js';
import { BlobMissing } from '../../../routers/base/ports/storage.js';
import type { Services } from '../../../routers/core/context.js';
import { makePoster } from '../../../routers/features/image/poster.js';
import { makeThumbhash } from '../../../routers/features/image/thumbhash.js';
import { forgetWords, readOlderWords, readWords } from '../../../routers/features/image/words.js';
import type { Handlers } from './queue.js';
import { stepwise } from './stepwise.js';

/** Background work after uploads. If the image is deleted in the meantime, its jobs end. */
export const createMediaHandlers = (
  app: Services,
): Pick<Handlers, 'poster' | 'thumbhash' | 'words' | 'olderWords' | 'forgetWords' | 'dropWords'> => ({
  poster: ({ imageId }) => unlessImageRemoved(makePoster(app, imageId)),
  thumbhash: ({ imageId }) => unlessImageRemoved(makeThumbhash(app, imageId)),
  words: ({ imageId }) => unlessImageRemoved(readWords(app, imageId)),
  forgetWords: () => stepwise(forgetWords(app)),
  dropWords: () => stepwise(app.db.write(dropForgotten)),
  olderWords: ({ source }) =>
    stepwise(readOlderWords(app, source, (imageId) => unlessImageRemoved(readWords(app, imageId)))),
});

/** The image's row or bytes may be deleted before the job runs. */
async function unlessImageRemoved(work: Promise<void>): Promise<void> {
  await unlessRemoved(work).catch((error: unknown) => {
    if (!(error instanceof BlobMissing)) throw error;
  });
}
