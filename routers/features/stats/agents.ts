import { hostOf } from '../../base/referrer.js';
import { type Agent, readUserAgent } from './user-agent.js';

/** Headers whose reading is remembered: most clients send the same few. */
const REMEMBERED = 2_000;
/** As much of a header is read. */
const MAX_LENGTH = 512;

/** A visitor whose request came ahead of a reader. */
export const PREFETCH: Agent = { browser: 'Prefetch', system: '', bot: true };

/** Reads headers, and remembers what it read. */
export interface HeaderReader {
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

/** A function of a header that remembers its results; an absent header is read as an empty one. */
function remembering<T>(read: (header: string) => T): (header: string | null) => T {
  const known = new Map<string, T>();
  return (sent) => {
    const header = sent === null ? '' : sent.slice(0, MAX_LENGTH);
    const before = known.get(header);
    if (before !== undefined) return before;
    const result = read(header);
    if (known.size >= REMEMBERED) known.clear();
    known.set(header, result);
    return result;
  };
}
