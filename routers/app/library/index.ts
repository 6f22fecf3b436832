import { z } from 'zod';
import { lookupId } from '../../../db/content/content.js';
import { setPublic } from '../../../db/content/content-change.js';
import { countByMonths } from '../../../db/content/counted.js';
import { imageFromRow } from '../../../db/content/file/image.js';
import type { Kind } from '../../../db/content/kinds.js';
import { shortUrlFromRow } from '../../../db/content/link/link.js';
import type { OwnFilter } from '../../../db/content/own/own-filter.js';
import { ownOfKind } from '../../../db/content/own/own-items.js';
import { LISTED_COLUMNS, listedFromRow } from '../../../db/content/paste.js';
import { linesOutput } from '../../base/lines.js';
import { pageFields, pageOf, toPage, windowOf } from '../../base/paging.js';
import type { AccountContext } from '../../core/context.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { neighbours } from '../../core/items/neighbours.js';
import { seeking } from '../../core/search.js';
import { creator, open, quiet, router, signedIn } from '../../core/trpc.js';
import { changeImage } from '../../features/image/change.js';
import { imageRecord, toImageRecord } from '../../features/image/record.js';
import { shortUrlRecord, toShortUrlRecord } from '../../features/link/record.js';
import { pasteRecord, toPasteRecord } from '../../features/paste/record.js';
import {
  deletable,
  deletableInput,
  deleteByLink,
  deletionInput,
  describeDeletable,
  endByLink,
  endingInput,
} from './deletion.js';
import { itemsInput, itemsPage, listItems } from './items.js';
import { changeMany, discardMany, idsInput, MANY, manyChange, manyInput } from './many.js';
import { besideOf, findNeighbours, imageFilterInput, neighboursInput } from './neighbours.js';
import { exportOrigins } from './origins.js';
import { changeTag, listTags, removeTag, tagInPath, tagRecord, tagRename, tagsInput } from './tags.js';

const PAGE_SIZE = 24;

const listInput = z.object({
  search: z.string().trim().max(200).default(''),
  /** Only what is marked. */
  favourite: z.boolean().default(false),
  ...pageFields(PAGE_SIZE, MANY),
});

const imagesInput = listInput.extend(imageFilterInput);

/** A month (`2026-01`, UTC), and how many items came in it. */
export const monthRecord = z.object({ month: z.string(), items: z.int() });

/** A page of the caller's items of a kind. */
const ownList = <R extends { readonly id: number }, T>(
  ctx: AccountContext,
  kind: Kind,
  input: z.output<typeof listInput>,
  fromRow: (row: R) => T,
  { columns = '*', ...filter }: Partial<OwnFilter> & { readonly columns?: string } = {},
) =>
  seeking(ctx, input.search, (matches) =>
    ownOfKind(
      ctx.app.db,
      ctx.account.id,
      kind,
      { ...filter, matches, favourite: input.favourite },
      windowOf(input),
      fromRow,
      columns,
    ),
  );

