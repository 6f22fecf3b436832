import type { Knex } from 'knex';
import { openDb } from '../../db/engine/connect.js';
import { migrate } from '../../db/engine/migrate.js';

/** The first letter of the ids of each kind. */
export type Letter = 'U' | 'P' | 'I';

/** Spreads numbers over 32 bits without collisions: ids are in no order, like real ones. */
const SPREAD = 2_654_435_761;

/** The id of the row with this number, 1 for the first. */
export const idOf = (letter: Letter, number: number): string =>
  `${letter}${((number * SPREAD) % 2 ** 32).toString(16).toUpperCase().padStart(8, '0')}`;

/**
 * Creates a database with this many links, pastes and images, spread over two years, in a folder that is not
 * in use.
 */
export async function fill(dataDir: string, count: number): Promise<void> {
  const db = await openDb({ databaseUrl: null, dataDir });
  try {
    await migrate(db);
    // Durability does not matter here: an interrupted database is thrown away.
    await db.admin.raw('PRAGMA synchronous = OFF');
    await db.admin.raw('PRAGMA cache_size = -400000');
    await db.admin.transaction((trx) => insertAll(trx, count));
  } finally {
    await db.close();
  }
}

async function insertAll(trx: Knex.Transaction, count: number): Promise<void> {
  await trx('users').insert({
    id: 1,
    username: 'owner',
    username_key: 'owner',
    email: 'owner@example.org',
    email_key: 'owner@example.org',
    password_hash: '',
    role: 'OWNER',
    status: 'ACTIVE',
    created_at: Date.now(),
  });
  const insert = (table: string, letter: Letter, columns: Readonly<Record<string, string>>) => {
    const all = { ...contentOf(letter), ...columns };
    return trx.raw(
      `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count})
       INSERT INTO ${table} (${Object.keys(all).join(', ')}) SELECT ${Object.values(all).join(', ')} FROM numbers`,
    );
  };
  await insert('short_urls', 'U', { original_url: "'https://example.org/' || number", visits: '0' });
  await insert('pastes', 'P', {
    content: "'paste ' || number",
    size: "length('paste ' || number)",
    burn: '0',
  });
  await insert('images', 'I', {
    sha256: "printf('%064x', number)",
    size: '100000 + number % 1000',
    mime_type: "'image/jpeg'",
    type: "'jpg'",
    media_kind: "'image'",
    source: "'api'",
    location: "'LOCAL'",
    width: '400',
    height: '400',
  });
  await trx.raw('INSERT INTO blobs (sha256, size, refs) SELECT sha256, size, 1 FROM images');
  await trx.raw(
    `INSERT INTO content_days (kind, day, owner_id, format, items, bytes, open_items, open_bytes)
     SELECT 'url', created_at / 86400000, 1, '', count(*), 0, count(*), 0 FROM short_urls GROUP BY 2
     UNION ALL SELECT 'paste', created_at / 86400000, 1, '', count(*), sum(size), count(*), sum(size) FROM pastes GROUP BY 2
     UNION ALL SELECT 'image', created_at / 86400000, 1, 'jpg', count(*), sum(size), count(*), sum(size) FROM images GROUP BY 2`,
  );
}

/** The columns that all kinds share, as expressions over a number. */
function contentOf(letter: Letter): Readonly<Record<string, string>> {
  const id = `printf('${letter}%08X', (number * ${SPREAD}) % 4294967296)`;
  return {
    unique_id: id,
    lookup_id: `lower(${id})`,
    owner_id: '1',
    is_public: '1',
    shadowed: '0',
    created_at: `${Date.now()} - number % 730 * 86400000`,
  };
}
