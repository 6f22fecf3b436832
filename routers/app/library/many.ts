import { z } from 'zod';
import { type Content, lookupId } from '../../../db/content/content.js';
import { setPublic } from '../../../db/content/content-change.js';
import { lockContent, setTags, writeRevision } from '../../../db/content/content-edit.js';
import { KINDS, type Kind } from '../../../db/content/kinds.js';
import { tagKey } from '../../../db/content/tag/new-tags.js';
import { tagsOfItem } from '../../../db/content/tag/tag.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail, unlessRemoved } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { mapLimit } from '../../base/map-limit.js';
import type { AccountContext, Context, Services } from '../../core/context.js';
import { takeCreations } from '../../core/items/creation-rate.js';
import { discard } from '../../core/items/discard.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { refuseClear } from '../../core/items/seal.js';
import { MAX_TAGS, tagInput } from '../../core/items/tags.js';
import { requireAllowed } from '../../core/policies.js';
import { requireChangeOfKind } from '../../core/scopes.js';
import { ITEM_ACTIONS } from '../items.js';

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

/** Bytes of long texts whose words one transaction makes findable again: other writers wait for it. */
const BYTES_AT_ONCE = 1024 * 1024;
/** What an item without such a text counts as: its tags and its revision are a dozen statements. */
const BYTES_OF_ITEM = 48 * 1024;

/** An own item, and the bytes of its long text. */
interface Weighed {
  readonly item: Content;
  readonly bytes: number;
}

/** Items that change in one transaction, in the order of their rows. */
function grouped(all: readonly Weighed[]): Content[][] {
  const groups: Content[][] = [];
  let left = 0;
  for (const { item, bytes: ofText } of all.toSorted((a, b) => a.item.id - b.item.id)) {
    const bytes = Math.max(ofText, BYTES_OF_ITEM);
    const group = groups.at(-1);
    if (group !== undefined && bytes <= left) group.push(item);
    else groups.push([item]);
    left = (group !== undefined && bytes <= left ? left : BYTES_AT_ONCE) - bytes;
  }
  return groups;
}

/**
 * Makes the caller's own items public or private and gives them a tag, all or none of them; others and those that are
 * gone are left as they are. They get the tag a few after others, once it is sure that all may have it.
 */
export async function changeMany(ctx: AccountContext, input: z.output<typeof manyChange>): Promise<void> {
  const { app, account } = ctx;
  const { kind, tag } = input;
  requireChangeOfKind(account, kind);
  const items = await itemsOf(ctx, kind, input.ids);
  const own = items.filter(({ ownerId }) => ownerId === account.id);
  const weighed = await Promise.all(
    own.map(async (item) => ({
      item,
      bytes: tag === undefined ? 0 : await ITEM_ACTIONS[kind].textBytes(app, item.uniqueId),
    })),
  );
  await takeCreations(app, account.id, { bytes: weighed.reduce((sum, { bytes }) => sum + bytes, 0) });
  const [first = [], ...others] = grouped(weighed);
  await app.db.write(async (trx) => {
    if (input.private !== undefined) {
      const keys = own.map(({ uniqueId }) => lookupId(uniqueId));
      await setPublic(app.db, trx, kind, account.id, keys, !input.private);
    }
    if (tag === undefined) return;
    for (const item of own) refuseClear((item as { readonly seal?: string | null }).seal ?? null, { tag });
    for (const { id, uniqueId } of others.flat())
      requireQuota(uniqueId, await tagsOfItem(trx, kind, id), tag);
    await tagAll(app, trx, kind, first, tag);
  });
  if (tag !== undefined)
    for (const group of others) await app.db.write((trx) => tagAll(app, trx, kind, group, tag));
}

/** Gives items a tag. All are locked before any tag, in one order: a change of a single item does the same. */
async function tagAll(
  { db }: Services,
  trx: Queryable,
  kind: Kind,
  items: readonly Content[],
  tag: string,
): Promise<void> {
  const rows = [];
  for (const { id } of items) {
    const row = await lockContent(db, trx, kind, id);
    if (row !== null) rows.push(row);
  }
  for (const row of rows) {
    const present = await tagsOfItem(trx, kind, row.id);
    if (!requireQuota(row.unique_id, present, tag)) continue;
    await setTags(trx, kind, row, [...present.map(({ name }) => name), tag]);
    await writeRevision(trx, kind, row, { tagged: true }, Date.now());
  }
}

/** False if an item has the tag already; refuses one that cannot have a further tag. */
function requireQuota(uniqueId: string, present: readonly { readonly name: string }[], tag: string): boolean {
  if (present.some(({ name }) => tagKey(name) === tagKey(tag))) return false;
  if (present.length >= MAX_TAGS)
    fail(
      'INVALID',
      localizable('tag: {id} has {max} tags, and an item cannot have more', { id: uniqueId, max: MAX_TAGS }),
    );
  return true;
}

/** So many are deleted at once: those that wait together share a commit. */
const AT_ONCE = 20;

/** Deletes items, or none of them if the caller may not delete one; skips those already gone. Returns how many. */
export async function discardMany(
  ctx: AccountContext,
  { kind, ids }: z.output<typeof manyInput>,
): Promise<number> {
  requireChangeOfKind(ctx.account, kind);
  const items = await itemsOf(ctx, kind, ids);
  for (const item of items) requireAllowed(ctx.account, 'remove', kind, item);
  const discarded = await mapLimit(AT_ONCE, items, (item) =>
    unlessRemoved(discard(ctx.app, kind, item, { by: ctx.account }).then(() => true)),
  );
  return discarded.filter((done) => done !== null).length;
}
