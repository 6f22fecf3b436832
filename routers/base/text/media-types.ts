import { ENGLISH, type I18n } from '../language/i18n.js';
import { asLocalizable, type Localizable, localizable } from '../language/localizable.js';

/** Which types of files are accepted, by the type detected from their content. */
export interface TypeRules {
  /** Empty: every type that is not excluded. */
  readonly allowed: readonly string[];
  readonly excluded: readonly string[];
}

const PATTERN = /^!?(?:\*\/\*|[a-z0-9][a-z0-9.+-]*\/(?:\*|[a-z0-9][a-z0-9.+-]*))$/;

/** A text that is no rule for types. */
export class TypeRuleInvalid extends Error {
  constructor(readonly localizable: Localizable) {
    super(ENGLISH.translate(localizable));
    this.name = 'TypeRuleInvalid';
  }
}

/** Reads a list such as `image/*`, `video/mp4`, `!image/svg+xml`; throws an error that names what is wrong. */
export function readTypeRules(patterns: readonly string[]): TypeRules {
  const all = patterns.map((pattern) => pattern.toLowerCase());
  const wrong = all.find((pattern) => !PATTERN.test(pattern));
  if (wrong !== undefined)
    throw new TypeRuleInvalid(
      localizable('{type} is not a type like image/* or video/mp4, or one with ! in front to exclude it', {
        type: wrong,
      }),
    );
  return {
    allowed: all.filter((pattern) => !pattern.startsWith('!')),
    excluded: all.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1)),
  };
}

const matches = (pattern: string, mimeType: string): boolean =>
  pattern === '*/*' ||
  (pattern.endsWith('/*') ? mimeType.startsWith(pattern.slice(0, -1)) : pattern === mimeType);

/** Whether files of this type are accepted. What is excluded is not, whatever else allows it. */
export const acceptsType = ({ allowed, excluded }: TypeRules, mimeType: string): boolean =>
  (allowed.length === 0 || allowed.some((pattern) => matches(pattern, mimeType))) &&
  !excluded.some((pattern) => matches(pattern, mimeType));

/** Nothing is accepted. */
const NOTHING = '*/*';

/** What both rules accept. */
export function togetherWith(one: TypeRules, other: TypeRules): TypeRules {
  const excluded = [...new Set([...one.excluded, ...other.excluded])];
  if (one.allowed.length === 0 || other.allowed.length === 0)
    return { allowed: [...one.allowed, ...other.allowed], excluded };
  const narrower = (list: readonly string[], of: readonly string[]): string[] =>
    list.filter((pattern) => of.some((wider) => matches(wider, pattern)));
  const allowed = [
    ...new Set([...narrower(one.allowed, other.allowed), ...narrower(other.allowed, one.allowed)]),
  ];
  return allowed.length === 0 ? { allowed, excluded: [NOTHING] } : { allowed, excluded };
}

/** The rules as the list that they are read from. */
export const patternsOf = ({ allowed, excluded }: TypeRules): string[] => [
  ...allowed,
  ...excluded.map((pattern) => `!${pattern}`),
];

/** The value of `accept` for a file input, so that only such files are offered; undefined for all. */
export const acceptOf = ({ allowed }: TypeRules): string | undefined =>
  allowed.length === 0 || allowed.includes('*/*') ? undefined : allowed.join(',');

/** The rules in words, for readers of several languages; null if every type is accepted. */
export function typesToName({ allowed, excluded }: TypeRules): Localizable | null {
  if (allowed.length === 0 && excluded.length === 0) return null;
  if (excluded.includes(NOTHING)) return localizable('no files');
  const accepted = allowed.length === 0 ? localizable('all types') : asLocalizable(allowed.join(', '));
  return excluded.length === 0
    ? accepted
    : localizable('{accepted}, but not {excluded}', { accepted, excluded: excluded.join(', ') });
}

/** The rules in words, to be read after "accepted here:"; null if every type is accepted. */
export function typesInWords(rules: TypeRules, i18n: I18n = ENGLISH): string | null {
  const words = typesToName(rules);
  return words && i18n.translate(words);
}
