import { z } from 'zod';
import { lockUser, userByEmail } from '../../db/account/account.js';
import type { Role } from '../../db/account/role.js';
import type { Queryable } from '../../db/engine/queryable.js';
import {
  insertMailbox,
  lockMailbox,
  type Mailbox,
  mailboxByAddress,
  mailboxesOf,
  updateMailbox,
} from '../../db/mail/mailbox.js';
import { hashSecret, newSecret } from '../auth/secrets.js';
import type { Context, Settings } from '../context.js';
import { fail, found } from '../errors.js';
import { mailboxTopic } from '../ports/hub.js';
import { commands, isAdmin, isShutOut } from '../roles.js';
import { randomText } from '../shared/ids.js';
import { lockAccount } from '../shared/people.js';
import { type AccountContext, requireCaller } from '../trpc.js';
import { MAILBOXES } from './bounds.js';
import { lifetimeInput } from './lifetime.js';

/** Browsers keep cookies for at most 400 days. */
const MAX_COOKIE_SECONDS = 400 * 24 * 60 * 60;
const GENERATED_LENGTH = 10;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Names for the operator of a domain (RFC 2142), or names that could be mistaken for them. */
const RESERVED =
  /^(?:abuse|admin|administrator|contact|hostmaster|info|mailer-daemon|no-?reply|postmaster|root|security|ssl-?admin\w*|support|webmaster)$/;

/** An address in a path or a field. */
export const addressInput = z
  .string({ error: 'enter the address of the mailbox' })
  .trim()
  .min(1)
  .max(320)
  .transform((value) => value.toLowerCase());

export const createInput = z.object({
  /** The name before the @; generated if "" or absent. */
  name: z
    .string()
    .trim()
    .max(320)
    .nullish()
    .transform((value) => (value ?? '').toLowerCase()),
  expiresIn: lifetimeInput,
});

/**
 * Creates a mailbox for the caller and sets its cookie. Fails with 400 for a name that is malformed, reserved or was
 * used before, and for an account with too many mailboxes.
 */
export async function createMailbox(
  ctx: AccountContext,
  input: z.output<typeof createInput>,
): Promise<Mailbox> {
  const { app, account } = ctx;
  const privileged = isAdmin(account.role);
  const name =
    input.name === ''
      ? randomText(ALPHABET, GENERATED_LENGTH)
      : localPart(input.name, app.settings, privileged);
  const token = newSecret();
  const createdAt = Date.now();
  const expiresAt = input.expiresIn === null ? null : createdAt + input.expiresIn;
  try {
    const mailbox = await app.db.write(async (trx) => {
      await lockAccount(app, trx, account.id);
      if (!privileged && (await mailboxesOf(trx, account.id)).length >= MAILBOXES) {
        fail('INVALID', `An account can have at most ${MAILBOXES} mailboxes`);
      }
      const address = `${name}@${app.settings.mailDomain}`;
      // E-mails to the address of an account, such as password resets, are only for that account.
      const holder = await userByEmail(trx, address);
      if (holder !== null && holder.id !== account.id) fail('MAILBOX_TAKEN');
      return insertMailbox(trx, {
        address,
        ownerId: account.id,
        createdAt,
        expiresAt,
        tokenHash: hashSecret(token),
      });
    });
    setMailboxCookie(ctx, token, expiresAt);
    return mailbox;
  } catch (error) {
    if (app.db.dialect.isUniqueViolation(error)) fail('MAILBOX_TAKEN');
    throw error;
  }
}

/** The cookie lives as long as the mailbox. */
function setMailboxCookie(ctx: Context, value: string, expiresAt: number | null): void {
  const seconds = Math.ceil(((expiresAt ?? Number.POSITIVE_INFINITY) - Date.now()) / 1000);
  ctx.outgoingCookies.push({
    name: 'mailbox_token',
    value,
    maxAgeSeconds: Math.min(seconds, MAX_COOKIE_SECONDS),
  });
}

/** Changes when a mailbox expires, and its cookie for a caller who has it. */
export async function moveEnd(
  ctx: AccountContext,
  mailbox: Mailbox,
  expiresAt: number | null,
): Promise<Mailbox> {
  const moved = await ctx.app.db.write(async (trx) => {
    await lockOwn(ctx, trx, mailbox.id);
    return updateMailbox(trx, mailbox.id, { expiresAt });
  });
  const token = ctx.cookie('mailbox_token');
  if (token !== null && hashSecret(token) === mailbox.tokenHash) setMailboxCookie(ctx, token, expiresAt);
  ctx.app.hub.publish(mailboxTopic(mailbox.address), {});
  return found(moved);
}

