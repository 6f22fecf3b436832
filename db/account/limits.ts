import { dialectOf } from '../engine/dialect.js';
import { json, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import type { Role } from './role.js';

/** What limits are about; `TOTAL` counts images, files and pastes together. */
export const LIMIT_TYPES = ['TOTAL', 'IMAGE', 'FILE', 'PASTE', 'URL', 'TEMP_MAIL'] as const;
export type LimitType = (typeof LIMIT_TYPES)[number];

/** The fields of a rule: of the UTC day, of the week from Monday, and what may be kept at once. */
export const RULE_FIELDS = [
  'dailyCount',
  'weeklyCount',
  'dailyBytes',
  'weeklyBytes',
  'storageBytes',
] as const;
/** The limits of one type; null for none. */
export type Rule = Readonly<Record<(typeof RULE_FIELDS)[number], number | null>>;

/** The limits of one pack of files; null for what is not set. */
export interface PackLimits {
  readonly maxFiles: number | null;
  readonly maxBytes: number | null;
}

/** What a role or an account may do; what is absent is not limited here. */
export interface Policy {
  readonly limits: Readonly<Partial<Record<LimitType, Partial<Rule>>>>;
  readonly pack: PackLimits;
}

/** A policy that limits nothing. */
export const NO_POLICY: Policy = { limits: {}, pack: { maxFiles: null, maxBytes: null } };

const policyOf = (text: string | null | undefined): Policy =>
  text === null || text === undefined ? NO_POLICY : json<Policy>(text);

/** Until when an account may only read: epoch milliseconds, which may be over, or null for no end. */
export interface Pause {
  readonly until: number | null;
}

/** The columns of an account that pause it. */
export interface PausedRow {
  paused_until: number | null;
  paused_indefinitely: boolean | number;
}

/** The pause of an account; null if it was never paused. */
export const pauseOf = (row: PausedRow): Pause | null => {
  if (row.paused_indefinitely) return { until: null };
  return row.paused_until === null ? null : { until: row.paused_until };
};

/** What decides how much an account may create. */
export interface Standing {
  readonly role: Role;
  readonly pause: Pause | null;
  readonly ofRole: Policy;
  readonly own: Policy;
}

/** The standing of an account; null if it does not exist. */
export const standingOf = async (db: Queryable, userId: number): Promise<Standing | null> =>
  (await standingsOf(db, [userId])).get(userId) ?? null;

/** The standing of each account that exists. */
export async function standingsOf(
  db: Queryable,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Standing>> {
  const rows = await query<
    PausedRow & { id: number; role: Role; of_role: string | null; own: string | null }
  >(
    db,
    `SELECT u.id, u.role, u.paused_until, u.paused_indefinitely, r.policy AS of_role, a.policy AS own FROM users u
     LEFT JOIN role_limits r ON r.role = u.role LEFT JOIN account_limits a ON a.user_id = u.id
     WHERE ${dialectOf(db).inNumbers('u.id')} AND u.role <> 'DELETED'`,
    [JSON.stringify(userIds)],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      { role: row.role, pause: pauseOf(row), ofRole: policyOf(row.of_role), own: policyOf(row.own) },
    ]),
  );
}

/** The policies of all roles that have one. */
export async function rolePolicies(db: Queryable): Promise<ReadonlyMap<string, Policy>> {
  const rows: { role: string; policy: string }[] = await db('role_limits').select();
  return new Map(rows.map((row) => [row.role, policyOf(row.policy)]));
}

/** Sets the policy of a role. */
export async function setRolePolicy(trx: Queryable, role: Role, policy: Policy): Promise<void> {
  await trx('role_limits')
    .insert({ role, policy: JSON.stringify(policy) })
    .onConflict('role')
    .merge();
}

/** Sets what an account may do otherwise than its role. */
export async function setAccountPolicy(trx: Queryable, userId: number, policy: Policy): Promise<void> {
  await trx('account_limits')
    .insert({ user_id: userId, policy: JSON.stringify(policy) })
    .onConflict('user_id')
    .merge();
}

/** Removes the policy of an account; false if it has none. */
export async function clearAccountPolicy(trx: Queryable, userId: number): Promise<boolean> {
  return (await trx('account_limits').where('user_id', userId).delete()) > 0;
}

/** Pauses an account until a moment, or without an end for null. */
export async function pauseUser(trx: Queryable, userId: number, until: number | null): Promise<void> {
  await trx('users')
    .where('id', userId)
    .update({ paused_until: until, paused_indefinitely: until === null });
}

/** Ends the pause of an account; false if it had none. */
export async function unpauseUser(trx: Queryable, userId: number): Promise<boolean> {
  const paused = trx('users')
    .where('id', userId)
    .andWhere((either) => either.where('paused_indefinitely', true).orWhereNotNull('paused_until'));
  return (await paused.update({ paused_until: null, paused_indefinitely: false })) > 0;
}
