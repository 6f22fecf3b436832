import { z } from 'zod';
import { lookupId } from '../../db/content.js';
import { setPublic } from '../../db/content-change.js';
import { type ContentSearch, searchPastes, searchUrls } from '../../db/content-search.js';
import { ownImages, setDescription } from '../../db/library.js';
import type { Page, Window } from '../../db/paging.js';
import { requireControl, requireOwner } from '../access.js';
import { fail, found, unlessGone } from '../errors.js';
import { uniqueIdInput } from '../ids.js';
import { deleteImage } from '../image/delete.js';
import { imageRecord, toImageRecord } from '../image/record.js';
import { pasteRecord, toPasteRecord } from '../paste/record.js';
import { recordsOf } from '../people.js';
import { type AccountContext, creator, open, router, signedIn } from '../trpc.js';
import { shortUrlRecord, toShortUrlRecord } from '../url/record.js';
import { deletable, deletableInput, deleteByLink, deletionInput, tellDeletable } from './deletion.js';

/** Items of one page, and ids of one request. */
const MANY = 100;
const PAGE_SIZE = 24;

const listInput = z.object({
  search: z.string().trim().max(200).default(''),
  /** Counted from 0. */
  page: z.int().min(0).max(1_000_000).default(0),
  pageSize: z.int().min(1).max(MANY).default(PAGE_SIZE),
});
type ListInput = z.output<typeof listInput>;

const imagesInput = listInput.extend({
  kind: z.enum(['image', 'video', 'audio', 'other']).nullable().default(null),
  access: z.enum(['public', 'private', 'password']).nullable().default(null),
  sort: z.enum(['newest', 'oldest', 'largest', 'name']).default('newest'),
});

const paged = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), total: z.int(), page: z.int(), pageSize: z.int() });

const idsInput = z.array(uniqueIdInput).min(1).max(MANY);

const windowOf = ({ page, pageSize }: ListInput): Window => ({ limit: pageSize, offset: page * pageSize });

const ownOf = (ctx: AccountContext, { search }: ListInput): ContentSearch => ({
  ownerId: ctx.account.id,
  from: null,
  to: null,
  text: search === '' ? null : search,
});

async function pageOf<T, R>(input: ListInput, list: Page<T>, toRecord: (item: T) => Promise<R>) {
  const { page, pageSize } = input;
  return { items: await recordsOf(list.items, toRecord), total: list.total, page, pageSize };
}

/** What an account has made, in lists that can be searched, and changes to many items at once. */
export const libraryRouter = router({
  images: signedIn
    .input(imagesInput)
    .output(paged(imageRecord))
    .query(async ({ ctx, input }) => {
      const list = await ownImages(ctx.app.db, ctx.account.id, input, windowOf(input));
      return pageOf(input, list, (image) => toImageRecord(ctx.app, image, { access: true }));
    }),

  /** Pastes; whole texts are not for lists, so `content` is empty. */
  pastes: signedIn
    .input(listInput)
    .output(paged(pasteRecord))
    .query(async ({ ctx, input }) => {
      const list = await searchPastes(ctx.app.db, ownOf(ctx, input), windowOf(input));
      return pageOf(input, list, (paste) => toPasteRecord(ctx.app, { ...paste, content: '' }));
    }),

  urls: signedIn
    .input(listInput)
    .output(paged(shortUrlRecord))
    .query(async ({ ctx, input }) => {
      const list = await searchUrls(ctx.app.db, ownOf(ctx, input), windowOf(input));
      return pageOf(input, list, (url) => toShortUrlRecord(ctx.app, url, { access: true }));
    }),

  /** Opens the caller's own images to everybody, or to nobody but those with the password. */
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

  /** Deletes images, or none of them when the caller may not delete one; passes over what is gone already. */
  deleteImages: signedIn
    .input(z.object({ ids: idsInput }))
    .output(z.object({ deleted: z.int() }))
    .mutation(async ({ ctx, input }) => {
      const listed = await Promise.all(input.ids.map((id) => ctx.app.load.image(id)));
      const images = listed.filter((image) => image !== null);
      for (const image of images) await requireControl(ctx, image);
      let deleted = 0;
      for (const image of images)
        if ((await unlessGone(deleteImage(ctx.app, image).then(() => true))) !== null) deleted += 1;
      return { deleted };
    }),

  /** An item of any kind that the caller is about to delete. */
  deletable: open
    .input(deletableInput)
    .output(deletable)
    .query(({ ctx, input }) => tellDeletable(ctx, input)),

  /** Deletes an item of any kind with the secret link that its creator was given. */
  deleteByLink: open
    .input(deletionInput)
    .output(z.object({}))
    .mutation(async ({ ctx, input }) => {
      await deleteByLink(ctx, input);
      return {};
    }),
});
