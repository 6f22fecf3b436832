import { dayOf } from '../../db/engine/days.js';
import type { LoggedVisits } from '../../db/statistics/visit.js';
import type { VisitCount } from '../../db/statistics/visit-days.js';
import { type Agent, readUserAgent } from './user-agent.js';

/** Counts a batch of visits by link, day and traits; each distinct User-Agent is parsed once. A prefetch counts as a bot. */
export function tallyVisits(logged: readonly LoggedVisits[]): VisitCount[] {
  const agents = new Map<string | null, Agent>();
  const counts = new Map<string, VisitCount>();
  for (const { urlId, visitedAt, userAgent, referrerHost, prefetch, visits } of logged) {
    let known = agents.get(userAgent);
    if (known === undefined) {
      known = readUserAgent(userAgent);
      agents.set(userAgent, known);
    }
    const agent = prefetch && !known.bot ? { ...known, browser: 'Prefetch', bot: true } : known;
    const day = dayOf(visitedAt);
    const key = `${urlId}|${day}|${agent.browser}|${agent.system}|${agent.bot}|${referrerHost ?? ''}`;
    const counted = counts.get(key);
    counts.set(
      key,
      counted === undefined
        ? { urlId, day, ...agent, referrerHost: referrerHost ?? '', visits }
        : { ...counted, visits: counted.visits + visits },
    );
  }
  return [...counts.values()];
}
