import type { Db } from '../engine/connect.js';
import { type Condition, ifGiven, listPage, type Page, type Sought, type Window } from '../engine/paging.js';
import type { Queryable } from '../engine/queryable.js';
import { holdsText } from './content-search.js';
import { type Image, imageFromRow } from './image.js';

/** Filter and order of an account's images. */
export interface ImageFilter {
  /** Part of an id, a name or a description; null finds everything. */
  readonly sought: Sought | null;
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

/** The condition for each access; a password closes a public image, too. */
const ACCESS: Readonly<Record<NonNullable<ImageFilter['access']>, Condition>> = {
  public: ['is_public = ? AND password_hash IS NULL', true],
  private: ['is_public = ?', false],
  password: ['password_hash IS NOT NULL'],
};

/** Images of an account, expired ones included. */
export async function ownImages(
  db: Db,
  ownerId: number,
  { sought, kind, access, sort }: ImageFilter,
  window: Window,
): Promise<Page<Image>> {
  const where: Condition[] = [
    ['owner_id = ?', ownerId],
    ifGiven(kind, 'media_kind = ?'),
    access === null ? null : ACCESS[access],
    sought === null ? null : holdsText(db, 'image', sought.text),
  ];
  return listPage(db, { from: 'images', where, order: ORDERS[sort](db) }, window, imageFromRow, sought);
}

/** Sets or clears the description of an image. */
export async function setDescription(
  trx: Queryable,
  id: number,
  description: string | null,
): Promise<boolean> {
  return (await trx('images').where('id', id).update({ description })) > 0;
}
