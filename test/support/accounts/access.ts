/** Access control: the table that every route and every procedure is tested against. */

/** The callers. `holder` owns the item in question; `replaced` uses a key that was replaced. */
export const PERSONAS = [
  'anonymous',
  'replaced',
  'banned',
  'waiting',
  'guest',
  'other',
  'holder',
  'moderator',
  'admin',
] as const;
export type Persona = (typeof PERSONAS)[number];

/** The status of a refusal; `in` for everything else except our own failures. 404: hidden from the caller. */
export type Verdict = 'in' | 401 | 403 | 404;
type Policy = Readonly<Record<Persona, Verdict>>;

const all = (verdict: Verdict): Policy =>
  Object.fromEntries(PERSONAS.map((persona) => [persona, verdict])) as Policy;
const strangers = { anonymous: 401, replaced: 401, banned: 403, waiting: 403 } as const;

/** The access policies. */
export const POLICIES = {
  everyone: all('in'),
  /** Needs a cookie of its own, which no key replaces. */
  cookie: all(401),
  account: { ...all('in'), ...strangers },
  creator: { ...all('in'), ...strangers, guest: 403 },
  admin: { ...all(403), ...strangers, admin: 'in' },
  /** A private item: its holder and moderators. */
  reader: { ...all(403), holder: 'in', moderator: 'in', admin: 'in' },
  /** Changes or deletes an item: its holder and moderators. */
  control: { ...all(401), ...strangers, holder: 'in', moderator: 'in', admin: 'in' },
  /** What only the holder and administrators see of an item. */
  insight: { ...all(401), ...strangers, holder: 'in', admin: 'in' },
  /** Only the holder. */
  holder: { ...all(401), ...strangers, holder: 'in' },
  /** Like `holder`, for creating something. */
  makingHolder: { ...all(401), ...strangers, guest: 403, holder: 'in' },
  /** A mailbox: its holder and administrators; for others it does not exist. */
  mailbox: { ...all(404), ...strangers, holder: 'in', admin: 'in' },
} as const satisfies Record<string, Policy>;

/** The holder's item that a call is about; a mailbox holds one message with one attachment, `letter`. */
export type Item = 'image' | 'video' | 'paste' | 'url' | 'playlist' | 'mailbox';

/** The declaration of a procedure. */
export interface Declared {
  readonly policy: keyof typeof POLICIES;
  readonly item?: Item;
  /** Input besides the item's id; without it the call is malformed after the access check. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** A successful call destroys the item: each caller gets one of their own. */
  readonly ends?: boolean;
  /** The caller has a new key afterwards. */
  readonly replacesKey?: boolean;
}

const list = <P extends Declared>(declared: P, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, declared]));

/**
 * Every procedure. A new one fails until it is listed here; a route is tested as its procedure is declared.
 */
