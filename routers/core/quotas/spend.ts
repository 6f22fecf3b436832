import { type LimitType, type PackLimits, type Standing, standingOf } from '../../../db/account/limits.js';
import { addUsage, NOTHING_USED, storedBytes, type Used, usageOf } from '../../../db/account/usage.js';
import { openReservations } from '../../../db/content/upload/reservation.js';
import { unfinishedByPurpose } from '../../../db/content/upload/upload.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { DomainError, fail } from '../../base/errors.js';
import { REGISTER_GRACE_MS } from '../blobs/reservation.js';
import type { Services } from '../context.js';
import { requireUnpaused } from '../entry/pause.js';
import { countingOf } from '../items/upload-purposes.js';
import {
  bytesLeft,
  countedTypes,
  type Excess,
  effectivePack,
  effectiveRules,
  excessOf,
  isUnlimited,
  packExcess,
  type Rules,
  type Usage,
  type Wanted,
} from './rules.js';

/** An account as limits see it; 401 if it is gone. */
async function mustStand(db: Queryable, accountId: number): Promise<Standing> {
  return (await standingOf(db, accountId)) ?? fail('UNAUTHENTICATED');
}

const refuse = (excess: Excess): never => {
  throw refusalFor(excess);
};

const refusalFor = ({ text, at }: Excess): DomainError =>
  new DomainError('LIMIT_EXCEEDED', {
    message: text,
    ...(at === null ? {} : { retryAfter: Math.max(1, Math.ceil((at - Date.now()) / 1000)) }),
  });

/** Uploads that an account has been promised by an address, or has begun, count as if they had arrived; those of guests as far as they have. */
async function withPromised(
  db: Queryable,
  accountId: number,
  used: ReadonlyMap<LimitType, Used>,
  stored: number,
): Promise<Usage> {
  const now = Date.now();
  let images: Promised = await openReservations(db, accountId, now - REGISTER_GRACE_MS);
  let files: Promised = await openReservations(db, accountId, now, ['file', 'portalFile']);
  for (const unfinished of await unfinishedByPurpose(db, accountId, now)) {
    const counting = countingOf(unfinished.purpose);
    if (counting?.type === 'IMAGE') images = sumOf(images, counting.promised(unfinished));
    if (counting?.type === 'FILE') files = sumOf(files, counting.promised(unfinished));
  }
  if (images.total + files.total + images.bytes + files.bytes === 0) return { used, stored };
  const promised = new Map(used);
  for (const [kind, more] of [
    ['IMAGE', images],
    ['FILE', files],
  ] as const)
    for (const type of countedTypes(kind)) promised.set(type, withMore(promised.get(type), more));
  return { used: promised, stored: stored + images.bytes + files.bytes };
}

/** What is promised together. */
interface Promised {
  readonly total: number;
  readonly bytes: number;
}

const sumOf = (a: Promised, b: Promised): Promised => ({
  total: a.total + b.total,
  bytes: a.bytes + b.bytes,
});

const withMore = (counts: Used = NOTHING_USED, { total, bytes }: Promised): Used => ({
  dayItems: counts.dayItems + total,
  dayBytes: counts.dayBytes + bytes,
  weekItems: counts.weekItems + total,
  weekBytes: counts.weekBytes + bytes,
});

const keptBytes = async (db: Queryable, accountId: number, rules: Rules): Promise<number> =>
  rules.TOTAL.storageBytes === null ? 0 : storedBytes(db, accountId);

/** Everything that an account has used, with what it was promised. */
export const usageWithPromised = async (db: Queryable, accountId: number): Promise<Usage> =>
  withPromised(db, accountId, await usageOf(db, accountId, Date.now()), await storedBytes(db, accountId));

/**
 * Counts what an account has created in this transaction, which has already stored it, and refuses with 403 if that
 * exceeds a limit: exact however many create at once. Also refuses an account that was paused meanwhile.
 */
export async function spend(
  trx: Queryable,
  accountId: number,
  type: LimitType,
  wanted: Wanted,
): Promise<void> {
  const now = Date.now();
  const used = await addUsage(trx, accountId, countedTypes(type), wanted, now);
  const standing = await mustStand(trx, accountId);
  requireUnpaused(standing);
  const rules = effectiveRules(standing);
  if (isUnlimited(rules)) return;
  const before = new Map([...used].map(([counted, counts]) => [counted, without(counts, wanted)]));
  const stored = (await keptBytes(trx, accountId, rules)) - wanted.bytes;
  const usage = await withPromised(trx, accountId, before, stored);
  const excess = excessOf(rules, type, usage, wanted, now);
  if (excess !== null) refuse(excess);
}

