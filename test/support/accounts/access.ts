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

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

/** Members of a collection, by their roles: each is tried with what is about a collection. */
export const MEMBERS = ['viewer', 'adder', 'editor'] as const;
export type MemberPersona = (typeof MEMBERS)[number];

/** The headers by which a client shows a key. Each call is tried with all of them, in turn, and with a session. */
export const CARRIERS: Readonly<Record<string, (key: string) => Readonly<Record<string, string>>>> = {
  'X-API-Key': (key) => ({ 'x-api-key': key }),
  Bearer: (key) => ({ authorization: `Bearer ${key}` }),
  'Basic, as password': (key) => ({ authorization: basic(`anybody:${key}`) }),
  'Basic, as user name': (key) => ({ authorization: basic(`${key}:`) }),
};

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
  /** Ends the session that it is called with, whoever may do nothing else. */
  leaving: { ...all('in'), anonymous: 401, replaced: 401 },
  /** An account that proves to be there, which a key alone does not. */
  proof: { ...all(403), anonymous: 401, replaced: 401 },
  creator: { ...all('in'), ...strangers, guest: 403 },
  admin: { ...all(403), ...strangers, admin: 'in' },
  moderator: { ...all(403), ...strangers, moderator: 'in', admin: 'in' },
  /** A private item: its holder and moderators. */
  reader: { ...all(403), holder: 'in', moderator: 'in', admin: 'in' },
  /** Changes or deletes an item: its holder and moderators. */
  control: { ...all(401), ...strangers, holder: 'in', moderator: 'in', admin: 'in' },
  /** What only the holder and administrators see of an item. */
  insight: { ...all(401), ...strangers, holder: 'in', admin: 'in' },
  /** Only the holder. */
  holder: { ...all(401), ...strangers, holder: 'in' },
  /** A file pack: its holder and moderators; others learn in words that they may not. */
  packControl: { ...all(403), ...strangers, holder: 'in', moderator: 'in', admin: 'in' },
  /** Only the holder; for others it does not exist. */
  hiddenHolder: { ...all(404), ...strangers, holder: 'in' },
  /** Like `holder`, for creating something. */
  makingHolder: { ...all(401), ...strangers, guest: 403, holder: 'in' },
  /** Like `reader`, for creating something of one's own. */
  makingReader: { ...all(403), ...strangers, holder: 'in', moderator: 'in', admin: 'in' },
  /** What only the holder of a mailbox does; a guest account creates nothing. */
  mailboxHolder: { ...all(404), ...strangers, holder: 'in' },
  makingMailboxHolder: { ...all(404), ...strangers, guest: 403, holder: 'in' },
  /** A mailbox: its holder and administrators; for others it does not exist. */
  mailbox: { ...all(404), ...strangers, holder: 'in', admin: 'in' },
} as const satisfies Record<string, Policy>;

/** The holder's item that a call is about; a mailbox holds one message with one attachment, `letter`. */
export type Item =
  | 'image'
  | 'video'
  | 'paste'
  | 'url'
  | 'playlist'
  | 'mailbox'
  | 'collection'
  | 'hidden'
  | 'pack'
  | 'request';

