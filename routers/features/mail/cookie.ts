import type { Mailbox } from '../../../db/mail/mailbox.js';
import type { CookieName } from '../../base/cookies.js';
import type { Context } from '../../core/context.js';
import { hashSecret } from '../../core/secrets.js';

/** Browsers keep cookies for at most 400 days. */
const MAX_COOKIE_SECONDS = 400 * 24 * 60 * 60;
const FINGERPRINT_LENGTH = 8;

type MailboxCookie = Pick<Mailbox, 'address' | 'guest' | 'tokenHash' | 'expiresAt'>;

/** The cookie of a guest mailbox: each has its own, so that several stay open side by side. */
const guestCookie = (address: string): CookieName =>
  `mailbox_token_${hashSecret(address).slice(0, FINGERPRINT_LENGTH)}`;

const cookieOf = ({ address, guest }: MailboxCookie): CookieName =>
  guest ? guestCookie(address) : 'mailbox_token';

/** The cookie lives as long as the mailbox. */
export function setMailboxCookie(ctx: Context, mailbox: MailboxCookie, value: string): void {
  const seconds = Math.ceil(((mailbox.expiresAt ?? Number.POSITIVE_INFINITY) - Date.now()) / 1000);
  ctx.outgoingCookies.push({
    name: cookieOf(mailbox),
    value,
    maxAgeSeconds: Math.min(seconds, MAX_COOKIE_SECONDS),
  });
}

/** The token of this mailbox that the caller has, mostly in a cookie; null without one, or if it is another's. */
export function tokenFor(ctx: Context, mailbox: MailboxCookie): string | null {
  const { mailbox: shown } = ctx.credentials;
  const token = shown?.address === mailbox.address ? shown.token : ctx.cookie(cookieOf(mailbox));
  return token !== null && hashSecret(token) === mailbox.tokenHash ? token : null;
}

/** Whether the caller has the cookie or the token of any mailbox. */
export const hasMailboxCookie = (ctx: Context): boolean =>
  ctx.credentials.mailbox !== null ||
  ctx.cookieNames().some((name) => name === 'mailbox_token' || name.startsWith('mailbox_token_'));
