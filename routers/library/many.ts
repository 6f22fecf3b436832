import { z } from 'zod';
import { lookupId } from '../../db/content/content.js';
import { setPublic } from '../../db/content/content-change.js';
import { lockContent, setTags, writeRevision } from '../../db/content/content-edit.js';
import { KINDS, type Kind } from '../../db/content/kinds.js';
import { tagKey, tagsOfItem } from '../../db/content/tag.js';
import { requireControl } from '../access.js';
import type { Context } from '../context.js';
import { fail, unlessGone } from '../errors.js';
import { told } from '../language/told.js';
import { requireChangeOfKind } from '../scopes.js';
import { uniqueIdInput } from '../shared/ids.js';
import { MAX_TAGS, tagInput } from '../shared/tags.js';
import { discard } from '../trash/discard.js';
import type { AccountContext } from '../trpc.js';

/** The most items that change at once. */
export const MANY = 100;

/** The ids of items. */
export const idsInput = z.array(uniqueIdInput).min(1).max(MANY);

/** Items of one kind. */
export const manyInput = z.object({ kind: z.enum(KINDS), ids: idsInput });

/** What is changed of several items at once. */
export const manyChange = manyInput.extend({ private: z.boolean().optional(), tag: tagInput.optional() });

const itemsOf = async ({ app }: Context, kind: Kind, ids: readonly string[]) => {
  const listed = await Promise.all(ids.map((id) => app.load[kind](id)));
  // An item may be named twice, by a former id as well.
  return [...new Map(listed.flatMap((item) => (item === null ? [] : [[item.id, item]]))).values()];
};

/**
 * Makes the caller's own items public or private and gives them a tag, all or none of them; others and those that are
 * gone are left as they are.
 */
export async function changeMany(ctx: AccountContext, input: z.output<typeof manyChange>): Promise<void> {
  const { app, account } = ctx;
  const { kind, tag } = input;
  requireChangeOfKind(account, kind);
  await app.limits.rates.take('create', String(account.id));
  const items = await itemsOf(ctx, kind, input.ids);
  const own = items.filter(({ ownerId }) => ownerId === account.id);
  await app.db.write(async (trx) => {
    if (input.private !== undefined) {
      const keys = own.map(({ uniqueId }) => lookupId(uniqueId));
      await setPublic(app.db, trx, kind, account.id, keys, !input.private);
    }
    if (tag === undefined) return;
    // All items are locked before any tag, in one order: a change of a single item does the same.
    const rows = [];
    for (const { id } of own.toSorted((a, b) => a.id - b.id)) {
      const row = await lockContent(app.db, trx, kind, id);
      if (row !== null) rows.push(row);
    }
    for (const row of rows) {
      const names = (await tagsOfItem(trx, kind, row.id)).map(({ name }) => name);
      if (names.some((name) => tagKey(name) === tagKey(tag))) continue;
      if (names.length >= MAX_TAGS)
        fail(
          'INVALID',
          told('tag: {id} has {max} tags, and an item cannot have more', {
            id: row.unique_id,
            max: MAX_TAGS,
          }),
        );
      await setTags(trx, kind, row, [...names, tag]);
      await writeRevision(trx, kind, row, { tagged: true }, Date.now());
    }
  });
}

/** Deletes items, or none of them if the caller may not delete one; skips those already gone. Returns how many. */
export async function discardMany(
  ctx: AccountContext,
  { kind, ids }: z.output<typeof manyInput>,
): Promise<number> {
  requireChangeOfKind(ctx.account, kind);
  const items = await itemsOf(ctx, kind, ids);
  for (const item of items) requireControl(ctx, item);
  let deleted = 0;
  for (const item of items)
    if ((await unlessGone(discard(ctx.app, kind, item, { by: ctx.account }).then(() => true))) !== null)
      deleted += 1;
  return deleted;
}
