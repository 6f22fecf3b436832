import type { Link } from '../../../db/content/link/link.js';
import { linksToCheck, noteHealth } from '../../../db/content/link/link-health.js';
import { found } from '../../base/errors.js';
import type { Health } from '../../base/ports/target-looks.js';
import type { AccountContext, Services } from '../../core/context.js';
import { requireAllowed } from '../../core/policies.js';
import { findLink, type NamedLink } from './find.js';
import { type LinkRecord, toShortUrlRecord } from './record.js';
import { targetsOf } from './way-input.js';

/** Links that one run looks at, how many at once, and how long it goes on. */
const MAX_CHECKED = 5_000;
const BATCH = 8;
const RUN_MS = 30 * 60_000;

/** The health of a link: it is broken if one of its targets is, and well if all are. */
async function healthOf(app: Services, link: Link): Promise<Health> {
  const targets = [...new Set(targetsOf(link.originalUrl, link.way))];
  const found = await Promise.all(targets.map((target) => app.targetLooks.look(target)));
  if (found.includes('broken')) return 'broken';
  return found.every((health) => health === 'ok') ? 'ok' : 'unknown';
}

/** Looks at the targets of a link of the caller now, and returns its record. */
export async function checkLink(ctx: AccountContext, named: NamedLink): Promise<LinkRecord> {
  const { app, account } = ctx;
  const link = await findLink(ctx, named);
  requireAllowed(account, 'change', 'url', link);
  await app.limits.rates.take('domainCheck', String(account.id));
  const health = await app.limits.fetches(String(account.id), () => healthOf(app, link));
  await app.db.write((trx) => noteHealth(app.db, trx, [[link.id, health]], Date.now()));
  return toShortUrlRecord(app, found(await app.load.url(link.uniqueId)), { access: true, own: true });
}

/** Looks at the targets of the links whose turn it is, once a week each. Redirects never wait for it. */
export async function checkTargets(app: Services, signal: AbortSignal): Promise<void> {
  const begun = Date.now();
  // The process ends without waiting for servers that do not answer; what was not noted is looked at again.
  const ending = new Promise<null>((resolve) =>
    signal.addEventListener('abort', () => resolve(null), { once: true }),
  );
  for (let checked = 0; checked < MAX_CHECKED; checked += BATCH) {
    const due = await linksToCheck(app.db.read, begun, BATCH);
    if (due.length === 0 || signal.aborted || Date.now() - begun > RUN_MS) return;
    const looks = Promise.all(due.map(async (link) => [link.id, await healthOf(app, link)] as const));
    const looked = await Promise.race([looks, ending]);
    if (looked === null) return;
    await app.db.write((trx) => noteHealth(app.db, trx, looked, Date.now()));
  }
}
