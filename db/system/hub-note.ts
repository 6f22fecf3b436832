import type { Queryable } from '../engine/queryable.js';

/** A message from one process to all others. */
interface HubNote {
  readonly id: number;
  /** The sending process. */
  readonly sender: string;
  readonly topic: string;
  /** JSON. */
  readonly message: string;
  /** By the clock of the sender, epoch milliseconds. */
  readonly sentAt: number;
}

/** Stores a note for the other processes and deletes those sent more than `keptMs` before or after `at`. */
export async function insertHubNote(
  trx: Queryable,
  note: Omit<HubNote, 'id' | 'sentAt'>,
  at: number,
  keptMs: number,
): Promise<void> {
  await trx('hub_notes')
    .whereNotBetween('sent_at', [at - keptMs, at + keptMs])
    .delete();
  await trx('hub_notes').insert({ ...note, sent_at: at });
}

/** The highest id of a note so far; 0 if there are none. */
export async function lastHubNote(db: Queryable): Promise<number> {
  const row = await db('hub_notes').max({ last: 'id' }).first();
  return row?.last ?? 0;
}

/** Notes with ids above `after`, in order of id, at most `limit`. */
export async function hubNotesAfter(db: Queryable, after: number, limit: number): Promise<HubNote[]> {
  return db('hub_notes')
    .select('id', 'sender', 'topic', 'message', { sentAt: 'sent_at' })
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
}