export const ACCESS: Readonly<Record<string, Declared>> = {
  ...list(
    { policy: 'everyone' },
    'site.status',
    'site.follow',
    'site.resolve',
    'image.stats',
    'paste.stats',
    'user.avatar',
  ),
  ...list({ policy: 'everyone' }, 'auth.register', 'auth.login', 'auth.verifyLink'),
  ...list(
    { policy: 'everyone' },
    'auth.requestReset',
    'auth.confirmReset',
    'auth.resetAddress',
    'library.deleteByLink',
  ),
  ...list({ policy: 'everyone' }, 'chatapp.start', 'chatapp.callback', 'chatapp.login', 'messenger.receive'),
  // The signature in the address decides.
  ...list({ policy: 'everyone' }, 'image.fillReserved'),
  ...list(
    { policy: 'cookie' },
    'auth.logout',
    'auth.waiting',
    'auth.verifyEmail',
    'auth.sendEmail',
    'auth.resendEmail',
  ),
  'auth.correctEmail': { policy: 'cookie', input: { email: 'right@example.com' } },
  'auth.loginCode': { policy: 'cookie', input: { code: '123456' } },
  'messenger.verify': { policy: 'cookie' },
  // A signature or a token of the provider replaces the cookie.
  'email.inbound': { policy: 'cookie', input: { fields: {}, parts: [], workerToken: 'made-up' } },

  ...list(
    { policy: 'account' },
    'auth.validate',
    'auth.sessions',
    'auth.revokeSession',
    'auth.changePassword',
  ),
  ...list({ policy: 'account' }, 'auth.secondFactor', 'auth.beginSecondFactor', 'auth.enableSecondFactor'),
  ...list({ policy: 'account' }, 'auth.renewRecoveryCodes', 'auth.disableSecondFactor'),
  ...list({ policy: 'account' }, 'user.me', 'user.get', 'user.delete', 'user.resetAvatar'),
  ...list({ policy: 'account' }, 'user.urlSettings', 'user.patchUrlSettings', 'user.patchSocials'),
  ...list({ policy: 'account' }, 'user.webhookSettings', 'user.patchWebhookSettings'),
  ...list({ policy: 'account' }, 'user.uploaders', 'user.uploader'),
  'user.replaceKey': { policy: 'account', replacesKey: true },
  ...list({ policy: 'account' }, 'user.keys', 'user.createKey', 'user.changeKey', 'user.deleteKey'),
  ...list({ policy: 'account' }, 'webhook.deliveries', 'webhook.test'),
  ...list({ policy: 'account' }, 'image.mediaSettings', 'image.changeMediaSettings'),
  ...list({ policy: 'account' }, 'chatapp.authorize', 'chatapp.mine', 'chatapp.unlink'),
  ...list(
    { policy: 'account' },
    'messenger.connect',
    'messenger.mine',
    'messenger.unlink',
    'messenger.unlinkByLink',
    'tools.image',
    'tools.video',
  ),
  ...list({ policy: 'account' }, 'stats.all', 'stats.get', 'stats.export', 'playlist.mine'),
  ...list({ policy: 'account' }, 'library.images', 'library.pastes', 'library.urls', 'library.deleteImages'),

  ...list({ policy: 'creator' }, 'image.upload', 'paste.create', 'url.create', 'user.setAvatar'),
  ...list({ policy: 'account' }, 'email.mine', 'email.deleteMessage'),
  ...list({ policy: 'creator' }, 'email.create', 'playlist.create', 'playlist.upload', 'playlist.putImages'),
  ...list({ policy: 'creator' }, 'library.setPrivate', 'image.reserve', 'image.register'),

  ...list({ policy: 'admin' }, 'user.create', 'admin.createInvites', 'admin.invites', 'admin.revokeInvite'),
  ...list(
    { policy: 'admin' },
    'admin.users',
    'admin.user',
    'admin.changeUser',
    'admin.deleteUser',
    'admin.endSecondFactor',
  ),
  ...list(
    { policy: 'admin' },
    'admin.userImages',
    'admin.userImagesPage',
    'admin.userPastes',
    'admin.userUrls',
  ),
  ...list({ policy: 'admin' }, 'admin.images', 'admin.pastes', 'admin.urls', 'admin.image'),
  ...list(
    { policy: 'admin' },
    'admin.metrics',
    'admin.migrateImage',
    'admin.auditLog',
    'admin.retryJobs',
    'chatapp.get',
    'chatapp.revoke',
    'email.all',
    'email.send',
  ),
  ...list({ policy: 'admin' }, 'live.list', 'live.toast', 'live.redirect', 'live.logout', 'live.close'),

  ...list({ policy: 'reader', item: 'image' }, 'image.get', 'image.unlock'),
  ...list({ policy: 'reader', item: 'video' }, 'image.video', 'image.poster'),
  'image.info': { policy: 'everyone', item: 'image' },
  'image.setPassword': { policy: 'insight', item: 'image', input: { password: '' } },
  'library.describe': { policy: 'holder', item: 'image', input: { description: 'x' } },
  'image.delete': { policy: 'control', item: 'image', ends: true },

  ...list({ policy: 'reader', item: 'paste' }, 'paste.get', 'paste.confirm'),
  'library.deletable': { policy: 'control', item: 'paste', input: { kind: 'paste' } },
  'paste.delete': { policy: 'control', item: 'paste', ends: true },

  ...list({ policy: 'everyone', item: 'url' }, 'url.get', 'url.visit'),
  ...list({ policy: 'insight', item: 'url' }, 'url.logs', 'stats.link'),
  'url.delete': { policy: 'control', item: 'url', ends: true },

  ...list({ policy: 'everyone', item: 'playlist' }, 'playlist.get', 'playlist.title', 'playlist.archive'),
  'playlist.takeImage': { policy: 'holder', item: 'playlist' },
  'playlist.change': { policy: 'makingHolder', item: 'playlist', input: { title: 'x' } },
  'playlist.order': { policy: 'makingHolder', item: 'playlist', input: { imagesUids: [] } },
  'playlist.delete': { policy: 'holder', item: 'playlist', ends: true },

  ...list({ policy: 'mailbox', item: 'mailbox' }, 'email.info', 'email.missing', 'email.clear'),
  'email.inbox': { policy: 'mailbox', item: 'mailbox' },
  'email.message': { policy: 'mailbox', item: 'mailbox', input: { messageId: 'letter' } },
  'email.attachment': { policy: 'mailbox', item: 'mailbox', input: { messageId: 'letter', index: 0 } },
  'email.setState': { policy: 'mailbox', item: 'mailbox', input: { state: 'CLOSED' } },
  'email.setExpiration': { policy: 'mailbox', item: 'mailbox', input: { expiresAt: 'never' } },
  'email.delete': { policy: 'mailbox', item: 'mailbox', ends: true },
};
