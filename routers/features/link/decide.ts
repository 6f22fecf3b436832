import { randomInt } from 'node:crypto';
import type { Link } from '../../../db/content/link/link.js';
import type { LinkRule, LinkWay } from '../../../db/content/link/link-way.js';
import type { Visitor } from '../../base/ports/visits.js';
import { readUserAgent } from '../stats/public.js';
import { type Bound, isWithin, parseBound } from './rule-time.js';

/** The kinds of devices that a rule can name. */
export const DEVICES = ['ios', 'android', 'windows', 'macos', 'linux', 'mobile', 'desktop'] as const;
export type Device = (typeof DEVICES)[number];

/** Where a visit leads, and by what: `rule-1`, `split-1` …; null for the target of the link. */
interface Decision {
  readonly url: string;
  readonly variant: string | null;
}

type Way = Pick<Link, 'originalUrl' | 'way'>;
/** What rules ask about a visit. */
type Asked = Pick<Visitor, 'userAgent' | 'language' | 'query'> & { readonly country: string | null };

/**
 * Decides where visits of one moment lead. Links that only lead to their target cost nothing, and equal visitors of a link
 * as much as one of them.
 */
export function decider(at: number): (link: Way, asked: () => Asked) => Decision {
  const found = new Map<LinkWay['rules'], Map<string, number>>();
  return ({ originalUrl, way: { rules, split } }, asked) => {
    const index = rules.length === 0 ? -1 : foundBefore(found, rules, asked(), at);
    const rule = rules[index];
    if (rule !== undefined) return { url: rule.url, variant: `rule-${index + 1}` };
    return split.length === 0 ? { url: originalUrl, variant: null } : drawn(split);
  };
}

/** The index of the first rule that fits, which is looked for once for equal visitors; -1 for none. */
function foundBefore(
  found: Map<LinkWay['rules'], Map<string, number>>,
  rules: LinkWay['rules'],
  asked: Asked,
  at: number,
): number {
  const ofLink = found.get(rules) ?? new Map<string, number>();
  found.set(rules, ofLink);
  // Headers and addresses have no line ends, so that keys are unambiguous.
  const key = `${asked.country ?? ''}\n${asked.language ?? ''}\n${asked.query ?? ''}\n${asked.userAgent ?? ''}`;
  const before = ofLink.get(key);
  if (before !== undefined) return before;
  const index = ruleFor(rules, traitsOf(asked), at);
  ofLink.set(key, index);
  return index;
}

/** A part, by the weights of all. */
function drawn(split: LinkWay['split']): Decision {
  let left = randomInt(split.reduce((sum, { weight }) => sum + weight, 0));
  const index = split.findIndex(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  return { url: split[index]?.url ?? '', variant: `split-${index + 1}` };
}

/** What rules see of a visit; languages are in lower case. */
interface Traits {
  readonly devices: readonly string[];
  readonly country: string | null;
  readonly languages: readonly string[];
  readonly query: ReadonlyMap<string, readonly string[]>;
  readonly bot: boolean;
}

/** The index of the first rule that fits; -1 for none. */
export const ruleFor = (rules: readonly LinkRule[], visit: Traits, at: number): number =>
  conditionsOf(rules).findIndex((when) => fits(when, visit, at));

/** A bot gets what a desktop without a country gets. */
function traitsOf({ userAgent, language, query, country }: Asked): Traits {
  const { system, bot } = readUserAgent(userAgent);
  const name = system.toLowerCase();
  const isMobile = name === 'ios' || name === 'android' || /\bMobi/.test(userAgent ?? '');
  return {
    devices: bot ? ['desktop'] : [name, isMobile ? 'mobile' : 'desktop'],
    country: bot ? null : country,
    languages: languagesIn(language ?? ''),
    query: parametersIn(query ?? ''),
    bot,
  };
}

/** The languages that somebody prefers, in lower case: those of a weight of 0.9 or more, or else the best ones. */
function languagesIn(header: string): string[] {
  if (header === '') return [];
  const all = header
    .split(',', 50)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { tag, q: q === undefined ? 1 : Number(q) || 0 };
    })
    .filter(({ tag, q }) => tag !== '' && tag !== '*' && q > 0);
  const least = Math.min(0.9, Math.max(0, ...all.map(({ q }) => q)));
  return all.filter(({ q }) => q >= least).map(({ tag }) => tag);
}

/** The conditions of a rule, read as far as they are the same for each visit. */
interface Conditions extends Pick<LinkRule['when'], 'device' | 'country' | 'bot'> {
  readonly languages: readonly string[] | null;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly isTimed: boolean;
  readonly from: Bound | null;
  readonly to: Bound | null;
}

const read = new WeakMap<readonly LinkRule[], readonly Conditions[]>();

/** The conditions of rules, read once: what is stored of a link is the same object for many visits. */
function conditionsOf(rules: readonly LinkRule[]): readonly Conditions[] {
  const known = read.get(rules);
  if (known !== undefined) return known;
  const conditions = rules.map(({ when: { device, country, bot, language, query, from, to } }) => ({
    ...{ device, country, bot, query: Object.entries(query ?? {}) },
    languages: language?.map((tag) => tag.toLowerCase()) ?? null,
    isTimed: from !== undefined || to !== undefined,
    from: from === undefined ? null : parseBound(from),
    to: to === undefined ? null : parseBound(to),
  }));
  read.set(rules, conditions);
  return conditions;
}

function fits(when: Conditions, visit: Traits, at: number): boolean {
  const { device, country, languages, bot, query } = when;
  if (device !== undefined && !device.some((name) => visit.devices.includes(name))) return false;
  if (country !== undefined && (visit.country === null || !country.includes(visit.country))) return false;
  if (languages !== null && !languages.some((tag) => speaks(visit.languages, tag))) return false;
  if (bot !== undefined && bot !== visit.bot) return false;
  for (const [name, value] of query) if (!has(visit.query, name, value)) return false;
  return !when.isTimed || isWithin(when.from, when.to, at);
}

/** Whether a language is spoken: `de` is that of whoever prefers `de-AT`, too. */
const speaks = (languages: readonly string[], tag: string): boolean =>
  languages.some((spoken) => spoken === tag || spoken.startsWith(`${tag}-`));

const has = (query: Traits['query'], name: string, value: string): boolean => {
  const given = query.get(name);
  return given !== undefined && (value === '*' || given.includes(value));
};

/** The values of a query string by their names. */
export function parametersIn(query: string): Traits['query'] {
  const values = new Map<string, string[]>();
  if (query === '' || query === '?') return values;
  for (const [name, value] of new URLSearchParams(query)) {
    const given = values.get(name);
    if (given === undefined) values.set(name, [value]);
    else given.push(value);
  }
  return values;
}
