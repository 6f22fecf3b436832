import { OPEN } from '../../../db/content/content.js';
import { KIND_STORAGE, KINDS, type Kind, OWNED_KINDS, tableOf } from '../../../db/content/kinds.js';
import { sqlite } from '../../../db/engine/dialect.js';
import { BLOB_RULES } from './verify.js';

/** SQL condition on `item_tags i`: what has the tag is there, and this is true of it. */
const tagged = (and: string): string =>
  OWNED_KINDS.map(
    (kind) =>
      `i.kind = '${kind}' AND EXISTS (SELECT 1 FROM ${tableOf(kind)} c WHERE c.id = i.item_id AND ${and})`,
  ).join(' OR ');

/** The statistics of a kind that differ from a count of what they are about. */
function miscounted(kind: Kind): string {
  const { table, counted } = KIND_STORAGE[kind];
  const count = (what: string, and: string) => `(SELECT ${what} FROM ${table} WHERE owner_id = d.owner_id
    AND ${sqlite.dayOf('created_at')} = d.day AND ${counted.format} = d.format AND ${and})`;
  const bytes = `coalesce(sum(${counted.bytes}), 0)`;
  return `SELECT * FROM content_days d WHERE kind = '${kind}' AND (
    items <> ${count('count(*)', 'trashed_at IS NULL')} OR bytes <> ${count(bytes, 'true')}
    OR open_items <> ${count('count(*)', `trashed_at IS NULL AND ${OPEN}`)}
    OR open_bytes <> ${count(bytes, `trashed_at IS NULL AND ${OPEN}`)})`;
}

/** What must be true after things have gone into the trash and come out of it, and no file of a pack by itself. */
export const TRASH_RULES: typeof BLOB_RULES = [
  ...BLOB_RULES,
  [
    'a blob that counts more images than name it',
    'SELECT sha256 FROM blobs WHERE refs > (SELECT count(*) FROM images WHERE images.sha256 = blobs.sha256)',
  ],
  [
    'a pack that is elsewhere than a file of it',
    `SELECT p.id FROM collections p JOIN collection_items i ON i.collection_id = p.id
       JOIN images c ON c.id = i.image_id
     WHERE p.face = 'pack' AND p.trashed_at IS NOT c.trashed_at`,
  ],
  [
    'a tag with another count than of what has it',
    `SELECT id FROM tags WHERE items <> (
       SELECT count(*) FROM item_tags i WHERE i.tag_id = tags.id AND (${tagged('c.trashed_at IS NULL')}))`,
  ],
  ['a tag of something that is gone', `SELECT * FROM item_tags i WHERE NOT (${tagged('true')})`],
  ...KINDS.map((kind) => [`a day of ${kind} that is counted wrong`, miscounted(kind)] as const),
  ...OWNED_KINDS.map(
    (kind) =>
      [
        `${kind} that was given up and is still there`,
        `SELECT id FROM ${tableOf(kind)} WHERE trashed_at = 0`,
      ] as const,
  ),
];
