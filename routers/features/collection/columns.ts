import {
  type Collection,
  type CollectionChange,
  updateCollection,
} from '../../../db/content/collection/collection.js';
import { idsAmong } from '../../../db/content/collection/collection-item.js';
import { lookupId } from '../../../db/content/content.js';
import { setTags } from '../../../db/content/content-edit.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail } from '../../base/errors.js';
import type { AccountContext } from '../../core/context.js';
import type { Form } from './forms.js';

/** Changes columns of a locked collection and notes the moment; without a title it is called by its id. */
export async function changeColumns<C extends Collection>(
  trx: Queryable,
  held: C,
  { title, ...columns }: CollectionChange,
): Promise<C> {
  const words = title === undefined ? {} : { title: title || held.uniqueId };
  const change = { ...columns, ...words, updatedAt: Date.now() };
  return { ...held, ...(await updateCollection(trx, held.id, change)) };
}

/** Gives a collection exactly these tags; without any in the request it keeps those that it has. */
export async function tagged(
  trx: Queryable,
  { id, ownerId }: Collection,
  tags: readonly string[] | undefined,
): Promise<void> {
  if (tags !== undefined) await setTags(trx, 'collection', { id, owner_id: ownerId }, tags);
}

/** Gives a collection one of its files as its cover, or none; without one in the request it keeps what it has. */
export async function setCover<C extends Collection>(
  { app: { db } }: AccountContext,
  trx: Queryable,
  held: C,
  cover: string | null | undefined,
  form: Form,
): Promise<C> {
  if (cover === undefined) return held;
  const key = lookupId(cover ?? '');
  const coverImageId = cover ? ((await idsAmong(db, trx, held.id, [key])).get(key) ?? null) : null;
  if (cover && coverImageId === null) fail('INVALID', form.cover);
  return { ...held, ...(await updateCollection(trx, held.id, { coverImageId })) };
}
