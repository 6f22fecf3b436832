import { dropForgotten } from '../../../db/content/file/words.js';
import { deleteViews } from '../../../db/statistics/view-days.js';
import { deleteVisits } from '../../../db/statistics/visit.js';
import { unlessRemoved } from '../../../routers/base/errors.js';
import { MailRefused } from '../../../routers/base/ports/mail/mail.js';
import { BlobMissing } from '../../../routers/base/ports/storage.js';
import type { Services } from '../../../routers/core/context.js';
import { removeSome } from '../../../routers/features/account/removal.js';
import { mailReset } from '../../../routers/features/auth/password.js';
import { endToken } from '../../../routers/features/chatapp/tokens.js';
import { makePoster } from '../../../routers/features/image/poster.js';
import { makeThumbhash } from '../../../routers/features/image/thumbhash.js';
import { forgetWords, readOlderWords, readWords } from '../../../routers/features/image/words.js';
import { removeInterrupted } from '../../../routers/features/link/import-store.js';
import { forwardMail } from '../../../routers/features/mail/arrival/forwarding.js';
import { takeQueuedArrival } from '../../../routers/features/mail/arrival/waiting.js';
import { sendNoted } from '../../../routers/features/mail/sendings.js';
import { tellOwner } from '../../../routers/features/telling/tell.js';
import { finishUpload } from '../../../routers/features/upload/finish.js';
import { deliverEvent } from '../../../routers/features/webhook/deliver.js';
import { GiveUp, type Handlers, Postponed } from './queue.js';
import { stepwise } from './stepwise.js';

/** Background work after uploads. If the image is deleted in the meantime, its jobs end. */
const createMediaHandlers = (
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

/** Calls users' webhooks. Failures are in the delivery log, so the job itself always succeeds. */
const createWebhookHandlers = (app: Services): Pick<Handlers, 'webhook'> => ({
  webhook: async (event) => {
    const again = await deliverEvent(app, event);
    if (again !== null) throw new Postponed(again);
  },
});

/** The handlers for each kind of job. */
export function createHandlers(app: Services): Handlers {
  return {
    mail: (mail, { isLast }) =>
      unlessRefused(
        sendNoted(app, mail, isLast, async () => {
          await app.mail.transport.send(mail);
          return true;
        }),
      ),

    mailForward: (forward, { isLast }) => {
      const noted = { ...forward, recipient: forward.target };
      return unlessRefused(sendNoted(app, noted, isLast, () => forwardMail(app, forward)));
    },

    mailArrival: (arrival) => takeQueuedArrival(app, arrival),

    chatRevoke: async ({ tokens }) => {
      if (app.chat.app === null) throw new GiveUp('no chat application is configured');
      for (const token of tokens) await endToken(app.chat.app, token);
    },

    passwordReset: (job) => mailReset(app, job),

    upload: ({ uploadId }) => finishUpload(app, uploadId),

    telling: ({ userId }) => tellOwner(app, userId),

    ...createMediaHandlers(app),
    ...createWebhookHandlers(app),

    accountDeletion: ({ userId }) => stepwise(removeSome(app, userId)),

    visitRemoval: ({ urlId }) => stepwise(app.db.write((trx) => deleteVisits(trx, urlId))),

    importRemoval: ({ source }) => stepwise(removeInterrupted(app, source)),

    viewRemoval: ({ kind, itemId }) => stepwise(app.db.write((trx) => deleteViews(trx, kind, itemId))),
  };
}

/** What can never be sent is not tried again. */
async function unlessRefused(sending: Promise<void>): Promise<void> {
  try {
    await sending;
  } catch (error) {
    if (error instanceof MailRefused) throw new GiveUp(error.message, { cause: error });
    throw error;
  }
}
