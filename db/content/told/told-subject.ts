import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { OPEN } from '../content.js';
import { byKind, KIND_STORAGE, SHARED_KINDS, type SharedKind } from '../kinds.js';
import { KEPT } from '../life.js';
import type { Notify, ToldKind, ToldOf } from './told.js';

/** What an owner is told about, as far as a message may name it. */
export interface ToldSubject {
  /** The kind of the item; of a share link, of what it opens. */
  readonly kind: Exclude<ToldKind, 'share'>;
  readonly uniqueId: string;
  readonly ownerId: number;
  readonly notify: Notify;
  /** Null for what is not open to everybody. */
  readonly title: string | null;
  /** What its owner calls a share link; null without one. */
  readonly label: string | null;
}

/** SQL expressions of the titles that messages say of what everybody may open. */
const FROM: Readonly<Record<Exclude<ToldKind, 'share'>, { readonly table: string; readonly title: string }>> =
  {
    ...byKind((kind) => ({ table: KIND_STORAGE[kind].table, title: KIND_STORAGE[kind].told })),
    collection: { table: 'collections', title: 'CASE WHEN seal IS NULL THEN title END' },
    request: { table: 'upload_requests', title: 'title' },
  };

/** What a message to an owner is about; null if it is gone or in the trash. */
export async function toldSubject(db: Queryable, { kind, id }: ToldOf): Promise<ToldSubject | null> {
  if (kind === 'share') return sharedSubject(db, id);
  const { table, title } = FROM[kind];
  const [row] = await query<{ unique_id: string; owner_id: number; telling: Notify; title: string | null }>(
    db,
    kind === 'request'
      ? `SELECT unique_id, owner_id, telling, ${title} AS title FROM ${table} WHERE id = ?`
      : `SELECT unique_id, owner_id, telling, CASE WHEN ${OPEN} THEN ${title} END AS title FROM ${table}
         WHERE id = ? AND ${KEPT}`,
    [id],
  );
  if (row === undefined) return null;
  const { unique_id: uniqueId, owner_id: ownerId, telling: notify } = row;
  return { kind, uniqueId, ownerId, notify, title: row.title || null, label: null };
}

async function sharedSubject(db: Queryable, id: number): Promise<ToldSubject | null> {
  const [row] = await query<
    {
      [K in `${SharedKind}_id`]: number | null;
    } & { telling: Notify; note: string | null }
  >(db, 'SELECT image_id, paste_id, collection_id, telling, note FROM share_links WHERE id = ?', [id]);
  if (row === undefined) return null;
  for (const kind of SHARED_KINDS) {
    const of = row[`${kind}_id`];
    const item = of === null ? null : await toldSubject(db, { kind, id: of });
    if (item !== null) return { ...item, notify: row.telling, label: row.note };
  }
  return null;
}
