import type { z } from 'zod';
import { ENGLISH } from '../language/i18n.js';
import { isLocalizable, type Localizable, localizable } from '../language/localizable.js';
import { localizableOfRule } from '../language/rules.js';

type Issue = Parameters<z.core.$ZodErrorMap>[0];
type RaisedIssue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, Localizable>> = {
  string: localizable('must be text'),
  number: localizable('must be a number'),
  int: localizable('must be a whole number'),
  boolean: localizable('must be true or false'),
  array: localizable('must be a list'),
  object: localizable('must be an object'),
  record: localizable('must be an object'),
};
const MISSING = localizable('is missing');
const WRONG_FORMAT = localizable('has the wrong format');

/** A bound of the characters of a text, of the entries of a list, or of nothing that is counted. */
function tooBig({ origin }: Issue, bound: number | bigint): Localizable {
  const max = Number(bound);
  if (origin === 'string')
    return localizable('must have at most {max, plural, one {{max} character} other {{max} characters}}', {
      max,
    });
  if (isList(origin))
    return localizable('must have at most {max, plural, one {{max} entry} other {{max} entries}}', { max });
  return localizable('must be at most {max}', { max: String(bound) });
}

function tooSmall({ origin }: Issue, bound: number | bigint): Localizable {
  const min = Number(bound);
  if (min === 1 && (origin === 'string' || isList(origin))) return localizable('must not be empty');
  if (origin === 'string')
    return localizable('must have at least {min, plural, one {{min} character} other {{min} characters}}', {
      min,
    });
  if (isList(origin))
    return localizable('must have at least {min, plural, one {{min} entry} other {{min} entries}}', { min });
  return localizable('must be at least {min}', { min: String(bound) });
}

const isList = (origin: unknown): boolean => origin === 'array' || origin === 'set';

/** What is wrong with input that was given, unless the schema has a text of its own. */
function faultOf(issue: Issue | RaisedIssue): Localizable | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? WRONG_FORMAT;
    case 'too_big':
      return tooBig(issue as Issue, issue.maximum);
    case 'too_small':
      return tooSmall(issue as Issue, issue.minimum);
    case 'invalid_value': {
      const known = issue.values.map(String).join(', ');
      return issue.values.length === 1
        ? localizable('must be {known}', { known })
        : localizable('must be one of {known}', { known });
    }
    case 'invalid_union':
      return nearest(issue.errors) ?? WRONG_FORMAT;
    case 'invalid_format':
      return WRONG_FORMAT;
    default:
      return undefined;
  }
}

/** The default message for input that a schema rejects, unless the schema has its own. */
export function messageOf(issue: Issue): string | undefined {
  const missing = issue.input === undefined;
  const isMissing = missing && (issue.code === 'invalid_type' || issue.code === 'invalid_union');
  const fault = isMissing ? MISSING : faultOf(issue);
  return fault && ENGLISH.translate(fault);
}

/**
 * What is wrong, for readers of several languages. The message of a schema is English, because it cannot know its reader;
 * here it is recognised.
 */
function whyOf(issue: RaisedIssue): Localizable {
  if (issue.code === 'custom' && isLocalizable(issue.params?.localizable)) return issue.params.localizable;
  const fault = faultOf(issue);
  return fault !== undefined && ENGLISH.translate(fault) === issue.message
    ? fault
    : localizableOfRule(issue.message);
}

/** What is wrong with which field, for readers of several languages. */
export function localizableOfIssue(issue: RaisedIssue): Localizable {
  // The id that an item gets; only its procedure, which also takes the present one, calls it otherwise.
  const field = issue.path.join('.').replace(/^newId$/, 'uniqueId');
  return field === '' ? whyOf(issue) : localizable('{field}: {why}', { field, why: whyOf(issue) });
}

/**
 * The fault of a union: that of the shape that failed only by its content, or else of the first one that is not a single
 * value.
 */
function nearest(errors: readonly (readonly RaisedIssue[])[]): Localizable | undefined {
  const all = errors.flat();
  const close = all.find(({ code, path }) => code !== 'invalid_type' && path.length > 0);
  const found = close ?? all.find(({ code }) => code !== 'invalid_value');
  return found && whyOf(found);
}
