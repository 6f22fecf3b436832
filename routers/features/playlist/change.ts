import type { z } from 'zod';
import { type Collection, lockCollection } from '../../../db/content/collection/collection.js';
import { lookupId } from '../../../db/content/content.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { localizableOfIssue } from '../../base/text/zod-messages.js';
import type { AccountContext } from '../../core/context.js';
import { collectionIdInput } from '../../core/items/ids.js';
import { requireAllowed } from '../../core/policies.js';
import { append, changeColumns, columnsOf, type Form, insertFilled, joined } from '../collection/public.js';
import { MAX_ITEMS, type putImagesInput } from './inputs.js';

/** Under `/image/playlist` a collection has images, which one list puts in order. A file pack does not exist here. */
export const PLAYLIST: Form = {
  ...{ face: 'playlist', maxFiles: MAX_ITEMS, hasPacks: false },
  exchange: localizable('List every image of the playlist exactly once'),
  cover: localizable('The cover must be an image of the playlist'),
  missing: (id) => localizable('You have no image {id}', { id }),
  twice: (id) => localizable('The image {id} is already in the playlist', { id }),
  full: (max) => localizable('A playlist can have at most {max} images', { max }),
};

/** Images as the files of a collection. */
export const asItems = (imagesUids: readonly string[]) =>
  imagesUids.map((uniqueId) => ({ uniqueId, path: undefined }));

/**
 * Appends images to a playlist of the caller, all or none; creates the playlist if there is none with this
 * identifier. Refuses unknown images, images of others, and those already in it.
 */
export async function putImages(
  ctx: AccountContext,
  input: z.output<typeof putImagesInput>,
): Promise<Collection> {
  const { app, account } = ctx;
  await app.limits.rates.take('create', String(account.id));
  const columns = await columnsOf(app, account.id, input);
  const items = asItems(input.imagesUids);
  const put = () =>
    app.db.write(async (trx) => {
      const held = await lockCollection(app.db, trx, lookupId(input.identifier));
      if (held === null)
        return insertFilled(ctx, trx, requireIdentifier(input.identifier), columns, { items }, PLAYLIST);
      const action = Object.keys(columns).length === 0 ? 'add' : 'change';
      requireAllowed(ctx.account, action, 'collection', await joined(ctx, held, trx));
      if (held.face === 'pack') fail('ID_TAKEN');
      const changed = await changeColumns(trx, held, columns);
      await append(ctx, trx, changed, items, PLAYLIST);
      return changed;
    });
  const { isUniqueViolation } = app.db.dialect;
  try {
    return await put();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
  try {
    // The same playlist was created at the same time, so it exists now.
    return await put();
  } catch (error) {
    // Its owner is being deleted, so it cannot be used.
    if (isUniqueViolation(error)) fail('ID_TAKEN', { cause: error });
    throw error;
  }
}

/** Refuses an identifier that a new playlist must not have. */
function requireIdentifier(identifier: string): string {
  const parsed = collectionIdInput.safeParse(identifier);
  if (parsed.success && parsed.data !== null) return parsed.data;
  const why = parsed.error?.issues[0];
  return fail(
    'INVALID',
    why === undefined
      ? 'identifier: use 1 to 128 letters, digits, hyphens and underscores'
      : localizableOfIssue({ ...why, path: ['identifier'] }),
  );
}
