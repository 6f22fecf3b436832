import type { Queryable } from '../../db/engine/queryable.js';
import { insertDelivery, watcherOf } from '../../db/webhook/webhook-delivery.js';
import type { Services } from '../context.js';
import type { WebhookEventType } from '../ports/outbound.js';
import { avatarUrl } from '../shared/user-summary.js';
import type { AccountContext } from '../trpc.js';
import { type EventItem, newEventId } from './events.js';

/**
 * Queues an event for the webhook of an account, in the transaction that causes it. Does nothing if the
 * account has no webhook or its webhook does not receive such events. True if it was queued: call `jobs.kick`
 * after the commit to deliver it at once.
 */
export async function emit(
  app: Services,
  trx: Queryable,
  ownerId: number,
  type: WebhookEventType,
  item: EventItem,
): Promise<boolean> {
  const watcher = await watcherOf(trx, ownerId);
  if (watcher === null || watcher.events?.includes(type) === false) return false;
  const at = Date.now();
  const deliveryId = await insertDelivery(trx, {
    userId: ownerId,
    event: type,
    uniqueId: item.uniqueId,
    createdAt: at,
  });
  const uploader = { uid: watcher.id, username: watcher.username, avatar: avatarUrl(app, watcher) };
  const event = { id: newEventId(), type, at, item, uploader };
  await app.jobs.add(trx, 'webhook', { userId: ownerId, deliveryId, event });
  return true;
}

/** As `emit`, for an item that the caller has just created; costs nothing if the caller has no webhook. */
export async function emitIfWatched(
  { app, account }: AccountContext,
  trx: Queryable,
  type: WebhookEventType,
  item: () => EventItem,
): Promise<void> {
  if (account.hasWebhook) await emit(app, trx, account.id, type, item());
}

/** Delivers announced events at once; call it after the commit. */
export function deliverEmitted({ app, account }: AccountContext): void {
  if (account.hasWebhook) app.jobs.kick();
}
