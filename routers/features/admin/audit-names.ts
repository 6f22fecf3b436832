import type { AuditEntry } from '../../../db/account/audit.js';
import type { AuditEvent } from '../../core/audit.js';

/** What older clients call an event, and a sentence for people. */
const NAMES: Readonly<Record<AuditEvent, readonly [type: string, description: string]>> = {
  'account.registered': ['USER_REGISTER', 'Registered an account'],
  'account.verified': ['USER_VERIFY', 'Verified the account'],
  'account.activated': ['USER_ACTIVATE', 'Activated a pending account'],
  'account.rebound': ['USER_UPDATE_EMAIL', 'Changed the e-mail address of a pending account'],
  'account.created': ['USER_CREATE', 'Created an account'],
  'account.changed': ['USER_UPDATE_PROFILE', 'Changed an account'],
  'account.deleted': ['USER_DELETE_ACCOUNT', 'Deleted an account'],
  'account.paused': ['USER_PAUSE', 'Paused an account'],
  'account.unpaused': ['USER_UNPAUSE', 'Ended the pause of an account'],
  'profile.changed': ['USER_UPDATE_PROFILE', 'Changed the own profile'],
  'picture.changed': ['PROFILE_PICTURE_CHANGE', 'Changed the own picture'],
  'settings.changed': ['USER_SETTINGS_CHANGE', 'Changed the own settings'],
  'login.succeeded': ['USER_LOGIN', 'Signed in'],
  'login.failed': ['USER_LOGIN_FAILED', 'Failed to sign in'],
  logout: ['USER_LOGOUT', 'Signed out'],
  'session.revoked': ['SESSION_REVOKE', 'Ended a session'],
  'address.changed': ['USER_UPDATE_EMAIL', 'Changed the own e-mail address'],
  'password.changed': ['PASSWORD_CHANGE', 'Changed the password'],
  'password.reset': ['PASSWORD_RESET_COMPLETE', 'Reset the password by mail'],
  'factor.enabled': ['TWO_FACTOR_SETUP', 'Turned two-step sign-in on'],
  'factor.disabled': ['TWO_FACTOR_REVOKE', 'Turned two-step sign-in off'],
  'factor.recovered': ['TWO_FACTOR_RECOVERY', 'Signed in with a recovery code'],
  'factor.renewed': ['TWO_FACTOR_BACKUP_CODES_REGENERATE', 'Replaced the recovery codes'],
  'identity.linked': ['IDENTITY_LINKED', 'Linked an identity that can sign in'],
  'identity.unlinked': ['IDENTITY_UNLINKED', 'Unlinked an identity'],
  'passkey.added': ['PASSKEY_ADDED', 'Added a passkey'],
  'passkey.removed': ['PASSKEY_REMOVED', 'Removed a passkey'],
  'login.link': ['SIGN_IN_LINK', 'Made a one-time link to sign in'],
  'key.replaced': ['API_KEY_REPLACE', 'Replaced the main API key'],
  'key.disabled': ['API_KEY_DISABLE', 'Switched the main API key off'],
  'key.used': ['API_KEY_USE', 'Used the main API key, for the first time that day'],
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
  'tool.called': ['MCP_TOOL_CALL', 'An agent called a tool'],
  'mailbox.sandbox': ['TEMP_MAIL_SANDBOX', 'Changed the sending credentials of a mailbox'],
  'mailbox.forwarded': ['TEMP_MAIL_FORWARD', 'Changed where a mailbox forwards to'],
  'invite.created': ['INVITE_CODE_CREATE', 'Created invite codes'],
  'invite.revoked': ['INVITE_CODE_REVOKE', 'Revoked an invite code'],
  'limits.site.changed': ['SITE_SETTINGS_CHANGE', 'Changed which files are accepted and how long items live'],
  'limits.role.changed': ['RESOURCE_LIMIT_ROLE_CHANGE', 'Changed the limits of a role'],
  'limits.account.changed': ['RESOURCE_LIMIT_USER_OVERRIDE_CHANGE', 'Changed the limits of an account'],
  'limits.account.cleared': ['RESOURCE_LIMIT_USER_OVERRIDE_CLEAR', 'Removed the own limits of an account'],
  'report.resolved': ['REPORT_RESOLVE', 'Decided about a report'],
  'block.created': ['BLOCK_CREATE', 'Blocked a content or a network'],
  'block.deleted': ['BLOCK_DELETE', 'Ended the block of a content or a network'],
  'live.toast': ['LIVE_SESSION_TOAST', 'Showed a message on an open page'],
  'live.redirect': ['LIVE_SESSION_REDIRECT', 'Sent an open page to another path'],
  'live.logout': ['SESSION_REVOKE', 'Signed an open page out'],
  'live.closed': ['LIVE_SESSION_CLOSE', 'Closed the connection of an open page'],
  'item.renamed': ['ITEM_RENAME', 'Gave an item another id'],
  'domain.added': ['DOMAIN_ADD', 'Added a domain'],
  'domain.changed': ['DOMAIN_CHANGE', 'Changed the state of a domain'],
  'domain.removed': ['DOMAIN_REMOVE', 'Removed a domain'],
  'image.moved': ['STORAGE_MIGRATE', 'Moved the bytes of an item to the other store'],
  'pack.created': ['FILE_PACK_UPLOAD', 'Made a file pack'],
  'pack.deleted': ['FILE_PACK_DELETE', 'Deleted a file pack'],
  'branding.changed': ['SITE_SETTINGS_CHANGE', 'Changed the appearance or a policy'],
  'installation.changed': ['SITE_SETTINGS_CHANGE', 'Changed settings of the installation'],
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
