import type { Db } from '../../engine/connect.js';
import { type Condition, listPage, type Page } from '../../engine/paging.js';
import { query } from '../../engine/query.js';
import { matching } from '../../search/ask.js';
import { countByDays } from '../counted.js';
import { type Image, imageFromRow } from '../file/image.js';
import { KEPT } from '../life.js';
import { conditionsOf, EVERYTHING, type OwnFilter } from './own-filter.js';
import { sourceInOrder } from './own-items.js';
import { DIRECTIONS, type Order, runOf } from './own-order.js';
import { itemFilterOf } from './own-search.js';

/** Which of its owner's images an image stands among. */
export type Beside = Pick<OwnFilter, 'medium' | 'visibility' | 'matches' | 'favourite' | 'tagId'> & {
  readonly sort: Exclude<Order, 'views'>;
};

/** The nearest image on one side of another one in a list of its owner, and how many there are on that side. */
export async function neighboursOf(
  db: Db,
  image: Image,
  beside: Beside,
): Promise<{ readonly before: Page<Image>; readonly after: Page<Image> }> {
  const { ownerId } = image;
  const { matches, medium, visibility, favourite, tagId, sort } = beside;
  const filter: OwnFilter = { ...EVERYTHING, ...beside, kinds: ['image'] };
  const itemFilter = matches === null ? null : await itemFilterOf(db, ownerId, { ...filter, matches: null });
  const match = await matching(db, matches, { ownerId, own: true, itemFilter });
  const belonging = [...conditionsOf('image', ownerId, filter), match('image')];
  const from = matches === null ? sourceInOrder(db, 'image', filter) : db.dialect.byIds('images');
  const isCounted =
    [matches, medium, visibility, tagId].every((one) => one === null) &&
    !favourite &&
    (sort === 'newest' || sort === 'oldest');
  const side = (ahead: boolean) => {
    const { order, condition } = sideOf(db, image, sort, ahead);
    const total = isCounted ? () => countBeside(db, image, (sort === 'oldest') === ahead) : null;
    const listing = { from, where: [...belonging, condition], order, total };
    return listPage(db, listing, { limit: 1, offset: 0 }, imageFromRow, matches);
  };
  const [before, after] = await Promise.all([side(false), side(true)]);
  return { before, after };
}

/** What comes after an image in an order (`ahead`), or before it, the nearest first. */
function sideOf(db: Db, image: Image, sort: Beside['sort'], ahead: boolean) {
  const { by } = runOf(db, 'image', sort);
  const isUp = (DIRECTIONS[sort] === 'ASC') === ahead;
  const beyond = isUp ? '>' : '<';
  const direction = isUp ? 'ASC' : 'DESC';
  const given = sort === 'name' ? db.dialect.folded('CAST(? AS text)') : '?';
  const value = keyOf(image, sort);
  return {
    order: `${by} ${direction}, id ${direction}`,
    // In two parts, of which the first is a range of an index.
    condition: [
      `${by} ${beyond}= ${given} AND (${by} ${beyond} ${given} OR id ${beyond} ?)`,
      ...[value, value, image.id],
    ] as Condition,
  };
}

/** What an image has of what an order goes by. */
function keyOf({ size, originalName, uniqueId, createdAt }: Image, sort: Beside['sort']): string | number {
  if (sort === 'size') return size;
  return sort === 'name' ? (originalName ?? uniqueId) : createdAt;
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
