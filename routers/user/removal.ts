import { forgetInAudit } from '../../db/audit.js';
import { deleteVerifyTokens } from '../../db/code.js';
import type { Queryable } from '../../db/connect.js';
import { KINDS } from '../../db/content.js';
import { itemIdsOf } from '../../db/content-search.js';
import { deleteKeysOf } from '../../db/credential.js';
import { revokeInvitesOf } from '../../db/invite.js';
import { deleteMessengerLink } from '../../db/messenger.js';
import { deletePlaylistsOf } from '../../db/playlist.js';
import { deleteUser, lockOwners, lockUser, type User, updateUser } from '../../db/user.js';
import { deleteWebhook } from '../../db/webhook.js';
import { audit } from '../audit.js';
import { endSignIns } from '../auth/password.js';
import { releaseBlobs, removeUnnamed } from '../blobs.js';
import { forgetChatLink } from '../chatapp/link.js';
import type { Services } from '../context.js';
import { deleteMailboxOf } from '../email/remove.js';
import { fail, found, unlessGone } from '../errors.js';
import { removeItem } from '../remove-item.js';
import type { AccountContext } from '../trpc.js';

/** Items deleted at once; their transactions share commits. */
const BATCH = 32;
/** Steps that the request itself takes, so that of most accounts nothing is left when it is answered. */
const STEPS = 16;
/** When the queue takes over what the request did not finish. */
const TAKE_OVER_MS = 60 * 1000;

/**
 * Deletes an account with everything that is its own. `allow`, which is told the active owners, refuses inside the
 * transaction that shuts the account out; from there on nothing of the person can be seen and their name is free. The
 * content goes right behind it: some of it at once, what is left from the job queue. No row is left, so nothing
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
    if (user.role === 'DELETED') fail('NOT_FOUND');
    await allow(trx, user, owners);
    // No registered name or address has a colon in this place.
    const nobody = `deleted:${userId}`;
    await updateUser(trx, userId, {
      // Closes all that is theirs: whatever somebody owns is looked for together with this role (docs/adr/0016).
      role: 'DELETED',
      username: nobody,
      email: nobody,
      avatar: null,
      socials: {},
      embedSettings: {},
    });
    await endSignIns(trx, userId);
    await deleteKeysOf(trx, userId);
    await deleteVerifyTokens(trx, userId);
    await revokeInvitesOf(trx, userId);
    await forgetChatLink(ctx, trx, userId);
    await deleteMessengerLink(trx, userId);
    // No webhook is told of what is deleted from here on.
    await deleteWebhook(trx, userId);
    await forgetInAudit(trx, userId);
    await audit(ctx, trx, 'account.deleted', { subject: userId });
    await app.jobs.add(trx, 'accountDeletion', { userId }, { runAt: Date.now() + TAKE_OVER_MS });
  });
  for (let step = 0; step < STEPS; step += 1) if (await removeSome(app, userId)) return;
}

/**
 * Removes some of what is left of a deleted account; true once nothing is. May be called again at any time, and by
 * several at once.
 */
export async function removeSome(app: Services, userId: number): Promise<boolean> {
  for (const kind of KINDS) {
    const ids = await itemIdsOf(app.db.read, kind, userId, BATCH);
    // Somebody else may be deleting the same item.
    await Promise.all(ids.map((id) => unlessGone(removeItem[kind](app, { id }))));
    if (ids.length > 0) return false;
  }
  if (await app.db.write((trx) => deletePlaylistsOf(trx, userId, BATCH))) return false;
  if (await deleteMailboxOf(app, userId)) return false;
  return removeRow(app, userId);
}

/** Removes the row; false when something that was under way came in between. */
async function removeRow(app: Services, userId: number): Promise<boolean> {
  const unnamed = await app.db.write(async (trx) => {
    const user = await lockUser(app.db, trx, userId);
    if (user === null) return [];
    for (const kind of KINDS) if ((await itemIdsOf(trx, kind, userId, 1)).length > 0) return null;
    await deleteUser(trx, userId);
    return user.avatarSha256 === null ? [] : releaseBlobs(trx, [user.avatarSha256]);
  });
  if (unnamed === null) return false;
  await removeUnnamed(app, unnamed);
  return true;
}
