import { collectionByKey, lockCollection } from '../../../db/content/collection/collection.js';
import { lookupId } from '../../../db/content/content.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import type { AccountContext } from '../../core/context.js';
import { requireRevision } from '../../core/items/revision.js';
import { type Action, requireAllowed } from '../../core/policies.js';
import { COLLECTION, type Form, inForm } from './forms.js';
import { type Joined, joined } from './joined.js';

/** Which collection is changed, and the revision that the change is for; any without one. */
export interface Changed {
  readonly uniqueId: string;
  readonly ifMatch?: string | null | undefined;
}

/** The caller's own collection; 404 if there is none in that form, 401 for that of another account. */
export async function ownCollection(
  ctx: AccountContext,
  uniqueId: string,
  form: Form = COLLECTION,
): Promise<Joined> {
  return heldCollection(ctx, uniqueId, 'manage', form);
}

/** A collection with which the caller may do this; refused as `requireAllowed` does, 404 if there is none. */
export async function heldCollection(
  ctx: AccountContext,
  uniqueId: string,
  action: Action,
  form: Form = COLLECTION,
): Promise<Joined> {
  const { read } = ctx.app.db;
  const collection = await joined(ctx, inForm(form, await collectionByKey(read, lookupId(uniqueId))), read);
  requireAllowed(ctx.account, action, 'collection', collection);
  return collection;
}

/**
 * Changes a collection, which is locked meanwhile; refuses as `heldCollection`, and with 412 if it is another revision
 * than the change was made for.
 */
export async function onHeld<T>(
  ctx: AccountContext,
  { uniqueId, ifMatch }: Changed,
  form: Form,
  action: Action,
  work: (trx: Queryable, held: Joined) => Promise<T>,
): Promise<T> {
  return ctx.app.db.write(async (trx) => {
    const found = inForm(form, await lockCollection(ctx.app.db, trx, lookupId(uniqueId)));
    const held = await joined(ctx, found, trx);
    requireAllowed(ctx.account, action, 'collection', held);
    requireRevision('collection', held, ifMatch);
    return work(trx, held);
  });
}
