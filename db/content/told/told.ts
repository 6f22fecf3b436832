import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { byKind, KIND_STORAGE, KINDS, SHARED_KINDS, type SharedKind, tableOf } from '../kinds.js';

/** How often an owner is told: never, of the first time, of each time (joined), or once a day. */
export const NOTIFY = ['none', 'first', 'each', 'daily'] as const;
export type Notify = (typeof NOTIFY)[number];

/** What owners are told about: that one was opened, or, of a request, that something came in. */
export const TOLD_KINDS = [...KINDS, 'collection', 'share', 'request'] as const;
export type ToldKind = (typeof TOLD_KINDS)[number];

/** How they are told. */
export type ToldBy = 'mail' | 'webhook';

const TABLES: Readonly<Record<ToldKind, string>> = {
  ...byKind((kind) => KIND_STORAGE[kind].table),
  collection: tableOf('collection'),
  share: 'share_links',
  request: 'upload_requests',
};

/** Something by its kind and row id. */
export interface ToldOf {
  readonly kind: ToldKind;
  readonly id: number;
}

/** What the owners of these ask for, by row id; those that are gone are left out. */
export async function notifyOf(
  db: Db,
  kind: ToldKind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Notify>> {
  const rows = await query<{ id: number; telling: Notify }>(
    db.read,
    `SELECT id, telling FROM ${TABLES[kind]} WHERE ${db.dialect.inNumbers('id')}`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.map(({ id, telling }) => [id, telling]));
}

/** What messages say of something that was deleted when it was opened. */
interface Gone {
  readonly uniqueId: string;
  /** Null for what was not open to everybody. */
  readonly title: string | null;
}

/** Something that happened, before it is known when it is told. */
export interface Happening extends ToldOf {
  readonly by: ToldBy;
  readonly ownerId: number;
  readonly mode: Exclude<Notify, 'none'>;
  readonly times: number;
  /** Null while there is a row to ask. */
  readonly gone: Gone | null;
}

/** Something that happened, to be told at `due` (epoch milliseconds). */
interface Happened extends Happening {
  readonly due: number;
}

/** When an owner is to be told something. */
interface DueFor {
  readonly ownerId: number;
  readonly due: number;
}

/**
 * Adds what happened to what is to be told, and returns when that is: as it was planned before, and otherwise at the
 * earliest `pauseMs` after the last message. Of what is told the first time only, nothing is added afterwards.
 */
export async function addHappened(
  db: Db,
  trx: Queryable,
  happened: readonly Happened[],
  pauseMs: number,
): Promise<DueFor[]> {
  const source = db.dialect.rowsOf('v', {
    ...{ k: 'text', i: 'bigint', c: 'text', o: 'bigint', m: 'text', n: 'bigint', d: 'bigint' },
    ...{ u: 'text', t: 'text' },
  });
  const rows = await query<{ owner_id: number; due_at: number }>(
    trx,
    `INSERT INTO tellings (kind, subject_id, channel, owner_id, mode, times, due_at, gone_id, gone_title)
     SELECT k, i, c, o, m, n, d, u, t FROM ${source} WHERE 1 = 1 ORDER BY k, i, c
     ON CONFLICT (kind, subject_id, channel) DO UPDATE SET
       times = tellings.times + excluded.times, mode = excluded.mode, owner_id = excluded.owner_id,
       due_at = coalesce(tellings.due_at, CASE
         WHEN excluded.mode <> 'daily' AND tellings.told_at + ${pauseMs} > excluded.due_at
         THEN tellings.told_at + ${pauseMs} ELSE excluded.due_at END)
     WHERE excluded.mode <> 'first' OR tellings.told_at IS NULL
     RETURNING owner_id, due_at`,
    [
      JSON.stringify(
        happened.map(({ kind, id, by, ownerId, mode, times, due, gone }) => [
          ...[kind, id, by, ownerId, mode, times, due, gone?.uniqueId ?? null, gone?.title ?? null],
        ]),
      ),
    ],
  );
  return rows.map(({ owner_id, due_at }) => ({ ownerId: owner_id, due: due_at }));
}

/** What is to be told. */
export interface Telling extends ToldOf {
  readonly by: ToldBy;
  readonly ownerId: number;
  readonly mode: Notify;
  /** How often it happened since the last message. */
  readonly times: number;
  readonly gone: Gone | null;
}

interface Row {
  kind: ToldKind;
  subject_id: number;
  channel: ToldBy;
  owner_id: number;
  mode: Notify;
  times: number;
  gone_id: string | null;
  gone_title: string | null;
}

const fromRow = (row: Row): Telling => ({
  kind: row.kind,
  id: row.subject_id,
  by: row.channel,
  ownerId: row.owner_id,
  mode: row.mode,
  times: row.times,
  gone: row.gone_id === null ? null : { uniqueId: row.gone_id, title: row.gone_title },
});

/** What an account is to be told now, at most `limit`. */
export async function dueTellings(
  db: Queryable,
  ownerId: number,
  at: number,
  limit: number,
): Promise<Telling[]> {
  const rows = await query<Row>(
    db,
    'SELECT * FROM tellings WHERE owner_id = ? AND due_at <= ? ORDER BY kind, subject_id, channel LIMIT ?',
    [ownerId, at, limit],
  );
  return rows.map(fromRow);
}

const THIS = 'kind = ? AND subject_id = ? AND channel = ?';
const keyOf = ({ kind, id, by }: Pick<Telling, 'kind' | 'id' | 'by'>) => [kind, id, by];

/**
 * Takes what is due, so that nobody else tells it; with all that happened until now. Null if another process has taken it,
 * or nothing happened.
 */
export async function takeTelling(
  db: Db,
  trx: Queryable,
  telling: Telling,
  at: number,
): Promise<Telling | null> {
  const [row] = await query<Row>(
    trx,
    `SELECT * FROM tellings WHERE ${THIS} AND due_at <= ? ${db.dialect.forUpdate}`,
    [...keyOf(telling), at],
  );
  if (row === undefined) return null;
  await query(trx, `UPDATE tellings SET times = 0, due_at = NULL, told_at = ? WHERE ${THIS}`, [
    ...[at, ...keyOf(telling)],
  ]);
  return row.times > 0 ? fromRow(row) : null;
}

/** Puts off what is due, to be told with what is told once a day. */
export async function putOffTelling(trx: Queryable, telling: Telling, until: number): Promise<void> {
  await query(
    trx,
    `UPDATE tellings SET due_at = ?, mode = 'daily' WHERE ${THIS} AND due_at IS NOT NULL AND due_at < ?`,
    [until, ...keyOf(telling), until],
  );
}

/** Forgets when an account was told what may be told again at once. */
export async function forgetToldBefore(trx: Queryable, ownerId: number, before: number): Promise<void> {
  await query(
    trx,
    "DELETE FROM tellings WHERE owner_id = ? AND due_at IS NULL AND told_at < ? AND mode <> 'first'",
    [ownerId, before],
  );
}

/** Forgets what was told about something, and what is to be told: it is gone, or its owner asks for something else. */
export async function forgetTold(trx: Queryable, kind: ToldKind, id: number): Promise<void> {
  await query(trx, 'DELETE FROM tellings WHERE kind = ? AND subject_id = ?', [kind, id]);
}

/** Ends that an owner is told about this; false if they were not. */
export async function stopTelling(trx: Queryable, { kind, id }: ToldOf): Promise<boolean> {
  const ended = await trx(TABLES[kind])
    .where('id', id)
    .whereNot('telling', 'none')
    .update({ telling: 'none', ...(kind === 'request' ? { notify: false } : {}) });
  await forgetTold(trx, kind, id);
  return ended > 0;
}

/** Ends that an account is told about anything that it has. */
export async function stopAllTelling(trx: Queryable, ownerId: number): Promise<void> {
  for (const kind of TOLD_KINDS) {
    const of = kind === 'share' ? SHARED_KINDS.map(sharedBy).join(' OR ') : 'owner_id = ?';
    await query(
      trx,
      `UPDATE ${TABLES[kind]} SET telling = 'none' ${kind === 'request' ? ', notify = false' : ''}
       WHERE telling <> 'none' AND (${of})`,
      kind === 'share' ? SHARED_KINDS.map(() => ownerId) : [ownerId],
    );
  }
  await query(trx, 'DELETE FROM tellings WHERE owner_id = ?', [ownerId]);
}

const sharedBy = (kind: SharedKind): string =>
  `${kind}_id IN (SELECT id FROM ${tableOf(kind)} WHERE owner_id = ?)`;
