import type { Kind } from '../../db/content/kinds.js';
import { isQuarantined, isUnavailable, type Mortal } from '../../db/content/life.js';
import { DomainError, fail } from '../base/errors.js';
import type { OwnedKind } from '../base/kinds.js';
import type { Context } from './context.js';
import { lets, may, type Owned } from './policies.js';
import { takeAll } from './rate-limits.js';

/** What decides who may open something: an item, a collection, a share link, a request. */
interface Guarded {
  readonly id: number;
  readonly ownerId: number;
  readonly isPublic: boolean;
  readonly passwordHash: string | null;
}

/** What has a password of its own; in one word for each, under which wrong passwords are counted. */
type GuardedKind = Kind | 'collection' | 'share' | 'request';

/** Why a caller may see an item. `privileged`: as its owner or a moderator, to whom limits do not apply. */
export type Access = 'public' | 'password' | 'privileged';

/** What the record of an item shows a caller beside its content: what is its owner's, and how often it was opened. */
export async function shownTo(
  ctx: Context,
  kind: OwnedKind,
  item: Owned,
): Promise<{ readonly own: boolean; readonly counted: boolean }> {
  const caller = await ctx.caller();
  return { own: lets(caller, 'seeOwn', kind, item), counted: lets(caller, 'seeCounts', kind, item) };
}

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
  if (await may(ctx, 'open', kind, item)) return 'privileged';
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

/** Hides expired, quarantined and used-up items from everybody except those who may open them in spite of that. */
export async function requireLiving(
  ctx: Context,
  kind: OwnedKind,
  item: Mortal & Owned,
  usedUp = false,
): Promise<void> {
  if ((usedUp || isUnavailable(item)) && !(await may(ctx, 'open', kind, item))) fail('NOT_FOUND');
}
