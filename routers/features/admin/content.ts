import { z } from 'zod';
import type { ContentFilter } from '../../../db/content/content-filter.js';
import type { ContentSearch } from '../../../db/content/content-search.js';
import { type Image, searchImages } from '../../../db/content/file/image.js';
import { type Link, searchUrls } from '../../../db/content/link/link.js';
import { type ListedPaste, searchPastes, textsOf } from '../../../db/content/paste.js';
import type { Page, Window } from '../../../db/engine/paging.js';
import { type Visit, visitsOf } from '../../../db/statistics/visit.js';
import { fail, found } from '../../base/errors.js';
import { recordsOf, windowOf } from '../../base/paging.js';
import { dateEndInput, dateInput, iso } from '../../base/text/dates.js';
import type { AccountContext, Services } from '../../core/context.js';
import { isRowId, uidInput } from '../../core/items/ids.js';
import { urlSet } from '../../core/items/links.js';
import { buildAnswer, holdAnswer } from '../../core/large-answer.js';
import { requireScope } from '../../core/scopes.js';
import { seeking } from '../../core/search.js';
import { imageRecord, toImageRecord } from '../image/public.js';
import { shortUrlRecord, toShortUrlRecord, VISIT_BYTES } from '../link/public.js';
import { pasteRecord, toPasteRecord } from '../paste/public.js';
import { filterInput, formatsInput, imageFilterInput, urlFilterInput } from './filter.js';
import { pageAsked, pageCounts, pageInput, pageOutput } from './paging.js';

/** Number of visits shown for each link in a list, and for all of them together, from the newest link on. */
const MAX_LOG_ROWS = 100;
const MAX_LIST_LOG_ROWS = 2_500;

/** Creation time of items; both ends are optional. */
const madeInput = { from: dateInput.nullish(), to: dateEndInput.nullish() };

/** The creation time filter of a search. Refuses a start after the end. */
function madeBetween(input: Pick<OfUserInput, 'from' | 'to'>) {
  const { from = null, to = null } = input;
  if (from !== null && to !== null && from >= to) fail('INVALID', 'from must not be after to');
  return { from, to };
}

/** The newest items of one account, optionally limited to a period. */
export const ofUserInput = z.object({
  uid: z.int(),
  ...madeInput,
  limit: z.int().min(1).max(1_000).nullish(),
  /** Whether to include the text of pastes. */
  content: z.boolean().nullish(),
  /** Whether to include the newest visits of links. */
  logs: z.boolean().nullish(),
});
type OfUserInput = z.output<typeof ofUserInput>;

/** Maximum total size of the texts in one list, in bytes, from the newest paste on; other texts are read one by one. */
const LIST_TEXT_BYTES = 16 * 1024 * 1024;
/** Memory of a text in a response, as a multiple of its size: as read, and as JSON. */
const TEXT_FACTOR = 3;

/** A paste in a list; its text is null unless requested and within the size limit of the list. */
export const listedPaste = pasteRecord.extend({ content: z.string().nullable() });
const MAX_USERS = 25;
/** Clients that show all pastes and links of an account send no limit. */
const WHOLE_LIST = 1_000;

async function searchOf(ctx: AccountContext, input: OfUserInput): Promise<ContentSearch> {
  const user = isRowId(input.uid) ? await ctx.app.load.user(input.uid) : null;
  return {
    ownerId: found(user).id,
    ...madeBetween(input),
    matches: null,
  };
}

const first = (input: OfUserInput, limit: number) => ({ limit: input.limit ?? limit, offset: 0 });

/** Images of an account, including private ones; 404 for an unknown account. */
export async function imagesOf(ctx: AccountContext, input: OfUserInput) {
  const search = { ...(await searchOf(ctx, input)), filter: { inNoPack: true } };
  const page = await searchImages(ctx.app.db, search, first(input, MAX_USERS));
  return recordsOf(page.items, (image) => wholeImage(ctx.app, image));
}

/** Pastes of an account. */
export async function pastesOf(ctx: AccountContext, input: OfUserInput) {
  const page = await searchPastes(ctx.app.db, await searchOf(ctx, input), first(input, WHOLE_LIST));
  if (input.content === true) requireScope(ctx.account, 'pastes:read');
  const shown = input.content === true ? withQuota(page.items) : [];
  holdAnswer(ctx, TEXT_FACTOR * shown.reduce((sum, { size }) => sum + size, 0));
  const texts =
    shown.length > 0
      ? await textsOf(
          ctx.app.db,
          shown.map(({ id }) => id),
        )
      : null;
  return recordsOf(page.items, (paste) => listPaste(ctx.app, paste, texts?.get(paste.id) ?? null));
}

/** The pastes whose texts a list shows; not burn-after-reading ones, because reading must delete them. */
function withQuota(pastes: readonly ListedPaste[]): ListedPaste[] {
  let bytes = 0;
  return pastes.filter(({ burn, size }) => {
    if (burn) return false;
    bytes += size;
    return bytes <= LIST_TEXT_BYTES;
  });
}