/** The name before the @ of a requested name or address. */
function localPart(wished: string, { mailDomain, mailSender }: Settings, privileged: boolean): string {
  const end = `@${mailDomain}`;
  const name = wished.endsWith(end) ? wished.slice(0, -end.length) : wished;
  if (!/^[a-z0-9](?:[a-z0-9_-]|[.+](?![.+@]|$)){0,62}$/.test(name)) {
    fail('INVALID', 'A mailbox name has 1 to 63 letters, digits, dots, hyphens and underscores');
  }
  // Bounces go to the sender address and quote the e-mails.
  if (!privileged && (RESERVED.test(name) || name + end === mailSender)) fail('MAILBOX_TAKEN');
  return name;
}

/**
 * The mailbox with this address, for its owner or an administrator of a higher role: mail can contain a link that sets
 * a password. 404 for others, even if it exists; 401 without credentials. A deleted one only with
 * `deletedToo`.
 */
export async function ownMailbox(
  ctx: Context,
  address: string,
  { deletedToo = false }: { readonly deletedToo?: boolean } = {},
): Promise<Mailbox> {
  const caller = await requireCaller(ctx);
  const mailbox = await mailboxByAddress(ctx.app.db.read, address);
  if (mailbox === null || (mailbox.state === 'DELETED' && !deletedToo)) return fail('NOT_FOUND');
  const { ownerId } = mailbox;
  const owner = ownerId === null ? null : await ctx.app.load.user(ownerId);
  return mayManage(caller, ownerId, owner?.role) ? mailbox : fail('NOT_FOUND');
}

/** Whether the caller is this owner, or an administrator who stands above it. */
const mayManage = (
  caller: { readonly id: number; readonly role: Role },
  ownerId: number | null,
  ownerRole: Role = 'DELETED',
): boolean => ownerId === caller.id || commands(caller.role, ownerRole);

/**
 * As `ownMailbox`, in the transaction that changes the mailbox, with the caller's role: caller and owner are locked,
 * because either may have got another role since the request began.
 */
export async function lockOwn(
  { app, account }: AccountContext,
  trx: Queryable,
  id: number,
): Promise<{ readonly mailbox: Mailbox; readonly role: Role }> {
  const caller = await lockAccount(app, trx, account.id);
  const mailbox = found(await lockMailbox(app.db, trx, id));
  const owner = mailbox.ownerId === null ? null : await lockUser(app.db, trx, mailbox.ownerId);
  if (!mayManage(caller, mailbox.ownerId, owner?.role)) fail('NOT_FOUND');
  return { mailbox, role: caller.role };
}

/** Refuses callers with neither an account nor a mailbox cookie with 401, before any other check. */
export async function requireReader(ctx: Context): Promise<void> {
  if (ctx.cookie('mailbox_token') === null) await requireCaller(ctx);
}

/** As `ownMailbox`, but also for callers with the cookie set when the mailbox was created. */
export async function readableMailbox(
  ctx: Context,
  address: string,
  options: { readonly deletedToo?: boolean } = {},
): Promise<Mailbox> {
  const token = ctx.cookie('mailbox_token');
  const mailbox = token === null ? null : await mailboxByAddress(ctx.app.db.read, address);
  const opened = token !== null && mailbox !== null && (await opensTo(ctx, mailbox, token));
  return opened ? mailbox : ownMailbox(ctx, address, options);
}

/**
 * As `readableMailbox`, for callers who are only told that a mailbox is over: deleted ones too, and the cookie of an
 * expired or deleted one counts.
 */
export async function knownMailbox(ctx: Context, address: string): Promise<Mailbox> {
  const token = ctx.cookie('mailbox_token');
  const mailbox = token === null ? null : await mailboxByAddress(ctx.app.db.read, address);
  const known = token !== null && mailbox !== null && mailbox.tokenHash === hashSecret(token);
  return known ? mailbox : readableMailbox(ctx, address, { deletedToo: true });
}

/** Whether a cookie grants access: only the mailbox's own, until it expires or its owner is banned or deleted. */
async function opensTo({ app }: Context, mailbox: Mailbox, token: string): Promise<boolean> {
  const { state, expiresAt, ownerId, tokenHash } = mailbox;
  if (state === 'DELETED' || (expiresAt !== null && expiresAt <= Date.now())) return false;
  if (ownerId === null || tokenHash !== hashSecret(token)) return false;
  const owner = await app.load.user(ownerId);
  return owner !== null && !isShutOut(owner.role);
}
