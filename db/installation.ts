import type { Db, Queryable } from './connect.js';

/** A value kept for the life of the database: stored by the first caller, read by all later ones. */
export async function installationValue(db: Db, name: string, initial: string): Promise<string> {
  return db.write(async (trx) => {
    await trx('installation').insert({ name, value: initial }).onConflict('name').ignore();
    const row = await trx('installation').select('value').where('name', name).first();
    return row.value;
  });
}

/** A value that was kept so; null when nobody has stored it. */
export async function storedValue(db: Db, name: string): Promise<string | null> {
  const row = await db.read('installation').select('value').where('name', name).first();
  return row?.value ?? null;
}

/** Lets one transaction at a time go on under a name, until it ends. */
export async function takeTurn(trx: Queryable, name: string): Promise<void> {
  await trx('installation').insert({ name, value: '' }).onConflict('name').merge();
}
