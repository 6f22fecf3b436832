import type { Context as KoaContext } from 'koa';
import { isUsable } from '../../routers/access.js';
import type { Context } from '../../routers/context.js';
import { DomainError, type ErrorCode } from '../../routers/errors.js';
import { createCaller } from '../../routers/index.js';
import { returnPath } from './address.js';
import type { Assets } from './assets.js';
import type { Notice, Site, Viewer } from './site.js';

/**
 * Notices shown after a redirect, by the words of `done` in the address, which dots separate; text from the address
 * itself is never shown.
 */
const notices: Readonly<Record<string, string>> = {
  nothing: 'Nothing was selected.',
  registered: 'Your account is ready. Sign in.',
  verified: 'Your account is active. Sign in.',
  saved: 'Saved.',
  invited: 'The new invites are at the top of the list. Give each person one link.',
  deleted: 'Deleted.',
  sent: 'A new e-mail is on its way. Codes from earlier e-mails no longer work.',
  password:
    'Your password was changed. Your other sessions have ended. Your API key is still the same: if someone else may know it, replace it.',
  passwordAndKey:
    'Your password was changed. Your other sessions have ended, and you have a new API key: tools that used the old one need it now.',
  reset:
    'Your password was changed. All sessions have ended, and there is a new API key: tools that used the old one need it now.',
  recovered:
    'Saved. All sessions of this account have ended, and it has a new API key: tools that used the old one need it now.',
  keys: 'The named keys were deleted.',
  webhook: 'The webhook was removed.',
  chatapp: 'The chat account was unlinked.',
  messenger: 'The messenger account was unlinked.',
  key: 'You have a new API key. Tools that used the old one need it now.',
  ended: 'The session was ended.',
  gone: 'Your account was deleted.',
  retried: 'Failed jobs are being retried.',
  tested: 'The test event was delivered.',
};

/** Everything that a page needs besides its own records; `isPage` tells which paths can be opened with GET. */
export async function siteOf(
  ctx: Context,
  koa: KoaContext,
  assets: Assets,
  isPage: (path: string) => boolean,
): Promise<Site> {
  const { origin, registration, maxUploadBytes } = ctx.app.settings;
  const answersForm = koa.method === 'POST';
  const path = koa.path.replace(/^\/v1(?=\/web\/|$)/, '').replace(/(?<=.)\/$/, '') || '/';
  return {
    origin,
    path,
    address: answersForm && !isPage(path) ? '/' : returnPath(path, koa.search),
    answersForm,
    assets,
    theme: themeOf(ctx.cookie('theme')),
    viewer: await viewerOf(ctx),
    notice: noticeOf(koa.query),
    registration,
    maxUploadBytes,
    chatapp: ctx.app.chat.app?.label ?? null,
    mailThrough: ctx.app.mail.transport.label,
  };
}

/** Why a sign-in at another site failed, by the value of `failed` in the address. */
const failures: Readonly<Partial<Record<ErrorCode, string>>> = {
  ACCOUNT_BANNED: 'This account is banned.',
  ACCOUNT_INACTIVE: 'This account is not active.',
  CHATAPP_ABSENT: 'No chat application is configured.',
  CHATAPP_NOT_LINKED:
    'No account is linked to this chat account. Sign in another way, then link it in the security settings.',
  CHATAPP_TAKEN: 'This chat account is linked to another account.',
  OAUTH_STATE: 'This sign-in was not started here, took too long or was already used. Start again.',
  PROVIDER_FAILED: 'The chat application did not respond as expected. Try again later.',
  PROVIDER_REFUSED: 'The chat application denied the request.',
  TOO_MANY_REQUESTS: 'Too many attempts. Wait a moment, then try again.',
};

/** Whether there is a text for this failure, so that a redirect with `?failed=…` can show it. */
export const isTold = (reason: ErrorCode): boolean => Object.hasOwn(failures, reason);

async function viewerOf(ctx: Context): Promise<Viewer | null> {
  const caller = await ctx.caller();
  if (!isUsable(caller)) return null;
  try {
    const { uid, username, role, avatar } = await createCaller(ctx).auth.validate();
    return { uid, username, role, avatar };
  } catch (error) {
    // The account was deleted in the meantime.
    if (error instanceof DomainError && error.status === 401) return null;
    throw error;
  }
}

function themeOf(cookie: string | null): Site['theme'] {
  return cookie === 'light' || cookie === 'dark' ? cookie : 'auto';
}

function noticeOf({ done, failed }: KoaContext['query']): Notice | null {
  const problem = textAt(failures, failed);
  if (problem !== null) return { kind: 'problem', text: problem };
  const words = typeof done === 'string' ? done.split('.') : [];
  const texts = words.map((word) => textAt(notices, word)).filter((text) => text !== null);
  return texts.length === 0 ? null : { kind: 'done', text: texts.join(' ') };
}

function textAt(texts: Readonly<Record<string, string>>, word: string | string[] | undefined): string | null {
  return typeof word === 'string' && Object.hasOwn(texts, word) ? (texts[word] ?? null) : null;
}
