import type { Db } from '../engine/connect.js';
import type { Queryable } from '../engine/queryable.js';

/** A permanent value of this database: the first caller stores it, later callers read it. */
export async function installationValue(db: Db, name: string, initial: string): Promise<string> {
  return db.write(async (trx) => {
    await trx('installation').insert({ name, value: initial }).onConflict('name').ignore();
    const row = await trx('installation').select('value').where('name', name).first();
    return row.value;
  });
}

/** A value stored here; null if there is none. */
export async function storedValue(db: Pick<Db, 'read'>, name: string): Promise<string | null> {
  const row = await db.read('installation').select('value').where('name', name).first();
  return row?.value ?? null;
}

/** A named lock: only one transaction at a time holds it, until it ends. */
export async function takeTurn(trx: Queryable, name: string): Promise<void> {
  await trx('installation').insert({ name, value: '' }).onConflict('name').merge();
}

const BACKUP = 'last-backup';

/** Notes that a backup was complete at a time, in epoch milliseconds. */
export async function noteBackup(db: Db, at: number): Promise<void> {
  await db.write((trx) =>
    trx('installation')
      .insert({ name: BACKUP, value: String(at) })
      .onConflict('name')
      .merge(),
  );
}

/** When the last backup was complete; null if there was none. */
export async function lastBackup(db: Pick<Db, 'read'>): Promise<number | null> {
  const value = await storedValue(db, BACKUP);
  return value === null ? null : Number(value);
}
