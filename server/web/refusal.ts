import type { VNode } from 'preact';
import { failureOf } from '../../rest-adapter/failure.js';
import type { Fields } from '../../rest-adapter/fields.js';
import { DomainError, type ErrorCode } from '../../routers/base/errors.js';
import { type I18n, msg } from '../../routers/base/language/i18n.js';
import type { Message } from '../../routers/base/language/message.js';
import { withQuery } from './address.js';
import type { FormState } from './components/form/form.js';
import { goTo, type PageAnswer, type PageRequest, page } from './request.js';

/** Fields whose values are never filled in again. Invite codes are, because nobody knows them by heart. */
const SECRET_FIELD = /password|secret|^(?:api)?key$|^code$/i;

/** The fields that a refusal may belong to; the form has one of them. */
const about: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  EMAIL_TAKEN: ['email'],
  FILE_NOT_FETCHED: ['url'],
  ID_TAKEN: ['uniqueId'],
  INVITE_INVALID: ['inviteCode'],
  MAILBOX_TAKEN: ['name'],
  PASSWORD_REQUIRED: ['password'],
  PASSWORD_WRONG: ['currentPassword', 'password'],
  TARGET_REFUSED: ['url', 'unknownUrl'],
  USERNAME_TAKEN: ['username'],
};

/** Refusals whose standard text is written for API clients, with their text for pages. */
const inPages: Readonly<Partial<Record<ErrorCode, Message>>> = {
  UNAUTHENTICATED: msg('You are not signed in, or your session has ended'),
  UPLOAD_UNAUTHENTICATED: msg('You are not signed in, or your session has ended'),
};

/** An error with its message for pages. */
export function refusalOf(error: unknown, i18n: I18n): ReturnType<typeof failureOf> {
  const reason = reasonOf(error);
  const here = reason && inPages[reason];
  const failure = failureOf(error, i18n);
  return here ? { ...failure, message: i18n.translateMessage(here) } : failure;
}

/** The status for a failure of an external service. */
const OTHERS_FAILED = 502;

/**
 * Runs the action of a form. If it is refused, the form is shown again with the error, next to the field if it belongs
 * to one. Server errors are thrown on, and so are refusals that are not `worthAgain`.
 */
export async function orShowAgain(
  {
    site,
    body,
    file,
    text,
  }: Pick<PageRequest, 'site' | 'body'> & Partial<Pick<PageRequest, 'file' | 'text'>>,
  work: () => Promise<PageAnswer>,
  again: (state: FormState) => VNode | Promise<VNode>,
  worthAgain: (reason: ErrorCode | null) => boolean = () => true,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    const { status, message, headers } = refusalOf(error, site.i18n);
    if (status >= 500 && status !== OTHERS_FAILED) throw error;
    const reason = reasonOf(error);
    if (!worthAgain(reason)) throw error;
    const state = refused(body, reason, message, site.i18n);
    // Browsers cannot restore it.
    const lost = file || text?.name ? [...state.lost, 'file'] : state.lost;
    return page(await again({ ...state, lost }), status, headers);
  }
}

/** The answer of a form: what `act` answers or, if it is refused, `view` with what is wrong. */
export const again =
  (
    view: (request: PageRequest, state: FormState) => VNode | Promise<VNode>,
    act: (request: PageRequest) => Promise<PageAnswer>,
  ) =>
  (request: PageRequest): Promise<PageAnswer> =>
    orShowAgain(
      request,
      () => act(request),
      (state) => view(request, state),
    );

/** As `again`, for settings: then the page says that they are saved. */
export const saved = (view: Parameters<typeof again>[0], act: (request: PageRequest) => Promise<void>) =>
  again(view, async (request) => {
    await act(request);
    return goTo(withQuery(request.site.address, { done: 'saved' }));
  });

/** What was sent with a form, without secrets. */
export type Sent = Pick<FormState, 'lists' | 'lost'>;

/** What was sent with a form. */
export function sentIn(body: Fields): Sent {
  const texts = Object.keys(body.all()).map((name): [string, string[]] => [
    name,
    body.every(name).filter((value) => typeof value === 'string'),
  ]);
  return {
    lists: Object.fromEntries(texts.filter(([name]) => !SECRET_FIELD.test(name))),
    lost: texts.filter(([name, all]) => SECRET_FIELD.test(name) && all.some(Boolean)).map(([name]) => name),
  };
}

/** With the first value of each field, as forms show it. */
export const withValues = ({ lists, lost }: Sent): Sent & Pick<FormState, 'values'> => ({
  values: Object.fromEntries(
    Object.entries(lists).flatMap(([name, [first]]) => (first === undefined ? [] : [[name, first]])),
  ),
  lists,
  lost,
});

/** The state of a form that was refused with this message. */
function refused(body: Fields, reason: ErrorCode | null, message: string, { t }: I18n): FormState {
  const sent = withValues(sentIn(body));
  const wrong = wrongField(body, reason, message);
  return wrong === null
    ? { problem: message, errors: {}, ...sent }
    : { problem: t('Please correct the marked field.'), errors: { [wrong.name]: wrong.text }, ...sent };
}

/** The fields of a share link stand beside those of its collection, which have the plain names. */
const OF_SHARE_LINK = 'link';
const isSameWord = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The field that a refusal belongs to; null if it is about the whole form. */
function wrongField(body: Fields, reason: ErrorCode | null, message: string) {
  const [, name = '', text = ''] = /^([A-Za-z][\w.]*): (.+)$/s.exec(message) ?? [];
  const field = Object.keys(name === '' ? {} : body.all()).find(
    (one) =>
      one === name ||
      name.startsWith(`${one}.`) ||
      (one.startsWith(OF_SHARE_LINK) && isSameWord(one.slice(OF_SHARE_LINK.length), name)),
  );
  if (field !== undefined) return { name: field, text };
  const meant = (reason && about[reason])?.find((field) => body.raw(field) !== undefined);
  return meant === undefined ? null : { name: meant, text: message };
}

/** The reason of a domain error; null for any other error. */
export function reasonOf(error: unknown): ErrorCode | null {
  return error instanceof DomainError ? error.reason : null;
}
