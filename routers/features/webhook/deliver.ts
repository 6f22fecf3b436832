import type { User } from '../../../db/account/account.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import {
  abandonDelivery,
  type Delivery,
  deliveryById,
  noteAttempt,
} from '../../../db/webhook/webhook-delivery.js';
import {
  disableWebhook,
  pauseWebhook,
  resetWebhookHealth,
  type WebhookHealth,
  webhookHealthOf,
} from '../../../db/webhook/webhook-health.js';
import { localizable } from '../../base/language/localizable.js';
import { localizableOfRule, rule } from '../../base/language/rules.js';
import type { JobPayloads } from '../../base/ports/jobs.js';
import type { WebhookFailure } from '../../base/ports/mail/mail-templates.js';
import type { WebhookEvent, WebhookTarget } from '../../base/ports/outbound.js';
import { isShutOut } from '../../base/roles.js';
import { audit } from '../../core/audit.js';
import { mailsOf } from '../../core/branding/branding.js';
import type { Services } from '../../core/context.js';
import { queueMail } from '../../core/mail/outgoing.js';
import { webhookTarget } from '../account/public.js';
import { attemptDelivery, type Outcome } from './attempt.js';

/** Pauses after consecutive failures; the last value repeats. */
const BACKOFF_MS = [5_000, 30_000, 2 * 60_000, 10 * 60_000, 30 * 60_000, 60 * 60_000];
/** An event is dropped after this many failed attempts. */
const EVENT_ATTEMPTS = 8;
/** An event is dropped at this age, however often it was tried. */
const EVENT_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** The webhook is turned off after this many failures in a row: several hours, and more than one event. */
const WEBHOOK_FAILURES = 12;

const SWITCHED_OFF = rule('The webhook is turned off');

/** Where an event goes. */
interface Destination {
  readonly user: User;
  readonly target: WebhookTarget;
}

/**
 * Tries to deliver an event. Returns when to retry (epoch milliseconds), or null when the event is done.
 * After failures, all events of the receiver are paused for longer and longer, and finally its webhook is
 * turned off, so a hanging receiver costs one attempt at a time.
 */
export async function deliverEvent(app: Services, job: JobPayloads['webhook']): Promise<number | null> {
  const { db } = app;
  const delivery = await deliveryById(db.read, job.deliveryId);
  if (delivery === null || delivery.state !== 'WAITING') return null;
  const health = await webhookHealthOf(db.read, job.userId);
  const destination = health.disabledAt === null ? await destinationOf(app, job.userId, job.event) : null;
  if (destination === null) {
    await db.write((trx) => abandonDelivery(trx, delivery.id, SWITCHED_OFF));
    return null;
  }
  if (health.pausedUntil > Date.now()) return health.pausedUntil;
  const outcome = await attemptDelivery(app, destination.target, job.event);
  const again = await db.write((trx) => settle(app, trx, destination, delivery, health, outcome));
  app.jobs.kick();
  return again;
}

/** Null if the account no longer wants this event. */
async function destinationOf(
  app: Services,
  userId: number,
  { type, asked }: WebhookEvent,
): Promise<Destination | null> {
  const user = await app.load.user(userId);
  if (user === null || isShutOut(user.role)) return null;
  const { url, events, ...target } = await webhookTarget(app, user);
  if (url === null || !(asked || events.some((event) => event === type))) return null;
  return { user, target: { ...target, url } };
}

/** Records the result of an attempt; returns when to try again. */
async function settle(
  app: Services,
  trx: Queryable,
  { user, target }: Destination,
  delivery: Delivery,
  health: WebhookHealth,
  { attempt, result, retryAfterMs }: Outcome,
): Promise<number | null> {
  if (result === 'delivered') {
    await noteAttempt(trx, delivery.id, attempt, { state: 'DELIVERED', counts: true });
    if (health.pausedUntil > 0) await resetWebhookHealth(trx, user.id);
    return null;
  }
  const counts = result !== 'busy';
  const step = counts ? Math.min(health.failures, BACKOFF_MS.length - 1) : 0;
  const until = Date.now() + Math.max(BACKOFF_MS[step] ?? 0, retryAfterMs);
  const over =
    result === 'refused' ||
    (counts && delivery.attempts + 1 >= EVENT_ATTEMPTS) ||
    until > delivery.createdAt + EVENT_LIFETIME_MS;
  // The account may have been deleted in the meantime.
  if (!(await noteAttempt(trx, delivery.id, attempt, { state: over ? 'FAILED' : 'WAITING', counts })))
    return null;
  const failures = await pauseWebhook(trx, user.id, health, until, counts);
  if (failures !== null && failures >= WEBHOOK_FAILURES && counts) {
    await switchOff(app, trx, user, target, {
      failures,
      lastError:
        attempt.error === null
          ? localizable('it responded with status {status}', { status: attempt.status ?? 0 })
          : localizableOfRule(attempt.error),
    });
  }
  return over ? null : until;
}

/** Turns a webhook off and tells its owner by e-mail. */
async function switchOff(
  app: Services,
  trx: Queryable,
  user: User,
  target: WebhookTarget,
  why: WebhookFailure,
): Promise<void> {
  if (!(await disableWebhook(trx, user.id, Date.now()))) return;
  await audit({ address: null }, trx, 'webhook.disabled', { subject: user.id });
  const mail = (await mailsOf(app, trx, user)).webhookDisabled({
    username: user.username,
    host: new URL(target.url).host,
    settingsLink: `${app.settings.origin}/web/settings/webhook`,
    ...why,
  });
  await queueMail(app, trx, { to: user.email, ...mail });
}
