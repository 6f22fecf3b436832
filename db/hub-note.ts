import type { Queryable } from './connect.js';

/** A note from one process to all others. */
export interface HubNote {
  readonly id: number;
  /** The process it comes from. */
  readonly sender: string;
  readonly topic: string;
  /** JSON. */
  readonly message: string;
}

/** Leaves a note for the other processes and removes those sent more than `keptMs` before, or so far ahead. */
export async function insertHubNote(
  trx: Queryable,
  note: Omit<HubNote, 'id'>,
  at: number,
  keptMs: number,
): Promise<void> {
  await trx('hub_notes')
    .whereNotBetween('sent_at', [at - keptMs, at + keptMs])
    .delete();
  await trx('hub_notes').insert({ ...note, sent_at: at });
}

/** Notes with higher numbers than `after` that were sent at `since` or later, oldest first, at most `limit`. */
export async function hubNotesAfter(
  db: Queryable,
  after: number,
  since: number,
  limit: number,
): Promise<HubNote[]> {
  return db('hub_notes')
    .select('id', 'sender', 'topic', 'message')
    .where('id', '>', after)
    .andWhere('sent_at', '>=', since)
    .orderBy('id')
    .limit(limit);
}
