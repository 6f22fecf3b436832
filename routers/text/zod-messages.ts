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

const unitOf = (issue: Issue): string =>
  issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' entries' : '';

/** The default message for input that a schema rejects, unless the schema has its own. */
export function messageOf(issue: Issue): string | undefined {
  const missing = issue.input === undefined;
  if (missing && (issue.code === 'invalid_type' || issue.code === 'invalid_union')) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? 'has the wrong format';
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue)}`;
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `must be at least ${issue.minimum}${unitOf(issue)}`;
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
