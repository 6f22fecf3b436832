import type { Kind } from '../content/kinds.js';
import type { Db } from '../engine/connect.js';
import type { Condition, Sought } from '../engine/paging.js';
import { query } from '../engine/query.js';
import type { TaggedTerm } from './entry.js';
import { occursIn, type Term, termsOf } from './terms.js';
import { textIndexOf } from './text-index.js';
import { foldText, wordsOf } from './words.js';

/** Tags of an account that are looked through, and tags that one term can stand for. */
const MAX_TAGS = 10_000;
const MAX_TAGS_OF_TERM = 100;

/** What a tag may have for the index to look all of it up, whatever else is asked for. */
const FEW = 20_000;

/** Whose items are searched, whether their owner asks, and the tag that they must have; null = any. */
export interface Seeker {
  readonly ownerId: number | null;
  readonly own: boolean;
  readonly tagId?: number | null;
}

/** The condition on the rows of a kind that a search makes. */
export type Matching = (kind: Kind) => Condition;

/** Nothing has no words. */
const NOTHING: Matching = () => ['1 = 0'];

/** What a text asks for, as a condition for each kind; without a text there is none. */
export async function matching(
  db: Db,
  sought: Sought | null,
  { ownerId, own, tagId = null }: Seeker,
): Promise<Matching> {
  if (sought === null) return () => null;
  const terms = termsOf(sought.text);
  if (terms.length === 0) return NOTHING;
  const tagged =
    own && ownerId !== null
      ? await withTags(db, ownerId, terms)
      : terms.map((term) => ({ ...term, tagIds: [] }));
  // A tag narrows what the index finds: what is cut off there has it, too.
  const all = tagId === null ? tagged : [...tagged, await asTerm(db, tagId)];
  const fewHave = tagId !== null && db.dialect.indexesWords && (await itemsOfTag(db, tagId)) <= FEW;
  const index = textIndexOf(db.read);
  return (kind) => index.finds(kind, { terms: all, ownerId, own, fewHave });
}

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
