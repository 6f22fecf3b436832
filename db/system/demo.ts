import type { Db } from '../engine/connect.js';
import type { Queryable } from '../engine/queryable.js';
import { EMPTY, putBack, type Snapshot, takeSnapshot } from '../transfer/snapshot.js';
import { storedValue, takeTurn } from './installation.js';

/** What a demo begins with again and again, as a row of `installation`; absent for any other installation. */
const START = 'demo';
/** When the demo that is there began. */
const BEGAN = 'demo-began';

/** Where a demo begins. */
interface Start {
  /** What it was made for; "" until it is complete. */
  readonly made: string;
  readonly snapshot: Snapshot;
}

const put = (trx: Queryable, name: string, value: string) =>
  trx('installation').insert({ name, value }).onConflict('name').merge();

const readStart = (text: string | null): Start | null => (text === null ? null : JSON.parse(text));

/** Whether this database was made as a demo, however complete. */
export const isDemo = async (db: Pick<Db, 'read'>): Promise<boolean> =>
  (await storedValue(db, START)) !== null;

/** What the demo in this database was made for; null if there is none that is complete. */
export const demoMadeFor = async (db: Pick<Db, 'read'>): Promise<string | null> =>
  readStart(await storedValue(db, START))?.made || null;

/** Empties the database for a demo, which is not complete until `keepDemo`. */
export async function beginDemo(db: Db, at: number): Promise<void> {
  await db.writeAtLength(async (trx) => {
    await put(trx, START, JSON.stringify({ made: '', snapshot: EMPTY } satisfies Start));
    await putBack(trx, EMPTY, at);
  });
}

/** Keeps what is there as that with which the demo begins, and began at a time. */
export async function keepDemo(db: Db, made: string, began: number, at: number): Promise<void> {
  await db.writeAtLength(async (trx) => {
    const snapshot = await takeSnapshot(trx, at);
    await put(trx, START, JSON.stringify({ made, snapshot } satisfies Start));
    await put(trx, BEGAN, String(began));
  });
}

/** Begins the demo anew, as a whole or not at all, unless it did at that time or later; true if it did now. */
export const beginAgain = (db: Db, began: number, at: number): Promise<boolean> =>
  db.writeAtLength(async (trx) => {
    await takeTurn(trx, 'demo-turn');
    const rows: { name: string; value: string }[] = await trx('installation').whereIn('name', [START, BEGAN]);
    const stored = (wanted: string) => rows.find(({ name }) => name === wanted)?.value ?? null;
    const start = readStart(stored(START));
    if (start === null || start.made === '' || Number(stored(BEGAN) ?? 0) >= began) return false;
    await putBack(trx, start.snapshot, at);
    await put(trx, BEGAN, String(began));
    return true;
  });
