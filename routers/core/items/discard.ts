import { z } from 'zod';
import type { Content } from '../../../db/content/content.js';
import { trashItems } from '../../../db/content/trash.js';
import { fail } from '../../base/errors.js';
import type { Kind } from '../../base/kinds.js';
import type { Caller } from '../caller.js';
import type { Services } from '../context.js';

/** Input field of a deletion that skips the trash. */
export const permanentInput = { permanent: z.boolean().nullish() };

/** Who deletes an item, and whether it is kept for a while. */
export interface Discarding {
  /** Null for whoever has the deletion link, which only the owner was given. */
  readonly by: Pick<Caller, 'id'> | null;
  /** Not into the trash, even if there is one. */
  readonly permanent?: boolean | null | undefined;
}

/** Whether something that is deleted goes into the trash: if its owner deletes it, and neither says otherwise. */
export const isForTrash = (
  { settings }: Services,
  { ownerId }: Pick<Content, 'ownerId'>,
  { by, permanent }: Discarding,
): boolean => (by === null || by.id === ownerId) && permanent !== true && settings.trashDays > 0;

/**
 * Deletes an item: for its owner into the trash, from which it can be restored for `trashDays`; for anybody else, and
 * if the owner asks for it, for good. Nobody else finds it from then on; 404 if it is already gone.
 */
export async function discard(app: Services, kind: Kind, item: Content, how: Discarding): Promise<void> {
  if (!isForTrash(app, item, how)) {
    await app.items[kind].remove(app, item);
    return;
  }
  const localizable = await app.db.write(async (trx) => {
    if ((await trashItems(app.db, trx, kind, [item.id], Date.now())).length === 0) fail('NOT_FOUND');
    return app.items[kind].announceRemoval(app, trx, item);
  });
  if (localizable) app.jobs.kick();
}
