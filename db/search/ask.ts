import { KIND_STORAGE, type Kind } from '../content/kinds.js';
import type { Db } from '../engine/connect.js';
import type { Condition, Page, SearchMatches } from '../engine/paging.js';
import { query, type Statement } from '../engine/query.js';
import { MAX_CANDIDATES, MAX_FOUND, MAX_SIFTED, type TaggedTerm } from './entry.js';
import { occursIn, type Term, termsOf } from './terms.js';
import { textIndexOf } from './text-index.js';
import { foldText, wordsOf } from './words.js';

/** Tags of an account that are looked through, and tags that one term can stand for. */
const MAX_TAGS = 10_000;
const MAX_TAGS_OF_TERM = 100;

/** What a tag may have for the index to look all of it up, whatever else is asked for. */
const MAX_SELECTIVE = 20_000;

/** Whose items are searched, whether their owner asks, and the tag that they must have; null = any. */
interface Seeker {
  readonly ownerId: number | null;
  readonly own: boolean;
  readonly tagId?: number | null;
  /** What else the caller asks of the items, so that this is not only asked of the newest that have the words. */
  readonly itemFilter?: ItemFilter | null;
}

/** Conditions that the index does not know. */
export interface ItemFilter {
  /** How many items fulfil them; null if nothing has counted them. */
  readonly left: number | null;
  /** A SELECT of the row ids of a kind that do. */
  readonly ids: (kind: Kind) => Statement;
}

/** As `ids` of a sieve, for conditions on the table of a kind, or on a better source. */
export const idsOf =
  (conditions: readonly Condition[], source: string | null = null): ItemFilter['ids'] =>
  (kind) => {
    const given = conditions.filter((condition) => condition !== null);
    return {
      sql: `SELECT id FROM ${source ?? KIND_STORAGE[kind].table} WHERE ${given.map(([sql]) => sql).join(' AND ')}`,
      values: given.flatMap(([, ...values]) => values),
    };
  };

/** A SELECT of the row ids of a kind, as `id`, that a search finds. */
type Finding = (kind: Kind) => Statement;

/** What a search finds, and the number of a kind at which there may be more. */
interface Found {
  readonly of: Finding;
  readonly limit: number;
}

/** Nothing has no words. */
const NOTHING: Finding = () => ({ sql: 'SELECT 0 AS id WHERE 1 = 0', values: [] });

/** The condition on the rows of a kind that a search makes; without a text there is none. */
export async function matching(
  db: Db,
  matches: SearchMatches | null,
  seeker: Seeker,
): Promise<(kind: Kind) => Condition> {
  if (matches === null) return () => null;
  const { of } = await finding(db, matches, seeker);
  return (kind) => {
    const { sql, values } = of(kind);
    return [`id IN (${sql})`, ...values];
  };
}

/** What a text asks for. */
export async function finding(
  db: Db,
  matches: SearchMatches,
  { ownerId, own, tagId = null, itemFilter = null }: Seeker,
): Promise<Found> {
  const limit = itemFilter === null || isSelective(itemFilter) ? MAX_FOUND : MAX_SIFTED;
  const terms = termsOf(matches.text);
  if (terms.length === 0) return { of: NOTHING, limit };
  const tagged =
    own && ownerId !== null
      ? await withTags(db, ownerId, terms)
      : terms.map((term) => ({ ...term, tagIds: [] }));
  // A tag narrows what the index finds: what is cut off there has it, too.
  const all = tagId === null ? tagged : [...tagged, await asTerm(db, tagId)];
  const isRareTag =
    tagId !== null && db.dialect.indexesWords && (await itemsOfTag(db, tagId)) <= MAX_SELECTIVE;
  const index = textIndexOf(db.read);
  return {
    limit,
    of: (kind) => {
      const candidates = itemFilter !== null && isSelective(itemFilter) ? itemFilter.ids(kind) : null;
      return index.finds(kind, { terms: all, ownerId, own, isRareTag, candidates, limit });
    },
  };
}

const isSelective = ({ left }: ItemFilter): boolean => left !== null && left <= MAX_CANDIDATES;

async function itemsOfTag(db: Db, tagId: number): Promise<number> {
  const [tag] = await query<{ items: number }>(db.read, 'SELECT items FROM tags WHERE id = ?', [tagId]);
  return Number(tag?.items ?? 0);
}

/** A tag as a term of its own; what was merged into it counts, too. */
async function asTerm(db: Db, tagId: number): Promise<TaggedTerm> {
  const merged = await query<{ former_id: number }>(
    db.read,
    'SELECT former_id FROM merged_tags WHERE tag_id = ? ORDER BY former_id DESC LIMIT ?',
    [tagId, MAX_TAGS_OF_TERM],
  );
  const tagIds = [tagId, ...merged.map(({ former_id }) => former_id)];
  return { words: [], prefix: false, excluded: false, tagIds };
}

/** The terms with the tags of an account in whose names they occur, and what was merged into these. */
async function withTags(db: Db, ownerId: number, terms: readonly Term[]): Promise<TaggedTerm[]> {
  const tags = await query<{ id: number; name: string }>(
    db.read,
    `SELECT id, name FROM (SELECT id, name FROM tags WHERE owner_id = ? ORDER BY items DESC LIMIT ?) AS own
     UNION ALL SELECT m.former_id, t.name FROM merged_tags m JOIN tags t ON t.id = m.tag_id WHERE t.owner_id = ?`,
    [ownerId, MAX_TAGS, ownerId],
  );
  const named = tags.map(({ id, name }) => ({ id, words: wordsOf(foldText(name)) }));
  return terms.map((term) => ({
    ...term,
    tagIds: named
      .filter(({ words }) => occursIn(words, term))
      .slice(0, MAX_TAGS_OF_TERM)
      .map(({ id }) => id),
  }));
}

/** A page of what was searched for, of which there may be more if it has as many as are looked at of a kind. */
export const capped = <T>(page: Page<T>): Page<T> => ({ ...page, isCapped: page.total >= MAX_FOUND });
