import { userById } from '../../../db/account/account.js';
import {
  type Domain,
  type DomainState,
  domainsByHosts,
  domainsToCheck,
  lockState,
  updateDomain,
} from '../../../db/content/link/domain.js';
import { DAY_MS } from '../../../db/engine/days.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { DomainError, fail } from '../../base/errors.js';
import type { ProofFound } from '../../base/ports/domain-proof.js';
import { isShutOut } from '../../base/roles.js';
import { type AuditSource, audit } from '../../core/audit.js';
import { mailsOf } from '../../core/branding/branding.js';
import type { Services } from '../../core/context.js';
import { queueMail } from '../../core/mail/outgoing.js';

/** How long a host stays active of which no proof is found. */
const PATIENCE_MS = 7 * DAY_MS;
/** How often the proof of a host is looked for. */
const EVERY_MS = DAY_MS;
/** Hosts that one run looks at, and how many at once. */
const MAX_CHECKED = 500;
const AT_ONCE = 4;

const isApproved = ({ settings }: Services, { approved }: Pick<Domain, 'approved'>): boolean =>
  approved ?? settings.domains === 'open';

/** What becomes of a domain after a look for its proof. */
export function stateAfter(app: Services, domain: Domain, found: ProofFound, at: number): DomainState {
  if (found === 'dns' || found === 'http') return isApproved(app, domain) ? 'active' : 'waiting';
  const isLost = at - (domain.provenAt ?? 0) > PATIENCE_MS;
  return isLost && (domain.state === 'active' || domain.state === 'waiting') ? 'paused' : domain.state;
}

/**
 * Stores what a look for the proof of a domain found. A host that is active for another account stays so as long as that
 * one's proof is there, which is looked for at once; who proves by DNS comes before who only shows a page. 409 then, null
 * if the domain was removed meanwhile.
 */
export async function settle(
  app: Services,
  domain: Domain,
  found: ProofFound,
  source: AuditSource,
): Promise<Domain | null> {
  const at = Date.now();
  const state = stateAfter(app, domain, found, at);
  const proven = found === 'dns' || found === 'http' ? { proof: found, provenAt: at } : {};
  try {
    return await store(app, domain, { state, checkedAt: at, ...proven }, source);
  } catch (error) {
    if (!app.db.dialect.isUniqueViolation(error)) throw error;
  }
  if (!(await displaced(app, domain.host, found, source))) fail('DOMAIN_TAKEN');
  try {
    return await store(app, domain, { state, checkedAt: at, ...proven }, source);
  } catch (error) {
    // A third one was faster.
    if (app.db.dialect.isUniqueViolation(error)) fail('DOMAIN_TAKEN', { cause: error });
    throw error;
  }
}

/** Changes a domain; what becomes of it stands in the audit log, and its account is mailed if it is paused. */
export async function store(
  app: Services,
  domain: Domain,
  change: Parameters<typeof updateDomain>[2],
  source: AuditSource,
): Promise<Domain | null> {
  const changed = await app.db.write(async (trx) => {
    const before = await lockState(app.db, trx, domain.id);
    const now = await updateDomain(trx, domain, change);
    if (now === null || now.state === before) return now;
    await audit(source, trx, 'domain.changed', { subject: now.ownerId, info: { state: now.state } });
    if (now.state === 'paused') await tellPaused(app, trx, now);
    return now;
  });
  app.jobs.kick();
  return changed;
}

async function tellPaused(app: Services, trx: Queryable, { host, ownerId }: Domain): Promise<void> {
  const owner = await userById(trx, ownerId);
  if (owner === null || isShutOut(owner.role)) return;
  const mail = (await mailsOf(app, trx, owner)).domainPaused({
    username: owner.username,
    host,
    link: `${app.settings.origin}/web/settings/domains`,
  });
  await queueMail(app, trx, { to: owner.email, ...mail });
}

/** Whether the account that holds a host has lost it: its own proof is gone, or is weaker than that of who asks. */
async function displaced(
  app: Services,
  host: string,
  found: ProofFound,
  source: AuditSource,
): Promise<boolean> {
  const [holder = null] = await domainsByHosts(app.db, [host]);
  if (holder === null || holder.state !== 'active') return true;
  const held = await app.domainProofs.find(host, holder.token);
  const isHeld = held === 'dns' || held === 'unknown' || (held === 'http' && found !== 'dns');
  if (isHeld) return false;
  await store(app, holder, { state: 'paused', checkedAt: Date.now() }, source);
  return true;
}

/** Looks for the proofs of the hosts whose turn it is, once a day each; a host without one for seven days is paused. */
export async function checkDomains(app: Services, signal: AbortSignal): Promise<void> {
  const due = await domainsToCheck(app.db.read, Date.now() - EVERY_MS, MAX_CHECKED);
  for (let start = 0; start < due.length && !signal.aborted; start += AT_ONCE)
    await Promise.all(
      due.slice(start, start + AT_ONCE).map(async (domain) => {
        const found = await app.domainProofs.find(domain.host, domain.token);
        await settle(app, domain, found, { address: null }).catch((error: unknown) => {
          // Another account holds it: it waits for its next turn.
          if (!(error instanceof DomainError)) throw error;
          return store(app, domain, { checkedAt: Date.now() }, { address: null });
        });
      }),
    );
}
