import type { Context as KoaContext } from 'koa';
import { DomainError, type ErrorCode } from '../../../routers/base/errors.js';
import { type I18n, i18nOf, languageFor, msg } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { acceptOf, typesInWords } from '../../../routers/base/text/media-types.js';
import {
  type Branding,
  brandingOf,
  DEFAULT_BRANDING,
  SOFTWARE,
} from '../../../routers/core/branding/branding.js';
import type { Context } from '../../../routers/core/context.js';
import { type EntryRules, entryRulesOf } from '../../../routers/core/entry/entry-rules.js';
import { isUsable } from '../../../routers/core/policies.js';
import { lacksOwner } from '../../../routers/features/auth/first-owner.js';
import { createCaller } from '../../../routers/index.js';
import { demoEnds } from '../../shared/demo.js';
import { returnPath } from '../address.js';
import type { Notice, Site, Viewer } from '../site.js';
import type { Assets } from './assets.js';

/**
 * Notices shown after a redirect, by the words of `done` in the address, which dots separate; text from the address
 * itself is never shown.
 */
const notices: Readonly<Record<string, Message>> = {
  nothing: msg('Nothing was selected.'),
  verified: msg('Your account is active. Sign in.'),
  addressConfirmed: msg(
    'Your e-mail address is confirmed. Without an invite, an administrator lets you in first; you get an e-mail then.',
  ),
  saved: msg('Saved.'),
  created: msg('Created.'),
  refused: msg('The registration is refused, and the account deleted.'),
  activated: msg('The account is active. They can sign in now.'),
  welcome: msg('Welcome to Holdall. This installation is yours.'),
  invited: msg('The new invites are at the top of the list. Give each person one link.'),
  deleted: msg('Deleted.'),
  imported: msg('The links were imported.'),
  answered: msg('Your answer is on its way.'),
  asked: msg('A link was mailed to that address. Forwarding starts once it has been opened.'),
  trashed: msg('Deleted. You can restore it from the trash.'),
  restored: msg('Restored.'),
  sent: msg('A new e-mail is on its way. Codes from earlier e-mails no longer work.'),
  address: msg('We have sent an e-mail to your new address. Open its link to use the address.'),
  password: msg(
    'Your password was changed. Your other sessions have ended. Your API key is still the same: if someone else may know it, replace it.',
  ),
  passwordAndKey: msg(
    'Your password was changed. Your other sessions have ended, and you have a new API key: tools that used the old one need it now.',
  ),
  reset: msg(
    'Your password was changed. All sessions have ended, and there is a new API key: tools that used the old one need it now.',
  ),
  recovered: msg(
    'Saved. All sessions of this account have ended, and it has a new API key: tools that used the old one need it now.',
  ),
  everything: msg(
    'All other access to your account was ended. You have a new main API key, unless it was off.',
  ),
  keys: msg('The named keys were deleted.'),
  webhook: msg('The webhook was removed.'),
  chatapp: msg('The chat account was unlinked.'),
  messenger: msg('The messenger account was unlinked.'),
  identities: msg('The identities at other sites were unlinked.'),
  passkeys: msg('The passkeys were removed.'),
  key: msg('You have a new API key. Tools that used the old one need it now.'),
  keyOff: msg('The main API key is switched off.'),
  keyDeleted: msg('The key was deleted. Tools that used it no longer work.'),
  ended: msg('The session was ended.'),
  endedAll: msg('All your other sessions were ended.'),
  linked: msg('The identity was linked. It can sign in to your account from now on.'),
  unlinked: msg('The identity was unlinked.'),
  passkey: msg('The passkey was added. You can sign in with it from now on.'),
  confirmed: msg('Confirmed. For ten minutes you can change how you sign in.'),
  gone: msg('Your account was deleted.'),
  retried: msg('Failed jobs are being retried.'),
  tested: msg('The test event was delivered.'),
  cancelled: msg('The transfer was cancelled. Nothing of the file was kept.'),
};

/** Everything that a page needs besides its own records; `isPage` tells which paths can be opened with GET. */
export async function siteOf(
  ctx: Context,
  koa: KoaContext,
  assets: Assets,
  isPage: (path: string) => boolean,
): Promise<Site> {
  const { origin, language, registration, maxUploadBytes } = ctx.app.settings;
  const answersForm = koa.method === 'POST';
  const viewer = await viewerOf(ctx);
  const entry = await entryOf(ctx, viewer);
  const branding = await brandingOf(ctx.app).catch((): Branding => DEFAULT_BRANDING);
  const i18n = await i18nOf(languageFor(viewer?.language ?? null, ctx.acceptLanguage, language));
  const path = koa.path.replace(/^\/v1(?=\/web\/|$)/, '').replace(/(?<=.)\/$/, '') || '/';
  return {
    origin,
    path,
    address: answersForm && !isPage(path) ? '/' : returnPath(path, koa.search),
    answersForm,
    assets,
    branding,
    i18n,
    theme: themeOf(ctx.cookie('theme')),
    viewer,
    notice: noticeOf(koa.query, branding, i18n),
    registration,
    unowned: await isUnowned(ctx),
    maxUploadBytes,
    acceptedTypes: typesInWords(entry.types, i18n),
    accept: acceptOf(entry.types),
    lives: entry.lives,
    chatapp: ctx.app.chat.app?.label ?? null,
    guestMailboxes: ctx.app.settings.guestMailboxes && (ctx.app.challenge?.newTask ?? null) !== null,
    challengeFor: ctx.app.settings.challengeFor,
    signIn: {
      ways: ctx.app.settings.signIn,
      providers: ctx.app.settings.signIn.includes('oidc') ? ctx.app.oidc : [],
    },
    demoEnds: ctx.app.settings.demo ? demoEnds(Date.now()) : null,
    mailThrough: ctx.app.mail.transport.label,
  };
}

