import type { Queryable } from '../../../db/engine/queryable.js';
import {
  DELIVERIES_KEPT,
  insertDeliveries,
  type Watcher,
  watcherOf,
} from '../../../db/webhook/webhook-delivery.js';
import { NAMED_EVENTS, type WebhookEventType } from '../../base/ports/outbound.js';
import { avatarUrl } from '../accounts/user-summary.js';
import type { AccountContext, Services } from '../context.js';
import { type EventItem, newEventId } from './events.js';

/**
 * Queues an event for the webhook of an account, in the transaction that causes it. Does nothing if the
 * account has no webhook or its webhook does not receive such events. True if it was queued: call `jobs.kick`
 * after the commit to deliver it at once.
 */
export const emit = (
  app: Services,
  trx: Queryable,
  ownerId: number,
  type: WebhookEventType,
  item: EventItem,
): Promise<boolean> => emitEach(app, trx, ownerId, type, [item]);

/**
 * As `emit`, for several items; of more than an account's log of deliveries keeps, the last. `asked`: whether or not the
 * webhook names such events.
 */
export async function emitEach(
  app: Services,
  trx: Queryable,
  ownerId: number,
  type: WebhookEventType,
  items: readonly EventItem[],
  { asked = false }: { readonly asked?: boolean } = {},
): Promise<boolean> {
  const watcher = await watcherOf(trx, ownerId);
  if (items.length === 0 || watcher === null || !(asked || receives(watcher, type))) return false;
  const at = Date.now();
  // The log forgets the others, and what it has forgotten is not delivered.
  const kept = items.slice(-DELIVERIES_KEPT);
  const ids = await insertDeliveries(
    trx,
    ownerId,
    kept.map(({ uniqueId }) => ({ event: type, uniqueId, createdAt: at })),
  );
  const uploader = { uid: watcher.id, username: watcher.username, avatar: avatarUrl(app, watcher) };
  for (const [index, item] of kept.entries()) {
    const event = { id: newEventId(), type, at, asked, item, uploader };
    await app.jobs.add(trx, 'webhook', { userId: ownerId, deliveryId: ids[index] ?? 0, event });
  }
  return true;
}

/** Whether a webhook receives such events; without a choice, all but those that have to be named. */
export const receives = ({ events }: Pick<Watcher, 'events'>, type: WebhookEventType): boolean =>
  events === null ? !NAMED_EVENTS.has(type) : events.includes(type);

/** Delivers announced events at once; call it after the commit. */
export function deliverEmitted({ app, account }: AccountContext): void {
  if (account.hasWebhook) app.jobs.kick();
}
