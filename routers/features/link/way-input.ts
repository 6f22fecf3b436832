import { z } from 'zod';
import { type LinkWay, PLAIN_WAY, type RuleConditions } from '../../../db/content/link/link-way.js';
import { DomainError, fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { rule } from '../../base/language/rules.js';
import { dateInput } from '../../base/text/dates.js';
import type { Settings } from '../../core/settings.js';
import { DEVICES } from './decide.js';
import { parseBound } from './rule-time.js';
import { readTarget } from './target.js';

const MAX_RULES = 20;
const MAX_CONDITIONS = 20;
const MAX_PARTS = 10;
/** Characters of all rules and parts of a link together. */
const MAX_TEXT = 64 * 1024;

const country = z
  .string()
  .transform((code) => code.trim().toUpperCase())
  .refine(isCountry, 'use a code of a country like DE');

/** Made once: each takes longer than a look-up by orders of magnitude. */
const COUNTRIES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || code === 'ZZ') return false;
  // Codes that are no longer in use become those of today.
  const isOfToday = new Intl.Locale(`und-${code}`).region === code;
  return isOfToday && COUNTRIES.of(code) !== undefined;
}

const language = z
  .string()
  .max(35)
  .refine(isLanguage, 'use a language like de or pt-BR')
  .transform((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag);

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

const bound = z
  .string()
  .max(60)
  .transform((text) => text.trim())
  .refine(
    (text) => parseBound(text) !== null,
    'use a moment like 2030-01-31T12:00Z, or a time with its zone like 08:00 Europe/Berlin or 08:00Z',
  );

const list = <T extends z.ZodType>(of: T) => z.array(of).min(1).max(MAX_CONDITIONS).optional();

/** What a visit has to be; null counts as absent, an unknown condition is refused. */
const conditions = z.preprocess(
  (given) =>
    typeof given === 'object' && given !== null && !Array.isArray(given)
      ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
      : given,
  z
    .strictObject({
      device: list(z.string().toLowerCase().pipe(z.enum(DEVICES))),
      country: list(country),
      language: list(language),
      from: bound.optional(),
      to: bound.optional(),
      query: z
        .record(z.string().min(1).max(200), z.string().max(500))
        .refine((query) => Object.keys(query).length <= MAX_CONDITIONS, 'name at most 20 parameters')
        .optional(),
      bot: z.boolean().optional(),
    })
    .refine(isSpan, { error: 'the end has to be after the beginning', path: ['to'] }),
);

function isSpan({ from, to }: RuleConditions): boolean {
  const [one, other] = [from, to].map((text) => (text === undefined ? null : parseBound(text)));
  if (one == null || other == null) return true;
  if ('at' in one || 'at' in other) return !('at' in one && 'at' in other) || one.at < other.at;
  return one.ms !== other.ms || one.zone !== other.zone;
}

const cleared = z.literal('').transform(() => null);

/** The fields of a way in a request; absent ones keep what is there, null and "" clear. */
export const wayFields = {
  rules: z
    .union([
      cleared,
      z
        .array(z.strictObject({ when: conditions, url: z.string() }))
        .max(MAX_RULES, rule('a link has at most {max} rules', { max: MAX_RULES })),
    ])
    .nullish(),
  split: z
    .union([
      cleared,
      z
        .array(z.strictObject({ url: z.string(), weight: z.int().min(1).max(1000) }))
        .refine(
          ({ length }) => length !== 1 && length <= MAX_PARTS,
          'a link is split into 2 to 10 parts, or not at all',
        ),
    ])
    .nullish(),
  fallbackUrl: z.string().nullish(),
  startsAt: z.union([cleared, dateInput]).nullish(),
  forwardPath: z.boolean().nullish(),
};
const fields = z.object(wayFields);
type GivenWay = z.output<typeof fields>;

/** Everywhere that a link may lead. */
export const targetsOf = (target: string, { rules, split, fallbackUrl }: LinkWay): string[] => [
  target,
  ...[...rules, ...split].map(({ url }) => url),
  ...(fallbackUrl === null ? [] : [fallbackUrl]),
];

/** A way with what a request changes in it; 400 if a target of it is none. */
export function changedWay(way: LinkWay, given: GivenWay, settings: Settings): LinkWay {
  const { rules, split, fallbackUrl, startsAt, forwardPath } = given;
  const target = (field: string, url: string): string => {
    try {
      return readTarget(url, settings);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return fail('TARGET_REFUSED', localizable('{field}: {why}', { field, why: error.localizable }));
    }
  };
  const changed: LinkWay = {
    rules:
      rules === undefined
        ? way.rules
        : (rules ?? []).map(({ when, url }, index) => ({ when, url: target(`rules.${index}.url`, url) })),
    split:
      split === undefined
        ? way.split
        : (split ?? []).map(({ weight, url }, index) => ({ weight, url: target(`split.${index}.url`, url) })),
    fallbackUrl:
      fallbackUrl === undefined ? way.fallbackUrl : fallbackUrl ? target('fallbackUrl', fallbackUrl) : null,
    startsAt: startsAt === undefined ? way.startsAt : startsAt,
    forwardPath: forwardPath ?? way.forwardPath,
  };
  if (JSON.stringify([changed.rules, changed.split]).length > MAX_TEXT)
    fail('INVALID', 'rules: all rules and parts of a link together are too long');
  return changed;
}

/** A way with only these rules, as an import has them; 400 if one of them is none. */
export const wayWithRules = (rules: readonly unknown[], settings: Settings): LinkWay =>
  rules.length === 0 ? PLAIN_WAY : changedWay(PLAIN_WAY, fields.parse({ rules }), settings);