/** What may come in from the viewer. Error pages are also shown while the database is away; then what is configured. */
function entryOf({ app }: Context, viewer: Viewer | null): Promise<EntryRules> {
  return entryRulesOf(app, viewer?.uid ?? null).catch(() => ({
    types: app.settings.uploadTypes,
    lives: app.settings.lives,
  }));
}

/** What an address can name to be restored, in characters. */
const MAX_UNDO = 8_000;

/** Why a sign-in at another site failed, by the value of `failed` in the address. */
const failures: Readonly<Partial<Record<ErrorCode, Message>>> = {
  ACCOUNT_BANNED: msg('This account is banned.'),
  ACCOUNT_INACTIVE: msg('This account is not active.'),
  LOGIN_WAITING: msg('This account waits for an administrator to let it in. You get an e-mail then.'),
  CHATAPP_ABSENT: msg('No chat application is configured.'),
  CHATAPP_NOT_LINKED: msg(
    'No account is linked to this chat account. Sign in another way, then link it in the security settings.',
  ),
  CHATAPP_TAKEN: msg('This chat account is linked to another account.'),
  OAUTH_STATE: msg('This sign-in was not started here, took too long or was already used. Start again.'),
  PROVIDER_FAILED: msg('The other service did not respond as expected. Try again later.'),
  PROVIDER_REFUSED: msg('The other service denied the request.'),
  OIDC_ABSENT: msg('There is no provider of this name.'),
  OIDC_UNKNOWN: msg(
    'No account here is linked to this identity. Sign in another way, then link it in the security settings.',
  ),
  OIDC_INVITE: msg('You have no account here yet. Register with an invite code.'),
  OIDC_ADDRESS: msg('The provider gave no e-mail address, which an account here needs.'),
  OIDC_LINK_FIRST: msg(
    'An account with your e-mail address exists. Sign in to it another way, then link this identity in the security settings.',
  ),
  IDENTITY_TAKEN: msg('This identity is linked to another account.'),
  INVITE_INVALID: msg('The invite code is wrong or was already used.'),
  SIGN_IN_WAY: msg('This way to sign in is not offered here.'),
  CODE_INVALID: msg('This link is wrong, already used or expired.'),
  TOO_MANY_REQUESTS: msg('Too many attempts. Wait a moment, then try again.'),
};

/** Whether there is a text for this failure, so that a redirect with `?failed=…` can show it. */
export const isLocalizable = (reason: ErrorCode): boolean => Object.hasOwn(failures, reason);

async function viewerOf(ctx: Context): Promise<Viewer | null> {
  const caller = await ctx.caller();
  if (!isUsable(caller)) return null;
  try {
    const { uid, username, role, avatar } = await createCaller(ctx).auth.validate();
    return { uid, username, role, avatar, language: caller.language };
  } catch (error) {
    // The account was deleted in the meantime.
    if (error instanceof DomainError && error.status === 401) return null;
    throw error;
  }
}

/** Error pages are also shown while the database is away; nobody can set up anything then. */
const isUnowned = ({ app }: Context): Promise<boolean> => lacksOwner(app).catch(() => false);

function themeOf(cookie: string | null): Site['theme'] {
  return cookie === 'light' || cookie === 'dark' ? cookie : 'auto';
}

function noticeOf(
  { done, failed, undo }: KoaContext['query'],
  { name }: Branding,
  i18n: I18n,
): Notice | null {
  const problem = textAt(failures, failed, i18n);
  if (problem !== null) return { kind: 'problem', text: problem, undo: null, created: false };
  const words = typeof done === 'string' ? done.split('.') : [];
  const texts = words.map((word) => textAt(notices, word, i18n)).filter((text) => text !== null);
  return texts.length === 0
    ? null
    : {
        kind: 'done',
        text: texts.join(' ').replace(SOFTWARE, name),
        created: words.includes('created'),
        undo: typeof undo === 'string' && words.includes('trashed') ? undo.slice(0, MAX_UNDO) : null,
      };
}

function textAt(
  texts: Readonly<Record<string, Message>>,
  word: string | string[] | undefined,
  { translateMessage }: I18n,
): string | null {
  const text = typeof word === 'string' && Object.hasOwn(texts, word) ? texts[word] : undefined;
  return text === undefined ? null : translateMessage(text);
}
