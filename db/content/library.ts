import type { Db } from '../engine/connect.js';
import { type Condition, ifGiven, listPage, type Page, type Sought, type Window } from '../engine/paging.js';
import { query } from '../engine/query.js';
import { matching } from '../search/ask.js';
import { KEPT } from './content.js';
import { countByDays } from './counted.js';
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
  newest: () => 'created_at DESC, id DESC',
  oldest: () => 'created_at ASC, id ASC',
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
  const total = isWhole(filter)
    ? () => countByDays(db, { kinds: ['image'], ownerId, from: null, to: null })
    : null;
  const listing = { from: imagesOf(db, filter), where, order: ORDERS[sort](db), total };
  return listPage(db, listing, window, imageFromRow, sought);
}

/** Whether it filters nothing. */
const isWhole = ({ sought, kind, access }: ImageFilter): boolean =>
  sought === null && kind === null && access === null;

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
    const isCounted = isWhole(filter) && (filter.sort === 'newest' || filter.sort === 'oldest');
    const total = isCounted ? () => countBeside(db, image, (filter.sort === 'oldest') === ahead) : null;
    const listing = { from: imagesOf(db, filter), where, order, total };
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
  const up = ascends === ahead;
  return {
    order: `${column} ${up ? 'ASC' : 'DESC'}, ${idOrder}`,
    // In two parts, of which the first is a range of an index.
    condition: [
      `${column} ${up ? '>=' : '<='} ${given} AND (${column} ${up ? '>' : '<'} ${given} OR ${id})`,
      value,
      value,
      image.id,
    ] as Condition,
  };
}

/** How many images of the account came after an image, or before it. */
async function countBeside(db: Db, { id, ownerId, createdAt }: Image, later: boolean): Promise<number> {
  const span = later ? { from: createdAt + 1, to: null } : { from: null, to: createdAt };
  const [apart, [beside]] = await Promise.all([
    countByDays(db, { kinds: ['image'], ownerId, ...span }),
    query<{ n: number }>(
      db.read,
      `SELECT count(*) AS n FROM images
       WHERE owner_id = ? AND created_at = ? AND id ${later ? '>' : '<'} ? AND ${KEPT}`,
      [ownerId, createdAt, id],
    ),
  ]);
  return apart + Number(beside?.n ?? 0);
}

/** What an order goes by before the id, its value of an image, and whether it ascends. */
function keyOf(
  { dialect }: Db,
  { size, originalName, createdAt }: Image,
  sort: ImageFilter['sort'],
): readonly [column: string, value: string | number, ascends: boolean] {
  if (sort === 'largest') return ['size', size, false];
  if (sort === 'name') return [dialect.folded("coalesce(original_name, '')"), originalName ?? '', true];
  return ['created_at', createdAt, sort === 'oldest'];
}
