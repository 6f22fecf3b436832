import { setTimeout as sleep } from 'node:timers/promises';
import { KIND_STORAGE, KINDS, type Kind } from '../content/kinds.js';
import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { indexItems } from './item-text.js';
import { textIndexOf } from './text-index.js';

/** How the index is filled: how many items and bytes of texts one step writes, and for which share of the time. */
interface Pace {
  readonly items: number;
  readonly bytes: number;
  readonly share: number;
}

/** While nobody is served. Others who wait for the write lock, such as a second start, still get their turn. */
const ALONE: Pace = { items: 1_000, bytes: 2 * 1024 * 1024, share: 0.9 };
/** Beside a server that runs: its writes wait for one step at most, and have the database for half of the time. */
const BESIDE: Pace = { items: 200, bytes: 512 * 1024, share: 0.5 };
/** The shortest pause: SQLite looks for a free lock only every tenth of a second. */
const PAUSE_MS = 20;

/** How far the index is filled: `done` items of about `all`. */
type FillProgress = (done: number, all: number) => void;

interface Left {
  readonly kind: Kind;
  readonly done_id: number;
  readonly until_id: number;
}

/** Of every kind, as long as one is left. */
async function leftOf(db: Db): Promise<Left[]> {
  const all = await query<Left>(db.read, 'SELECT kind, done_id, until_id FROM search_fill ORDER BY kind');
  return all.some(isLeft) ? all : [];
}

const isLeft = ({ done_id, until_id }: Left): boolean => done_id < until_id;

/** Whether everything that was stored before the index is in it. */
export const isFilled = async (db: Db): Promise<boolean> => (await leftOf(db)).length === 0;

/**
 * Puts what was stored before the index into it, in steps that are durable: whoever is killed goes on where it was, and
 * several processes share the work. `beside`: requests are served meanwhile. Ends between two steps if `ending` is
 * aborted.
 */
export async function fillIndex(
  db: Db,
  progress: FillProgress,
  { beside = false, ending }: { readonly beside?: boolean; readonly ending?: AbortSignal } = {},
): Promise<void> {
  const pace = beside ? BESIDE : ALONE;
  for (let left = await leftOf(db); left.length > 0; left = await leftOf(db)) {
    const sum = (of: (row: Left) => number) => left.reduce((total, row) => total + of(row), 0);
    progress(
      sum(({ done_id }) => done_id),
      sum(({ until_id }) => until_id),
    );
    if (ending?.aborted === true) return;
    const next = left.find(isLeft);
    const began = performance.now();
    if (next !== undefined) await fillStep(db, next.kind, pace);
    const tookMs = performance.now() - began;
    await sleep(Math.max(PAUSE_MS, tookMs * (1 / pace.share - 1)));
  }
  // Kept until here, so that what is said about the progress never goes back.
  if (!(await isForgotten(db)))
    await db.write((trx) => query(trx, 'DELETE FROM search_fill WHERE done_id >= until_id'));
}

const isForgotten = async (db: Db): Promise<boolean> =>
  (await query(db.read, 'SELECT 1 FROM search_fill LIMIT 1')).length === 0;

/** Forgets the whole index, and notes that everything has to be put into it again. */
export const beginReindex = (db: Db): Promise<void> => db.writeAtLength(emptyIndex);

/** As `beginReindex`, in a transaction; the next start fills the index. */
export async function emptyIndex(trx: Queryable): Promise<void> {
  await textIndexOf(trx).clear(trx);
  await query(trx, 'DELETE FROM search_fill');
  for (const kind of KINDS)
    await query(
      trx,
      `INSERT INTO search_fill (kind, done_id, until_id) SELECT ?, 0, coalesce(max(id), 0) FROM ${KIND_STORAGE[kind].table}`,
      [kind],
    );
}

/** Writes the next items of a kind; does nothing if another process has finished it. */
async function fillStep(db: Db, kind: Kind, pace: Pace): Promise<void> {
  // A thousand items may take PostgreSQL longer than a request waits: now and then it moves what is new into its index.
  await db.writeAtLength(async (trx) => {
    const [row] = await query<Left>(
      trx,
      `SELECT kind, done_id, until_id FROM search_fill WHERE kind = ? ${db.dialect.forUpdate}`,
      [kind],
    );
    if (row === undefined || !isLeft(row)) return;
    const ids = await nextIds(trx, row, pace);
    if (ids.length > 0) await indexItems(trx, kind, ids);
    await query(trx, 'UPDATE search_fill SET done_id = ? WHERE kind = ?', [ids.at(-1) ?? row.until_id, kind]);
  });
}

async function nextIds(trx: Queryable, row: Left, pace: Pace): Promise<number[]> {
  const { table, searched } = KIND_STORAGE[row.kind];
  const rows = await query<{ id: number; bytes: number }>(
    trx,
    `SELECT id, ${searched.bytes} AS bytes FROM ${table} WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`,
    [row.done_id, row.until_id, pace.items],
  );
  let bytes = 0;
  const ids: number[] = [];
  for (const { id, bytes: size } of rows) {
    if (ids.length > 0 && bytes + Number(size) > pace.bytes) break;
    bytes += Number(size);
    ids.push(id);
  }
  return ids;
}
