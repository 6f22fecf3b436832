import { query } from './query.js';
import type { Queryable } from './queryable.js';

/**
 * Does work in a transaction whose deleted rows are overwritten in SQLite's file, which otherwise keeps them as free space
 * for a while. PostgreSQL has its vacuum for that.
 */
export async function overwriting<T>(trx: Queryable, work: () => Promise<T>): Promise<T> {
  if (trx.client.dialect === 'postgresql') return work();
  await query(trx, 'PRAGMA secure_delete = ON');
  try {
    return await work();
  } finally {
    await query(trx, 'PRAGMA secure_delete = OFF');
  }
}
