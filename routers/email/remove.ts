import { forgetRemoved, removeMessages } from '../../db/mail-message.js';
import { type Mailbox, mailboxesOf, updateMailbox } from '../../db/mailbox.js';
import { releaseBlobs, removeUnnamed } from '../blobs.js';
import type { Services } from '../context.js';
import { fail } from '../errors.js';

/** Messages removed in one transaction. */
const BATCH = 200;
/** A removed message is remembered for longer than any provider stores mail, so that it does not come again. */
const MEMORY_MS = 7 * 24 * 60 * 60 * 1000;

/** Removes one message; 404 when the mailbox has none with this id. */
export async function removeMessage(app: Services, mailbox: Mailbox, messageId: string): Promise<void> {
  const removed = await removeSome(app, mailbox, messageId);
  if (removed === 0) fail('NOT_FOUND');
}

/** Removes every message of a mailbox. */
export async function emptyMailbox(app: Services, mailbox: Mailbox): Promise<void> {
  let removed: number;
  do removed = await removeSome(app, mailbox, null);
  while (removed === BATCH);
}

/** Deletes a mailbox with all it holds; it takes no mail from here on and its address stays reserved. */
export async function deleteMailbox(app: Services, mailbox: Mailbox): Promise<void> {
  if ((await app.db.write((trx) => updateMailbox(trx, mailbox.id, { state: 'DELETED' }))) === null) {
    fail('NOT_FOUND');
  }
  await emptyMailbox(app, mailbox);
}

/** Deletes the mailboxes of an account that is going. */
export async function deleteMailboxesOf(app: Services, ownerId: number): Promise<void> {
  for (const mailbox of await mailboxesOf(app.db.read, ownerId)) await deleteMailbox(app, mailbox);
}

async function removeSome(app: Services, mailbox: Mailbox, messageId: string | null): Promise<number> {
  const { removed, unnamed } = await app.db.write(async (trx) => {
    await forgetRemoved(trx, Date.now() - MEMORY_MS);
    const gone = await removeMessages(app.db, trx, mailbox.id, messageId, BATCH);
    return { removed: gone.removed, unnamed: await releaseBlobs(trx, gone.blobs) };
  });
  await removeUnnamed(app, unnamed);
  return removed;
}
