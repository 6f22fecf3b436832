import { z } from 'zod';
import { lookupId } from '../../db/content/content.js';
import { setPublic } from '../../db/content/content-change.js';
import type { ContentSearch } from '../../db/content/content-search.js';
import { ownImages, setDescription } from '../../db/content/library.js';
import { searchUrls } from '../../db/content/link.js';
import { searchPastes } from '../../db/content/paste.js';
import type { Sought } from '../../db/engine/paging.js';
import { requireControl, requireOwner } from '../access.js';
import { fail, found, unlessGone } from '../errors.js';
import { deleteImage } from '../image/delete.js';
import { imageRecord, toImageRecord } from '../image/record.js';
import { shortUrlRecord, toShortUrlRecord } from '../link/record.js';
import { pasteRecord, toPasteRecord } from '../paste/record.js';
import { uniqueIdInput } from '../shared/ids.js';
import { pageFields, pageOf, toPage, windowOf } from '../shared/paging.js';
import { seeking } from '../shared/search.js';
import { type AccountContext, creator, open, router, signedIn } from '../trpc.js';
import { deletable, deletableInput, deleteByLink, deletionInput, describeDeletable } from './deletion.js';

/** Maximum items per page, and ids per request. */
const MANY = 100;
const PAGE_SIZE = 24;

const listInput = z.object({
  search: z.string().trim().max(200).default(''),
  ...pageFields(PAGE_SIZE, MANY),
});

const imagesInput = listInput.extend({
  kind: z.enum(['image', 'video', 'audio', 'other']).nullable().default(null),
  access: z.enum(['public', 'private', 'password']).nullable().default(null),
  sort: z.enum(['newest', 'oldest', 'largest', 'name']).default('newest'),
});

const idsInput = z.array(uniqueIdInput).min(1).max(MANY);

const ownOf = (ctx: AccountContext, sought: Sought | null): ContentSearch => ({
  ownerId: ctx.account.id,
  from: null,
  to: null,
  sought,
});

/** Searchable lists of an account's items, and bulk changes. */
export const libraryRouter = router({
  images: signedIn
    .input(imagesInput)
    .output(pageOf(imageRecord))
    .query(async ({ ctx, input }) => {
      const { search, ...filter } = input;
      const list = await seeking(ctx, search, (sought) =>
        ownImages(ctx.app.db, ctx.account.id, { ...filter, sought }, windowOf(input)),
      );
      return toPage(input, list, (image) => toImageRecord(ctx.app, image, { access: true }));
    }),

  /** Pastes; `content` is empty, because lists do not contain whole texts. */
  pastes: signedIn
    .input(listInput)
    .output(pageOf(pasteRecord))
    .query(async ({ ctx, input }) => {
      const list = await seeking(ctx, input.search, (sought) =>
        searchPastes(ctx.app.db, ownOf(ctx, sought), windowOf(input)),
      );
      return toPage(input, list, (paste) => toPasteRecord(ctx.app, { ...paste, content: '' }));
    }),

  urls: signedIn
    .input(listInput)
    .output(pageOf(shortUrlRecord))
    .query(async ({ ctx, input }) => {
      const list = await seeking(ctx, input.search, (sought) =>
        searchUrls(ctx.app.db, ownOf(ctx, sought), windowOf(input)),
      );
      return toPage(input, list, (url) => toShortUrlRecord(ctx.app, url, { access: true }));
    }),

  /** Makes the caller's own images public or private. */
  setPrivate: creator
    .input(z.object({ ids: idsInput, private: z.boolean() }))
    .output(z.object({}))
    .mutation(async ({ ctx, input }) => {
      const keys = input.ids.map(lookupId);
      const { db } = ctx.app;
      await db.write((trx) => setPublic(db, trx, 'image', ctx.account.id, keys, !input.private));
      return {};
    }),

  describe: signedIn
    .input(z.object({ uniqueId: uniqueIdInput, description: z.string().trim().max(200) }))
    .output(imageRecord)
    .mutation(async ({ ctx, input }) => {
      const image = found(await ctx.app.load.image(input.uniqueId));
      requireOwner(ctx, image);
      const description = input.description === '' ? null : input.description;
      if (!(await ctx.app.db.write((trx) => setDescription(trx, image.id, description)))) fail('NOT_FOUND');
      return toImageRecord(ctx.app, { ...image, description }, { access: true });
    }),

  /** Deletes images, or none of them if the caller may not delete one; skips those already gone. */
  deleteImages: signedIn
    .input(z.object({ ids: idsInput }))
    .output(z.object({ deleted: z.int() }))
    .mutation(async ({ ctx, input }) => {
      const listed = await Promise.all(input.ids.map((id) => ctx.app.load.image(id)));
      const images = listed.filter((image) => image !== null);
      for (const image of images) requireControl(ctx, image);
      let deleted = 0;
      for (const image of images)
        if ((await unlessGone(deleteImage(ctx.app, image).then(() => true))) !== null) deleted += 1;
      return { deleted };
    }),

  /** An item of any kind that the caller wants to delete. */
  deletable: open
    .input(deletableInput)
    .output(deletable)
    .query(({ ctx, input }) => describeDeletable(ctx, input)),

  /** Deletes an item of any kind with its secret deletion link. */
  deleteByLink: open
    .input(deletionInput)
    .output(z.object({}))
    .mutation(async ({ ctx, input }) => {
      await deleteByLink(ctx, input);
      return {};
    }),
});
