import type { TestServer } from '../../harness.js';

/** Makes an item expire without waiting for it. */
export const lapse = (
  server: TestServer,
  table: 'images' | 'pastes' | 'short_urls',
  uniqueId: string,
): Promise<unknown> =>
  server.app.services.db.write((trx) =>
    trx(table)
      .where('unique_id', uniqueId)
      .update({ expires_at: Date.now() - 1 }),
  );
