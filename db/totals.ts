import type { Db } from './connect.js';
import type { Kind } from './content.js';
import { query } from './query.js';

/** How much there is of everything; bytes of images as they were uploaded. */
export interface SiteTotals {
  readonly users: number;
  readonly images: number;
  readonly pastes: number;
  readonly urls: number;
  readonly storageUsed: number;
}

/** Counts everything, from the roll-ups. */
export async function siteTotals(db: Db): Promise<SiteTotals> {
  const kinds = await query<{ kind: Kind; items: number; bytes: number }>(
    db.read,
    'SELECT kind, sum(items) AS items, sum(bytes) AS bytes FROM content_days GROUP BY kind',
  );
  const [users] = await query<{ total: number }>(db.read, 'SELECT count(*) AS total FROM users');
  const of = (kind: Kind) => kinds.find((row) => row.kind === kind);
  return {
    users: Number(users?.total ?? 0),
    images: Number(of('image')?.items ?? 0),
    pastes: Number(of('paste')?.items ?? 0),
    urls: Number(of('url')?.items ?? 0),
    storageUsed: Number(of('image')?.bytes ?? 0),
  };
}
