import { isDeepStrictEqual } from 'node:util';
import { lockUser } from '../../../db/account/account.js';
import { type Link, linksTo, type NewLink } from '../../../db/content/link/link.js';
import { tagKey } from '../../../db/content/tag/new-tags.js';
import { tagsOfItem } from '../../../db/content/tag/tag.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { domainIdOf } from '../../base/link-domain.js';
import type { Services } from '../../core/context.js';
import type { Creation } from '../../core/items/creations.js';
import { isEnded } from './visits/visit.js';

/** What a link is compared by; its id only if one was asked for. */
const comparedOf = (link: NewLink) => ({
  isPublic: link.isPublic,
  passwordHash: link.passwordHash,
  maxUses: link.maxUses,
  forwardQuery: link.forwardQuery ?? false,
  note: link.note ?? null,
  preview: link.preview ?? null,
  way: link.way,
});

/** What passes between two readings of the clock for one creation, and more. */
const TOLERANCE_MS = 60_000;

const hasSameLife = (one: NewLink, other: NewLink): boolean =>
  one.expiresAt === null || other.expiresAt === null
    ? one.expiresAt === other.expiresAt
    : Math.abs(one.expiresAt - one.createdAt - (other.expiresAt - other.createdAt)) < TOLERANCE_MS;

/**
 * A live link of the account with the same target and fields, before a new one is stored in the same transaction; null
 * for none. Until that ends, no other creation of the account looks. A link with a password is never the same, because
 * nobody can tell. `end` null: none was asked for, so it is the usual life that has to be the same.
 */
export async function findExisting(
  app: Services,
  trx: Queryable,
  { item, tags = [] }: Creation<NewLink>,
  asked: { readonly uniqueId: string | null; readonly end: number | null },
): Promise<Link | null> {
  await lockUser(app.db, trx, item.ownerId);
  if (item.passwordHash !== null) return null;
  const wanted = comparedOf(item);
  const keys = [...new Set(tags.map(tagKey))].sort();
  for (const link of await linksTo(trx, item.ownerId, item.originalUrl)) {
    const isSame =
      !isEnded(link) &&
      domainIdOf(link.uniqueId) === domainIdOf(item.uniqueId) &&
      (asked.uniqueId === null || item.uniqueId === link.uniqueId) &&
      (asked.end ? asked.end === link.expiresAt : hasSameLife(link, item)) &&
      isDeepStrictEqual(comparedOf(link), wanted);
    if (!isSame) continue;
    const own = (await tagsOfItem(trx, 'url', link.id)).map(({ name }) => tagKey(name)).sort();
    if (isDeepStrictEqual(own, keys)) return link;
  }
  return null;
}
