import { randomUUID } from 'node:crypto';
import type { Queryable } from './connect.js';
import { query } from './query.js';

/** The row of `installation` that tells when a clock was read last. */
const NAME = 'clock';
/** The row whose value changes each time the clock is set back. */
const TURN = 'clock_turn';

/**
 * Columns with times in the future that the program itself has set: when something runs or ends. Dates chosen by
 * people are not among them.
 */
const DEADLINES: readonly (readonly [table: string, column: string])[] = [
  ['blobs', 'doomed_at'],
  ['chat_links', 'renewing_until'],
  ['codes', 'created_at'],
  ['codes', 'expires_at'],
  ['jobs', 'locked_until'],
  ['jobs', 'run_at'],
  ['leases', 'held_until'],
  ['messenger_codes', 'expires_at'],
  ['oauth_states', 'expires_at'],
  ['rate_limits', 'resets_at'],
  ['reservations', 'expires_at'],
  ['sessions', 'expires_at'],
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
 * Stores what the clock would show had it not gone back, so that `takeTimeBack` knows by how much, however long ago the
 * time was stored. Does nothing when the clock was set back since `turn`: another process saw the same.
 */
export async function noteExpected(trx: Queryable, expected: number, turn: string): Promise<void> {
  await trx('installation').where('name', NAME).forUpdate().first('value');
  if ((await lastTurn(trx)) === turn) await noteTime(trx, expected);
}

/**
 * Sets the stored time back to `at` and returns the one before. Null, and nothing changes, when that is less than
 * `tolerance` ahead. Of simultaneous callers one gets an answer.
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
 * Moves deadlines along with a clock that went back from `before` to `at`: those ahead keep their distance, those that
 * were over stay over.
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
 * Dates visits that were logged ahead of `at` at `at`: logs are shortened by their dates, and are taken to be in their
 * order. Visits dated within `tolerance` before it may have been logged since the clock went back, between the others.
 */
export async function redateVisits(trx: Queryable, at: number, tolerance: number): Promise<void> {
  await query(
    trx,
    `UPDATE url_visits SET visited_at = ? WHERE visited_at > ? AND id >
       coalesce((SELECT id FROM url_visits WHERE visited_at <= ? ORDER BY id DESC LIMIT 1), 0)`,
    [at, at, at - tolerance],
  );
}

/** So that the order of the texts is that of the numbers. */
const padded = (at: number): string => String(at).padStart(15, '0');
