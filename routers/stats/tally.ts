import { dayOf } from '../../db/content-days.js';
import type { Visit } from '../../db/short-url.js';
import type { VisitCount } from '../../db/visit-days.js';
import { type Agent, readUserAgent } from './user-agent.js';

/** Counts a batch of visits by link, day and traits; each distinct User-Agent is looked at once. */
export function tallyVisits(visits: readonly (Visit & { readonly urlId: number })[]): VisitCount[] {
  const agents = new Map<string | null, Agent>();
  const counts = new Map<string, VisitCount>();
  for (const { urlId, visitedAt, userAgent, referrerHost } of visits) {
    let agent = agents.get(userAgent);
    if (agent === undefined) {
      agent = readUserAgent(userAgent);
      agents.set(userAgent, agent);
    }
    const day = dayOf(visitedAt);
    const key = `${urlId}|${day}|${agent.browser}|${agent.system}|${referrerHost ?? ''}`;
    const known = counts.get(key);
    counts.set(
      key,
      known === undefined
        ? { urlId, day, ...agent, referrerHost: referrerHost ?? '', visits: 1 }
        : { ...known, visits: known.visits + 1 },
    );
  }
  return [...counts.values()];
}
