import { z } from 'zod';
import { partsIn } from '../../../../db/content/collection/collection-member.js';
import { listCollections } from '../../../../db/content/collection/listed-collection.js';
import {
  contentPageAsked,
  contentPageInput,
  contentPageOf,
  toContentPage,
  windowOf,
} from '../../../base/paging.js';
import { summaryOf } from '../../../core/accounts/user-summary.js';
import type { AccountContext } from '../../../core/context.js';
import { creator, signedIn } from '../../../core/trpc.js';
import { namedInput } from '../fields.js';
import { collectionRecord, listedCollection } from '../record.js';
import { toCollectionRecord, toListed } from '../to-record.js';
import {
  listMembers,
  memberInput,
  memberRecord,
  memberRole,
  membersInput,
  newMemberInput,
  removeMember,
  setMember,
} from './members.js';
import { acceptCollection, endOffer, offerCollection } from './ownership.js';

/** A collection of somebody else in the list of those that are shared with the caller. */
export const sharedCollection = listedCollection
  .pick({
    ...{ uniqueId: true, title: true, description: true, createdAt: true, updatedAt: true, expiresAt: true },
    ...{ kind: true, totalFiles: true, totalSize: true, url: true, sealed: true, sealedName: true },
  })
  .extend({
    owner: collectionRecord.shape.owner,
    /** What the caller is in it; null if it is only offered. */
    role: memberRole.nullable(),
    /** Whether it is offered to the caller, who becomes its owner by accepting. */
    offered: z.boolean(),
  });

/** What is shared with the caller, newest first; for everybody who has an account. */
async function sharedWith(ctx: AccountContext, input: z.output<typeof contentPageInput>) {
  const { app, account } = ctx;
  const asked = contentPageAsked(input);
  const of = { ownerId: null, face: null, sharedWith: account.id };
  const { items, total } = await listCollections(app.db, of, windowOf(asked));
  const parts = await partsIn(
    app.db,
    account.id,
    items.map(({ id }) => id),
  );
  const listed = items.map(async (item) => {
    const { tags: _, favourite: __, isPublic: ___, notify: ____, ...shown } = await toListed(app, item);
    const { role = null, offered = false } = parts.get(item.id) ?? {};
    return { ...shown, owner: await summaryOf(app, item.ownerId), role, offered };
  });
  return toContentPage(asked, await Promise.all(listed), total);
}

/** The procedures of collections that several keep together. */
export const memberProcedures = {
  members: signedIn('images:read')
    .input(membersInput)
    .output(contentPageOf(memberRecord))
    .query(({ ctx, input }) => listMembers(ctx, input)),

  setMember: creator('images:write')
    .input(newMemberInput)
    .output(memberRecord)
    .mutation(({ ctx, input }) => setMember(ctx, input)),

  removeMember: signedIn('images:write')
    .input(memberInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeMember(ctx, input)),

  sharedWithMe: signedIn('images:read')
    .input(contentPageInput)
    .output(contentPageOf(sharedCollection))
    .query(({ ctx, input }) => sharedWith(ctx, input)),

  offer: creator('images:write')
    .input(memberInput)
    .output(z.void())
    .mutation(({ ctx, input }) => offerCollection(ctx, input)),

  accept: creator('images:write')
    .input(namedInput)
    .output(collectionRecord)
    .mutation(async ({ ctx, input }) => toCollectionRecord(ctx, await acceptCollection(ctx, input.uniqueId))),

  endOffer: signedIn('images:write')
    .input(namedInput)
    .output(z.void())
    .mutation(({ ctx, input }) => endOffer(ctx, input.uniqueId)),
};
