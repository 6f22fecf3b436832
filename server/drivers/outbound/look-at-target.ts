import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../../../db/engine/error-code.js';
import { OutboundRefused } from '../../../routers/base/ports/outbound.js';
import type { Health, TargetLooks } from '../../../routers/base/ports/target-looks.js';
import { loadedOnce } from '../../shared/loaded-once.js';
import { type AllowList, checkAddress, guardedLookup } from './addresses.js';
import { type Answer, exchange } from './exchange.js';

const loadRobotsParser = loadedOnce(async () => {
  const { default: parser } = await import('robots-parser');
  // Its types describe a default that the package, which is CommonJS, does not have.
  return parser as unknown as typeof parser.default;
});

/** What robots.txt calls us, and what servers see. */
const AGENT = 'Holdall';
const ANSWER_MS = 10_000;
const MAX_BYTES = 4 * 1024;
const MAX_ROBOTS_BYTES = 64 * 1024;
const MAX_REDIRECTS = 5;
/** How long a robots.txt is believed, and how many are. */
const BELIEF_MS = 60 * 60_000;
const MAX_ROBOTS = 500;
/** What may be asked how often. */
const PACE_MS = 1_000;

/** The target is certain not to be there. */
const GONE: ReadonlySet<string> = new Set(['ENOTFOUND', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']);
const isGone = (error: unknown): boolean => {
  const code = codeOf(error);
  return GONE.has(code) || /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_/.test(code);
};

/** Waits so that a host is asked at most once in a while. */
class Pace {
  readonly #next = new Map<string, number>();

  constructor(private readonly paceMs: number) {}

  async turn(host: string): Promise<void> {
    const now = performance.now();
    if (this.#next.size > MAX_ROBOTS)
      for (const [other, at] of this.#next) if (at <= now) this.#next.delete(other);
    const at = Math.max(now, this.#next.get(host) ?? 0);
    this.#next.set(host, at + this.paceMs);
    if (at > now) await pause(at - now, undefined, { ref: false });
  }
}

/** Opens what looks at targets. Only public addresses and the allow list are asked, at each step of a redirect. */
export function openTargetLooks(allow: AllowList, paceMs = PACE_MS): TargetLooks {
  const pace = new Pace(paceMs);
  const known = new Map<string, { readonly until: number; readonly text: Promise<string> }>();

  const ask = async (url: URL, method: string, maxBytes: number): Promise<Answer> => {
    // A name is checked when it is looked up.
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0) checkAddress(literal, 'https:', allow);
    await pace.turn(url.host);
    return exchange(url, {
      ...{ method, maxBytes, excess: 'cut', timeoutMs: ANSWER_MS },
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': AGENT },
      // What is fetched is no secret, so that http is as good as https: what counts is the address.
      lookup: guardedLookup('https:', allow),
    });
  };

  /** Like a server that has none, where it cannot be read; one that fails is left alone (RFC 9309). */
  const robotsOf = (origin: string): Promise<string> => {
    const before = known.get(origin);
    if (before !== undefined && before.until > performance.now()) return before.text;
    if (known.size >= MAX_ROBOTS) known.clear();
    const text = ask(new URL('/robots.txt', origin), 'GET', MAX_ROBOTS_BYTES).then(({ status, body }) =>
      status >= 500 ? 'User-agent: *\nDisallow: /' : status === 200 ? body.toString('utf8') : '',
    );
    known.set(origin, { until: performance.now() + BELIEF_MS, text });
    text.catch(() => known.delete(origin));
    return text;
  };

  const mayAsk = async (url: URL): Promise<boolean> => {
    const address = new URL('/robots.txt', url).href;
    const readRobots = await loadRobotsParser();
    return readRobots(address, await robotsOf(url.origin)).isAllowed(url.href, AGENT) !== false;
  };

  const look = async (text: string): Promise<Health> => {
    let url = new URL(text);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      if (!(await mayAsk(url))) return 'unknown';
      // Many servers answer HEAD with something else than GET.
      let answer = await ask(url, 'HEAD', 0);
      if (answer.status >= 400) answer = await ask(url, 'GET', MAX_BYTES);
      const { status, headers } = answer;
      if (status < 300 || status === 304) return 'ok';
      if (status === 401 || status === 403 || status === 429) return 'unknown';
      if (status >= 400 || headers.location === undefined || !URL.canParse(headers.location, url))
        return 'broken';
      url = new URL(headers.location, url);
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'ok';
    }
    return 'broken';
  };

  return {
    look: (url) =>
      look(url).catch((error: unknown) =>
        !(error instanceof OutboundRefused) && isGone(error) ? 'broken' : 'unknown',
      ),
  };
}
