import type { Kind } from '../../db/content/kinds.js';
import { isQuarantined, isUnavailable, type Mortal } from '../../db/content/life.js';
import { DomainError, fail } from '../base/errors.js';
import type { OwnedKind } from '../base/kinds.js';
import { isAdmin, isModerator, isShutOut } from '../base/roles.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';
import { takeAll } from './rate-limits.js';
import { readsOwnOfKind } from './scopes.js';

/** What decides who may open something: an item, a collection, a share link, a request. */
export interface Guarded {
  readonly id: number;
  readonly ownerId: number;
  readonly isPublic: boolean;
  readonly passwordHash: string | null;
}

/** What has a password of its own; in one word for each, under which wrong passwords are counted. */
export type GuardedKind = Kind | 'collection' | 'share' | 'request';

/** Why a caller may see an item. `privileged`: as its owner or a moderator, to whom limits do not apply. */
export type Access = 'public' | 'password' | 'privileged';

/**
 * Whether the caller opens the item as its owner or a moderator, to whom privacy and limits do not apply. Never with
 * a key that reads as a visitor.
 */
export async function isPrivileged(ctx: Context, item: { readonly ownerId: number }): Promise<boolean> {
  const caller = await ctx.caller();
  return controls(caller, item) && caller?.key?.asVisitor !== true;
}

/**
 * As `isPrivileged`, for an item of a kind: where every key may call, one that does not read items of the kind has a
 * stranger's rights.
 */
export async function isPrivilegedReader(
  ctx: Context,
  kind: OwnedKind,
  item: { readonly ownerId: number },
): Promise<boolean> {
  const caller = await ctx.caller();
  return controls(caller, item) && caller !== null && readsOwnOfKind(caller, kind);
}

/** Whether the caller opens the item as its owner. Never with a key that reads as a visitor. */
export async function isOwn(ctx: Context, item: { readonly ownerId: number }): Promise<boolean> {
  const caller = await ctx.caller();
  return isUsable(caller) && caller.id === item.ownerId && caller.key?.asVisitor !== true;
}

/** Whether an active account owns the item or moderates. */
const controls = (caller: Caller | null, item: { readonly ownerId: number }): boolean =>
  isUsable(caller) && (caller.id === item.ownerId || isModerator(caller.role));

/**
 * Whether the caller opens the item as its owner or an administrator, with what visitors do not see. Never with a key
 * that reads as a visitor.
 */
export async function isOwnerOrAdmin(ctx: Context, item: { readonly ownerId: number }): Promise<boolean> {
  const caller = await ctx.caller();
  return caller?.key?.asVisitor !== true && administers(caller, item);
}

/** What the record of an item shows a caller beside its content: what is its owner's, and how often it was opened. */
export async function shownTo(
  ctx: Context,
  item: { readonly ownerId: number },
): Promise<{ readonly own: boolean; readonly counted: boolean }> {
  return { own: await isOwn(ctx, item), counted: await isOwnerOrAdmin(ctx, item) };
}

/**
 * Whether the caller sees who opened the item: as `isOwnerOrAdmin`, and with the main key of an administrator that the
 * server of a separate portal reads with, too, because it shows this to administrators only.
 */
export async function seesVisitors(ctx: Context, item: { readonly ownerId: number }): Promise<boolean> {
  const caller = await ctx.caller();
  return (caller?.key?.asVisitor !== true || caller.key.isMain) && administers(caller, item);
}

/** Whether an active account owns the item or administers, whatever its key opens items as. */
const administers = (caller: Caller | null, item: { readonly ownerId: number }): boolean =>
  isUsable(caller) && (caller.id === item.ownerId || isAdmin(caller.role));

/** 401 unless the caller's account owns the item or administers: to change it, also with a key that reads as a visitor. */
export async function requireOwnerOrAdmin(ctx: Context, item: { readonly ownerId: number }): Promise<void> {
  if (!administers(await ctx.caller(), item)) fail('NOT_OWNER');
}

/** Whether the account is active and neither banned nor deleted. */
export const isUsable = (caller: Caller | null): caller is Caller =>
  caller?.active === true && !isShutOut(caller.role);

/** Whether everybody may open the item without a password. */
export const isOpen = (item: Pick<Guarded, 'isPublic' | 'passwordHash'>): boolean =>
  item.isPublic && item.passwordHash === null;

/** Whether an item can be over at all: most cannot, and nobody need look who is asking. */
export const canEnd = (item: Mortal): boolean => isQuarantined(item) || item.expiresAt !== null;

/**
 * Checks access to an item or refuses it. Public items without a password are open to everybody; other items
 * to their owner and moderators, and to callers with the item's password (contract §5).
 */
export async function authorise(
  ctx: Context,
  kind: OwnedKind,
  item: Guarded,
  password: string | null | undefined,
): Promise<Access> {
  if (isOpen(item)) return 'public';
  if (await isPrivilegedReader(ctx, kind, item)) return 'privileged';
  if (item.passwordHash === null) fail('PRIVATE');
  if (password === undefined || password === null || password === '') fail('PASSWORD_REQUIRED');
  await checkPassword(ctx, kind, item, password);
  return 'password';
}

/**
 * Refuses a wrong item password. Attempts are limited per item and network, and per network for all items together.
 * One that is refused because too many wait counts, too: otherwise waiting lines could be filled without end.
 */
export async function checkPassword(
  ctx: Context,
  kind: GuardedKind,
  item: Pick<Guarded, 'id' | 'passwordHash'>,
  password: string,
): Promise<void> {
  const network = ctx.network();
  const subject = `${kind}:${item.id}:${network}`;
  const {
    itemPasswords,
    limits: { rates: limits },
  } = ctx.app;
  await takeAll(limits, [
    ['itemPasswordAddress', network],
    ['itemPassword', subject],
  ]);
  if (!(await itemPasswords.verify(item.passwordHash ?? '', password, network))) fail('PASSWORD_WRONG');
  await limits.clear('itemPassword', subject);
  await limits.refund('itemPasswordAddress', network);
}

/** As `authorise`, but returns null instead of refusing; still throws TOO_MANY_REQUESTS. */
export async function accessOrNull(...args: Parameters<typeof authorise>): Promise<Access | null> {
  try {
    return await authorise(...args);
  } catch (error) {
    if (error instanceof DomainError && error.status === 403) return null;
    throw error;
  }
}

/** Hides expired, quarantined and used-up items from everybody except their owner and moderators. */
export async function requireLiving(
  ctx: Context,
  item: Mortal & { readonly ownerId: number },
  usedUp = false,
): Promise<void> {
  if ((usedUp || isUnavailable(item)) && !(await isPrivileged(ctx, item))) fail('NOT_FOUND');
}

/** Refuses with 401 unless the caller owns the item. */
export function requireOwner(ctx: { readonly account: Caller }, item: { readonly ownerId: number }): void {
  if (item.ownerId !== ctx.account.id) fail('NOT_OWNER');
}

/** Whether the caller's account owns the item or moderates: to change it, also with a key that reads as a visitor. */
export const mayControl = (ctx: { readonly account: Caller }, item: { readonly ownerId: number }): boolean =>
  controls(ctx.account, item);

/** Refuses with 401 unless the caller owns the item or moderates. */
export function requireControl(ctx: { readonly account: Caller }, item: { readonly ownerId: number }): void {
  if (!mayControl(ctx, item)) fail('NOT_OWNER');
}
