import type { VNode } from 'preact';
import { failureOf } from '../../rest-adapter/failure.js';
import type { Fields } from '../../rest-adapter/fields.js';
import { DomainError, type ErrorCode } from '../../routers/errors.js';
import type { FormState } from './components/form.js';
import { type PageAnswer, page } from './request.js';

/** Values that are never written back into a form. The code of an invite is: nobody has it in mind. */
const secret = /password|secret|key|^code$/i;

/** The fields that refusals of the domain are about, whichever the form has. */
const about: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  EMAIL_TAKEN: ['email'],
  ID_TAKEN: ['uniqueId'],
  INVITE_INVALID: ['inviteCode'],
  MAILBOX_TAKEN: ['name'],
  PASSWORD_REQUIRED: ['password'],
  PASSWORD_WRONG: ['currentPassword', 'password'],
  TARGET_REFUSED: ['url'],
  USERNAME_TAKEN: ['username'],
};

/** Refusals whose text tells programs what to send, as a page says them. */
const inPages: Readonly<Partial<Record<ErrorCode, string>>> = {
  UNAUTHENTICATED: 'You are not signed in, or not any more',
  UPLOAD_UNAUTHENTICATED: 'You are not signed in, or not any more',
};

/** An error as the reader of a page sees it. */
export function refusalOf(error: unknown): ReturnType<typeof failureOf> {
  const failure = failureOf(error);
  const reason = reasonOf(error);
  return { ...failure, message: (reason && inPages[reason]) ?? failure.message };
}

/** The status that says that a service of somebody else's does not answer. */
const OTHERS_FAILED = 502;

/**
 * Does what a form asks for. When it is refused, the form is shown again with what was wrong, beside its
 * field where the refusal is about one. What is our own fault is thrown on, and what is not `worthAgain`.
 */
export async function orShowAgain(
  body: Fields,
  work: () => Promise<PageAnswer>,
  again: (state: FormState) => VNode | Promise<VNode>,
  worthAgain: (reason: ErrorCode | null) => boolean = () => true,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    const { status, message, headers } = refusalOf(error);
    if (status >= 500 && status !== OTHERS_FAILED) throw error;
    const reason = reasonOf(error);
    if (!worthAgain(reason)) throw error;
    return page(await again(refused(body, reason, message)), status, headers);
  }
}

/** The state of a form that was refused with this sentence. */
function refused(body: Fields, reason: ErrorCode | null, message: string): FormState {
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
  const wrong = wrongField(body, reason, message);
  return wrong === null
    ? { problem: message, errors: {}, ...sent }
    : { problem: 'Please correct what is marked.', errors: { [wrong.name]: wrong.text }, ...sent };
}

/** The field of the form that a refusal is about; null for one that is about the whole. */
function wrongField(body: Fields, reason: ErrorCode | null, message: string) {
  const [, name = '', text = ''] = /^([A-Za-z]\w*): (.+)$/s.exec(message) ?? [];
  if (body.raw(name) !== undefined) return { name, text };
  const meant = (reason && about[reason])?.find((field) => body.raw(field) !== undefined);
  return meant === undefined ? null : { name: meant, text: message };
}

/** The state of a refused form that had brought a file, which no page can put back into its field. */
export const withoutFile = (state: FormState): FormState => ({ ...state, lost: [...state.lost, 'file'] });

/** Which refusal of the domain this is; null for anything else. */
export function reasonOf(error: unknown): ErrorCode | null {
  return error instanceof DomainError ? error.reason : null;
}