/** Short URLs of an account. */
export async function urlsOf(ctx: AccountContext, input: OfUserInput) {
  const page = await searchUrls(ctx.app.db, await searchOf(ctx, input), first(input, WHOLE_LIST));
  if (input.logs !== true) return recordsOf(page.items, (url) => wholeUrl(ctx.app, url, null));
  let left = MAX_LIST_LOG_ROWS;
  const shown = page.items.map((url) => {
    const limit = Math.min(url.visits, MAX_LOG_ROWS, left);
    left -= limit;
    return { url, limit };
  });
  return buildAnswer(ctx, (MAX_LIST_LOG_ROWS - left) * VISIT_BYTES, () =>
    recordsOf(shown, async ({ url, limit }) =>
      wholeUrl(ctx.app, url, await visitsOf(ctx.app.db.read, url.id, { limit, offset: 0 })),
    ),
  );
}

const wholeImage = (app: Services, image: Image) =>
  toImageRecord(app, image, { access: true, counted: true });

async function listPaste(app: Services, paste: ListedPaste, content: string | null) {
  const record = await toPasteRecord(app, { ...paste, content: content ?? '' }, { counted: true });
  return content === null ? { ...record, content } : record;
}

const wholeUrl = (app: Services, url: Link, logs: readonly Visit[] | null) =>
  toShortUrlRecord(app, url, { access: true, logs });

/** Filters and page of the images of one account. */
export const pageableInput = z.object({
  uid: z.int(),
  ...madeInput,
  formats: formatsInput,
  ...pageInput,
});
/** A page of images in the form of older clients. */
export const imagesPageable = z.object({
  images: z.array(
    z.object({
      uniqueId: z.string(),
      type: z.string(),
      size: z.int(),
      uploadedAt: z.iso.datetime(),
      requiresPassword: z.boolean(),
      hasPoster: z.boolean(),
      location: z.enum(['LOCAL', 'S3']),
      urls: urlSet,
      public: z.boolean(),
      description: z.string().nullable(),
    }),
  ),
  ...pageOutput,
});

/** Images of an account, paged (contract §4). */
export async function pageOfImages(
  ctx: AccountContext,
  input: z.output<typeof pageableInput>,
): Promise<z.output<typeof imagesPageable>> {
  const page = pageAsked(input);
  const search = { ...(await searchOf(ctx, input)), filter: { formats: input.formats, inNoPack: true } };
  const { items, total } = await searchImages(ctx.app.db, search, windowOf(page));
  const images = await recordsOf(items, async (image) => ({
    uniqueId: image.uniqueId,
    type: image.type,
    size: image.size,
    uploadedAt: iso(image.createdAt),
    requiresPassword: image.passwordHash !== null,
    hasPoster: image.posterSha256 !== null,
    location: image.location,
    urls: (await wholeImage(ctx.app, image)).urlSet,
    public: image.isPublic,
    description: image.description,
  }));
  return { images, ...pageCounts(page, total) };
}

/** A search over the content of all accounts. */
export const searchInput = z.object({
  search: z.string().trim().max(200).nullish(),
  uid: uidInput.nullish(),
  ...madeInput,
  ...filterInput,
  ...pageInput,
});
type SearchInput = z.output<typeof searchInput>;

/** Filters and page of administrators' lists of images and links. */
export const imageSearchInput = searchInput.extend(imageFilterInput);
export const urlSearchInput = searchInput.extend(urlFilterInput);

/** Pages of administrators' lists. */
export const imagePage = z.object({ content: z.array(imageRecord), ...pageOutput });
export const pastePage = z.object({ content: z.array(listedPaste), ...pageOutput });
export const urlPage = z.object({ content: z.array(shortUrlRecord), ...pageOutput });

async function pageOfAll<T, R>(
  ctx: AccountContext,
  input: SearchInput & ContentFilter,
  find: (db: Services['db'], search: ContentSearch, window: Window) => Promise<Page<T>>,
  toRecord: (item: T) => Promise<R>,
) {
  const page = pageAsked(input);
  const search = { ownerId: input.uid ?? null, ...madeBetween(input), filter: input };
  const { items, total } = await seeking(ctx, input.search, (matches) =>
    find(ctx.app.db, { ...search, matches }, windowOf(page)),
  );
  return { content: await recordsOf(items, toRecord), ...pageCounts(page, total) };
}

/** Images of all accounts, those in packs apart, newest first. */
export const allImages = (ctx: AccountContext, input: z.output<typeof imageSearchInput>) =>
  pageOfAll(ctx, { ...input, inNoPack: true }, searchImages, (image) => wholeImage(ctx.app, image));

/** Pastes of all accounts, newest first, without their texts. */
export const allPastes = (ctx: AccountContext, input: SearchInput) =>
  pageOfAll(ctx, input, searchPastes, (paste) => listPaste(ctx.app, paste, null));

/** Links of all accounts, newest first. */
export const allUrls = (ctx: AccountContext, input: z.output<typeof urlSearchInput>) =>
  pageOfAll(ctx, input, searchUrls, (url) => wholeUrl(ctx.app, url, null));
