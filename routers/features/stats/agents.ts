import { hostOf } from '../../base/referrer.js';
import { remembering } from './remembering.js';
import { type Agent, readUserAgent } from './user-agent.js';

/** A visitor whose request came ahead of a reader. */
export const PREFETCH: Agent = { browser: 'Prefetch', system: '', bot: true };

/** Reads headers, and remembers what it read. */
interface HeaderReader {
  /** Equal agents are the same object; of bots only the name is told. */
  agentOf(userAgent: string | null): Agent;
  /** The host of a `Referer`; "" without one, and for pages of this server. */
  referrerHostOf(referrer: string | null): string;
}

/** Creates a reader. `origin` is that of this server. */
export function createHeaderReader(origin: string): HeaderReader {
  const agents = new Map<string, Agent>();
  const ownHost = hostOf(origin);
  return {
    agentOf: remembering((header) => {
      const { browser, system, bot } = readUserAgent(header);
      const name = `${bot}|${browser}|${bot ? '' : system}`;
      const agent = agents.get(name) ?? { browser, system: bot ? '' : system, bot };
      agents.set(name, agent);
      return agent;
    }),
    referrerHostOf: remembering((header) => {
      const host = hostOf(header) ?? '';
      return host === ownHost ? '' : host;
    }),
  };
}
