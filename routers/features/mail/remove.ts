import { DAY_MS } from '../../../db/engine/days.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { deleteForward } from '../../../db/mail/mail-forward.js';
import { deleteRemovedBefore, removeMessages } from '../../../db/mail/mail-removal.js';
import { forgetSendings } from '../../../db/mail/mail-sending.js';
import {
  endedMailboxes,
  lockEndedMailbox,
  lockMailbox,
  type Mailbox,
  mailboxesOf,
  updateMailbox,
} from '../../../db/mail/mailbox.js';
import { fail, found, unlessRemoved } from '../../base/errors.js';
import { mailboxTopic } from '../../base/ports/hub.js';
import { releaseBlobs, removeUnreferenced } from '../../core/blobs/blobs.js';
import type { Context, Services } from '../../core/context.js';
import { lockRemovable } from './access.js';

/** Messages removed per transaction. */
export const BATCH = 200;
/** How long a removed message is remembered: longer than any provider stores mail, so it is not collected again. */
const MEMORY_MS = 7 * 24 * 60 * 60 * 1000;

/** How long it is remembered what became of a mail that was sent. */
const SENT_DAYS = 30;

/** How long an expired mailbox keeps its messages, in case its owner extends it after all. */
const AFTER_END_MS = 7 * 24 * 60 * 60 * 1000;

/** Removes one message; 404 if the mailbox has none with this id. */
export async function removeMessage(ctx: Context, mailbox: Mailbox, messageId: string): Promise<void> {
  const removed = await fromOwn(ctx, mailbox, messageId, 1);
  if (removed === 0) fail('NOT_FOUND');
}

/** Removes those messages of a mailbox that have these row ids, at most a batch; others are left out. */
export const removeRows = (
  ctx: Context,
  mailbox: Pick<Mailbox, 'id'>,
  ids: readonly number[],
): Promise<number> => fromOwn(ctx, mailbox, ids, BATCH);

/** Removes every message of a mailbox. */
export async function emptyMailbox(ctx: Context, mailbox: Mailbox): Promise<void> {
  let removed: number;
  do removed = await fromOwn(ctx, mailbox, null, BATCH);
  while (removed === BATCH);
}

const fromOwn = (
  ctx: Context,
  { id }: Pick<Mailbox, 'id'>,
  only: string | readonly number[] | null,
  limit: number,
) =>
  inWrite(ctx.app, async (trx) => {
    await lockRemovable(ctx, trx, id);
    return removeMessages(ctx.app.db, trx, id, only, limit);
  });

/** Deletes a mailbox that the caller may remove. */
export const deleteOwn = (ctx: Context, mailbox: Mailbox): Promise<void> =>
  deleteMailbox(ctx.app, mailbox, (trx) => lockRemovable(ctx, trx, mailbox.id));

/**
 * Deletes a mailbox and its content; its address stays reserved. It is marked as deleted together with its
 * last message, so an interrupted deletion can be repeated.
 */
async function deleteMailbox(
  app: Services,
  mailbox: Mailbox,
  lock: (trx: Queryable) => Promise<unknown>,
): Promise<void> {
  let sent: number;
  do {
    sent = await app.db.write(async (trx) => {
      await lock(trx);
      return forgetSendings(trx, { mailboxId: mailbox.id }, BATCH);
    });
  } while (sent === BATCH);
  let removed: number;
  do {
    removed = await inWrite(app, async (trx) => {
      await lock(trx);
      const gone = await removeMessages(app.db, trx, mailbox.id, null, BATCH);
      if (gone.removed < BATCH) {
        await deleteForward(trx, mailbox.id);
        await updateMailbox(trx, mailbox.id, { state: 'DELETED' });
      }
      return gone;
    });
  } while (removed === BATCH);
  app.hub.publish(mailboxTopic(mailbox.address), {});
}

/** Deletes one mailbox of an account that is being deleted; false if it has none. */
export async function deleteMailboxOf(app: Services, ownerId: number): Promise<boolean> {
  const [mailbox] = await mailboxesOf(app.db.read, ownerId);
  if (mailbox === undefined) return false;
  // Another process may be deleting the same mailbox.
  await unlessRemoved(
    deleteMailbox(app, mailbox, async (trx) => found(await lockMailbox(app.db, trx, mailbox.id))),
  );
  return true;
}

/** Forgets one batch of the mails that an account has sent; false if there are none. */
export const forgetSendingsOf = async (app: Services, accountId: number): Promise<boolean> =>
  (await app.db.write((trx) => forgetSendings(trx, { accountId }, BATCH))) > 0;

/** Forgets the mails that were sent longer ago than any server tries to deliver one. */
export async function forgetOldSendings(app: Services): Promise<void> {
  const before = Date.now() - SENT_DAYS * DAY_MS;
  while ((await app.db.write((trx) => forgetSendings(trx, { before }, BATCH))) === BATCH);
}

/**
 * Removes the messages of mailboxes that expired a week ago; until then they can be extended without loss.
 * The mailboxes themselves stay, expired, and their addresses stay reserved.
 */
export async function emptyEndedMailboxes(app: Services, signal?: AbortSignal): Promise<void> {
  const before = Date.now() - AFTER_END_MS;
  let ended: number[];
  do {
    ended = await endedMailboxes(app.db.read, before, BATCH);
    for (const id of ended) {
      if (signal?.aborted === true) return;
      await inWrite(app, async (trx) =>
        (await lockEndedMailbox(app.db, trx, id, before))
          ? removeMessages(app.db, trx, id, null, BATCH)
          : { removed: 0, blobs: [] },
      );
    }
  } while (ended.length > 0);
}

/** Runs a removal, then removes bytes that are no longer referenced; returns the number of removed messages. */
async function inWrite(
  app: Services,
  remove: (trx: Queryable) => Promise<{ removed: number; blobs: string[] }>,
): Promise<number> {
  const { removed, unreferenced } = await app.db.write(async (trx) => {
    await deleteRemovedBefore(trx, Date.now() - MEMORY_MS);
    const gone = await remove(trx);
    return { removed: gone.removed, unreferenced: await releaseBlobs(trx, gone.blobs) };
  });
  await removeUnreferenced(app, unreferenced);
  return removed;
}