/** Searchable lists of an account's items, and bulk changes. */
export const libraryRouter = router({
  images: signedIn('images:read')
    .input(imagesInput)
    .output(pageOf(imageRecord))
    .query(async ({ ctx, input }) => {
      const filter = await besideOf(ctx, input);
      if (filter === null) return toPage(input, { items: [], total: 0 }, (never: never) => never);
      const list = await ownList(ctx, 'image', input, imageFromRow, filter);
      return toPage(input, list, (image) => toImageRecord(ctx.app, image, { access: true, own: true }));
    }),

  /** How many files came in each month, the newest first: a library of years is gone through by them. */
  months: signedIn('images:read')
    .output(z.array(monthRecord))
    .query(({ ctx }) => countByMonths(ctx.app.db, { kind: 'image', ownerId: ctx.account.id })),

  /** What comes before and after an image in such a list. */
  neighbours: signedIn('images:read')
    .input(neighboursInput)
    .output(neighbours)
    .query(({ ctx, input }) => findNeighbours(ctx, input)),

  /** Pastes; `content` is empty, because lists do not contain whole texts. */
  pastes: signedIn('pastes:read')
    .input(listInput)
    .output(pageOf(pasteRecord))
    .query(async ({ ctx, input }) => {
      const columns = LISTED_COLUMNS.join(', ');
      const list = await ownList(ctx, 'paste', input, listedFromRow, { columns });
      return toPage(input, list, (paste) => toPasteRecord(ctx.app, { ...paste, content: '' }, { own: true }));
    }),

  urls: signedIn('urls:read')
    .input(listInput)
    .output(pageOf(shortUrlRecord))
    .query(async ({ ctx, input }) => {
      const list = await ownList(ctx, 'url', input, shortUrlFromRow);
      return toPage(input, list, (url) => toShortUrlRecord(ctx.app, url, { access: true, own: true }));
    }),

  /** The caller's own items of every kind. */
  items: signedIn('account:read')
    .input(itemsInput)
    .output(itemsPage)
    .query(({ ctx, input }) => listItems(ctx, input)),

  tags: signedIn('account:read')
    .input(tagsInput)
    .output(z.array(tagRecord))
    .query(({ ctx, input }) => listTags(ctx, input)),

  /** Where the caller's items and collections came from, for the export of the account. */
  origins: signedIn('account:read')
    .output(linesOutput)
    .query(({ ctx }) => exportOrigins(ctx)),

  /** Gives a tag another name on everything that has it. */
  renameTag: signedIn('account:write')
    .input(tagRename)
    .output(tagRecord)
    .mutation(({ ctx, input }) => changeTag(ctx, input)),

  /** Takes a tag from everything that has it. */
  removeTag: signedIn('account:write')
    .input(tagInPath)
    .output(z.object({}))
    .mutation(quiet(({ ctx, input }) => removeTag(ctx, input))),

  /** Makes the caller's own images public or private. */
  setPrivate: creator('images:write')
    .input(z.object({ ids: idsInput, private: z.boolean() }))
    .output(z.object({}))
    .mutation(async ({ ctx, input }) => {
      const keys = input.ids.map(lookupId);
      const { db } = ctx.app;
      await db.write((trx) => setPublic(db, trx, 'image', ctx.account.id, keys, !input.private));
      return {};
    }),

  /** Makes the caller's own items of a kind public or private, or gives them a tag. */
  changeMany: creator('account:write')
    .input(manyChange)
    .output(z.object({}))
    .mutation(quiet(({ ctx, input }) => changeMany(ctx, input))),

  /** Deletes items of a kind, or none of them if the caller may not delete one. */
  discardMany: signedIn('account:write')
    .input(manyInput)
    .output(z.object({ deleted: z.int() }))
    .mutation(async ({ ctx, input }) => ({ deleted: await discardMany(ctx, input) })),

  describe: signedIn('images:write')
    .input(z.object({ uniqueId: uniqueIdInput, description: z.string().trim().max(200) }))
    .output(imageRecord)
    .mutation(({ ctx, input }) =>
      changeImage(ctx, { uniqueId: input.uniqueId, newId: null, desc: input.description }),
    ),

  /** Deletes images, or none of them if the caller may not delete one; skips those already gone. */
  deleteImages: signedIn('images:write')
    .input(z.object({ ids: idsInput }))
    .output(z.object({ deleted: z.int() }))
    .mutation(async ({ ctx, input }) => ({
      deleted: await discardMany(ctx, { kind: 'image', ids: input.ids }),
    })),

  /** An item of any kind that the caller wants to delete. */
  deletable: open(null)
    .input(deletableInput)
    .output(deletable)
    .query(({ ctx, input }) => describeDeletable(ctx, input)),

  /** Deletes an item of any kind with its secret deletion link. */
  deleteByLink: open(null)
    .input(deletionInput)
    .output(z.object({}))
    .mutation(quiet(({ ctx, input }) => deleteByLink(ctx, input))),

  /** Gives an item of any kind another end with its secret deletion link. */
  endByLink: open(null)
    .input(endingInput)
    .output(z.object({}))
    .mutation(quiet(({ ctx, input }) => endByLink(ctx, input))),
});