/** The declaration of a procedure. */
export interface Declared {
  readonly policy: keyof typeof POLICIES;
  readonly item?: Item;
  /** The lowest role of a member that may; without one, it is refused to members with 403. */
  readonly member?: MemberPersona;
  /** Input besides the item's id; without it the call is malformed after the access check. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** A successful call destroys the item: each caller gets one of their own. */
  readonly ends?: boolean;
  /** What a session may do, if it differs from what a key may. */
  readonly bySession?: keyof typeof POLICIES;
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
    'site.check',
    'site.alive',
    'site.ready',
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
    'auth.newAddress',
    'auth.confirmAddress',
    'library.deleteByLink',
    'library.endByLink',
    'auth.uploadKey',
  ),
  ...list({ policy: 'everyone' }, 'chatapp.start', 'chatapp.callback', 'chatapp.login', 'messenger.receive'),
  // The signature or the secret in the address decides.
  ...list(
    { policy: 'everyone' },
    'image.fillReserved',
    'upload.append',
    'upload.get',
    'upload.end',
    'upload.fetching',
  ),
  'auth.logout': { policy: 'cookie', bySession: 'leaving' },
  ...list({ policy: 'cookie' }, 'auth.waiting', 'auth.verifyEmail', 'auth.sendEmail', 'auth.resendEmail'),
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
    'auth.changeAddress',
  ),
  ...list(
    { policy: 'account' },
    'auth.isProven',
    'auth.secondFactor',
    'auth.beginSecondFactor',
    'auth.enableSecondFactor',
  ),
  ...list({ policy: 'account' }, 'auth.renewRecoveryCodes', 'auth.disableSecondFactor'),
  ...list({ policy: 'account' }, 'user.me', 'user.get', 'user.delete', 'user.resetAvatar'),
  ...list({ policy: 'account' }, 'user.urlSettings', 'user.patchUrlSettings', 'user.patchSocials'),
  ...list({ policy: 'account' }, 'user.languageSettings', 'user.patchLanguageSettings'),
  ...list({ policy: 'account' }, 'user.seal', 'user.keptSeal', 'user.deleteSeal'),
  'user.putSeal': { policy: 'creator' },
  ...list({ policy: 'account' }, 'user.webhookSettings', 'user.patchWebhookSettings'),
  ...list({ policy: 'account' }, 'user.uploaders', 'user.uploader'),
  'user.replaceKey': { policy: 'account', replacesKey: true },
  ...list({ policy: 'everyone' }, 'oidc.providers', 'oidc.start', 'oidc.callback', 'oidc.logout'),
  ...list({ policy: 'everyone' }, 'passkey.loginOptions', 'passkey.login', 'auth.signInByLink'),
  ...list({ policy: 'account' }, 'oidc.identities', 'oidc.unlink', 'auth.confirm', 'auth.revokeSessions'),
  ...list({ policy: 'account' }, 'passkey.list', 'passkey.rename', 'passkey.remove', 'passkey.register'),
  'passkey.registerOptions': { policy: 'proof', bySession: 'account' },
  'auth.endEverything': { policy: 'proof', bySession: 'account', replacesKey: true },
  'user.switchKeyOff': { policy: 'account', replacesKey: true },
  ...list({ policy: 'account' }, 'user.mainKey', 'user.uploaderWithKey'),
  ...list({ policy: 'account' }, 'user.keys', 'user.createKey', 'user.changeKey', 'user.deleteKey'),
  'user.deleteThisKey': { policy: 'account' },
  ...list({ policy: 'account' }, 'webhook.deliveries', 'webhook.test'),
  ...list({ policy: 'account' }, 'image.mediaSettings', 'image.changeMediaSettings', 'image.known'),
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
  ...list(
    { policy: 'account' },
    'stats.all',
    'stats.get',
    'stats.export',
    'stats.opened',
    'stats.links',
    'playlist.mine',
  ),
  ...list({ policy: 'insight', item: 'image' }, 'stats.image', 'stats.exportImage'),
  ...list({ policy: 'insight', item: 'paste' }, 'stats.paste', 'stats.exportPaste'),
  ...list({ policy: 'account' }, 'library.items', 'library.tags', 'library.renameTag', 'library.removeTag'),
  ...list(
    { policy: 'account' },
    'trash.list',
    'trash.restore',
    'trash.remove',
    'trash.empty',
    'library.images',
    'library.months',
    'library.pastes',
    'library.urls',
    'library.deleteImages',
    'library.discardMany',
    'trash.contents',
    'library.origins',
    'stats.exportOpened',
  ),

  ...list({ policy: 'creator' }, 'image.upload', 'paste.create', 'url.create', 'user.setAvatar'),
  // A solved challenge decides.
  ...list({ policy: 'everyone' }, 'email.publicChallenge', 'email.createPublic', 'order.challenge'),
  ...list({ policy: 'account' }, 'email.mine', 'email.unread', 'email.deleteMessage'),
  ...list({ policy: 'creator' }, 'email.create', 'playlist.create', 'playlist.upload', 'playlist.putImages'),
  'upload.fromUrl': { policy: 'creator', input: { url: 'http://127.0.0.1:9/x' } },
  'upload.several': { policy: 'creator', input: { urls: ['http://127.0.0.1:9/x'] } },
  'upload.source': { policy: 'creator', input: { text: 'bm8=' } },
  'image.summary': { policy: 'account' },
  'upload.startFetching': { policy: 'creator', input: { url: 'http://127.0.0.1:9/x' } },
  'upload.begin': { policy: 'creator', input: { length: 10 } },
  ...list(
    { policy: 'creator' },
    'library.setPrivate',
    'library.changeMany',
    'image.reserve',
    'image.register',
  ),
  // Without a file it is refused before its owner matters.
  'image.replace': { policy: 'creator' },
  'image.change': { policy: 'makingHolder', item: 'image', input: { desc: 'x' } },
  'paste.change': { policy: 'makingHolder', item: 'paste', input: { title: 'x' } },
  'url.check': { policy: 'makingHolder', item: 'url' },
  'url.change': { policy: 'makingHolder', item: 'url', input: { note: 'x' } },

  ...list({ policy: 'admin' }, 'user.create', 'admin.createInvites', 'admin.invites', 'admin.revokeInvite'),
  ...list(
    { policy: 'admin' },
    'admin.users',
    'admin.user',
    'admin.changeUser',
    'admin.deleteUser',
    'admin.endSecondFactor',
    'admin.activateUser',
    'admin.decideApproval',
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
  'order.report': { policy: 'everyone' },
  'branding.get': { policy: 'everyone' },
  ...list({ policy: 'admin' }, 'branding.settings', 'branding.change'),
  ...list(
    { policy: 'admin' },
    'settings.list',
    'settings.change',
    'settings.testMail',
    'settings.testProvider',
  ),
  ...list({ policy: 'moderator' }, 'order.reports', 'order.resolve'),
  ...list({ policy: 'admin' }, 'order.blocks', 'order.block', 'order.unblock'),
  ...list({ policy: 'account' }, 'order.mine', 'limits.filePack', 'limits.mine', 'limits.preflight'),
  ...list(
    { policy: 'admin' },
    'limits.site',
    'limits.setSite',
    'limits.setRoleEntry',
    'limits.roles',
    'limits.setRole',
    'limits.ofUser',
    'limits.setUser',
  ),
  ...list({ policy: 'admin' }, 'limits.clearUser', 'limits.pause', 'limits.resume'),
  ...list({ policy: 'admin' }, 'live.list', 'live.toast', 'live.redirect', 'live.logout', 'live.close'),

  ...list(
    { policy: 'reader', item: 'image' },
    'image.get',
    'image.unlock',
    'image.text',
    'image.document',
    'image.entries',
  ),
  ...list({ policy: 'reader', item: 'video' }, 'image.video', 'image.poster'),
  'image.info': { policy: 'everyone', item: 'image' },
  'image.setPassword': { policy: 'insight', item: 'image', input: { password: '' } },
  'library.neighbours': { policy: 'holder', item: 'image' },
  'library.describe': { policy: 'holder', item: 'image', input: { description: 'x' } },
  'image.delete': { policy: 'control', item: 'image', ends: true },

  ...list({ policy: 'reader', item: 'paste' }, 'paste.get', 'paste.confirm', 'paste.zip'),
  'library.deletable': { policy: 'control', item: 'paste', input: { kind: 'paste' } },
  ...list({ policy: 'control', item: 'paste' }, 'paste.revisions', 'paste.diff'),
  'paste.revision': { policy: 'control', item: 'paste', input: { revision: 1 } },
  'paste.restore': { policy: 'makingHolder', item: 'paste', input: { revision: 1 } },
  'paste.described': { policy: 'holder', item: 'paste' },
  'paste.fork': { policy: 'makingReader', item: 'paste' },
  'paste.delete': { policy: 'control', item: 'paste', ends: true },

  ...list({ policy: 'everyone', item: 'url' }, 'url.get', 'url.visit'),
  'url.qr': { policy: 'everyone', item: 'url', input: { type: 'svg' } },
  ...list({ policy: 'insight', item: 'url' }, 'url.logs', 'stats.link'),
  ...list({ policy: 'account' }, 'url.export', 'url.list', 'url.totals', 'url.tags', 'url.visits'),
  'url.bots': { policy: 'account', input: { fullIds: [] } },
  'url.forgetVisits': { policy: 'holder', item: 'url' },
  'url.own': { policy: 'hiddenHolder', item: 'url' },
  'url.import': { policy: 'creator' },
  ...list({ policy: 'account' }, 'url.presets', 'url.preset', 'url.putPreset', 'url.deletePreset'),
  ...list({ policy: 'account' }, 'url.digest', 'url.setDigest', 'stats.exportLinks'),
  ...list({ policy: 'account' }, 'domain.list', 'domain.remove'),
  ...list({ policy: 'creator' }, 'domain.add', 'domain.check', 'domain.change'),
  ...list({ policy: 'everyone' }, 'domain.ask', 'domain.proof'),
  ...list({ policy: 'admin' }, 'domain.all', 'domain.decide'),
  'url.exportVisits': { policy: 'insight', item: 'url' },
  'url.delete': { policy: 'control', item: 'url', ends: true },

  ...list({ policy: 'everyone', item: 'playlist' }, 'playlist.get', 'playlist.archive'),
  'playlist.takeImage': { policy: 'holder', item: 'playlist' },
  'playlist.change': { policy: 'makingHolder', item: 'playlist', input: { title: 'x' } },
  'playlist.order': { policy: 'makingHolder', item: 'playlist', input: { imagesUids: [] } },
  'playlist.delete': { policy: 'holder', item: 'playlist', ends: true },

  ...list({ policy: 'account' }, 'collection.mine', 'pack.mine'),
  ...list({ policy: 'creator' }, 'collection.create', 'pack.presign', 'pack.register'),
  ...list({ policy: 'account' }, 'collection.sharedWithMe'),
  ...list({ policy: 'creator' }, 'collection.accept'),
  ...list({ policy: 'holder', item: 'collection', member: 'viewer' }, 'collection.get', 'collection.members'),
  'collection.links': { policy: 'holder', item: 'collection' },
  'collection.setMember': {
    policy: 'makingHolder',
    item: 'collection',
    input: { username: 'nobody', role: 'viewer' },
  },
  'collection.removeMember': { policy: 'holder', item: 'collection', input: { username: 'nobody' } },
  'collection.offer': { policy: 'makingHolder', item: 'collection', input: { username: 'nobody' } },
  'collection.endOffer': { policy: 'holder', item: 'collection' },
  'collection.change': {
    policy: 'makingHolder',
    item: 'collection',
    member: 'editor',
    input: { title: 'x' },
  },
  'collection.createLink': { policy: 'makingHolder', item: 'collection' },
  'collection.changeLink': { policy: 'makingHolder', item: 'collection', input: { linkId: 1 } },
  'collection.deleteLink': { policy: 'holder', item: 'collection', input: { linkId: 1 } },
  'collection.putItems': {
    policy: 'makingHolder',
    item: 'collection',
    member: 'editor',
    input: { items: [] },
  },
  'collection.addItems': {
    policy: 'makingHolder',
    item: 'collection',
    member: 'adder',
    input: { items: [] },
  },
  'collection.takeItem': {
    policy: 'holder',
    item: 'collection',
    member: 'editor',
    input: { fileId: 'NOTHING1' },
  },
  'collection.delete': { policy: 'holder', item: 'collection', ends: true },
  ...list(
    { policy: 'reader', item: 'hidden', member: 'viewer' },
    'collection.open',
    'collection.openZip',
    'collection.title',
    'collection.openRandom',
  ),
  'collection.openFile': {
    policy: 'reader',
    item: 'hidden',
    member: 'viewer',
    input: { fileId: 'NOTHING1' },
  },
  ...list({ policy: 'holder', item: 'image' }, 'image.links'),
  ...list({ policy: 'holder', item: 'paste' }, 'paste.links'),
  ...list({ policy: 'makingHolder', item: 'image', input: { to: 'a@example.net' } }, 'image.sendLinks'),
  ...list({ policy: 'makingHolder', item: 'paste', input: { to: 'a@example.net' } }, 'paste.sendLinks'),
  'collection.sendLinks': { policy: 'makingHolder', item: 'collection', input: { to: 'a@example.net' } },
  ...list({ policy: 'makingHolder', item: 'image' }, 'image.createLink'),
  ...list({ policy: 'makingHolder', item: 'paste' }, 'paste.createLink'),
  'image.changeLink': { policy: 'makingHolder', item: 'image', input: { linkId: 1 } },
  'paste.changeLink': { policy: 'makingHolder', item: 'paste', input: { linkId: 1 } },
  'image.deleteLink': { policy: 'holder', item: 'image', input: { linkId: 1 } },
  'paste.deleteLink': { policy: 'holder', item: 'paste', input: { linkId: 1 } },
  // The secret decides, and nobody has one here.
  ...list({ policy: 'everyone' }, 'image.shared', 'image.sharedRecord', 'paste.shared'),
  ...list({ policy: 'everyone' }, 'collection.shared', 'collection.sharedFile', 'collection.sharedZip'),
  'collection.sharedRandom': { policy: 'everyone' },
  // The signature in the link of a mail decides.
  ...list({ policy: 'everyone' }, 'telling.about', 'telling.stop'),
  ...list({ policy: 'everyone' }, 'pack.fill', 'pack.file'),
  'pack.all': { policy: 'admin' },
  ...list({ policy: 'account' }, 'request.mine'),
  ...list({ policy: 'creator' }, 'request.create'),
  ...list({ policy: 'holder', item: 'request' }, 'request.get', 'request.received'),
  'request.change': { policy: 'makingHolder', item: 'request' },
  'request.delete': { policy: 'holder', item: 'request', ends: true },
  'request.approve': {
    policy: 'makingHolder',
    item: 'request',
    input: { fileId: 'NOTHING1', approved: true },
  },
  ...list({ policy: 'everyone', item: 'request' }, 'request.open', 'request.unlock', 'request.receive'),
  ...list({ policy: 'everyone', item: 'request' }, 'request.wall', 'request.wallPicture', 'request.takeBack'),
  ...list({ policy: 'everyone', item: 'pack' }, 'pack.info', 'pack.open', 'pack.zip'),
  'pack.get': { policy: 'holder', item: 'pack' },
  'pack.delete': { policy: 'packControl', item: 'pack', ends: true },
  'pack.deleteFile': { policy: 'packControl', item: 'pack', input: { filename: 'nothing' } },

  ...list({ policy: 'mailbox', item: 'mailbox' }, 'email.info', 'email.missing', 'email.clear'),
  'email.inbox': { policy: 'mailbox', item: 'mailbox' },
  'email.message': { policy: 'mailbox', item: 'mailbox', input: { messageId: 'letter' } },
  'email.raw': { policy: 'mailbox', item: 'mailbox', input: { messageId: 'letter' } },
  'email.attachment': { policy: 'mailbox', item: 'mailbox', input: { messageId: 'letter', index: 0 } },
  'email.setState': { policy: 'mailbox', item: 'mailbox', input: { state: 'CLOSED' } },
  'email.setExpiration': { policy: 'mailbox', item: 'mailbox', input: { expiresAt: 'never' } },
  'email.markRead': { policy: 'mailbox', item: 'mailbox', input: { messageId: 'letter' } },
  'email.reply': {
    policy: 'makingMailboxHolder',
    item: 'mailbox',
    input: { messageId: 'letter', text: 'x' },
  },
  'email.sent': { policy: 'account' },
  'email.forward': { policy: 'mailboxHolder', item: 'mailbox' },
  'email.rules': { policy: 'mailboxHolder', item: 'mailbox' },
  'email.wait': { policy: 'mailbox', item: 'mailbox', input: { timeout: 0 } },
  'email.makeCredentials': { policy: 'makingMailboxHolder', item: 'mailbox' },
  'email.endCredentials': { policy: 'mailboxHolder', item: 'mailbox' },
  'email.setRules': { policy: 'mailboxHolder', item: 'mailbox', input: { rules: [] } },
  'email.setForward': { policy: 'makingMailboxHolder', item: 'mailbox', input: { to: null } },
  // Who reads the mail of the target has the code.
  ...list({ policy: 'everyone' }, 'email.forwardRequest', 'email.agreeToForward'),
  'email.delete': { policy: 'mailbox', item: 'mailbox', ends: true },
  ...list({ policy: 'account' }, 'inboxes.count', 'inboxes.find'),
  ...list({ policy: 'account', input: { ids: [0] } }, 'inboxes.mark', 'inboxes.remove'),
  'inboxes.locate': { policy: 'mailboxHolder', item: 'mailbox', input: { id: null } },
  'inboxes.part': { policy: 'mailbox', item: 'mailbox', input: { messageId: 'letter', index: 0 } },
};
