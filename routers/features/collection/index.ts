import { z } from 'zod';
import { collectionByKey } from '../../../db/content/collection/collection.js';
import { listCollections } from '../../../db/content/collection/listed-collection.js';
import { lookupId } from '../../../db/content/content.js';
import { found } from '../../base/errors.js';
import {
  contentPageAsked,
  contentPageInput,
  contentPageOf,
  toContentPage,
  windowOf,
} from '../../base/paging.js';
import { summaryOf } from '../../core/accounts/user-summary.js';
import type { Context } from '../../core/context.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { ifMatchInput } from '../../core/items/revision.js';
import { seeking } from '../../core/search.js';
import { sharedInput, shownInput } from '../../core/sharing/enter.js';
import { linkProcedures } from '../../core/sharing/procedures.js';
import { creator, open, router, signedIn } from '../../core/trpc.js';
import { delivery } from '../image/public.js';
import { changeCollection, removeCollection } from './change.js';
import { createCollection } from './create.js';
import { enterCollection, enterForFiles, enterShare, openEntered } from './enter.js';
import { addToCollection, putItems, takeFromCollection } from './entries.js';
import { changeInput, createInput, itemsInput, namedInput, removalInput, titledOrSealed } from './fields.js';
import { fileInput, fileOfCollection } from './file.js';
import { partInput } from './files.js';
import { heldCollection, ownCollection } from './held.js';
import { memberProcedures } from './members/procedures.js';
import { pickPicture, randomInput, randomPicture } from './random.js';
import { collectionRecord, openedCollection, picturedCollection } from './record.js';
import { ownAddresses, toCollectionRecord, toListed, toOpened, toPictured } from './to-record.js';
import { zipListing, zipOfCollection } from './zip.js';

const withItems = namedInput.extend({ items: itemsInput, ifMatch: ifMatchInput });

/** What an opening may ask for: nothing but whether it would succeed, or a part of the files; the REST interface gives all. */
const asked = { head: z.boolean().default(false), part: partInput };
const openInput = namedInput.extend({ ...shownInput, ...asked });
const shareInput = sharedInput.extend(asked);

const enter = async (
  ctx: Context,
  input: Pick<z.output<typeof openInput>, 'uniqueId' | 'password' | 'ticket'>,
) => enterCollection(ctx, found(await collectionByKey(ctx.app.db.read, lookupId(input.uniqueId))), input);

