import { z } from 'zod';
import { tagKey } from '../../../db/content/tag/new-tags.js';
import { lockTags, tagsOfAccount } from '../../../db/content/tag/tag.js';
import { deleteTag, renameTag, replaceTag, takeTagFromSome } from '../../../db/content/tag/tag-change.js';
import { fail, found } from '../../base/errors.js';
import { KINDS } from '../../base/kinds.js';
import type { AccountContext } from '../../core/context.js';
import { tagInput } from '../../core/items/tags.js';

/** Tags in one list; an account that has more finds the others by its items. */
const MAX_LISTED = 10_000;

/** A tag, and how many items of the account have it. */
export const tagRecord = z.object({ tag: z.string(), count: z.int() });
/** A tag by its name, in any case. */
export const tagInPath = z.object({ tag: z.string().min(1).max(200) });
export const tagRename = tagInPath.extend({
  name: tagInput,
  /** Whether it becomes one with a tag that has this name; 409 if not. */
  merges: z.boolean().default(true),
});

/** The kind of what has a tag; null for any. */
export const tagsInput = z.object({ kind: z.enum(KINDS).nullable().default(null) }).default({ kind: null });

/** The tags of the caller, in alphabetical order. */
export async function listTags(
  { app, account }: AccountContext,
  { kind }: z.output<typeof tagsInput>,
): Promise<z.output<typeof tagRecord>[]> {
  const tags = await tagsOfAccount(app.db.read, account.id, MAX_LISTED, kind);
  return tags.map(({ name, items }) => ({ tag: name, count: items }));
}

/** One transaction takes a tag from as much: other writers wait for it. */
const TAKEN_AT_ONCE = 1_000;

/**
 * Gives a tag another name on everything that has it. If there is a tag of that name, both become one; a merge that was
 * interrupted is completed by the next.
 */
export async function changeTag(
  { app, account }: AccountContext,
  { tag, name, merges }: z.output<typeof tagRename>,
): Promise<z.output<typeof tagRecord>> {
  const step = () =>
    app.db.write(async (trx) => {
      const tags = await lockTags(app.db, trx, account.id, [tag, name]);
      const from = found(tags.find(({ key }) => key === tagKey(tag)));
      const into = tags.find(({ key, id }) => key === tagKey(name) && id !== from.id);
      if (into !== undefined && !merges) fail('TAG_TAKEN');
      if (into !== undefined) {
        const taken = await takeTagFromSome(app.db, trx, from.id, into.id, TAKEN_AT_ONCE);
        if (taken === TAKEN_AT_ONCE) return null;
        await replaceTag(trx, from.id, into.id);
      }
      await renameTag(trx, (into ?? from).id, name);
      const [now] = await lockTags(app.db, trx, account.id, [name]);
      return { tag: name, count: now?.items ?? 0 };
    });
  try {
    for (;;) {
      const renamed = await step();
      if (renamed !== null) return renamed;
    }
  } catch (error) {
    // The account got a tag of that name at the same moment.
    if (app.db.dialect.isUniqueViolation(error)) fail('UNAVAILABLE', { cause: error });
    throw error;
  }
}

/** Takes a tag from everything that has it; a removal that was interrupted is completed by the next. */
export async function removeTag(
  { app, account }: AccountContext,
  { tag }: z.output<typeof tagInPath>,
): Promise<void> {
  const step = () =>
    app.db.write(async (trx) => {
      const [known] = await lockTags(app.db, trx, account.id, [tag]);
      const { id } = found(known);
      const isLast = (await takeTagFromSome(app.db, trx, id, null, TAKEN_AT_ONCE)) < TAKEN_AT_ONCE;
      if (isLast) await deleteTag(trx, id);
      return isLast;
    });
  while (!(await step()));
}
