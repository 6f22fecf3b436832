import type { Db } from '../../db/engine/connect.js';
import { query } from '../../db/engine/query.js';
import { beginReindex, fillIndex } from '../../db/search/fill.js';

const TAGS = 200;

/**
 * As many of each kind, with a tag each; a thousandth is in the trash. The images have no files, and are left out without
 * `images`. Two accounts need ids that begin differently.
 */
export async function fillItems(
  db: Db,
  ownerId: number,
  items: number,
  { images = true, begin = '' }: { readonly images?: boolean; readonly begin?: string } = {},
): Promise<void> {
  const each = Math.ceil(items / (images ? 3 : 2));
  const shared = (letter: string): Record<string, string> => ({
    unique_id: `'${begin}${letter}' || number`,
    lookup_id: `lower('${begin}${letter}') || number`,
    owner_id: String(ownerId),
    // Few are private, and few have a password.
    is_public: 'number % 10000 <> 3',
    password_hash: "CASE WHEN number % 10000 = 7 THEN 'bench' END",
    shadowed: 'false',
    tagged: 'true',
    created_at: `${Date.now()} - (number % 730) * CAST(86400000 AS bigint)`,
    trashed_at: `CASE WHEN number % 1000 = 0 THEN CAST(${Date.now()} AS bigint) END`,
  });
  const size = '(CAST(number AS bigint) * 7919) % 1000003';
  const words = "'common word' || (number % 1000) || ' other' || (number % 7)";
  const tables = {
    pastes: { ...shared('P'), title: "'paste ' || number", content: words, size, burn: 'false' },
    short_urls: {
      ...shared('U'),
      original_url: "'https://example.org/' || number",
      visits: 'number % 9973',
      note: words,
    },
    images: {
      ...shared('I'),
      ...{
        sha256: `'${'0'.repeat(57)}' || (1000000 + number)`,
        size,
        mime_type: "'image/jpeg'",
        type: "'jpg'",
      },
      ...{
        media_kind: "CASE WHEN number % 10000 = 9 THEN 'video' ELSE 'image' END",
        source: "'API'",
        location: "'LOCAL'",
        original_name: "number || '.jpg'",
      },
      description: words,
    },
  };
  // As migrations, which may take as long as they need.
  await db.admin.transaction(async (trx) => {
    await query(
      trx,
      `WITH RECURSIVE numbers (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${TAGS - 1})
       INSERT INTO tags (owner_id, tag_key, name, items) SELECT ${ownerId}, 'tag' || number, 'tag' || number, 0 FROM numbers`,
      [],
    );
    const kinds = { pastes: 'paste', short_urls: 'url', images: 'image' } as const;
    for (const [table, columns] of Object.entries(tables)) {
      if (table === 'images' && !images) continue;
      const kind = kinds[table as keyof typeof kinds];
      await query(
        trx,
        `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${each})
         INSERT INTO ${table} (${Object.keys(columns).join(', ')}) SELECT ${Object.values(columns).join(', ')} FROM numbers`,
        [],
      );
      await query(
        trx,
        `INSERT INTO item_tags (tag_id, kind, item_id)
         SELECT t.id, '${kind}', c.id FROM ${table} c JOIN tags t ON t.owner_id = c.owner_id AND t.tag_key = 'tag' || (c.id % ${TAGS})
         WHERE c.owner_id = ${ownerId}`,
        [],
      );
      const bytes = kind === 'url' ? '0' : 'size';
      const open = 'CASE WHEN is_public AND password_hash IS NULL THEN 1 ELSE 0 END';
      await query(
        trx,
        `INSERT INTO content_days (kind, day, owner_id, format, items, bytes, open_items, open_bytes)
         SELECT '${kind}', created_at / 86400000, owner_id, ${kind === 'image' ? 'type' : "''"}, count(*), sum(${bytes}),
           sum(${open}), sum(CASE WHEN ${open} = 1 THEN ${bytes} ELSE 0 END)
         FROM ${table} WHERE owner_id = ${ownerId} AND trashed_at IS NULL GROUP BY 2, 3, 4`,
        [],
      );
    }
    await query(
      trx,
      'UPDATE tags SET items = (SELECT count(*) FROM item_tags i WHERE i.tag_id = tags.id) WHERE owner_id = ?',
      [ownerId],
    );
  });
  await beginReindex(db);
  await fillIndex(db, () => undefined);
  // PostgreSQL does that by itself after a while; SQLite has no statistics in any installation.
  if (db.dialect.name === 'postgres') await db.admin.raw('ANALYZE');
}
