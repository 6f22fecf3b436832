import type { AuditEntry } from '../../../db/account/audit.js';
import { ENGLISH, msg, translateMessage, translating } from '../../base/language/i18n.js';
import type { Message } from '../../base/language/message.js';
import { AUDIT_EVENTS, type AuditEvent } from '../../core/audit.js';

/** What older clients call an event, and a sentence for people. */
const NAMES: Readonly<Record<AuditEvent, readonly [type: string, description: Message]>> = {
  'account.registered': ['USER_REGISTER', msg('Registered an account')],
  'account.verified': ['USER_VERIFY', msg('Verified the account')],
  'account.activated': ['USER_ACTIVATE', msg('Activated a pending account')],
  'account.approved': ['USER_APPROVE', msg('Let an account in')],
  'account.refused': ['USER_REFUSE', msg('Refused to let an account in')],
  'account.rebound': ['USER_UPDATE_EMAIL', msg('Changed the e-mail address of a pending account')],
  'account.created': ['USER_CREATE', msg('Created an account')],
  'account.changed': ['USER_UPDATE_PROFILE', msg('Changed an account')],
  'account.deleted': ['USER_DELETE_ACCOUNT', msg('Deleted an account')],
  'account.paused': ['USER_PAUSE', msg('Paused an account')],
  'account.unpaused': ['USER_UNPAUSE', msg('Ended the pause of an account')],
  'profile.changed': ['USER_UPDATE_PROFILE', msg('Changed the own profile')],
  'picture.changed': ['PROFILE_PICTURE_CHANGE', msg('Changed the own picture')],
  'settings.changed': ['USER_SETTINGS_CHANGE', msg('Changed the own settings')],
  'login.succeeded': ['USER_LOGIN', msg('Signed in')],
  'login.failed': ['USER_LOGIN_FAILED', msg('Failed to sign in')],
  logout: ['USER_LOGOUT', msg('Signed out')],
  'session.revoked': ['SESSION_REVOKE', msg('Ended a session')],
  'address.changed': ['USER_UPDATE_EMAIL', msg('Changed the own e-mail address')],
  'password.changed': ['PASSWORD_CHANGE', msg('Changed the password')],
  'password.reset': ['PASSWORD_RESET_COMPLETE', msg('Reset the password by mail')],
  'factor.enabled': ['TWO_FACTOR_SETUP', msg('Turned two-step sign-in on')],
  'factor.disabled': ['TWO_FACTOR_REVOKE', msg('Turned two-step sign-in off')],
  'factor.recovered': ['TWO_FACTOR_RECOVERY', msg('Signed in with a recovery code')],
  'factor.renewed': ['TWO_FACTOR_BACKUP_CODES_REGENERATE', msg('Replaced the recovery codes')],
  'identity.linked': ['IDENTITY_LINKED', msg('Linked an identity that can sign in')],
  'identity.unlinked': ['IDENTITY_UNLINKED', msg('Unlinked an identity')],
  'passkey.added': ['PASSKEY_ADDED', msg('Added a passkey')],
  'passkey.removed': ['PASSKEY_REMOVED', msg('Removed a passkey')],
  'login.link': ['SIGN_IN_LINK', msg('Made a one-time link to sign in')],
  'key.replaced': ['API_KEY_REPLACE', msg('Replaced the main API key')],
  'key.disabled': ['API_KEY_DISABLE', msg('Switched the main API key off')],
  'key.used': ['API_KEY_USE', msg('Used the main API key, for the first time that day')],
  'key.created': ['API_KEY_CREATE', msg('Created a named API key')],
  'key.changed': ['API_KEY_CHANGE', msg('Changed a named API key')],
  'key.deleted': ['API_KEY_DELETE', msg('Deleted a named API key')],
  'webhook.changed': ['USER_SETTINGS_CHANGE', msg('Changed the webhook')],
  'webhook.removed': ['WEBHOOK_REMOVED', msg('Removed the webhook with the recovery of the account')],
  'webhook.disabled': ['WEBHOOK_DISABLED', msg('The webhook was turned off after repeated failures')],
  'chatapp.linked': ['DISCORD_CONNECTED', msg('Linked a chat account')],
  'chatapp.unlinked': ['DISCORD_REVOKED', msg('Unlinked a chat account')],
  'messenger.linked': ['TELEGRAM_CONNECTED', msg('Linked a messenger account')],
  'messenger.unlinked': ['TELEGRAM_REVOKED', msg('Unlinked a messenger account')],
  'mailbox.suspended': ['TEMP_MAIL_SUSPEND', msg('Suspended a mailbox')],
  'tool.called': ['MCP_TOOL_CALL', msg('An agent called a tool')],
  'mailbox.sandbox': ['TEMP_MAIL_SANDBOX', msg('Changed the sending credentials of a mailbox')],
  'mailbox.forwarded': ['TEMP_MAIL_FORWARD', msg('Changed where a mailbox forwards to')],
  'invite.created': ['INVITE_CODE_CREATE', msg('Created invite codes')],
  'invite.revoked': ['INVITE_CODE_REVOKE', msg('Revoked an invite code')],
  'limits.site.changed': [
    'SITE_SETTINGS_CHANGE',
    msg('Changed which files are accepted and how long items live'),
  ],
  'limits.role.changed': ['RESOURCE_LIMIT_ROLE_CHANGE', msg('Changed the limits of a role')],
  'limits.account.changed': ['RESOURCE_LIMIT_USER_OVERRIDE_CHANGE', msg('Changed the limits of an account')],
  'limits.account.cleared': [
    'RESOURCE_LIMIT_USER_OVERRIDE_CLEAR',
    msg('Removed the own limits of an account'),
  ],
  'report.resolved': ['REPORT_RESOLVE', msg('Decided about a report')],
  'block.created': ['BLOCK_CREATE', msg('Blocked a content or a network')],
  'block.deleted': ['BLOCK_DELETE', msg('Ended the block of a content or a network')],
  'live.toast': ['LIVE_SESSION_TOAST', msg('Showed a message on an open page')],
  'live.redirect': ['LIVE_SESSION_REDIRECT', msg('Sent an open page to another path')],
  'live.logout': ['SESSION_REVOKE', msg('Signed an open page out')],
  'live.closed': ['LIVE_SESSION_CLOSE', msg('Closed the connection of an open page')],
  'item.renamed': ['ITEM_RENAME', msg('Gave an item another id')],
  'domain.added': ['DOMAIN_ADD', msg('Added a domain')],
  'domain.changed': ['DOMAIN_CHANGE', msg('Changed the state of a domain')],
  'domain.removed': ['DOMAIN_REMOVE', msg('Removed a domain')],
  'image.moved': ['STORAGE_MIGRATE', msg('Moved the bytes of an item to the other store')],
  'pack.created': ['FILE_PACK_UPLOAD', msg('Made a file pack')],
  'pack.deleted': ['FILE_PACK_DELETE', msg('Deleted a file pack')],
  'member.set': [
    'COLLECTION_MEMBER_SET',
    msg('Made an account a member of a collection, or gave it another role'),
  ],
  'member.removed': ['COLLECTION_MEMBER_REMOVE', msg('Ended a membership of a collection')],
  'collection.offered': ['COLLECTION_OFFER', msg('Offered a collection to another account')],
  'collection.taken': ['COLLECTION_TAKE', msg('Became the owner of a collection')],
  'branding.changed': ['SITE_SETTINGS_CHANGE', msg('Changed the appearance or a policy')],
  'installation.changed': ['SITE_SETTINGS_CHANGE', msg('Changed settings of the installation')],
  'jobs.retried': ['JOBS_RETRY', msg('Retried failed jobs')],
};

const isKnown = (event: string): event is AuditEvent => event in NAMES;

/** The name of an event for older clients; events without a name of their own in upper case, with underscores. */
export const legacyTypeOf = (event: string): string =>
  isKnown(event) ? NAMES[event][0] : event.replaceAll('.', '_').toUpperCase();

/** What happened, in words of the catalogues; null for an event that this version does not know. */
export const auditWords = (event: string): Message | null => (isKnown(event) ? NAMES[event][1] : null);

/** Every event with its words. */
export const auditChoices = (): readonly (readonly [event: AuditEvent, words: Message])[] =>
  AUDIT_EVENTS.map((event) => [event, NAMES[event][1]]);

/** A sentence about an entry, with its details. */
export function describe({ event, details }: AuditEntry): string {
  const words = auditWords(event);
  const text = words === null ? event : translating(ENGLISH, () => translateMessage(words));
  const more = Object.entries(details).map(([name, value]) => `${name}: ${value}`);
  return more.length === 0 ? text : `${text} (${more.join(', ')})`;
}
