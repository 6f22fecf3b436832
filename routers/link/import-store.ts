import { insertLinks, type NewLink } from '../../db/content/link.js';
import type { Queryable } from '../../db/engine/queryable.js';
import { spend } from '../limits/spend.js';
import { generateId, insertUnderId } from '../shared/ids.js';
import { hashItemPassword } from '../shared/item-password.js';
import { withTags } from '../shared/tags.js';
import type { AccountContext } from '../trpc.js';
import type { Row } from './import.js';

/** Links that one statement stores. */
const AT_ONCE = 250;

/** Stores all rows in one transaction and returns their ids. */
export async function storeImport({ app, account }: AccountContext, rows: readonly Row[]): Promise<string[]> {
  const hashes: (string | null)[] = [];
  for (const { password } of rows) hashes.push(await hashItemPassword(app, account.id, password));
  const insertAll = async (trx: Queryable): Promise<string[]> => {
    const createdAt = Date.now();
    const ids: string[] = [];
    for (let start = 0; start < rows.length; start += AT_ONCE) {
      const some = rows.slice(start, start + AT_ONCE);
      const links = await insertLinks(
        trx,
        some.map(
          ({ uniqueId, target, expiresAt, maxUses, note }, index): NewLink => ({
            uniqueId: uniqueId ?? generateId(),
            ownerId: account.id,
            isPublic: true,
            passwordHash: hashes[start + index] ?? null,
            createdAt,
            expiresAt,
            originalUrl: target,
            maxUses,
            note,
          }),
        ),
      );
      for (const [index, link] of links.entries()) {
        await withTags(trx, 'url', link, some[index]?.tags);
        ids.push(link.uniqueId);
      }
    }
    await spend(trx, account.id, 'URL', { count: rows.length, bytes: 0 });
    return ids;
  };
  // A generated id that is taken is as good as another try; a wished one is refused.
  const wishes = rows.some(({ uniqueId }) => uniqueId !== null);
  return insertUnderId(app.db, wishes ? '' : null, () => app.db.write(insertAll));
}
