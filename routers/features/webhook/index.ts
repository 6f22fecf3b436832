import { z } from 'zod';
import {
  type Delivery,
  deliveriesOf,
  insertDeliveries,
  noteAttempt,
} from '../../../db/webhook/webhook-delivery.js';
import { fail } from '../../base/errors.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import { accountOf } from '../../core/accounts/people.js';
import { avatarUrl } from '../../core/accounts/user-summary.js';
import { requireOutgoing } from '../../core/outgoing.js';
import { router, signedIn } from '../../core/trpc.js';
import { newEventId, sampleItem } from '../../core/webhook/events.js';
import { webhookTarget } from '../account/public.js';
import { attemptDelivery } from './attempt.js';

/** Number of delivery log entries shown. */
const SHOWN = 100;

/** A webhook delivery, as its owner sees it. */
export const deliveryRecord = z.object({
  id: z.int(),
  event: z.string(),
  uniqueId: z.string(),
  at: z.iso.datetime(),
  state: z.enum(['WAITING', 'DELIVERED', 'FAILED']),
  attempts: z.int(),
  attemptedAt: z.iso.datetime().nullable(),
  /** HTTP status of the last response. */
  status: z.int().nullable(),
  /** Why the last attempt got no response. */
  error: z.string().nullable(),
  /** The start of the last response. */
  excerpt: z.string().nullable(),
  durationMs: z.int().nullable(),
});

const toRecord = ({ lastAttempt, ...delivery }: Delivery): z.output<typeof deliveryRecord> => ({
  id: delivery.id,
  event: delivery.event,
  uniqueId: delivery.uniqueId,
  at: iso(delivery.createdAt),
  state: delivery.state,
  attempts: delivery.attempts,
  attemptedAt: isoOrNull(lastAttempt?.attemptedAt ?? null),
  status: lastAttempt?.status ?? null,
  error: delivery.error,
  excerpt: lastAttempt?.excerpt ?? null,
  durationMs: lastAttempt?.durationMs ?? null,
});

/** Deliveries and tests of the caller's webhook; its settings belong to the account. */
export const webhookRouter = router({
  deliveries: signedIn('account:read')
    .output(z.array(deliveryRecord))
    .query(async ({ ctx }) => {
      const found = await deliveriesOf(ctx.app.db.read, ctx.account.id, SHOWN);
      return found.map(toRecord);
    }),

  /** Sends a test event to the webhook and returns the result; nothing is retried. */
  test: signedIn('account:write')
    .output(deliveryRecord)
    .mutation(async ({ ctx }) => {
      const { app, account } = ctx;
      requireOutgoing(app);
      await app.limits.rates.take('webhookTest', String(account.id));
      const user = await accountOf(app, account.id);
      const { url, events: _, ...target } = await webhookTarget(app, user);
      if (url === null) fail('INVALID', 'Set the webhook URL first');
      const at = Date.now();
      const item = sampleItem(app);
      const uploader = { uid: user.id, username: user.username, avatar: avatarUrl(app, user) };
      const event = { id: newEventId(), type: 'webhook.test' as const, at, item, uploader };
      const { attempt, result } = await attemptDelivery(app, { ...target, url }, event);
      const state = result === 'delivered' ? ('DELIVERED' as const) : ('FAILED' as const);
      const row = { event: event.type, uniqueId: item.uniqueId, createdAt: at };
      const id = await app.db.write(async (trx) => {
        const [inserted = 0] = await insertDeliveries(trx, user.id, [row]);
        await noteAttempt(trx, inserted, attempt, { state, counts: true });
        return inserted;
      });
      return toRecord({
        ...row,
        userId: user.id,
        id,
        state,
        attempts: 1,
        error: attempt.error,
        lastAttempt: attempt,
      });
    }),
});
