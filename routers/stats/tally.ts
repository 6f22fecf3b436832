import { dayOf } from '../../db/days.js';
import type { LoggedVisits } from '../../db/visit.js';
import type { VisitCount } from '../../db/visit-days.js';
import { type Agent, readUserAgent } from './user-agent.js';

/** Counts a batch of visits by link, day and traits; each distinct User-Agent is parsed once. */
export function tallyVisits(logged: readonly LoggedVisits[]): VisitCount[] {
  const agents = new Map<string | null, Agent>();
  const counts = new Map<string, VisitCount>();
  for (const { urlId, visitedAt, userAgent, referrerHost, visits } of logged) {
    let agent = agents.get(userAgent);
    if (agent === undefined) {
      agent = readUserAgent(userAgent);
      agents.set(userAgent, agent);
    }
    const day = dayOf(visitedAt);
    const key = `${urlId}|${day}|${agent.browser}|${agent.system}|${agent.bot}|${referrerHost ?? ''}`;
    const known = counts.get(key);
    counts.set(
      key,
      known === undefined
        ? { urlId, day, ...agent, referrerHost: referrerHost ?? '', visits }
        : { ...known, visits: known.visits + visits },
    );
  }
  return [...counts.values()];
}
