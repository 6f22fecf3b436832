import { randomUUID } from 'node:crypto';
import { insertLinks, type NewLink } from '../../../db/content/link/link.js';
import { wayColumn } from '../../../db/content/link/link-way.js';
import {
  closeImport,
  noteLinks,
  openImport,
  takeLinks,
  withdrawImport,
} from '../../../db/content/link/open-import.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail } from '../../base/errors.js';
import { idOnDomain, slugOf } from '../../base/link-domain.js';
import type { AccountContext, Services } from '../../core/context.js';
import { generateId, insertUnderId } from '../../core/items/ids.js';
import { hashItemPassword } from '../../core/items/item-password.js';
import { spend } from '../../core/quotas/spend.js';
import { deleteLink } from './delete.js';
import type { Row } from './import-row.js';

/** What one transaction stores at most: other writers wait for it. */
const MAX_PART = 200;
/** So many tags take as long as a link. */
const TAGS_OF_ONE = 10;
/** So many characters of texts do, too. */
const TEXT_OF_ONE = 2_048;
/** Links that one transaction removes again. */
const REMOVED_AT_ONCE = 10;
/** An import that has not ended by then was interrupted, and its links are removed. */
const INTERRUPTED_MS = 5 * 60_000;

/** What storing a link costs, in links without tags. */
export const costOf = ({
  tags = [],
  target,
  note,
  way,
}: Pick<Row, 'tags' | 'target' | 'note' | 'way'>): number =>
  1 +
  tags.length / TAGS_OF_ONE +
  (target.length + (note?.length ?? 0) + (wayColumn(way)?.length ?? 0)) / TEXT_OF_ONE;

/**
 * Stores all rows, or none, and returns their ids. Many rows take several transactions, between which others write. If
 * one of them fails, the links of those before it are removed, by a job if the process has ended.
 */
export async function storeImport(ctx: AccountContext, rows: readonly Row[]): Promise<string[]> {
  const { app, account } = ctx;
  const links: LinkOfImport[] = [];
  for (const row of rows)
    links.push({ ...row, passwordHash: await hashItemPassword(app, account.id, row.password) });
  const parts = partsOf(links);
  const createdAt = Date.now();
  const source = parts.length > 1 ? `/url/import ${randomUUID()}` : null;
  const ids: string[] = [];
  try {
    for (const [index, part] of parts.entries())
      ids.push(
        ...(await storePart(ctx, part, createdAt, async (trx, made) => {
          if (index === 0) {
            await spend(trx, account.id, 'URL', { count: rows.length, bytes: 0 });
            if (source !== null) await begin(app, trx, source, account.id);
          }
          if (source === null) return;
          if (!(await noteLinks(trx, source, made))) fail('UNAVAILABLE', { retryAfter: 1 });
          if (index === parts.length - 1) await closeImport(trx, source);
        })),
      );
  } catch (error) {
    // A failure of this is no other answer: the job remains.
    if (source !== null && ids.length > 0) await removeAll(app, source).catch(() => undefined);
    throw error;
  }
  return ids;
}

type LinkOfImport = Row & { readonly passwordHash: string | null };

/** Whether a link is public. A password that is missing, as in every export, leaves it to its owner. */
const isOpen = (
  link: Pick<LinkOfImport, 'private' | 'isPublic' | 'requiresPassword' | 'passwordHash'>,
): boolean =>
  link.private !== true &&
  link.isPublic !== false &&
  !(link.requiresPassword === true && link.passwordHash === null);

function partsOf(links: readonly LinkOfImport[]): LinkOfImport[][] {
  const parts: LinkOfImport[][] = [];
  let cost = MAX_PART;
  for (const link of links) {
    cost += costOf(link);
    if (cost > MAX_PART) {
      parts.push([]);
      cost = costOf(link);
    }
    parts.at(-1)?.push(link);
  }
  return parts;
}

/** Stores links in one transaction, together with what `beside` stores. */
function storePart(
  { app, account }: AccountContext,
  part: readonly LinkOfImport[],
  createdAt: number,
  beside: (trx: Queryable, made: readonly number[]) => Promise<void>,
): Promise<string[]> {
  const insert = async (trx: Queryable): Promise<string[]> => {
    const made = await insertLinks(
      trx,
      part.map(
        ({
          uniqueId,
          domain,
          target,
          expiresAt,
          maxUses,
          note,
          passwordHash,
          tags,
          way,
          ...given
        }): NewLink => ({
          uniqueId: idOnDomain(domain, uniqueId ?? generateId()),
          ownerId: account.id,
          isPublic: isOpen({ ...given, passwordHash }),
          originalUrl: target,
          forwardQuery: given.forwardQuery === true,
          ...{ passwordHash, createdAt, expiresAt, maxUses, note, tags, way },
        }),
      ),
    );
    await beside(
      trx,
      made.map(({ id }) => id),
    );
    return made.map(({ uniqueId }) => slugOf(uniqueId));
  };
  // A generated id that is taken is as good as another try; a wished one is refused.
  const wishes = part.some(({ uniqueId }) => uniqueId !== null);
  return insertUnderId(app.db, wishes ? '' : null, () => app.db.write(insert));
}

async function begin(app: Services, trx: Queryable, source: string, ownerId: number): Promise<void> {
  await openImport(trx, source, ownerId);
  await app.jobs.add(trx, 'importRemoval', { source }, { runAt: Date.now() + INTERRUPTED_MS });
}

async function removeAll(app: Services, source: string): Promise<void> {
  while (!(await removeInterrupted(app, source)));
}

/** Removes some links of an import that was interrupted; true once none are left, as after one that ended. */
export async function removeInterrupted(app: Services, source: string): Promise<boolean> {
  const removed = await app.db.write(async (trx) => {
    await withdrawImport(trx, source);
    const ids = await takeLinks(trx, source, REMOVED_AT_ONCE);
    for (const id of ids) await deleteLink(app, trx, id);
    return ids.length;
  });
  return removed < REMOVED_AT_ONCE;
}
