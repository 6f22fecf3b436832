import { dayOf } from '../../../db/engine/days.js';
import type { LoggedVisits } from '../../../db/statistics/visit.js';
import type { CountryCount } from '../../../db/statistics/visit-countries.js';
import type { VisitCount } from '../../../db/statistics/visit-days.js';
import type { VariantCount } from '../../../db/statistics/visit-variants.js';
import { readUserAgent } from './user-agent.js';

/** What a batch of visits adds to the statistics of its links. */
interface Tally {
  readonly visits: VisitCount[];
  /** Those of people whose country is known. */
  readonly countries: CountryCount[];
  readonly variants: VariantCount[];
}

/** Counts a batch of visits by link, day and traits. A prefetch counts as a bot. */
export function tallyVisits(logged: readonly LoggedVisits[]): Tally {
  const counts = new Map<string, VisitCount>();
  const countries = new Map<string, CountryCount>();
  const variants = new Map<string, VariantCount>();
  for (const { urlId, visitedAt, userAgent, referrerHost, country, variant, prefetch, visits } of logged) {
    const known = readUserAgent(userAgent);
    const agent = prefetch && !known.bot ? { ...known, browser: 'Prefetch', bot: true } : known;
    const day = dayOf(visitedAt);
    if (country !== null && !agent.bot) {
      const from = `${urlId}|${day}|${country}`;
      const known = countries.get(from)?.visits ?? 0;
      countries.set(from, { urlId, day, country, visits: known + visits });
    }
    if (variant !== null) {
      const of = `${urlId}|${day}|${variant}`;
      const known = variants.get(of)?.visits ?? 0;
      variants.set(of, { urlId, day, variant, visits: known + visits });
    }
    const key = `${urlId}|${day}|${agent.browser}|${agent.system}|${agent.bot}|${referrerHost ?? ''}`;
    const counted = counts.get(key);
    counts.set(
      key,
      counted === undefined
        ? { urlId, day, ...agent, referrerHost: referrerHost ?? '', visits }
        : { ...counted, visits: counted.visits + visits },
    );
  }
  return {
    visits: [...counts.values()],
    countries: [...countries.values()],
    variants: [...variants.values()],
  };
}
