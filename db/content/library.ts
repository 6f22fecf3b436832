import type { Db } from '../engine/connect.js';
import {
  type Condition,
  countOf,
  ifGiven,
  listPage,
  type Page,
  queryPage,
  type SearchMatches,
  searchPage,
  type Window,
} from '../engine/paging.js';
import { query } from '../engine/query.js';
import { capped, idsOf, matching } from '../search/ask.js';
import { countByDays } from './counted.js';
import { type Image, imageFromRow } from './image.js';
import { KIND_STORAGE } from './kinds.js';
import { KEPT } from './life.js';
import { MAX_SELECTIVE } from './own-order.js';
import { countVisible, VISIBLE, visibilityIndex } from './visibility.js';

/** Filter and order of an account's images. */
export interface ImageFilter {
  /** Words of an id, a name, a description or a tag; null finds everything. */
  readonly matches: SearchMatches | null;
  readonly kind: Image['mediaKind'] | null;
  readonly access: 'public' | 'private' | 'password' | null;
  readonly sort: 'newest' | 'oldest' | 'largest' | 'name';
}

const ORDERS = {
  newest: () => 'created_at DESC, id DESC',
  oldest: () => 'created_at ASC, id ASC',
  largest: () => 'size DESC, id DESC',
  name: ({ dialect }: Db) => `${dialect.folded(KIND_STORAGE.image.sorted.name)}, id`,
} as const;

/** Whom each access lets in; a password closes a public image, too. */
const ACCESS = { public: 'public', private: 'private', password: 'protected' } as const;

/** What belongs to a filtered list of an account's images. */
async function belongs(db: Db, ownerId: number, filter: ImageFilter): Promise<readonly Condition[]> {
  const { matches, kind, access } = filter;
  const conditions: readonly Condition[] = [
    ['owner_id = ?', ownerId],
    [KEPT],
    ifGiven(kind, 'media_kind = ?'),
    access === null ? null : [VISIBLE[ACCESS[access]]],
  ];
  if (matches === null) return conditions;
  const listed = { ...filter, matches: null };
  const itemFilter =
    kind === null && access === null
      ? null
      : {
          left: await countOwn(db, ownerId, listed, conditions),
          ids: idsOf(conditions, imagesOf(db, listed, true)),
        };
  const match = await matching(db, matches, { ownerId, own: true, itemFilter });
  return [...conditions, match('image')];
}

/** Where images are found that a filter chooses, in its order. */
function imagesOf(
  { dialect }: Db,
  { matches, kind, access, sort }: ImageFilter,
  isSelective: boolean,
): string {
  if (matches !== null) return dialect.byIds('images');
  if (sort === 'largest' && !isSelective) return dialect.through('images', 'images_sized');
  if (sort === 'name' && !isSelective) return dialect.through('images', 'images_named');
  const narrow = access === null ? null : visibilityIndex('image', ACCESS[access]);
  if (narrow !== null) return dialect.through('images', narrow);
  return kind === null ? 'images' : dialect.through('images', 'images_of_medium');
}

/** Images of an account, expired ones included. */
export async function ownImages(
  db: Db,
  ownerId: number,
  filter: ImageFilter,
  window: Window,
): Promise<Page<Image>> {
  const where = await belongs(db, ownerId, filter);
  const order = ORDERS[filter.sort](db);
  const { matches } = filter;
  if (matches !== null) {
    const listing = { from: imagesOf(db, filter, false), where, order };
    return capped(await searchPage(db, listing, window, imageFromRow, matches.left));
  }
  const total = await countOwn(db, ownerId, filter, where);
  const from = imagesOf(db, filter, total <= MAX_SELECTIVE);
  return queryPage(db, { from, where, order, total: async () => total }, window, imageFromRow);
}

function countOwn(
  db: Db,
  ownerId: number,
  filter: ImageFilter,
  where: readonly Condition[],
): Promise<number> {
  const all = { kinds: ['image'], ownerId, from: null, to: null } as const;
  if (filter.kind !== null) return countOf(db, { from: imagesOf(db, filter, true), where });
  return filter.access === null ? countByDays(db, all) : countVisible(db, all, ACCESS[filter.access]);
}

/** Whether it filters nothing. */
const isWhole = ({ matches, kind, access }: ImageFilter): boolean =>
  matches === null && kind === null && access === null;

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
    const listing = { from: imagesOf(db, filter, false), where, order, total };
    return listPage(db, listing, nearest, imageFromRow, filter.matches);
  };
  const [before, after] = await Promise.all([side(false), side(true)]);
  return { before, after };
}

/** What comes after an image in an order (`ahead`), or before it, the nearest first. */
function beside(db: Db, image: Image, sort: ImageFilter['sort'], ahead: boolean) {
  const [column, value, ascends] = keyOf(db, image, sort);
  const given = sort === 'name' ? db.dialect.folded('CAST(? AS text)') : '?';
  // Among equals the newest is first, except from the oldest on and by name.
  const idAscends = (sort === 'oldest' || sort === 'name') === ahead;
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
  { size, originalName, uniqueId, createdAt }: Image,
  sort: ImageFilter['sort'],
): readonly [column: string, value: string | number, ascends: boolean] {
  if (sort === 'largest') return ['size', size, false];
  if (sort === 'name')
    return [dialect.folded(KIND_STORAGE.image.sorted.name), originalName ?? uniqueId, true];
  return ['created_at', createdAt, sort === 'oldest'];
}
