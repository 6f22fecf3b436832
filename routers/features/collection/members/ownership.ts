import type { z } from 'zod';
import { lockCollection, updateCollection } from '../../../../db/content/collection/collection.js';
import {
  deleteMember,
  deleteOffer,
  offeredTo,
  putMember,
  putOffer,
} from '../../../../db/content/collection/collection-member.js';
import { lookupId } from '../../../../db/content/content.js';
import { setTags } from '../../../../db/content/content-edit.js';
import { tagsOfItem } from '../../../../db/content/tag/tag.js';
import { detachCollection } from '../../../../db/content/upload/upload-request.js';
import { fail, found } from '../../../base/errors.js';
import { lockAccount } from '../../../core/accounts/people.js';
import { audit } from '../../../core/audit.js';
import type { AccountContext } from '../../../core/context.js';
import { requireAllowed } from '../../../core/policies.js';
import { COLLECTION } from '../forms.js';
import { heldCollection, onHeld } from '../held.js';
import { type Joined, joined } from '../joined.js';
import { type memberInput, personNamed, requireOther, takeMail, tell } from './members.js';

/** Offers a collection to another account, who is told by mail, and to nobody else any more. */
export async function offerCollection(
  ctx: AccountContext,
  { uniqueId, username }: z.output<typeof memberInput>,
): Promise<void> {
  await ctx.app.limits.rates.take('create', String(ctx.account.id));
  await heldCollection(ctx, uniqueId, 'change');
  await takeMail(ctx);
  await onHeld(ctx, { uniqueId }, COLLECTION, 'change', async (trx, held) => {
    const user = await personNamed(trx, username);
    requireOther(held, user);
    await putOffer(trx, held.id, user.id, Date.now());
    await tell(ctx, trx, user, 'offer');
    await audit(ctx, trx, 'collection.offered', { subject: user.id, info: { collection: held.uniqueId } });
  });
  ctx.app.jobs.kick();
}

/**
 * Takes a collection that is offered to the caller: its owner until then becomes an editor, whose mark, tags and requests
 * do not come with it. 404 if it is not offered.
 */
export async function acceptCollection(ctx: AccountContext, uniqueId: string): Promise<Joined> {
  const { app, account } = ctx;
  return app.db.write(async (trx) => {
    const held = found(await lockCollection(app.db, trx, lookupId(uniqueId)));
    if (!(await deleteOffer(trx, held.id, account.id))) fail('NOT_FOUND');
    await lockAccount(app, trx, account.id);
    const at = Date.now();
    // Tags are words of an account.
    const tags = (await tagsOfItem(trx, 'collection', held.id)).map(({ name }) => name);
    await setTags(trx, 'collection', { id: held.id, owner_id: held.ownerId }, []);
    await setTags(trx, 'collection', { id: held.id, owner_id: account.id }, tags);
    await detachCollection(trx, held.id);
    await deleteMember(trx, held.id, account.id);
    await putMember(trx, held.id, { userId: held.ownerId, role: 'editor', createdAt: at });
    const change = { ownerId: account.id, favourite: false, notify: 'none' as const, updatedAt: at };
    const taken = await updateCollection(trx, held.id, change);
    await audit(ctx, trx, 'collection.taken', {
      subject: held.ownerId,
      info: { collection: held.uniqueId },
    });
    return { ...taken, memberRole: null };
  });
}

/** Ends the offer of a collection: its owner takes it back, or the other does not want it. 404 if there is none. */
export async function endOffer(ctx: AccountContext, uniqueId: string): Promise<void> {
  const { app, account } = ctx;
  await app.db.write(async (trx) => {
    const held = found(await lockCollection(app.db, trx, lookupId(uniqueId)));
    if ((await offeredTo(trx, held.id)) !== account.id)
      requireAllowed(account, 'change', 'collection', await joined(ctx, held, trx));
    if (!(await deleteOffer(trx, held.id, null))) fail('NOT_FOUND');
  });
}
