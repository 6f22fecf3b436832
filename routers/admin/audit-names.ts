import type { AuditEntry } from '../../db/account/audit.js';
import type { AuditEvent } from '../audit.js';

/** What older clients call an event, and a sentence for people. */
const NAMES: Readonly<Record<AuditEvent, readonly [type: string, description: string]>> = {
  'account.registered': ['USER_REGISTER', 'Registered an account'],
  'account.verified': ['USER_VERIFY', 'Verified the account'],
  'account.rebound': ['USER_UPDATE_EMAIL', 'Changed the e-mail address of a pending account'],
  'account.created': ['USER_CREATE', 'Created an account'],
  'account.changed': ['USER_UPDATE_PROFILE', 'Changed an account'],
  'account.deleted': ['USER_DELETE_ACCOUNT', 'Deleted an account'],
  'profile.changed': ['USER_UPDATE_PROFILE', 'Changed the own profile'],
  'picture.changed': ['PROFILE_PICTURE_CHANGE', 'Changed the own picture'],
  'settings.changed': ['USER_SETTINGS_CHANGE', 'Changed the own settings'],
  'login.succeeded': ['USER_LOGIN', 'Signed in'],
  'login.failed': ['USER_LOGIN_FAILED', 'Failed to sign in'],
  logout: ['USER_LOGOUT', 'Signed out'],
  'session.revoked': ['SESSION_REVOKE', 'Ended a session'],
  'password.changed': ['PASSWORD_CHANGE', 'Changed the password'],
  'password.reset': ['PASSWORD_RESET_COMPLETE', 'Reset the password by mail'],
  'factor.enabled': ['TWO_FACTOR_SETUP', 'Turned two-step sign-in on'],
  'factor.disabled': ['TWO_FACTOR_REVOKE', 'Turned two-step sign-in off'],
  'factor.recovered': ['TWO_FACTOR_RECOVERY', 'Signed in with a recovery code'],
  'factor.renewed': ['TWO_FACTOR_BACKUP_CODES_REGENERATE', 'Replaced the recovery codes'],
  'key.replaced': ['API_KEY_REPLACE', 'Replaced the main API key'],
  'key.created': ['API_KEY_CREATE', 'Created a named API key'],
  'key.changed': ['API_KEY_CHANGE', 'Changed a named API key'],
  'key.deleted': ['API_KEY_DELETE', 'Deleted a named API key'],
  'webhook.changed': ['USER_SETTINGS_CHANGE', 'Changed the webhook'],
  'webhook.removed': ['WEBHOOK_REMOVED', 'Removed the webhook with the recovery of the account'],
  'webhook.disabled': ['WEBHOOK_DISABLED', 'The webhook was turned off after repeated failures'],
  'chatapp.linked': ['DISCORD_CONNECTED', 'Linked a chat account'],
  'chatapp.unlinked': ['DISCORD_REVOKED', 'Unlinked a chat account'],
  'messenger.linked': ['TELEGRAM_CONNECTED', 'Linked a messenger account'],
  'messenger.unlinked': ['TELEGRAM_REVOKED', 'Unlinked a messenger account'],
  'mailbox.suspended': ['TEMP_MAIL_SUSPEND', 'Suspended a mailbox'],
  'invite.created': ['INVITE_CODE_CREATE', 'Created invite codes'],
  'invite.revoked': ['INVITE_CODE_REVOKE', 'Revoked an invite code'],
  'live.toast': ['LIVE_SESSION_TOAST', 'Showed a message on an open page'],
  'live.redirect': ['LIVE_SESSION_REDIRECT', 'Sent an open page to another path'],
  'live.logout': ['SESSION_REVOKE', 'Signed an open page out'],
  'live.closed': ['LIVE_SESSION_CLOSE', 'Closed the connection of an open page'],
  'jobs.retried': ['JOBS_RETRY', 'Retried failed jobs'],
};

const isKnown = (event: string): event is AuditEvent => event in NAMES;

/** The name of an event for older clients; events without a name of their own in upper case, with underscores. */
export const legacyTypeOf = (event: string): string =>
  isKnown(event) ? NAMES[event][0] : event.replaceAll('.', '_').toUpperCase();

/** A sentence about an entry, with its details. */
export function describe({ event, details }: AuditEntry): string {
  const text = isKnown(event) ? NAMES[event][1] : event;
  const more = Object.entries(details).map(([name, value]) => `${name}: ${value}`);
  return more.length === 0 ? text : `${text} (${more.join(', ')})`;
}
