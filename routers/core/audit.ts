import { type AuditInfo, insertAudit } from '../../db/account/audit.js';
import type { Queryable } from '../../db/engine/queryable.js';
import type { Caller } from './caller.js';

/** All security-relevant events that are logged. */
export const AUDIT_EVENTS = [
  'account.registered',
  'account.verified',
  'account.activated',
  'account.approved',
  'account.refused',
  'account.rebound',
  'account.created',
  'account.changed',
  'account.deleted',
  'account.paused',
  'account.unpaused',
  'profile.changed',
  'picture.changed',
  'settings.changed',
  'login.succeeded',
  'login.failed',
  'logout',
  'session.revoked',
  'address.changed',
  'password.changed',
  'password.reset',
  'factor.enabled',
  'factor.disabled',
  'factor.recovered',
  'factor.renewed',
  'identity.linked',
  'identity.unlinked',
  'passkey.added',
  'passkey.removed',
  'login.link',
  'key.replaced',
  'key.disabled',
  'key.used',
  'key.created',
  'key.changed',
  'key.deleted',
  'webhook.changed',
  'webhook.removed',
  'webhook.disabled',
  'chatapp.linked',
  'chatapp.unlinked',
  'messenger.linked',
  'messenger.unlinked',
  'mailbox.suspended',
  'mailbox.forwarded',
  'mailbox.sandbox',
  'invite.created',
  'invite.revoked',
  'limits.site.changed',
  'limits.role.changed',
  'limits.account.changed',
  'limits.account.cleared',
  'report.resolved',
  'block.created',
  'block.deleted',
  'live.toast',
  'live.redirect',
  'live.logout',
  'live.closed',
  'item.renamed',
  'domain.added',
  'domain.changed',
  'domain.removed',
  'image.moved',
  'pack.created',
  'pack.deleted',
  'member.set',
  'member.removed',
  'collection.offered',
  'collection.taken',
  'branding.changed',
  'tool.called',
  'installation.changed',
  'jobs.retried',
] as const;
export type AuditEvent = (typeof AUDIT_EVENTS)[number];

/** The source of an event: a request, or a background task if `address` is null. */
export interface AuditSource {
  readonly address: string | null;
  readonly account?: Caller;
}

interface AuditDetails {
  /** Who did it, if it is not the caller of the request. */
  readonly actor?: number | null;
  readonly subject?: number | null;
  readonly info?: AuditInfo;
}

/** Logs an event in the transaction that causes it. Never pass a secret, a name or an address. */
export async function audit(
  ctx: AuditSource,
  trx: Queryable,
  event: AuditEvent,
  details: AuditDetails = {},
): Promise<void> {
  await insertAudit(trx, {
    at: Date.now(),
    event,
    actorId: details.actor ?? ctx.account?.id ?? null,
    subjectId: details.subject ?? null,
    ipAddress: ctx.address,
    details: details.info ?? {},
  });
}
