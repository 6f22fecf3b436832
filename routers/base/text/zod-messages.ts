import type { z } from 'zod';
import { ENGLISH } from '../language/i18n.js';
import { isTold, type Told, told } from '../language/localizable.js';
import { toldOfRule } from '../language/rules.js';

type Issue = Parameters<z.core.$ZodErrorMap>[0];
type RaisedIssue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, Told>> = {
  string: told('must be text'),
  number: told('must be a number'),
  int: told('must be a whole number'),
  boolean: told('must be true or false'),
  array: told('must be a list'),
  object: told('must be an object'),
  record: told('must be an object'),
};
const MISSING = told('is missing');
const WRONG_FORMAT = told('has the wrong format');

/** A bound of the characters of a text, of the entries of a list, or of nothing that is counted. */
function tooBig({ origin }: Issue, bound: number | bigint): Told {
  const max = Number(bound);
  if (origin === 'string')
    return told('must have at most {max, plural, one {{max} character} other {{max} characters}}', { max });
  if (isList(origin))
    return told('must have at most {max, plural, one {{max} entry} other {{max} entries}}', { max });
  return told('must be at most {max}', { max: String(bound) });
}

function tooSmall({ origin }: Issue, bound: number | bigint): Told {
  const min = Number(bound);
  if (min === 1 && (origin === 'string' || isList(origin))) return told('must not be empty');
  if (origin === 'string')
    return told('must have at least {min, plural, one {{min} character} other {{min} characters}}', { min });
  if (isList(origin))
    return told('must have at least {min, plural, one {{min} entry} other {{min} entries}}', { min });
  return told('must be at least {min}', { min: String(bound) });
}

const isList = (origin: unknown): boolean => origin === 'array' || origin === 'set';

/** What is wrong with input that was given, unless the schema has a text of its own. */
function faultOf(issue: Issue | RaisedIssue): Told | undefined {
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
        ? told('must be {known}', { known })
        : told('must be one of {known}', { known });
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
  return fault && ENGLISH.tell(fault);
}

/**
 * What is wrong, for readers of several languages. The message of a schema is English, because it cannot know its reader;
 * here it is recognised.
 */
function whyOf(issue: RaisedIssue): Told {
  if (issue.code === 'custom' && isTold(issue.params?.told)) return issue.params.told;
  const fault = faultOf(issue);
  return fault !== undefined && ENGLISH.tell(fault) === issue.message ? fault : toldOfRule(issue.message);
}

/** What is wrong with which field, for readers of several languages. */
export function toldOfIssue(issue: RaisedIssue): Told {
  // The id that an item gets; only its procedure, which also takes the present one, calls it otherwise.
  const field = issue.path.join('.').replace(/^newId$/, 'uniqueId');
  return field === '' ? whyOf(issue) : told('{field}: {why}', { field, why: whyOf(issue) });
}

/**
 * The fault of a union: that of the shape that failed only by its content, or else of the first one that is not a single
 * value.
 */
function nearest(errors: readonly (readonly RaisedIssue[])[]): Told | undefined {
  const all = errors.flat();
  const close = all.find(({ code, path }) => code !== 'invalid_type' && path.length > 0);
  const found = close ?? all.find(({ code }) => code !== 'invalid_value');
  return found && whyOf(found);
}
