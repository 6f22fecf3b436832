import type { z } from 'zod';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

/** What a bound counts: characters of a text, entries of a list, or nothing. */
const counted = (issue: Issue, bound: number | bigint): string => {
  const unit =
    issue.origin === 'string'
      ? 'character'
      : issue.origin === 'array' || issue.origin === 'set'
        ? 'entry'
        : '';
  if (unit === '') return String(bound);
  if (Number(bound) === 1) return `1 ${unit}`;
  return `${bound} ${unit === 'entry' ? 'entries' : 'characters'}`;
};

const hasLength = (issue: Issue): boolean =>
  issue.origin === 'string' || issue.origin === 'array' || issue.origin === 'set';

/** The default message for input that a schema rejects, unless the schema has its own. */
export function messageOf(issue: Issue): string | undefined {
  const missing = issue.input === undefined;
  if (missing && (issue.code === 'invalid_type' || issue.code === 'invalid_union')) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? 'has the wrong format';
    case 'too_big':
      return `must ${hasLength(issue) ? 'have' : 'be'} at most ${counted(issue, issue.maximum)}`;
    case 'too_small':
      return hasLength(issue) && issue.minimum === 1
        ? 'must not be empty'
        : `must ${hasLength(issue) ? 'have' : 'be'} at least ${counted(issue, issue.minimum)}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return nearest(issue) ?? 'has the wrong format';
    case 'invalid_format':
      return 'has the wrong format';
    default:
      return undefined;
  }
}

/**
 * The message for a union: that of the shape that failed only by its content, or else of the first one that
 * is not a single value.
 */
function nearest(issue: Extract<Issue, { code: 'invalid_union' }>): string | undefined {
  const all = issue.errors.flat();
  const close = all.find(({ code, path }) => code !== 'invalid_type' && path.length > 0);
  return (close ?? all.find(({ code }) => code !== 'invalid_value'))?.message;
}
