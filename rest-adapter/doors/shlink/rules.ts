import type { LinkRecord } from '../../../routers/features/link/record.js';
import { type Entrance, entrance, json, refuseForm } from '../door.js';
import { CODE, idIn } from './form.js';

type Rule = LinkRecord['rules'][number];
type When = Rule['when'];

/** A condition of a rule, as Shlink writes it; those that it does not know have names that none of its own has. */
interface Condition {
  readonly type: string;
  readonly matchKey: string | null;
  readonly matchValue: string | null;
}

const LISTS = {
  device: 'device',
  language: 'language',
  country: 'geolocation-country-code',
} as const satisfies Partial<Record<keyof When, string>>;
const TIMES = { from: 'after-date', to: 'before-date' } as const;

const condition = (type: string, matchValue: string | null, matchKey: string | null = null): Condition => ({
  ...{ type, matchKey, matchValue },
});

/** The conditions of a rule. Several values of one kind are one text with commas, because one of them has to hold. */
const conditionsOf = (when: When): readonly Condition[] => [
  ...Object.entries(LISTS).flatMap(([name, type]) => {
    const values = when[name as keyof typeof LISTS];
    return values === undefined ? [] : [condition(type, values.join(','))];
  }),
  ...Object.entries(TIMES).flatMap(([name, type]) => {
    const moment = when[name as keyof typeof TIMES];
    return moment === undefined ? [] : [condition(type, moment)];
  }),
  ...Object.entries(when.query ?? {}).map(([name, value]) =>
    value === '*'
      ? condition('any-value-query-param', null, name)
      : value === ''
        ? condition('valueless-query-param', null, name)
        : condition('query-param', value, name),
  ),
  ...(when.bot === undefined ? [] : [condition('bot', String(when.bot))]),
];

const rulesOf = ({ originalUrl, rules }: LinkRecord) =>
  json({
    defaultLongUrl: originalUrl,
    redirectRules: rules.map(({ when, url }, index) => ({
      ...{ longUrl: url, priority: index + 1, conditions: conditionsOf(when) },
    })),
  });

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** A rule as Shlink writes it; 400 names a condition that there is none of here. What it says is checked with the link. */
export function shlinkRule(given: unknown, index: number): { readonly when: Json; readonly url: unknown } {
  const { longUrl, conditions = [] } = isObject(given) ? given : {};
  if (!Array.isArray(conditions)) return refuseForm(`redirectRules.${index}.conditions: use a list`);
  const when: Record<string, unknown> = {};
  const query: Record<string, unknown> = Object.create(null);
  for (const one of conditions) {
    const { type, matchKey, matchValue } = isObject(one) ? one : {};
    const kind = String(type);
    if (kind.endsWith('query-param')) {
      const value = { 'any-value-query-param': '*', 'valueless-query-param': '' }[kind] ?? matchValue;
      query[String(matchKey)] = value;
      when.query = query;
      continue;
    }
    const name = NAMES[kind];
    // Two of one kind would have to hold both.
    if (name === undefined || when[name] !== undefined)
      return refuseForm(`redirectRules.${index}: a condition ${kind} cannot be kept here`);
    when[name] = Object.hasOwn(LISTS, name)
      ? String(matchValue).split(',')
      : name === 'bot'
        ? matchValue === 'true'
        : matchValue;
  }
  return { when, url: longUrl };
}

/** What the types of conditions are called here. */
const NAMES: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  ...Object.fromEntries(
    [...Object.entries(LISTS), ...Object.entries(TIMES)].map(([name, type]) => [type, name]),
  ),
  bot: 'bot',
});

/** What leads the visitors of a short URL elsewhere. */
export const redirectRules: readonly Entrance[] = [
  entrance('GET', `${CODE}/redirect-rules`, {
    procedures: ['url.own'],
    answer: async ({ call, wire }) => rulesOf(await call('url.own', idIn(wire))),
  }),
  entrance('POST', `${CODE}/redirect-rules`, {
    procedures: ['url.change'],
    answer: async ({ call, wire }) => {
      const given = wire.body.raw('redirectRules');
      const rules = Array.isArray(given) ? given.map(shlinkRule) : refuseForm('redirectRules: use a list');
      const changed = { newId: undefined, ifMatch: undefined, rules: rules as never };
      return rulesOf(await call('url.change', { ...idIn(wire), ...changed }));
    },
  }),
];
