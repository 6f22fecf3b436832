import { type User, userById } from '../../../db/account/account.js';
import {
  dueTellings,
  forgetToldBefore,
  putOffTelling,
  type Telling,
  takeTelling,
} from '../../../db/content/told/told.js';
import { type ToldSubject, toldSubject } from '../../../db/content/told/told-subject.js';
import { newestNames } from '../../../db/content/upload/request-file.js';
import { DAY_MS } from '../../../db/engine/days.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { DomainError } from '../../base/errors.js';
import { slugOf } from '../../base/link-domain.js';
import { isShutOut } from '../../base/roles.js';
import { mailsOf } from '../../core/branding/branding.js';
import type { Services } from '../../core/context.js';
import { webUrl } from '../../core/items/links.js';
import { queueMail } from '../../core/mail/outgoing.js';
import { nextDaily, planJob } from '../../core/telling/due.js';
import { stopHeaders, stopLink } from '../../core/telling/stop-link.js';
import { emitEach } from '../../core/webhook/emit.js';
import { openedItem } from '../../core/webhook/events.js';
import { openedEvent } from './events.js';

/** What is told in one run; the rest is told at once afterwards. */
const MAX_TOLD = 200;
/** What one mail names. */
const NAMED = 20;

/**
 * Tells an account what is due, each message once, however many processes do it: what is told once a day in one mail,
 * all else by itself. After the mails of a day the rest waits for the daily one.
 */
export async function tellOwner(app: Services, userId: number): Promise<void> {
  const at = Date.now();
  for (let more = true; more; ) {
    const due = await dueTellings(app.db.read, userId, at, MAX_TOLD);
    const daily = due.filter(({ by, mode }) => by === 'mail' && mode === 'daily');
    for (const telling of due) if (!daily.includes(telling)) await tellOne(app, telling, at);
    if (daily.length > 0) await tellDaily(app, userId, daily, at);
    more = due.length === MAX_TOLD;
  }
  await app.db.write((trx) => forgetToldBefore(trx, userId, at - DAY_MS));
  app.jobs.kick();
}

async function tellOne(app: Services, telling: Telling, at: number): Promise<void> {
  if (telling.by === 'mail' && !(await mayMail(app, telling.ownerId))) {
    const until = nextDaily(at);
    await app.db.write(async (trx) => {
      await putOffTelling(trx, telling, until);
      await planJob(app, trx, telling.ownerId, until);
    });
    return;
  }
  await app.db.write(async (trx) => {
    const taken = await takeTelling(app.db, trx, telling, at);
    const subject = taken === null ? null : await subjectOf(trx, taken);
    if (taken === null || subject === null) return;
    if (telling.by === 'webhook') return callWebhook(app, trx, taken, subject);
    const owner = await receiver(trx, taken.ownerId);
    if (owner !== null) await mailOne(app, trx, owner, taken, subject);
  });
}

async function mayMail({ limits }: Services, ownerId: number): Promise<boolean> {
  try {
    await limits.rates.take('tellings', String(ownerId));
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'TOO_MANY_REQUESTS') return false;
    throw error;
  }
}

/** What a message is about; null if it is gone, or somebody else's by now. */
async function subjectOf(trx: Queryable, telling: Telling): Promise<ToldSubject | null> {
  const { kind, ownerId, mode: notify, gone } = telling;
  if (gone !== null && kind !== 'share') return { kind, ownerId, notify, ...gone, label: null };
  const subject = await toldSubject(trx, telling);
  return subject?.ownerId === telling.ownerId ? subject : null;
}

async function receiver(trx: Queryable, userId: number): Promise<User | null> {
  const owner = await userById(trx, userId);
  return owner === null || isShutOut(owner.role) ? null : owner;
}

const nameOf = ({ label, title, uniqueId }: ToldSubject): string => label ?? title ?? slugOf(uniqueId);

/** The page where its owner sees it; of what is gone, what else there is. */
function pageOf(app: Services, { kind, uniqueId }: ToldSubject, { gone }: Telling): string {
  const { origin } = app.settings;
  if (gone !== null) return `${origin}/web/library`;
  if (kind === 'request') return `${origin}/web/requests/${uniqueId}`;
  return kind === 'collection' ? `${origin}/web/collection/${uniqueId}` : webUrl(app, kind, uniqueId);
}

/** What a mail says of it. */
const toldItem = ({ times, gone }: Telling, subject: ToldSubject) => ({
  kind: subject.kind,
  name: nameOf(subject),
  times,
  isGone: gone !== null,
});

async function mailOne(
  app: Services,
  trx: Queryable,
  owner: User,
  telling: Telling,
  subject: ToldSubject,
): Promise<void> {
  const { times } = telling;
  const stop = stopLink(app, { userId: owner.id, of: telling });
  const mails = await mailsOf(app, trx, owner);
  const said = { username: owner.username, link: pageOf(app, subject, telling), stopLink: stop };
  const mail =
    subject.kind === 'request'
      ? mails.filesReceived({
          ...said,
          title: nameOf(subject),
          names: await newestNames(trx, telling.id, Math.min(times, NAMED)),
          total: times,
        })
      : mails.opened({ ...said, ...toldItem(telling, subject) });
  await queueMail(app, trx, { to: owner.email, headers: stopHeaders(stop), ...mail });
}

async function callWebhook(
  app: Services,
  trx: Queryable,
  telling: Telling,
  subject: ToldSubject,
): Promise<void> {
  const { times, ownerId } = telling;
  const { kind, uniqueId, title, label, notify } = subject;
  const item = openedItem({ kind, uniqueId, link: pageOf(app, subject, telling), title, times, label });
  if (kind === 'request') await emitEach(app, trx, ownerId, 'request.received', [item]);
  else await emitEach(app, trx, ownerId, openedEvent(kind), [item], { asked: notify !== 'none' });
}

/** One mail about all of these. */
async function tellDaily(app: Services, userId: number, due: readonly Telling[], at: number): Promise<void> {
  await app.db.write(async (trx) => {
    const items = [];
    for (const telling of due) {
      const taken = await takeTelling(app.db, trx, telling, at);
      const subject = taken === null ? null : await subjectOf(trx, taken);
      if (taken !== null && subject !== null) items.push(toldItem(taken, subject));
    }
    const owner = items.length === 0 ? null : await receiver(trx, userId);
    if (owner === null) return;
    const stop = stopLink(app, { userId, of: null });
    const mail = (await mailsOf(app, trx, owner)).openedDaily({
      username: owner.username,
      items: items.slice(0, NAMED),
      more: Math.max(0, items.length - NAMED),
      link: `${app.settings.origin}/web/library`,
      stopLink: stop,
    });
    await queueMail(app, trx, { to: owner.email, headers: stopHeaders(stop), ...mail });
  });
}
