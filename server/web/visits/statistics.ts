import { t, translating } from '../../../routers/base/language/i18n.js';
import { OTHER_REFERRERS } from '../../../routers/features/stats/item.js';
import type { Point } from '../components/chart.js';
import { countryName } from '../format.js';
import { variantName } from '../link/way/words.js';
import type { PageRequest } from '../request.js';
import { barsOf, type VisitRange } from './range.js';

/** How often an item was opened in a range of days, and by whom. */
export interface VisitStatistics {
  readonly range: VisitRange;
  /** In these days by people, and by bots, among them link previews. */
  readonly people: number;
  readonly bots: number;
  /** By day or week, ascending. */
  readonly bars: readonly Point[];
  /** Where visitors come from and what they use, by the title of each list. */
  readonly traits: readonly Trait[];
}

/** The shares of what visitors have in common, with their title. */
type Trait = readonly [title: string, points: readonly Point[]];

type Counted = Awaited<ReturnType<PageRequest['call']['stats']['link']>>;

/** What a page shows of the counts of an item: days and countries are words of the reader's language. */
export const statisticsOf = (
  { site }: Pick<PageRequest, 'site'>,
  range: VisitRange,
  counted: Counted,
): VisitStatistics =>
  translating(site.i18n, () => ({
    range,
    people: counted.people,
    bots: counted.bots,
    bars: barsOf(range, counted.perDay),
    traits: traitsOf(counted),
  }));

/** Where visitors come from and what they use; countries only if they are known. */
function traitsOf({ referrers, countries, browsers, systems, botNames, variants = [] }: Counted): Trait[] {
  const known: Trait[] =
    countries.length === 0 ? [] : [[t('Countries'), named(countries, t('Unknown'), countryName)]];
  const host = (name: string) => (name === OTHER_REFERRERS ? t('Other pages') : name);
  const ways: Trait[] =
    variants.length === 0 ? [] : [[t('Rules and parts'), named(variants, '', variantName)]];
  return [
    ...ways,
    [t('Referrers'), named(referrers, t('Direct or from an app'), host)],
    ...known,
    [t('Browsers'), named(browsers, t('Unknown'))],
    [t('Operating systems'), named(systems, t('Unknown'))],
    [t('Bots'), named(botNames, t('Unknown'))],
  ];
}

interface Share {
  readonly name: string;
  readonly visits: number;
}

const named = (shares: readonly Share[], nameless: string, inWords = (name: string) => name): Point[] =>
  shares
    .slice(0, 8)
    .map(({ name, visits }) => ({ label: name === '' ? nameless : inWords(name), value: visits }));
