import { forgetInAudit } from '../../db/audit.js';
import { deleteCodes, deleteVerifyTokens } from '../../db/code.js';
import type { Queryable } from '../../db/connect.js';
import { imageIdsOf } from '../../db/content-search.js';
import { deleteKeysOf, deleteSessionsOf } from '../../db/credential.js';
import { revokeInvitesOf } from '../../db/invite.js';
import { deleteUser, lockOwners, lockUser, type User, updateUser } from '../../db/user.js';
import { deleteWebhook } from '../../db/webhook.js';
import { audit } from '../audit.js';
import { releaseBlobs, removeUnnamed } from '../blobs.js';
import { forgetChatLink } from '../chatapp/link.js';
import type { Services } from '../context.js';
import { deleteMailboxesOf } from '../email/remove.js';
import { found, unlessGone } from '../errors.js';
import { deleteImage } from '../image/delete.js';
import type { AccountContext } from '../trpc.js';

/** Images deleted at once; their transactions share commits. */
const BATCH = 32;
/** When the queue takes over a removal that its process did not finish. */
const TAKE_OVER_MS = 5 * 60 * 1000;

/**
 * Deletes an account with everything that is its own. `allow`, which is told the active owners, refuses inside the
 * transaction that shuts the account out; from there on nothing of the person can be seen and their name is free. The
 * content goes right behind it, and a removal that is cut off goes on from the job queue. No row is left, so nothing
 * remains that would name a deleted uploader.
 */
export async function deleteAccount(
  ctx: AccountContext,
  userId: number,
  allow: (trx: Queryable, user: User, owners: readonly number[]) => void | Promise<void>,
): Promise<void> {
  const { app } = ctx;
  await app.db.write(async (trx) => {
    // Owners before anybody else, so that two of them who change each other do not wait for each other.
    const owners = await lockOwners(app.db, trx);
    const user = found(await lockUser(app.db, trx, userId));
    await allow(trx, user, owners);
    // No registered name or address has a colon in this place.
    const nobody = `deleted:${userId}`;
    await updateUser(trx, userId, {
      role: 'DELETED',
      username: nobody,
      email: nobody,
      avatar: null,
      socials: {},
      embedSettings: {},
    });
    await deleteSessionsOf(trx, userId);
    await deleteKeysOf(trx, userId);
    await deleteCodes(trx, userId);
    await deleteVerifyTokens(trx, userId);
    await revokeInvitesOf(trx, userId);
    await forgetChatLink(app, trx, userId);
    // What is deleted from here on is told to nobody.
    await deleteWebhook(trx, userId);
    await forgetInAudit(trx, userId);
    await audit(ctx, trx, 'account.deleted', { subject: userId });
    await app.jobs.add(trx, 'accountDeletion', { userId }, { runAt: Date.now() + TAKE_OVER_MS });
  });
  await removeAccount(app, userId);
}

/** Removes what is left of a deleted account; may be called again at any time. */
export async function removeAccount(app: Services, userId: number): Promise<void> {
  for (let done = false; !done; ) {
    await removeImages(app, userId);
    await deleteMailboxesOf(app, userId);
    done = await removeRow(app, userId);
  }
}

async function removeImages(app: Services, userId: number): Promise<void> {
  for (;;) {
    const ids = await imageIdsOf(app.db.read, userId, BATCH);
    if (ids.length === 0) return;
    // Somebody else may be deleting the same image.
    await Promise.all(ids.map((id) => unlessGone(deleteImage(app, { id }))));
  }
}

/** Removes the row, and with it texts and links; false when an upload that was under way came in between. */
async function removeRow(app: Services, userId: number): Promise<boolean> {
  const unnamed = await app.db.write(async (trx) => {
    const user = await lockUser(app.db, trx, userId);
    if (user === null) return [];
    if ((await imageIdsOf(trx, userId, 1)).length > 0) return null;
    await deleteUser(trx, userId);
    return user.avatarSha256 === null ? [] : releaseBlobs(trx, [user.avatarSha256]);
  });
  if (unnamed === null) return false;
  await removeUnnamed(app, unnamed);
  return true;
}
