import { z } from 'zod';
import { countriesOf } from '../../../db/statistics/visit-countries.js';
import { type CountedDay, countedDays, openedBy } from '../../../db/statistics/visit-days.js';
import { variantsOf } from '../../../db/statistics/visit-variants.js';
import { fail } from '../../base/errors.js';
import { type Kind, leadsOn } from '../../base/kinds.js';
import { formatInput, Lines } from '../../base/lines.js';
import { slugOf } from '../../base/link-domain.js';
import { csvLine } from '../../base/text/csv.js';
import { spanInput, spanOf } from '../../base/text/span.js';
import type { AccountContext } from '../../core/context.js';
import { idAtHost } from '../../core/items/domains.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { may } from '../../core/policies.js';
import { dayText } from './days.js';

/** The name of all referrers that are not counted by their own. */
export { OTHER_HOSTS as OTHER_REFERRERS } from '../../../db/statistics/view-days.js';

/** Maximum number of names of each kind; the rest is too rare to matter. */
const MAX_NAMES = 50;
/** Fewer visits from one country could be those of one person. */
const MAX_SELECTIVE = 5;

/** An item, with its host if it is a link on a domain, and the days of its statistics. */
export const itemInput = spanInput.extend({ uniqueId: uniqueIdInput, host: z.string().max(300).nullish() });

const shares = z.array(z.object({ name: z.string(), visits: z.int() }));

/** How often something was opened on a UTC day, and by whom; `second` is all of it. */
export const openedDay = z.object({
  first: z.iso.date(),
  second: z.int(),
  people: z.int(),
  bots: z.int(),
});

/**
 * How often an item was opened by UTC day, in all and by bots, and the traits of people who did. "" means no referrer,
 * or unknown.
 */
export const itemStats = z.object({
  uniqueId: z.string(),
  visits: z.int(),
  people: z.int(),
  bots: z.int(),
  perDay: z.array(openedDay),
  /** `*` stands for all hosts that are not counted by name. */
  referrers: shares,
  browsers: shares,
  systems: shares,
  botNames: shares,
  /** Codes of two letters; for others than the owner only those with at least five visits. */
  countries: shares,
  /** Visits by the rule or part of a link that led them on: `rule-1`, `split-2`; of links only. */
  variants: shares.optional(),
});
type ItemStats = z.output<typeof itemStats>;

/** The item, if the caller owns it or administers; 401 otherwise, or 404 once it is over. */
async function findCounted(ctx: AccountContext, kind: Kind, uniqueId: string, host: string | null = null) {
  const id = host === null || !leadsOn(kind) ? uniqueId : await idAtHost(ctx.app, uniqueId, host);
  const counted = await ctx.app.items[kind].counted(ctx.app, id);
  if (!(await may(ctx, 'seeVisitors', kind, counted.item))) fail(counted.over ? 'NOT_FOUND' : 'NOT_OWNER');
  await ctx.app.views.flush();
  return counted;
}

const toOpenedDay = ({ day, visits, bots }: CountedDay): z.output<typeof openedDay> => ({
  first: dayText(day),
  second: visits,
  people: visits - bots,
  bots,
});

/** The statistics of an item for its owner and administrators, in whole days. */
export async function getItemStats(
  ctx: AccountContext,
  kind: Kind,
  input: z.output<typeof itemInput>,
): Promise<ItemStats> {
  const { item, in: counts } = await findCounted(ctx, kind, input.uniqueId, input.host ?? null);
  const span = spanOf(input);
  const { days, openers, countries, variants } = await ctx.app.db.behind(async (db) => ({
    days: await countedDays(db, counts, span),
    openers: await openedBy(db, counts, span, MAX_NAMES),
    countries: await countriesOf(db, counts, span, MAX_NAMES),
    variants: leadsOn(kind) ? { variants: await variantsOf(db, item.id, span) } : {},
  }));
  const perDay = days.map(toOpenedDay);
  const { referrers, browsers, systems, bots } = openers;
  const sum = (of: 'second' | 'people' | 'bots') => perDay.reduce((total, entry) => total + entry[of], 0);
  return {
    uniqueId: slugOf(item.uniqueId),
    visits: sum('second'),
    people: sum('people'),
    bots: sum('bots'),
    perDay,
    referrers: [...referrers],
    browsers: [...browsers],
    systems: [...systems],
    botNames: [...bots],
    ...variants,
    countries: (await may(ctx, 'seeOwn', kind, item))
      ? countries
      : countries.filter(({ visits }) => visits >= MAX_SELECTIVE),
  };
}

/** An item whose views are exported. */
export const itemExportInput = z.object({ uniqueId: uniqueIdInput, format: formatInput });

/** A day of an export. */
export const exportedViews = z.object({ day: z.iso.date(), views: z.int(), people: z.int(), bots: z.int() });

/** Every day on which an item was opened, the oldest first. */
export async function exportItemStats(
  ctx: AccountContext,
  kind: Kind,
  { uniqueId, format }: z.output<typeof itemExportInput>,
): Promise<Lines> {
  const { item, in: counts } = await findCounted(ctx, kind, uniqueId);
  async function* each(): AsyncGenerator<string> {
    if (format === 'csv') yield csvLine(['day', 'views', 'people', 'bots']);
    const days = await ctx.app.db.behind((db) => countedDays(db, counts, spanOf({})));
    for (const { first, second, people, bots } of days.map(toOpenedDay)) {
      const entry: z.output<typeof exportedViews> = { day: first, views: second, people, bots };
      yield format === 'json' ? JSON.stringify(entry) : csvLine(Object.values(entry));
    }
  }
  return new Lines(format, `holdall-views-${item.uniqueId}.${format}`, each);
}
