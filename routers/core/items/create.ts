import type { LimitType } from '../../../db/account/limits.js';
import type { NewContent } from '../../../db/content/content.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import type { WebhookEventType } from '../../base/ports/outbound.js';
import type { Services } from '../context.js';
import { requireUnblockedHashes } from '../entry/entry.js';
import { spendTogether } from '../quotas/spend.js';
import { emit } from '../webhook/emit.js';
import type { EventItem } from '../webhook/events.js';
import type { Creation } from './creations.js';

/** What somebody creates, as the rules of a creation see it. */
interface New {
  readonly ownerId: number;
  readonly bytes: number;
  /** The hashes of what is stored, and of what was sent. */
  readonly hashes?: readonly string[];
}

/**
 * What holds for each creation, in the transaction in which `insert` stores it: none of the bytes are blocked, and
 * everything counts against the limits of its account.
 */
export async function creating<T>(
  trx: Queryable,
  type: LimitType,
  all: readonly New[],
  insert: () => Promise<T>,
): Promise<T> {
  const hashes = all.flatMap((each) => each.hashes ?? []);
  if (hashes.length > 0) await requireUnblockedHashes(trx, hashes);
  const made = await insert();
  await spendTogether(trx, type, all);
  return made;
}

/** Announces new items to the webhooks of those accounts that have one; `group` says which, in the same order. */
export async function announceNew<Made extends { readonly ownerId: number }>(
  app: Services,
  trx: Queryable,
  event: WebhookEventType,
  group: readonly { readonly watched: boolean }[],
  made: readonly Made[],
  itemOf: (app: Services, item: Made) => EventItem,
): Promise<void> {
  for (const [index, item] of made.entries())
    if (group[index]?.watched) await emit(app, trx, item.ownerId, event, itemOf(app, item));
}

/** How new items of a kind are stored, counted and announced. */
interface Storing<Item extends NewContent, Made> {
  readonly type: LimitType;
  readonly event: WebhookEventType;
  counted(item: Item): Omit<New, 'ownerId'>;
  insert(trx: Queryable, items: readonly Item[]): Promise<Made[]>;
  itemOf(app: Services, made: Made): EventItem;
}

/** Stores new items of a kind in one transaction, by the rules of a creation. */
export const storing =
  <Item extends NewContent, Made extends { readonly ownerId: number }>(how: Storing<Item, Made>) =>
  (app: Services, trx: Queryable, group: readonly Creation<Item>[]): Promise<Made[]> =>
    creating(
      trx,
      how.type,
      group.map(({ item }) => ({ ...how.counted(item), ownerId: item.ownerId })),
      async () => {
        const items = group.map(({ item, tags }) => ({ ...item, tags }));
        const made = await how.insert(trx, items);
        await announceNew(app, trx, how.event, group, made, how.itemOf);
        return made;
      },
    );
