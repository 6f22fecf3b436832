import type { Context as KoaContext } from 'koa';
import { isUsable } from '../../routers/access.js';
import type { Context } from '../../routers/context.js';
import { DomainError, type ErrorCode } from '../../routers/errors.js';
import { createCaller } from '../../routers/index.js';
import { returnPath } from './address.js';
import type { Assets } from './assets.js';
import type { Notice, Site, Viewer } from './site.js';

/** What a page must know of the configuration. */
export interface SiteSettings {
  readonly chatapp: boolean;
  readonly mailTransport: Site['mailTransport'];
}

/** Notices shown after a redirect, by the word in the address (`done`); text from outside is never shown. */
const notices: Readonly<Record<string, string>> = {
  nothing: 'Nothing was selected.',
  registered: 'Your account is ready. Sign in.',
  verified: 'Your account is active. Sign in.',
  saved: 'Saved.',
  invited: 'The new invites are at the top of the list. Give each person one link.',
  deleted: 'Deleted.',
  sent: 'A new mail is on its way. The codes of earlier ones work no more.',
  password:
    'The password is changed. Your API key is still the same: sign in and replace it if somebody else may know it.',
  key: 'There is a new key. Tools with the old one need it.',
  ended: 'The session is ended.',
  gone: 'Your account is deleted.',
  retried: 'What was given up is tried again.',
  tested: 'The test has arrived.',
};

/** Everything a page of this request needs besides its own records; `isPage` knows the paths that can be looked at. */
export async function siteOf(
  ctx: Context,
  koa: KoaContext,
  assets: Assets,
  settings: SiteSettings,
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
    chatapp: settings.chatapp,
    mailTransport: settings.mailTransport,
  };
}

/** What a way that led away from here failed by, by the word in the address (`failed`). */
const failures: Readonly<Partial<Record<ErrorCode, string>>> = {
  ACCOUNT_BANNED: 'This account is banned.',
  ACCOUNT_INACTIVE: 'This account is not active.',
  CHATAPP_ABSENT: 'No chat application is set up here.',
  CHATAPP_NOT_LINKED:
    'No account is linked to this chat account. Sign in another way, then connect it in the settings.',
  CHATAPP_TAKEN: 'This chat account is linked to another account.',
  OAUTH_STATE: 'This was not begun here, took too long or was used already. Start again.',
  PROVIDER_FAILED: 'The chat application did not answer as expected. Try again later.',
  PROVIDER_REFUSED: 'The chat application did not allow it.',
  TOO_MANY_REQUESTS: 'Too many tries. Wait a moment, then try again.',
};

/** Whether a page can tell of this failure when it is sent to with `?failed=…`. */
export const isTold = (reason: ErrorCode): boolean => Object.hasOwn(failures, reason);

async function viewerOf(ctx: Context): Promise<Viewer | null> {
  const caller = await ctx.caller();
  if (!isUsable(caller)) return null;
  try {
    const { uid, username, role, avatar } = await createCaller(ctx).auth.validate();
    return { uid, username, role, avatar };
  } catch (error) {
    // Deleted since they were recognised.
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
  const text = textAt(notices, done);
  return text === null ? null : { kind: 'done', text };
}

function textAt(texts: Readonly<Record<string, string>>, word: string | string[] | undefined): string | null {
  return typeof word === 'string' && Object.hasOwn(texts, word) ? (texts[word] ?? null) : null;
}
