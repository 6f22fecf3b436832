import type { Db, Queryable } from './connect.js';
import { holdsText } from './content-search.js';
import { type Image, imageFromRow } from './image.js';
import type { Page, Window } from './paging.js';

/** Which of an account's images are wanted, in which order. */
export interface ImageFilter {
  /** Part of an id, a name or a description; "" finds everything. */
  readonly search: string;
  readonly kind: Image['mediaKind'] | null;
  readonly access: 'public' | 'private' | 'password' | null;
  readonly sort: 'newest' | 'oldest' | 'largest' | 'name';
}

const ORDERS = {
  newest: () => 'id DESC',
  oldest: () => 'id ASC',
  largest: () => 'size DESC, id DESC',
  name: ({ dialect }: Db) => `${dialect.folded("coalesce(original_name, '')")}, id DESC`,
} as const;

/** Images of an account, expired ones included. */
export async function ownImages(
  db: Db,
  ownerId: number,
  filter: ImageFilter,
  window: Window,
): Promise<Page<Image>> {
  const query = db.read('images').where('owner_id', ownerId);
  if (filter.kind !== null) query.where('media_kind', filter.kind);
  if (filter.access === 'password') query.whereNotNull('password_hash');
  if (filter.access === 'private') query.where('is_public', false);
  if (filter.access === 'public') query.where('is_public', true).whereNull('password_hash');
  if (filter.search !== '') {
    const { sql, bindings } = holdsText(db, 'image', filter.search);
    query.whereRaw(sql, bindings);
  }
  const [counted, found] = await Promise.all([
    query.clone().count({ total: '*' }).first(),
    query.clone().orderByRaw(ORDERS[filter.sort](db)).limit(window.limit).offset(window.offset),
  ]);
  return { items: found.map(imageFromRow), total: Number(counted?.total ?? 0) };
}

/** Sets or clears the description of an image. */
export async function setDescription(
  trx: Queryable,
  id: number,
  description: string | null,
): Promise<boolean> {
  return (await trx('images').where('id', id).update({ description })) > 0;
}
