import { randomBytes, randomInt } from 'node:crypto';
import { foldCase, type User } from '../../../db/account/account.js';
import { type CodePurpose, codeMadeAt, putCode } from '../../../db/account/code.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { acceptedLanguage, type Language } from '../../base/language/languages.js';
import { mailsOf } from '../../core/branding/branding.js';
import type { Context, Services } from '../../core/context.js';
import { queueAsked } from '../../core/mail/outgoing.js';
import type { Count } from '../../core/rate-limits.js';
import { hashSecret } from '../../core/secrets.js';

/**
 * The code in a mailed link: 128 random bits. With more, its line would exceed the length that mails send
 * unencoded, and would be broken for programs that do not decode mails.
 */
export const newLinkCode = (): string => randomBytes(16).toString('base64url');

/** How long codes, links and the cookie of a pending account are valid. */
export const CODE_MINUTES = 15;
/** Minimum time between two mails to one account. */
const COOLDOWN_MS = 2 * 60 * 1000;

type Addressee = Pick<User, 'id' | 'username' | 'email' | 'language'>;
/** What is asked by somebody who reads the mail that answers it. */
type Asked = Pick<Context, 'app' | 'acceptLanguage'>;

/**
 * The stored hash of six digits. A plain hash of so few digits could be brute-forced, so this one is keyed
 * with the secret of the installation.
 */
export const hashDigits = (app: Services, userId: number, digits: string): string =>
  app.secrets.sign(`code:${userId}:${digits}`);

/**
 * What a verification mail is counted for: anybody can give the address of a stranger, who must not be flooded in the
 * name of this installation. `free`: it costs no invite, so it also counts for the network.
 */
export const mailCounts = (ctx: Context, email: string, free: boolean): readonly Count[] => [
  ...(free ? ([['verifyMails', ctx.network()]] as const) : []),
  ['verifyMailsTo', foldCase(email)],
];

/**
 * Creates a new code for an account and queues its mail; the previous code stops working. False, and nothing
 * is changed, if the last one was created within the cooldown. For someone who uses our pages (`byPage`) the link is a
 * page with a button, because programs that examine mails open links, also those in the mail of a stranger whose
 * address was given; API clients expect one that works when it is opened (contract §4).
 */
export async function queueVerification(
  { app, acceptLanguage }: Asked,
  trx: Queryable,
  user: Addressee,
  byPage = false,
): Promise<boolean> {
  const digits = String(randomInt(1_000_000)).padStart(6, '0');
  const link = newLinkCode();
  if (!(await replaceCode(trx, user, 'verify', hashDigits(app, user.id, digits), link))) return false;
  const mail = (await mailsOf(app, trx, user, acceptedLanguage(acceptLanguage))).verification({
    username: user.username,
    code: digits,
    link: `${byPage ? `${app.settings.origin}/web/verify/link` : `${app.settings.baseUrl}/auth/verify/token`}?code=${link}`,
    minutes: CODE_MINUTES,
  });
  await queueAsked(app, trx, { to: user.email, ...mail });
  return true;
}

/** As `queueVerification`, for a link that sets a new password. `asked`: the language of who asks for it. */
export async function queueReset(
  app: Services,
  trx: Queryable,
  user: Addressee,
  asked: Language | null,
): Promise<boolean> {
  const link = newLinkCode();
  if (!(await replaceCode(trx, user, 'reset', null, link))) return false;
  const mail = (await mailsOf(app, trx, user, asked)).passwordReset({
    username: user.username,
    link: `${app.settings.origin}/web/password-reset/confirm?code=${link}`,
    minutes: CODE_MINUTES,
  });
  await queueAsked(app, trx, { to: user.email, ...mail });
  return true;
}

/** As `queueVerification`, for a link that makes this the address of the account. It is a page with a button. */
export async function queueNewAddress(
  { app, acceptLanguage }: Asked,
  trx: Queryable,
  user: Addressee,
  address: string,
): Promise<boolean> {
  const link = newLinkCode();
  if (!(await replaceCode(trx, user, 'address', null, link, address))) return false;
  const mail = (await mailsOf(app, trx, user, acceptedLanguage(acceptLanguage))).newAddress({
    username: user.username,
    link: `${app.settings.origin}/web/verify/address?code=${link}`,
    minutes: CODE_MINUTES,
  });
  await queueAsked(app, trx, { to: address, ...mail });
  return true;
}

function replaceCode(
  trx: Queryable,
  user: Addressee,
  purpose: CodePurpose,
  codeHash: string | null,
  link: string,
  emailKey = foldCase(user.email),
): Promise<boolean> {
  const createdAt = Date.now();
  return putCode(
    trx,
    {
      userId: user.id,
      purpose,
      emailKey,
      codeHash,
      linkHash: hashSecret(link),
      createdAt,
      expiresAt: createdAt + CODE_MINUTES * 60_000,
    },
    createdAt - COOLDOWN_MS,
  );
}

/** Seconds until the next mail for this purpose may be sent to an account; 0 if it may be sent now. */
export async function cooldownOf(
  trx: Queryable,
  userId: number,
  purpose: CodePurpose = 'verify',
): Promise<number> {
  const last = await codeMadeAt(trx, userId, purpose);
  return last === null ? 0 : Math.max(0, Math.ceil((last + COOLDOWN_MS - Date.now()) / 1000));
}
