import { randomUUID } from 'node:crypto';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** The row of `installation` with the latest known time. */
const NAME = 'clock';
/** The row whose value changes each time the clock is set back. */
const TURN = 'clock_turn';

/**
 * Columns with future times that the program has set itself: when something runs or expires. Dates chosen by
 * users are not included.
 */
export const DEADLINES: readonly (readonly [table: string, column: string])[] = [
  ['api_keys', 'expires_at'],
  ['blobs', 'doomed_at'],
  ['chat_links', 'expires_at'],
  ['chat_links', 'renewing_until'],
  ['codes', 'created_at'],
  ['codes', 'expires_at'],
  ['jobs', 'locked_until'],
  ['jobs', 'run_at'],
  ['leases', 'held_until'],
  ['link_digests', 'due_at'],
  ['mail_forwards', 'expires_at'],
  ['messenger_codes', 'expires_at'],
  ['oauth_states', 'expires_at'],
  ['oidc_flows', 'expires_at'],
  ['passkey_answers', 'expires_at'],
  ['rate_limits', 'resets_at'],
  ['reservations', 'expires_at'],
  ['sessions', 'expires_at'],
  ['short_urls', 'check_at'],
  ['tellings', 'due_at'],
  ['tellings', 'told_at'],
  ['upload_requests', 'notice_at'],
  ['uploads', 'expires_at'],
  ['uploads', 'lock_until'],
  ['users', 'paused_until'],
  ['verify_tokens', 'expires_at'],
  ['webhook_health', 'paused_until'],
];

/** Stores the current time, unless a later one is stored already. */
export async function noteTime(trx: Queryable, at: number): Promise<void> {
  await trx('installation')
    .insert({ name: NAME, value: padded(at) })
    .onConflict('name')
    .ignore();
  await trx('installation')
    .where('name', NAME)
    .andWhere('value', '<', padded(at))
    .update('value', padded(at));
}

/** A text that changes each time the clock is set back. Exact while the clock's row is locked. */
export async function lastTurn(trx: Queryable): Promise<string> {
  const row = await trx('installation').where('name', TURN).first('value');
  return row?.value ?? '';
}

/**
 * Stores what the clock would show had it not gone back, so that `takeTimeBack` knows by how much, however
 * old the stored time is. Does nothing if the clock was set back since `turn`, because another process has
 * handled it.
 */
export async function noteExpected(trx: Queryable, expected: number, turn: string): Promise<void> {
  await trx('installation').where('name', NAME).forUpdate().first('value');
  if ((await lastTurn(trx)) === turn) await noteTime(trx, expected);
}

/**
 * Sets the stored time back to `at` and returns the previous one. Returns null and changes nothing if the
 * stored time is at most `tolerance` ahead. Only one of several concurrent callers gets a time.
 */
export async function takeTimeBack(trx: Queryable, at: number, tolerance: number): Promise<number | null> {
  const ahead = () =>
    trx('installation')
      .where('name', NAME)
      .andWhere('value', '>', padded(at + tolerance));
  const noted = await ahead().forUpdate().first('value');
  if (noted === undefined) return null;
  await ahead().update({ value: padded(at) });
  await trx('installation').insert({ name: TURN, value: randomUUID() }).onConflict('name').merge();
  return Number(noted.value);
}

/**
 * Adjusts deadlines after the clock went back from `before` to `at`: future ones keep their distance, past
 * ones stay past.
 */
export async function shiftDeadlines(trx: Queryable, before: number, at: number): Promise<void> {
  for (const [table, column] of DEADLINES)
    await query(
      trx,
      `UPDATE ${table} SET ${column} = CASE WHEN ${column} <= ? THEN ? ELSE ${column} - ? END WHERE ${column} > ?`,
      [before, at, before - at, at],
    );
}

/**
 * Sets the date of visits logged ahead of `at` to `at`: logs are truncated by date and must be in date order.
 * Visits dated within `tolerance` before `at` may have been logged after the clock went back, among the
 * others.
 */
export async function redateVisits(trx: Queryable, at: number, tolerance: number): Promise<void> {
  await query(
    trx,
    `UPDATE url_visits SET visited_at = ? WHERE visited_at > ? AND id >
       coalesce((SELECT id FROM url_visits WHERE visited_at <= ? ORDER BY id DESC LIMIT 1), 0)`,
    [at, at, at - tolerance],
  );
}

/** Zero-padded, so that the texts sort like the numbers. */
const padded = (at: number): string => String(at).padStart(15, '0');
