import type { VNode } from 'preact';
import { failureOf } from '../../rest-adapter/failure.js';
import type { Fields } from '../../rest-adapter/fields.js';
import { DomainError, type ErrorCode } from '../../routers/errors.js';
import type { FormState } from './components/form.js';
import { type PageAnswer, page } from './request.js';

/** Values that are never written back into a form. */
const secret = /password|secret|key|code$/i;

/** The status that says that a service of somebody else's does not answer. */
const OTHERS_FAILED = 502;

/**
 * Does what a form asks for. When it is refused, the form is shown again with what was wrong, beside its
 * field where the refusal names one. What is our own fault is thrown on.
 */
export async function orShowAgain(
  body: Fields,
  work: () => Promise<PageAnswer>,
  again: (state: FormState) => VNode | Promise<VNode>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    const { status, message, headers } = failureOf(error);
    if (status >= 500 && status !== OTHERS_FAILED) throw error;
    return page(await again(refused(body, message)), status, headers);
  }
}

/** The state of a form that was refused with this sentence. */
function refused(body: Fields, message: string): FormState {
  const texts = Object.keys(body.all()).map((name): [string, string[]] => [
    name,
    body.every(name).filter((value) => typeof value === 'string'),
  ]);
  const shown = texts.filter(([name]) => !secret.test(name));
  const sent = {
    values: Object.fromEntries(
      shown.flatMap(([name, [first]]) => (first === undefined ? [] : [[name, first]])),
    ),
    lists: Object.fromEntries(shown),
    lost: texts.filter(([name, all]) => secret.test(name) && all.some(Boolean)).map(([name]) => name),
  };
  const named = /^([A-Za-z]\w*): (.+)$/s.exec(message);
  const [field, text] = named === null ? ['', ''] : [named[1] ?? '', named[2] ?? ''];
  return body.raw(field) === undefined
    ? { problem: message, errors: {}, ...sent }
    : { problem: 'Please correct what is marked.', errors: { [field]: text }, ...sent };
}

/** Which refusal of the domain this is; null for anything else. */
export function reasonOf(error: unknown): ErrorCode | null {
  return error instanceof DomainError ? error.reason : null;
}
