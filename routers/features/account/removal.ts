import { deleteUser, lockOwners, lockUser, type User, updateUser } from '../../../db/account/account.js';
import { deleteAccountSeal } from '../../../db/account/account-seal.js';
import { forgetInAudit } from '../../../db/account/audit.js';
import { deleteVerifyTokens } from '../../../db/account/code.js';
import { deleteIdentitiesOf } from '../../../db/account/identity.js';
import { revokeInvitesOf } from '../../../db/account/invite.js';
import { deleteKeysOf } from '../../../db/account/main-key.js';
import { deleteMessengerLink } from '../../../db/account/messenger.js';
import { deletePasskeysOf } from '../../../db/account/passkey.js';
import { forgetMember } from '../../../db/content/collection/collection-member.js';
import { deleteCollectionsOf } from '../../../db/content/collection/removal.js';
import { itemIdsOf } from '../../../db/content/content-search.js';
import { removeDomainsOf } from '../../../db/content/link/domain.js';
import { forgetReporter } from '../../../db/content/report.js';
import { deleteRequestsOf } from '../../../db/content/upload/upload-request.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { deleteWebhook } from '../../../db/webhook/webhook.js';
import { fail, found, unlessRemoved } from '../../base/errors.js';
import { KINDS } from '../../base/kinds.js';
import { audit } from '../../core/audit.js';
import { releaseBlobs, removeUnreferenced } from '../../core/blobs/blobs.js';
import type { AccountContext, Services } from '../../core/context.js';
import { endSignIns } from '../auth/public.js';
import { forgetChatLink } from '../chatapp/public.js';
import { deleteMailboxOf, forgetSendingsOf } from '../mail/public.js';

/** Items deleted in parallel; their transactions share commits. */
const BATCH = 32;
/** Batches deleted during the request, so that most accounts are completely deleted before the response. */
const STEPS = 16;
/** When the queue takes over what the request did not finish. */
const TAKE_OVER_MS = 60 * 1000;

/**
 * Deletes an account and all its content. `allow` gets the active owners and may refuse inside the
 * transaction that closes the account. From that commit on, nothing of the account is visible and its name is
 * free. The content is deleted afterwards, some of it during the request, the rest by the job queue. No row
 * is left that would refer to a deleted uploader.
 */
export async function deleteAccount(
  ctx: AccountContext,
  userId: number,
  allow: (trx: Queryable, user: User, owners: readonly number[]) => void | Promise<void>,
): Promise<void> {
  const { app } = ctx;
  await app.db.write(async (trx) => {
    // Owners first, so that two owners who change each other do not deadlock.
    const owners = await lockOwners(app.db, trx);
    const user = found(await lockUser(app.db, trx, userId));
    if (user.role === 'DELETED') fail('NOT_FOUND');
    await allow(trx, user, owners);
    // No registered name or address has a colon at this position.
    const nobody = `deleted:${userId}`;
    await updateUser(trx, userId, {
      // Hides all its content: lookups exclude items whose owner has this role (docs/adr/0011).
      role: 'DELETED',
      username: nobody,
      email: nobody,
      avatar: null,
      socials: {},
      embedSettings: {},
    });
    await endSignIns(trx, userId);
    await deleteKeysOf(trx, userId);
    await deleteIdentitiesOf(trx, userId);
    await deletePasskeysOf(trx, userId);
    await deleteAccountSeal(trx, userId);
    await deleteVerifyTokens(trx, userId);
    await revokeInvitesOf(trx, userId);
    await forgetChatLink(ctx, trx, userId);
    await deleteMessengerLink(trx, userId);
    await forgetMember(trx, userId);
    await removeDomainsOf(trx, userId);
    // From here on, deletions trigger no webhook.
    await deleteWebhook(trx, userId);
    await forgetInAudit(trx, userId);
    await forgetReporter(trx, userId);
    await audit(ctx, trx, 'account.deleted', { subject: userId });
    await app.jobs.add(trx, 'accountDeletion', { userId }, { runAt: Date.now() + TAKE_OVER_MS });
  });
  for (let step = 0; step < STEPS; step += 1) if (await removeSome(app, userId)) return;
}

/**
 * Deletes a batch of what is left of a deleted account; true once nothing is left. May be called again at any
 * time and concurrently.
 */
export async function removeSome(app: Services, userId: number): Promise<boolean> {
  for (const kind of KINDS) {
    const ids = await itemIdsOf(app.db.read, kind, userId, BATCH);
    // Another process may be deleting the same item.
    await Promise.all(ids.map((id) => unlessRemoved(app.items[kind].remove(app, { id }))));
    if (ids.length > 0) return false;
  }
  if (await app.db.write((trx) => deleteCollectionsOf(trx, userId, BATCH))) return false;
  if (await app.db.write((trx) => deleteRequestsOf(trx, userId, BATCH))) return false;
  if (await deleteMailboxOf(app, userId)) return false;
  if (await forgetSendingsOf(app, userId)) return false;
  return removeRow(app, userId);
}

/** Deletes the row; false if a request still in progress has added an item meanwhile. */
async function removeRow(app: Services, userId: number): Promise<boolean> {
  const unreferenced = await app.db.write(async (trx) => {
    const user = await lockUser(app.db, trx, userId);
    if (user === null) return [];
    for (const kind of KINDS) if ((await itemIdsOf(trx, kind, userId, 1)).length > 0) return null;
    await deleteUser(trx, userId);
    return user.avatarSha256 === null ? [] : releaseBlobs(trx, [user.avatarSha256]);
  });
  if (unreferenced === null) return false;
  await removeUnreferenced(app, unreferenced);
  return true;
}
