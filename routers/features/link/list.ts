import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { lookupId } from '../../../db/content/content.js';
import type { Link } from '../../../db/content/link/link.js';
import { linkConditions, linkTotals, tagsOfLinks } from '../../../db/content/link/link-sums.js';
import { EVERYTHING } from '../../../db/content/own/own-filter.js';
import { ownItems } from '../../../db/content/own/own-items.js';
import { tagByName } from '../../../db/content/tag/tag.js';
import { allBotVisits, botVisitsOf } from '../../../db/statistics/visit-lists.js';
import { fail } from '../../base/errors.js';
import { pageFields, toPage, windowOf } from '../../base/paging.js';
import { HEALTHS } from '../../base/ports/target-looks.js';
import { spanFields } from '../../base/text/dates.js';
import type { AccountContext } from '../../core/context.js';
import { seeking } from '../../core/search.js';
import { domainAsked, findLink, type NamedLink } from './find.js';
import { type LinkRecord, toShortUrlRecord } from './record.js';

/** Links in one answer, at most. */
const MAX_LINKS = 1_000;

/** Filters and page of own links; absent means any. */
export const listInput = z.object({
  search: z.string().trim().max(200, 'a search can have at most 200 characters').nullish(),
  tags: z.array(z.string().max(100)).max(20).nullish(),
  /** Whether all of the tags are asked for, and not one of them. */
  allTags: z.boolean().nullish(),
  /** Without those that have one of these tags, or all of them. */
  withoutTags: z.array(z.string().max(100)).max(20).nullish(),
  withoutAllTags: z.boolean().nullish(),
  /** Without those that are used up, and without those that have ended. */
  usable: z.boolean().nullish(),
  lasting: z.boolean().nullish(),
  favourite: z.boolean().nullish(),
  /** What the last look at their targets found. */
  health: z.enum(HEALTHS).nullish(),
  /** On which host they are. */
  host: z.string().max(300).nullish(),
  ...spanFields,
  sort: z
    .enum(['newest', 'oldest', 'name', 'nameDown', 'views', 'viewsUp', 'id', 'idDown', 'random'])
    .nullish(),
  ...pageFields(25, MAX_LINKS),
});

/** The caller's own links. A tag that the caller does not have finds nothing. */
export async function listLinks(ctx: AccountContext, input: z.output<typeof listInput>) {
  const { app, account } = ctx;
  const asked = await tagsNamed(ctx, input.tags);
  const tagIds = idsOf(asked);
  const allTags = input.allTags === true;
  const without = await tagsNamed(ctx, input.withoutTags);
  const withoutAll = input.withoutAllTags === true;
  if (asked.length > 0 && (allTags ? asked.includes(null) : tagIds.length === 0))
    return toPage(input, { items: [] as Link[], total: 0 }, (link) => ownLinkRecord(ctx, link));
  const { from = null, to = null } = input;
  const domain = await domainAsked(ctx, input.host);
  const sort = input.sort ?? 'newest';
  const window = sort === 'random' ? await somewhere(ctx, input.pageSize) : windowOf(input);
  const { items, ...list } = await seeking(ctx, input.search, (matches) =>
    ownItems(
      app.db,
      account.id,
      {
        ...EVERYTHING,
        ...{ kinds: ['url'], from, to, matches, favourite: input.favourite === true },
        sort: sort === 'random' ? 'newest' : sort,
        further: linkConditions({
          ...{ tagIds, allTags, withoutAll },
          // No link has a tag that there is not.
          withoutIds: withoutAll && without.includes(null) ? [] : idsOf(without),
          ...{ usable: input.usable === true, lasting: input.lasting === true },
          ...{ health: input.health ?? null, domain },
        }),
      },
      window,
    ),
  );
  const links = await Promise.all(items.map(({ uniqueId }) => app.load.url(lookupId(uniqueId))));
  const left = links.filter((link) => link !== null);
  return toPage(input, { ...list, items: left }, (link) => ownLinkRecord(ctx, link));
}

/** The caller's tags of these names, null for each that there is not. */
const tagsNamed = ({ app, account }: AccountContext, names: readonly string[] | null | undefined) =>
  Promise.all((names ?? []).map((name) => tagByName(app.db.read, account.id, name)));
const idsOf = (tags: Awaited<ReturnType<typeof tagsNamed>>) => [
  ...new Set(tags.flatMap((tag) => tag?.id ?? [])),
];

/** The record of a link of the caller; 404 for those of others. */
export async function ownLink(ctx: AccountContext, named: NamedLink): Promise<LinkRecord> {
  const link = await findLink(ctx, named);
  return link.ownerId === ctx.account.id ? ownLinkRecord(ctx, link) : fail('NOT_FOUND');
}

/** The record of a link for its owner. */
const ownLinkRecord = ({ app }: AccountContext, link: Link): Promise<LinkRecord> =>
  toShortUrlRecord(app, link, { access: true, own: true });

/** A section of the caller's links that begins anywhere. */
async function somewhere({ app, account }: AccountContext, limit: number) {
  const { links } = await linkTotals(app.db, account.id);
  return { limit, offset: randomInt(Math.max(1, links - limit + 1)) };
}

/** How many links the caller has, and how often all of them were followed, and that by bots. */
export const linkTotalsOf = ({ app, account }: AccountContext) =>
  app.singleFlight(`link totals ${account.id}`, async () => ({
    ...(await linkTotals(app.db, account.id)),
    bots: await allBotVisits(app.db, account.id),
  }));

/** How often bots followed links of the caller, in the order of their full ids. */
export async function botsOfLinks(
  { app, account }: AccountContext,
  fullIds: readonly string[],
): Promise<number[]> {
  const keys = fullIds.map(lookupId);
  const counted = await botVisitsOf(app.db, account.id, keys);
  return keys.map((key) => counted.get(key) ?? 0);
}

/** Tags in one answer, at most. */
const MAX_TAGS = 10_000;

/** The tags of the caller's links. */
export const linkTagsOf = ({ app, account }: AccountContext) =>
  app.singleFlight(`link tags ${account.id}`, () => tagsOfLinks(app.db, account.id, MAX_TAGS));
