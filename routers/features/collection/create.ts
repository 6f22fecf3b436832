import {
  type Collection,
  type CollectionChange,
  insertCollection,
} from '../../../db/content/collection/collection.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import type { AccountContext } from '../../core/context.js';
import { insertUnderId } from '../../core/items/ids.js';
import { setCover, tagged } from './columns.js';
import { append } from './entries.js';
import { columnsOf, type FieldsInput, type ItemsInput } from './fields.js';
import { COLLECTION, type Form } from './forms.js';

/** What a new collection begins with, beside its columns. */
export interface Filling {
  readonly items?: ItemsInput | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly cover?: string | null | undefined;
  readonly seal?: string | null;
}

/** Creates a collection of the caller, optionally with files. */
export async function createCollection(
  ctx: AccountContext,
  input: FieldsInput & Filling & { readonly uniqueId: string | null },
  form: Form = COLLECTION,
): Promise<Collection> {
  const { app, account } = ctx;
  await app.limits.rates.take('create', String(account.id));
  const columns = await columnsOf(app, account.id, input);
  return insertUnderId(app.db, input.uniqueId, (uniqueId) =>
    app.db.write((trx) => insertFilled(ctx, trx, uniqueId, columns, input, form)),
  );
}

/** Inserts a collection of the caller with its files; one without a title is called by its id. */
export async function insertFilled(
  ctx: AccountContext,
  trx: Queryable,
  uniqueId: string,
  { title, ...columns }: CollectionChange,
  { items, tags, cover, seal = null }: Filling,
  form: Form,
): Promise<Collection> {
  const made = await insertCollection(trx, {
    ...{ description: null, ...columns, title: title || uniqueId },
    ...{ uniqueId, ownerId: ctx.account.id, face: form.face, createdAt: Date.now(), seal },
  });
  await append(ctx, trx, made, items ?? [], form);
  await tagged(trx, made, tags);
  return setCover(ctx, trx, made, cover, form);
}
