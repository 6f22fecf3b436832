import { z } from 'zod';
import { collectionByKey } from '../../../db/content/collection/collection.js';
import {
  itemsOfTrashedPack,
  restoreCollection,
  restoreItem,
} from '../../../db/content/collection/collection-trash.js';
import { lookupId } from '../../../db/content/content.js';
import { condemn, condemnBefore, condemnTrash, trashedBefore, trashedId } from '../../../db/content/trash.js';
import { listTrash, trashBytes } from '../../../db/content/trash-list.js';
import { DAY_MS } from '../../../db/engine/days.js';
import { fail, found, unlessRemoved } from '../../base/errors.js';
import { OWNED_KINDS, type OwnedKind } from '../../base/kinds.js';
import { pageFields, pageOf, toPage, windowOf } from '../../base/paging.js';
import type { AccountContext, Services } from '../../core/context.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { changesKind, requireChangeOfKind, requireReadingOfKind } from '../../core/scopes.js';
import { router, signedIn } from '../../core/trpc.js';
import { purgeCollection } from '../../features/collection/discard.js';
import { ITEM_ACTIONS } from '../items.js';
import { toTrashedRecord, trashedRecord } from './record.js';

/** Something in the trash, by its kind and id. */
const trashItemInput = z.object({ kind: z.enum(OWNED_KINDS), uniqueId: uniqueIdInput });

/** The contents of something in the trash: files by their hash, and the text of a paste. */
const trashedContents = z.object({
  files: z.array(z.object({ name: z.string(), sha256: z.string() })),
  text: z.string().nullable(),
});

/** What is in something in the trash of the caller, for the export of the account. */
async function contentsOfTrashed(
  ctx: AccountContext,
  { kind, uniqueId }: z.output<typeof trashItemInput>,
): Promise<z.output<typeof trashedContents>> {
  const { db } = ctx.app;
  requireReadingOfKind(ctx.account, kind);
  const id = found(await trashedId(db.read, ctx.account.id, kind, lookupId(uniqueId)));
  if (kind === 'collection') return { files: await itemsOfTrashedPack(db.read, id), text: null };
  return ITEM_ACTIONS[kind].contents(ctx, id);
}

/** A page of the trash, with what all of it takes. */
const trashPage = pageOf(trashedRecord).extend({
  /** What is in the trash takes so many bytes. */
  bytes: z.int(),
});

/** Items deleted in parallel; their transactions share commits. */
const BATCH = 32;
/** Batches deleted during a request; the rest is left to the next cleaning. */
const STEPS = 16;

/** What an account deleted, for as long as it can be undone (contract §7). */
export const trashRouter = router({
  list: signedIn('account:read')
    .input(z.object(pageFields(25, 100)))
    .output(trashPage)
    .query(async ({ ctx, input }) => {
      const { app, account } = ctx;
      const list = await listTrash(app.db, account.id, windowOf(input));
      const page = await toPage(input, list, (trashed) => toTrashedRecord(app, trashed));
      return { ...page, bytes: await trashBytes(app.db, account.id) };
    }),

  /** The contents of something in the trash, for the export of the account. */
  contents: signedIn('account:read')
    .input(trashItemInput)
    .output(trashedContents)
    .query(({ ctx, input }) => contentsOfTrashed(ctx, input)),

  /** Takes an item out of the trash, as it was. */
  restore: signedIn('account:write')
    .input(trashItemInput)
    .output(trashItemInput)
    .mutation(async ({ ctx, input }) => {
      const { kind } = input;
      const { db, load } = ctx.app;
      requireChangeOfKind(ctx.account, kind);
      await db.write(async (trx) => {
        const id = found(await trashedId(trx, ctx.account.id, kind, lookupId(input.uniqueId)));
        const restored =
          kind === 'collection' ? await restoreCollection(db, trx, id) : await restoreItem(db, trx, kind, id);
        if (!restored) fail('NOT_FOUND');
      });
      const now =
        kind === 'collection'
          ? await collectionByKey(db.read, lookupId(input.uniqueId))
          : await load[kind](input.uniqueId);
      return { kind, uniqueId: found(now).uniqueId };
    }),

  /** Deletes an item in the trash for good. */
  remove: signedIn('account:write')
    .input(trashItemInput)
    .output(z.object({ uniqueId: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const { kind, uniqueId } = input;
      const { db } = ctx.app;
      requireChangeOfKind(ctx.account, kind);
      const id = await db.write(async (trx) => {
        const trashed = found(await trashedId(trx, ctx.account.id, kind, lookupId(uniqueId)));
        // From here on nobody takes it out, so that what is restored is never deleted.
        return (await condemn(trx, kind, trashed)) ? trashed : fail('NOT_FOUND');
      });
      await purge(ctx.app, kind, id);
      return { uniqueId };
    }),

  /** Deletes everything in the trash for good that the key may change. Nothing of it can be restored from then on. */
  empty: signedIn('account:write')
    .output(z.object({ complete: z.boolean() }))
    .mutation(async ({ ctx }) => {
      const kinds = OWNED_KINDS.filter((kind) => changesKind(ctx.account, kind));
      // One that may change nothing is told what it lacks.
      if (kinds.length === 0) requireChangeOfKind(ctx.account, 'image');
      await ctx.app.db.write((trx) => condemnTrash(trx, ctx.account.id, kinds));
      for (let step = 0; step < STEPS; step += 1) if (!(await purgeSome(ctx.app, 0))) break;
      return { complete: kinds.length === OWNED_KINDS.length };
    }),
});

/** Deletes what has been in the trash for `trashDays`, until `signal` ends it. What it does not reach stays for the next run. */
export async function purgeTrash(app: Services, signal: AbortSignal): Promise<void> {
  const due = () => Date.now() - app.settings.trashDays * DAY_MS;
  while (!signal.aborted && (await purgeSome(app, due())));
}

/** Collections first: the files of a pack that is restored meanwhile are all still there. */
const PURGED = [...OWNED_KINDS].reverse();

/** Deletes a batch of what was put into the trash at a moment or before; false if nothing was. */
async function purgeSome(app: Services, at: number): Promise<boolean> {
  const { db } = app;
  for (const kind of PURGED) {
    if ((await trashedBefore(db.read, kind, at, 1)).length === 0) continue;
    if (at > 0) await db.write((trx) => condemnBefore(trx, kind, at, BATCH));
    const ids = await trashedBefore(db.read, kind, 0, BATCH);
    // Another process may be deleting the same item.
    await Promise.all(ids.map((id) => unlessRemoved(purge(app, kind, id))));
    return true;
  }
  return false;
}

/** Deletes for good what nobody can take out of the trash any more. */
const purge = (app: Services, kind: OwnedKind, id: number): Promise<void> =>
  kind === 'collection' ? purgeCollection(app, id) : ITEM_ACTIONS[kind].remove(app, { id });