/** As `spend`, for items of one type that several accounts have created: of each account, all or none. */
export async function spendTogether(
  trx: Queryable,
  type: LimitType,
  items: readonly { readonly ownerId: number; readonly bytes: number }[],
): Promise<void> {
  const sums = new Map<number, Wanted>();
  for (const { ownerId, bytes } of items) {
    const sum = sums.get(ownerId) ?? { count: 0, bytes: 0 };
    sums.set(ownerId, { count: sum.count + 1, bytes: sum.bytes + bytes });
  }
  // In a fixed order, so that two transactions with the same accounts do not deadlock.
  for (const [ownerId, wanted] of [...sums].sort(([a], [b]) => a - b))
    await spend(trx, ownerId, type, wanted);
}

const without = (counts: Used, { count, bytes }: Wanted): Used => ({
  dayItems: counts.dayItems - count,
  dayBytes: counts.dayBytes - bytes,
  weekItems: counts.weekItems - count,
  weekBytes: counts.weekBytes - bytes,
});

/**
 * Refuses a promise to store something that would exceed a limit, in the transaction that records it: promises of an
 * account take turns with what it creates.
 */
export async function requireQuotaForReservation(
  trx: Queryable,
  accountId: number,
  type: LimitType,
  wanted: Wanted,
): Promise<void> {
  await addUsage(trx, accountId, countedTypes(type), { count: 0, bytes: 0 }, Date.now());
  await requireQuota(trx, accountId, type, wanted);
}

/**
 * Refuses with 403 what an account may not create now; the text is the one that creating it would get. Only a look
 * ahead: `spend` decides.
 */
export async function requireQuota(
  db: Queryable,
  accountId: number,
  type: LimitType,
  wanted: Wanted,
): Promise<void> {
  const excess = (await quotaFor(db, await mustStand(db, accountId), accountId, type)).excess(wanted);
  if (excess !== null) throw excess;
}

/** What an account may create of a type now. */
interface Quota {
  /** How many bytes it may have; null for any number. */
  readonly bytes: number | null;
  /** The refusal of creating this; null if it is allowed. */
  excess(wanted: Wanted): DomainError | null;
}

/** What an account may create of a type now, by what was committed last; 403 if it is paused. */
export async function quotaOf({ db, load }: Services, accountId: number, type: LimitType): Promise<Quota> {
  const standing = (await load.standing(accountId)) ?? fail('UNAUTHENTICATED');
  return quotaFor(db.read, standing, accountId, type);
}

async function quotaFor(
  db: Queryable,
  standing: Standing,
  accountId: number,
  type: LimitType,
): Promise<Quota> {
  requireUnpaused(standing);
  const rules = effectiveRules(standing);
  if (isUnlimited(rules)) return { bytes: null, excess: () => null };
  const now = Date.now();
  const usage = await withPromised(
    db,
    accountId,
    await usageOf(db, accountId, now),
    await keptBytes(db, accountId, rules),
  );
  return {
    bytes: bytesLeft(rules, type, usage, now),
    excess: (wanted) => {
      const excess = excessOf(rules, type, usage, wanted, now);
      return excess === null ? null : refusalFor(excess);
    },
  };
}

/** Refuses with 403 what a link or an address would do for an account that is paused now. */
export async function requireUnpausedOwner(db: Queryable, ownerId: number): Promise<void> {
  requireUnpaused(await mustStand(db, ownerId));
}

/** How many files one pack of an account may have, and how many bytes; null for any number. */
export const filePackLimits = async (app: Services, accountId: number): Promise<PackLimits> =>
  effectivePack(await mustStand(app.db.read, accountId));

/** Refuses with 403 a pack of files that is larger than its account may make. */
export async function requirePackFits(db: Queryable, accountId: number, wanted: Wanted): Promise<void> {
  const excess = packExcess(effectivePack(await mustStand(db, accountId)), wanted);
  if (excess !== null) fail('LIMIT_EXCEEDED', excess);
}
