import { z } from 'zod';
import { type Beside, neighboursOf } from '../../../db/content/own/own-neighbours.js';
import { tagByName } from '../../../db/content/tag/tag.js';
import { fail, found } from '../../base/errors.js';
import type { AccountContext } from '../../core/context.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import type { neighbours } from '../../core/items/neighbours.js';
import { seeking } from '../../core/search.js';

/** The filter and the order of a library. */
export const imageFilterInput = {
  kind: z.enum(['image', 'video', 'audio', 'other']).nullable().default(null),
  access: z.enum(['public', 'private', 'password']).nullable().default(null),
  sort: z.enum(['newest', 'oldest', 'largest', 'name']).default('newest'),
  /** Only what is marked. */
  favourite: z.boolean().default(false),
  /** "" for any. */
  tag: z.string().trim().max(100).default(''),
};

const imageFilter = z.object(imageFilterInput);

/** The same in the words of the lists of every kind; null for a tag that the caller does not have. */
export async function besideOf(
  { app, account }: AccountContext,
  { kind, access, sort, favourite, tag }: z.output<typeof imageFilter>,
): Promise<Omit<Beside, 'matches'> | null> {
  const known = tag === '' ? null : await tagByName(app.db.read, account.id, tag);
  if (tag !== '' && known === null) return null;
  return {
    medium: kind,
    visibility: access === 'password' ? 'protected' : access,
    favourite,
    tagId: known?.id ?? null,
    sort: sort === 'largest' ? 'size' : sort,
  };
}

/** An image, and the list in which its neighbours are wanted. */
export const neighboursInput = z.object({
  uniqueId: uniqueIdInput,
  search: z.string().trim().max(200).default(''),
  ...imageFilterInput,
});

/** What is beside an own image in the caller's library; 401 for an image of somebody else. */
export async function findNeighbours(
  ctx: AccountContext,
  { uniqueId, search, ...filter }: z.output<typeof neighboursInput>,
): Promise<z.output<typeof neighbours>> {
  const { app, account } = ctx;
  const own = found(await app.load.image(uniqueId));
  if (own.ownerId !== account.id) fail('NOT_OWNER');
  const beside = found(await besideOf(ctx, filter));
  const { before, after } = await seeking(ctx, search, (matches) =>
    neighboursOf(app.db, own, { ...beside, matches }),
  );
  return {
    previous: before.items[0]?.uniqueId ?? null,
    next: after.items[0]?.uniqueId ?? null,
    index: before.total,
    total: before.total + 1 + after.total,
  };
}
