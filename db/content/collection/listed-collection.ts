import { DELETED_USERS } from '../../account/account.js';
import type { Db } from '../../engine/connect.js';
import { type Condition, listPage, type Page, type SearchMatches, type Window } from '../../engine/paging.js';
import { KEPT } from '../life.js';
import { type Collection, type CollectionRow, collectionFromRow, type Face } from './collection.js';
import { SHOWN } from './collection-item.js';

/** A collection in a list, with the number and the bytes of its files. */
export type ListedCollection = Collection & { readonly size: number; readonly bytes: number };

/** The columns of a `ListedCollection`, from `collections p`. */
const LISTED = `p.*, (SELECT count(*) FROM collection_items i JOIN images c ON c.id = i.image_id
    WHERE i.collection_id = p.id AND ${SHOWN}) AS size,
  (SELECT coalesce(sum(c.size), 0) FROM collection_items i JOIN images c ON c.id = i.image_id
    WHERE i.collection_id = p.id AND ${SHOWN}) AS bytes`;

const listedFromRow = (row: CollectionRow & { size: number; bytes: number }): ListedCollection => ({
  size: row.size,
  bytes: Number(row.bytes),
  ...collectionFromRow(row),
});

/** SQL condition: an account keeps it together with its owner, or is offered it; it has not ended, and no moderator keeps it from others. */
const SHARED_WITH = `p.quarantine IS NULL AND (p.expires_at IS NULL OR p.expires_at > ?) AND p.id IN (
  SELECT collection_id FROM collection_members WHERE user_id = ?
  UNION SELECT collection_id FROM collection_offers WHERE user_id = ?)`;

/** Which collections a list shows. */
interface ListedBy {
  /** Null for those of all accounts. */
  readonly ownerId: number | null;
  /** Null for every face. */
  readonly face: Face | null;
  /** Only those that their owner has marked. */
  readonly favourite?: boolean;
  /** Only those of others of which this account is a member, or that are offered to it. */
  readonly sharedWith?: number;
  /** Only those whose title or description contains this; null for all. */
  readonly matches?: SearchMatches | null;
}

function containing({ dialect }: Db, text: string): Condition {
  const { test, pattern } = dialect.contains(text);
  return [`(p.title ${test} OR coalesce(p.description, '') ${test})`, pattern, pattern];
}

/** Collections, newest first, and how many there are. */
export const listCollections = (
  db: Db,
  { ownerId, face, favourite = false, sharedWith, matches = null }: ListedBy,
  window: Window,
): Promise<Page<ListedCollection>> => {
  const where: Condition[] = [
    [`p.${KEPT}`],
    ownerId === null ? [`p.owner_id NOT IN ${DELETED_USERS}`] : ['p.owner_id = ?', ownerId],
    face === null ? null : ['p.face = ?', face],
    favourite ? ['p.favourite'] : null,
    sharedWith === undefined ? null : [SHARED_WITH, Date.now(), sharedWith, sharedWith],
    matches === null ? null : containing(db, matches.text),
  ];
  return listPage(db, { columns: LISTED, from: 'collections p', where }, window, listedFromRow, matches);
};
