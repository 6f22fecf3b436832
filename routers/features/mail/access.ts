import { lockUser } from '../../../db/account/account.js';
import type { Role } from '../../../db/account/role.js';
import { isExpired } from '../../../db/content/life.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { lockMailbox, type Mailbox, mailboxByAddress, mailboxesOf } from '../../../db/mail/mailbox.js';
import { fail, found } from '../../base/errors.js';
import { commands, isShutOut } from '../../base/roles.js';
import { lockAccount } from '../../core/accounts/people.js';
import type { AccountContext, Context } from '../../core/context.js';
import { requireCaller } from '../../core/trpc.js';
import { hasMailboxCookie, tokenFor } from './cookie.js';

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

/** The mailbox with this address, for its owner only: what it sends goes out under the owner's address. */
export async function heldMailbox(ctx: Context, address: string): Promise<Mailbox> {
  const caller = await requireCaller(ctx);
  const mailbox = await mailboxByAddress(ctx.app.db.read, address);
  return mailbox?.ownerId === caller.id && mailbox.state !== 'DELETED' ? mailbox : fail('NOT_FOUND');
}

/** As `heldMailbox`, in the transaction that changes the mailbox. */
export async function lockHeld(
  { app, account }: AccountContext,
  trx: Queryable,
  id: number,
): Promise<Mailbox> {
  await lockAccount(app, trx, account.id);
  const mailbox = found(await lockMailbox(app.db, trx, id));
  return mailbox.ownerId === account.id ? mailbox : fail('NOT_FOUND');
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
  { app, account }: Pick<AccountContext, 'app'> & { readonly account: { readonly id: number } },
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
  if (!hasMailboxCookie(ctx)) await requireCaller(ctx);
}

/** As `ownMailbox`, but also for callers with the cookie set when the mailbox was created. */
export async function readableMailbox(
  ctx: Context,
  address: string,
  options: { readonly deletedToo?: boolean } = {},
): Promise<Mailbox> {
  const mailbox = hasMailboxCookie(ctx) ? await mailboxByAddress(ctx.app.db.read, address) : null;
  const opened = mailbox !== null && (await opensTo(ctx, mailbox));
  return opened ? mailbox : ownMailbox(ctx, address, options);
}

/**
 * As `ownMailbox`, but also for the guest who created the mailbox: nobody else could remove what is in it. The cookie
 * of an account's mailbox only reads.
 */
export async function removableMailbox(ctx: Context, address: string): Promise<Mailbox> {
  const mailbox = hasMailboxCookie(ctx) ? await mailboxByAddress(ctx.app.db.read, address) : null;
  const opened = mailbox?.guest === true && (await opensTo(ctx, mailbox));
  return opened ? mailbox : ownMailbox(ctx, address);
}

/** As `removableMailbox`, in the transaction that removes: the mailbox stays as it is until the commit. */
export async function lockRemovable(ctx: Context, trx: Queryable, id: number): Promise<void> {
  const mailbox = hasMailboxCookie(ctx) ? found(await lockMailbox(ctx.app.db, trx, id)) : null;
  const isHolder = mailbox?.guest === true || isShownToken(ctx, mailbox);
  if (mailbox !== null && isHolder && (await opensTo(ctx, mailbox))) return;
  await lockOwn({ app: ctx.app, account: await requireCaller(ctx) }, trx, id);
}

/** Whether the token of this mailbox is the credential of the request, and not a cookie that came with it. */
const isShownToken = ({ credentials }: Context, mailbox: Mailbox | null): boolean =>
  mailbox !== null && credentials.mailbox?.address === mailbox.address;

/** All mailboxes that a caller sees: those of the account, or the one whose token is shown; 401 without either. */
export async function seenMailboxes(ctx: Context): Promise<readonly Mailbox[]> {
  const { mailbox: shown } = ctx.credentials;
  if (shown === null || (await ctx.caller()) !== null)
    return mailboxesOf(ctx.app.db.read, (await requireCaller(ctx)).id);
  const mailbox = await mailboxByAddress(ctx.app.db.read, shown.address);
  return mailbox !== null && (await opensTo(ctx, mailbox)) ? [mailbox] : fail('UNAUTHENTICATED');
}

/**
 * As `readableMailbox`, for callers who are only told that a mailbox is over: deleted ones too, and the cookie of an
 * expired or deleted one counts.
 */
export async function knownMailbox(ctx: Context, address: string): Promise<Mailbox> {
  const mailbox = hasMailboxCookie(ctx) ? await mailboxByAddress(ctx.app.db.read, address) : null;
  const known = mailbox !== null && tokenFor(ctx, mailbox) !== null;
  return known ? mailbox : readableMailbox(ctx, address, { deletedToo: true });
}

/** Whether a cookie grants access: only the mailbox's own, until it expires or its owner is banned or deleted. */
async function opensTo(ctx: Context, mailbox: Mailbox): Promise<boolean> {
  const { state, expiresAt, ownerId, guest } = mailbox;
  if (state === 'DELETED' || isExpired({ expiresAt })) return false;
  if (tokenFor(ctx, mailbox) === null) return false;
  if (guest) return true;
  const owner = ownerId === null ? null : await ctx.app.load.user(ownerId);
  return owner !== null && !isShutOut(owner.role);
}
