import type { Db } from '../engine/connect.js';
import { type Condition, ifGiven, listPage, type Page, type Sought, type Window } from '../engine/paging.js';
import { matching } from '../search/ask.js';
import { KEPT } from './content.js';
import { type Image, imageFromRow } from './image.js';

/** Filter and order of an account's images. */
export interface ImageFilter {
  /** Words of an id, a name, a description or a tag; null finds everything. */
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

/** What belongs to a filtered list of an account's images. */
async function belongs(
  db: Db,
  ownerId: number,
  { sought, kind, access }: ImageFilter,
): Promise<readonly Condition[]> {
  const match = await matching(db, sought, { ownerId, own: true });
  return [
    ['owner_id = ?', ownerId],
    [KEPT],
    ifGiven(kind, 'media_kind = ?'),
    access === null ? null : ACCESS[access],
    match('image'),
  ];
}

const imagesOf = ({ dialect }: Db, { sought }: ImageFilter): string =>
  sought === null ? 'images' : dialect.byIds('images');

/** Images of an account, expired ones included. */
export async function ownImages(
  db: Db,
  ownerId: number,
  filter: ImageFilter,
  window: Window,
): Promise<Page<Image>> {
  const { sort, sought } = filter;
  const where = await belongs(db, ownerId, filter);
  const listing = { from: imagesOf(db, filter), where, order: ORDERS[sort](db) };
  return listPage(db, listing, window, imageFromRow, sought);
}

/** The nearest image on one side of another one, and how many there are on that side. */
export async function neighboursOf(
  db: Db,
  image: Image,
  filter: ImageFilter,
): Promise<{ readonly before: Page<Image>; readonly after: Page<Image> }> {
  const belonging = await belongs(db, image.ownerId, filter);
  const side = (ahead: boolean) => {
    const { order, condition } = beside(db, image, filter.sort, ahead);
    const where = [...belonging, condition];
    const nearest = { limit: 1, offset: 0 };
    const listing = { from: imagesOf(db, filter), where, order };
    return listPage(db, listing, nearest, imageFromRow, filter.sought);
  };
  const [before, after] = await Promise.all([side(false), side(true)]);
  return { before, after };
}

/** What comes after an image in an order (`ahead`), or before it, the nearest first. */
function beside(db: Db, image: Image, sort: ImageFilter['sort'], ahead: boolean) {
  const [column, value, ascends] = keyOf(db, image, sort);
  const given = sort === 'name' ? db.dialect.folded('CAST(? AS text)') : '?';
  // Among equals the newest is first, except from the oldest on.
  const idAscends = sort === 'oldest' ? ahead : !ahead;
  const id = `id ${idAscends ? '>' : '<'} ?`;
  const idOrder = `id ${idAscends ? 'ASC' : 'DESC'}`;
  if (column === null) return { order: idOrder, condition: [id, image.id] as Condition };
  const up = ascends === ahead;
  return {
    order: `${column} ${up ? 'ASC' : 'DESC'}, ${idOrder}`,
    condition: [
      `(${column} ${up ? '>' : '<'} ${given} OR (${column} = ${given} AND ${id}))`,
      value,
      value,
      image.id,
    ] as Condition,
  };
}

/** What an order goes by before the id, its value of an image, and whether it ascends; no column for the id alone. */
function keyOf(
  { dialect }: Db,
  { size, originalName }: Image,
  sort: ImageFilter['sort'],
): readonly [column: string | null, value: string | number | null, ascends: boolean] {
  if (sort === 'largest') return ['size', size, false];
  if (sort === 'name') return [dialect.folded("coalesce(original_name, '')"), originalName ?? '', true];
  return [null, null, sort === 'oldest'];
}
