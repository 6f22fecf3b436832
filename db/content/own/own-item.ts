import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import { CONTENT_COLUMNS, type Content, type ContentRow, contentFromRow } from '../content.js';
import { itemKey, KIND_STORAGE, KINDS, type Kind } from '../kinds.js';

/** An item of any kind in a list of its owner. */
export interface OwnItem extends Content {
  readonly kind: Kind;
  readonly title: string;
  readonly description: string | null;
  readonly type: string | null;
  /** Bytes; null for kinds that have none. */
  readonly size: number | null;
  /** Views or visits; null if they are not counted. */
  readonly hits: number;
  readonly thumbhash: string | null;
  readonly hasPoster: boolean;
  readonly burn: boolean;
  /** The id of the pack that the file belongs to. */
  readonly pack: string | null;
  /** Its sealed name, "" without one; null for what is not sealed. */
  readonly seal: string | null;
}

interface Row extends ContentRow {
  title: string;
  description: string | null;
  type: string | null;
  size: number | null;
  hits: number;
  thumbhash: string | null;
  has_poster: boolean | number;
  burn: boolean | number;
  pack: string | null;
  seal: string | null;
}

/** Items by `itemKey`; those that are gone are missing. */
export async function ownItemsByKey(
  db: Db,
  keys: readonly { readonly kind: Kind; readonly id: number }[],
): Promise<ReadonlyMap<string, OwnItem>> {
  const found = new Map<string, OwnItem>();
  for (const kind of KINDS) {
    const ids = keys.filter((key) => key.kind === kind).map(({ id }) => id);
    if (ids.length === 0) continue;
    const { table, listed } = KIND_STORAGE[kind];
    const rows = await query<Row>(
      db.read,
      `SELECT ${CONTENT_COLUMNS.join(', ')}, ${listed.title} AS title,
         ${listed.description} AS description, ${listed.type} AS type, ${listed.size} AS size,
         ${listed.hits} AS hits, ${listed.thumbhash} AS thumbhash, ${listed.hasPoster} AS has_poster,
         ${listed.burn} AS burn, ${listed.pack} AS pack, ${listed.seal} AS seal
       FROM ${table} WHERE ${db.dialect.inNumbers('id')}`,
      [JSON.stringify(ids)],
    );
    for (const row of rows) found.set(itemKey(kind, row.id), fromRow(kind, row));
  }
  return found;
}

const fromRow = (kind: Kind, row: Row): OwnItem => ({
  kind,
  title: row.title,
  description: row.description,
  type: row.type,
  size: row.size,
  hits: row.hits,
  thumbhash: row.thumbhash,
  hasPoster: Boolean(row.has_poster),
  burn: Boolean(row.burn),
  pack: row.pack,
  seal: row.seal,
  ...contentFromRow(row),
});
