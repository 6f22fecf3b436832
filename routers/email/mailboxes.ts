import { z } from 'zod';
import {
  insertMailbox,
  type Mailbox,
  mailboxByAddress,
  mailboxesOf,
  updateMailbox,
} from '../../db/mailbox.js';
import { userByEmail } from '../../db/user.js';
import { hashSecret, newSecret } from '../auth/secrets.js';
import type { Context, Settings } from '../context.js';
import { fail, found } from '../errors.js';
import { randomText } from '../ids.js';
import { lockAccount } from '../people.js';
import { isAdmin, isShutOut } from '../roles.js';
import { type AccountContext, requireCaller } from '../trpc.js';
import { MAILBOXES } from './bounds.js';
import { lifetimeInput } from './lifetime.js';

/** Browsers keep cookies for at most 400 days. */
const LONGEST_COOKIE_SECONDS = 400 * 24 * 60 * 60;
const GENERATED_LENGTH = 10;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Names for the operator of a domain (RFC 2142), or names that could be mistaken for them. */
const RESERVED =
  /^(?:abuse|admin|administrator|contact|hostmaster|info|mailer-daemon|no-?reply|postmaster|root|security|ssl-?admin\w*|support|webmaster)$/;

/** An address as it stands in a path or a field. */
export const addressInput = z
  .string({ error: 'give the address of the mailbox' })
  .trim()
  .min(1)
  .max(320)
  .transform((value) => value.toLowerCase());

export const createInput = z.object({
  /** What stands before the @; "" and absent make one. */
  name: z
    .string()
    .trim()
    .max(320)
    .nullish()
    .transform((value) => (value ?? '').toLowerCase()),
  expiresIn: lifetimeInput,
});

/**
 * Makes a receiving address for the caller and hands out its cookie. Refuses with 400 a name that is malformed,
 * reserved or was ever taken, and an account with too many mailboxes.
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
        fail('INVALID', `An account has at most ${MAILBOXES} mailboxes`);
      }
      const address = `${name}@${app.settings.mailDomain}`;
      // Its mails, those that reset its password among them, are for the account alone.
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
    maxAgeSeconds: Math.min(seconds, LONGEST_COOKIE_SECONDS),
  });
}

/** Moves the end of a mailbox, and that of its cookie for a caller who shows it. */
export async function moveEnd(ctx: Context, mailbox: Mailbox, expiresAt: number | null): Promise<Mailbox> {
  const moved = await ctx.app.db.write((trx) => updateMailbox(trx, mailbox.id, { expiresAt }));
  const token = ctx.cookie('mailbox_token');
  if (token !== null && hashSecret(token) === mailbox.tokenHash) setMailboxCookie(ctx, token, expiresAt);
  return found(moved);
}

/** What stands before the @ of a wished name or address. */
function localPart(wished: string, { mailDomain, mailSender }: Settings, privileged: boolean): string {
  const end = `@${mailDomain}`;
  const name = wished.endsWith(end) ? wished.slice(0, -end.length) : wished;
  if (!/^[a-z0-9](?:[a-z0-9_-]|[.+](?![.+@]|$)){0,62}$/.test(name)) {
    fail('INVALID', 'A mailbox is named with 1 to 63 letters, digits, dots, hyphens and underscores');
  }
  // Mails that could not be delivered, with what stands in them, come back to their sender.
  if (!privileged && (RESERVED.test(name) || name + end === mailSender)) fail('MAILBOX_TAKEN');
  return name;
}

/**
 * The mailbox with this address for its owner or an administrator. Who may not have it is answered as if it
 * did not exist (404), who shows no credential with 401.
 */
export async function ownMailbox(ctx: Context, address: string): Promise<Mailbox> {
  const caller = await requireCaller(ctx);
  const mailbox = await mailboxByAddress(ctx.app.db.read, address);
  const allowed = mailbox !== null && (mailbox.ownerId === caller.id || isAdmin(caller.role));
  return allowed && mailbox.state !== 'DELETED' ? mailbox : fail('NOT_FOUND');
}

/** Refuses with 401 whoever shows neither an account nor the cookie of a mailbox, before anything else is looked at. */
export async function requireReader(ctx: Context): Promise<void> {
  if (ctx.cookie('mailbox_token') === null) await requireCaller(ctx);
}

/** As `ownMailbox`, also for whoever shows the cookie that its creation gave. */
export async function readableMailbox(ctx: Context, address: string): Promise<Mailbox> {
  const token = ctx.cookie('mailbox_token');
  const mailbox = token === null ? null : await mailboxByAddress(ctx.app.db.read, address);
  const opened = token !== null && mailbox !== null && (await opensTo(ctx, mailbox, token));
  return opened ? mailbox : ownMailbox(ctx, address);
}

/** Whether a cookie opens a mailbox: its own does, until the mailbox has ended or its owner is shut out. */
async function opensTo({ app }: Context, mailbox: Mailbox, token: string): Promise<boolean> {
  const { state, expiresAt, ownerId, tokenHash } = mailbox;
  if (state === 'DELETED' || (expiresAt !== null && expiresAt <= Date.now())) return false;
  if (ownerId === null || tokenHash !== hashSecret(token)) return false;
  const owner = await app.load.user(ownerId);
  return owner !== null && !isShutOut(owner.role);
}
