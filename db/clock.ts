import { randomUUID } from 'node:crypto';
import type { Queryable } from './connect.js';
import { query } from './query.js';

/** The row of `installation` that tells when a clock was read last. */
const NAME = 'clock';
/** The row that is another one after the time was taken back. */
const TURN = 'clock_turn';

/**
 * Dates that the program has set a while ahead, to wait for them or to let something live until then. Dates that
 * people have chosen are not among them.
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

/** Notes that a clock was read, unless a later time is noted already. */
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

/** Another text after every time that was taken back. Asked with the clock's row locked, it tells of all before. */
export async function lastTurn(trx: Queryable): Promise<string> {
  const row = await trx('installation').where('name', TURN).first('value');
  return row?.value ?? '';
}

/**
 * Notes what a clock would show that was seen to go back, so that `takeTimeBack` knows by how much, however long ago
 * the time was noted. Not when the time was taken back since `turn`: somebody else saw the same.
 */
export async function noteExpected(trx: Queryable, expected: number, turn: string): Promise<void> {
  await trx('installation').where('name', NAME).forUpdate().first('value');
  if ((await lastTurn(trx)) === turn) await noteTime(trx, expected);
}

/**
 * Takes the time back to `at`; returns the one that was noted before. Null when that is less than `tolerance`
 * ahead: then nothing changed. Of simultaneous callers one gets an answer.
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
 * After a clock that showed `before` has gone back to `at`: what was still ahead stays as far ahead, and what was
 * over stays over.
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