/** Collections of files: those of an account, and what others see of them (contract §6). */
export const collectionRouter = router({
  /** The caller's collections of every kind, newest first; for pages, with pictures. */
  mine: signedIn('images:read')
    .input(
      contentPageInput.extend({
        pictured: z.boolean().default(false),
        favourite: z.boolean().nullish(),
        /** Part of the title or the description. */
        search: z.string().trim().max(200, 'a search can have at most 200 characters').nullish(),
      }),
    )
    .output(contentPageOf(picturedCollection))
    .query(async ({ ctx, input }) => {
      const asked = contentPageAsked(input);
      const { items, total } = await seeking(ctx, input.search, (matches) =>
        listCollections(
          ctx.app.db,
          { ownerId: ctx.account.id, face: null, favourite: input.favourite === true, matches },
          windowOf(asked),
        ),
      );
      const listed = items.map((item) => (input.pictured ? toPictured(ctx, item) : toListed(ctx.app, item)));
      return toContentPage(asked, await Promise.all(listed), total);
    }),

  get: signedIn('images:read')
    .input(namedInput.extend({ part: partInput }))
    .output(collectionRecord)
    .query(async ({ ctx, input }) =>
      toCollectionRecord(ctx, await heldCollection(ctx, input.uniqueId, 'join'), input.part),
    ),

  create: creator('images:write', 'creates')
    .input(createInput)
    .output(collectionRecord)
    .mutation(async ({ ctx, input }) => {
      const made = { ...input, seal: titledOrSealed(input) };
      return toCollectionRecord(ctx, await createCollection(ctx, made));
    }),

  change: creator('images:write')
    .input(changeInput)
    .output(collectionRecord)
    .mutation(async ({ ctx, input }) => toCollectionRecord(ctx, await changeCollection(ctx, input))),

  /** Its files: these, in this order. */
  putItems: creator('images:write')
    .input(withItems)
    .output(collectionRecord)
    .mutation(async ({ ctx, input }) => toCollectionRecord(ctx, await putItems(ctx, input, input.items))),

  /** Further files, behind those that it has. */
  addItems: creator('images:write')
    .input(withItems)
    .output(collectionRecord)
    .mutation(async ({ ctx, input }) =>
      toCollectionRecord(ctx, await addToCollection(ctx, input, input.items)),
    ),

  takeItem: signedIn('images:write')
    .input(namedInput.extend({ fileId: uniqueIdInput, ifMatch: ifMatchInput }))
    .output(collectionRecord)
    .mutation(async ({ ctx, input }) =>
      toCollectionRecord(ctx, await takeFromCollection(ctx, input, input.fileId)),
    ),

  delete: signedIn('images:write')
    .input(removalInput)
    .output(z.object({ uniqueId: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const { uniqueId } = await removeCollection(ctx, input.uniqueId, input.permanent);
      return { uniqueId };
    }),

  ...linkProcedures('collection', async (ctx, uniqueId) => {
    const { id } = await ownCollection(ctx, uniqueId);
    return { kind: 'collection', id, refuses: () => null };
  }),

  ...memberProcedures,

  /** What others see of a collection; counts a view. */
  open: open('images:read')
    .input(openInput)
    .output(openedCollection)
    .query(async ({ ctx, input }) => {
      const entered = await enter(ctx, input);
      const ticket = await openEntered(ctx, entered, input);
      return toOpened(ctx, entered, ownAddresses(entered.collection, ticket), input);
    }),

  /** Its title and owner, without its files. */
  title: open('images:read')
    .input(namedInput.extend(shownInput))
    .output(collectionRecord.pick({ title: true, owner: true, sealed: true }))
    .query(async ({ ctx, input }) => {
      const { title, ownerId, seal } = (await enter(ctx, input)).collection;
      return { title, owner: await summaryOf(ctx.app, ownerId), sealed: seal !== null };
    }),

  openFile: open('images:read')
    .input(openInput.omit({ head: true, part: true }).extend(fileInput))
    .output(delivery)
    .query(async ({ ctx, input }) => {
      const entered = await enter(ctx, input);
      return fileOfCollection(ctx, await enterForFiles(ctx, entered, input), input);
    }),

  openZip: open('images:read')
    .input(openInput.omit({ head: true, part: true }))
    .output(zipListing)
    .query(async ({ ctx, input }) => {
      const entered = await enter(ctx, input);
      return zipOfCollection(ctx, await enterForFiles(ctx, entered, input));
    }),

  /** The address of one of its pictures, whichever. */
  openRandom: open('images:read')
    .input(openInput.omit({ head: true, part: true }).extend(randomInput))
    .output(randomPicture)
    .query(async ({ ctx, input }) => {
      const entered = await enterForFiles(ctx, await enter(ctx, input), input);
      return pickPicture(ctx, entered, ownAddresses(entered.collection, input.ticket ?? null), input.width);
    }),

  /** As `openRandom`, by a share link. */
  sharedRandom: open('images:read')
    .input(sharedInput.extend(randomInput))
    .output(randomPicture)
    .query(async ({ ctx, input }) => {
      const entered = await enterForFiles(ctx, await enterShare(ctx, input.secret, input), input);
      const at = { base: `/collection/shared/${input.secret}`, ticket: input.ticket ?? null };
      return pickPicture(ctx, entered, at, input.width);
    }),

  /** What a share link opens; counts a view of the link. */
  shared: open('images:read')
    .input(shareInput)
    .output(openedCollection)
    .query(async ({ ctx, input }) => {
      const entered = await enterShare(ctx, input.secret, input);
      const ticket = await openEntered(ctx, entered, input);
      return toOpened(ctx, entered, { base: `/collection/shared/${input.secret}`, ticket }, input);
    }),

  sharedFile: open('images:read')
    .input(shareInput.omit({ head: true, part: true }).extend(fileInput))
    .output(delivery)
    .query(async ({ ctx, input }) => {
      const entered = await enterShare(ctx, input.secret, input);
      return fileOfCollection(ctx, await enterForFiles(ctx, entered, input), input);
    }),

  sharedZip: open('images:read')
    .input(shareInput.omit({ head: true, part: true }))
    .output(zipListing)
    .query(async ({ ctx, input }) => {
      const entered = await enterShare(ctx, input.secret, input);
      return zipOfCollection(ctx, await enterForFiles(ctx, entered, input));
    }),
});
