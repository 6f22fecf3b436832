import { fullUser } from '../../../routers/core/accounts/record.js';
import { changedPassword } from '../../../routers/features/auth/password.js';
import { allowPicture } from '../../../routers/features/image/allowance.js';
import { alsoAs } from '../../receive/repeated.js';
import { content, message, type NoExtra, noContent, type Reply, said } from '../../reply/reply.js';
import { route } from '../../route.js';
import { fromBodyOrQuery, transferOf, uidOf } from '../../wire.js';
import { keyRoutes } from './keys.js';

const picture = (svg: string): Reply<never, NoExtra, never> => ({
  as: 'text',
  status: 200,
  text: svg,
  headers: {
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=86400',
    'cross-origin-resource-policy': 'cross-origin',
  },
});

const file = ({ file: name, type, text }: { file: string; type: string; text: string }) =>
  ({
    as: 'text',
    status: 200,
    text,
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
  }) as const;

/** Accounts and their settings. `@me` must come before `{username}`. */
export const accountRoutes = [
  ...alsoAs(
    route('POST', '/user/create', {
      procedure: 'user.create',
      summary: 'Create an active account; administrators only',
      errors: [400, 401, 403],
      responds: { status: 201 },
      read: (wire) =>
        fromBodyOrQuery(wire, (fields) => ({
          username: fields.required('username'),
          email: fields.required('email'),
          password: fields.required('password'),
          role: fields.filled('role'),
        })),
    }),
    ['POST', '/admin/user/create'],
  ),
  route('GET', '/user/get/@me', {
    procedure: 'user.me',
    summary: 'The signed-in account',
    errors: [401, 403],
  }),
  route('DELETE', '/user/get/@me', {
    procedure: 'user.delete',
    summary: 'Delete the account with everything in it',
    errors: [400, 401, 403, 429],
    read: ({ query, body }) => ({ password: query.over(body).required('password') }),
    says: 'The account was deleted',
  }),
  route('PUT', '/user/get/@me/password', {
    procedure: 'auth.changePassword',
    summary: 'Change the password; ends every other session, and with replaceKey the API key',
    errors: [400, 401, 403, 429],
    read: ({ body }) => ({
      currentPassword: body.required('currentPassword', 'password'),
      newPassword: body.required('newPassword'),
      replaceKey: body.boolean('replaceKey'),
    }),
    responds: { kind: 'said' },
    beside: changedPassword.shape,
    reply: (given) => said('The new password was set', { extra: given }),
  }),
  route('PUT', '/user/get/@me/email', {
    procedure: 'auth.changeAddress',
    summary: 'Mail a link to a new e-mail address; it replaces the old one once the link is used',
    errors: [400, 401, 403, 409, 429],
    read: ({ body }) => ({ email: body.required('email'), password: body.required('password') }),
    says: 'An e-mail is on its way to the new address',
  }),
  ...keyRoutes,
  route('GET', '/user/get/@me/settings/url', {
    procedure: 'user.urlSettings',
    summary: 'Which link of an item is used by default',
    errors: [401, 403],
  }),
  route('PATCH', '/user/get/@me/settings/url', {
    procedure: 'user.patchUrlSettings',
    summary: 'Change which link of an item is used by default; absent fields stay',
    errors: [400, 401, 403],
    read: ({ body }) => body.all(),
    reply: noContent,
  }),
  route('GET', '/user/get/@me/settings/language', {
    procedure: 'user.languageSettings',
    summary: 'The language chosen for pages and mails; null: as the browser asks',
    errors: [401, 403],
  }),
  route('PATCH', '/user/get/@me/settings/language', {
    procedure: 'user.patchLanguageSettings',
    summary:
      'Choose the language of pages and mails: en, cs, de, pl, ru, sk, uk, or null for that of the browser',
    errors: [400, 401, 403],
    read: ({ body }) => ({ language: body.text('language') }),
    reply: noContent,
  }),
  route('GET', '/user/get/@me/seal', {
    procedure: 'user.seal',
    summary: 'The key to which others seal for the caller, its secret part wrapped with a passphrase',
    errors: [401, 403, 404],
  }),
  route('PUT', '/user/get/@me/seal', {
    procedure: 'user.putSeal',
    summary: 'Keep a public key of age, and its secret key as an age file with a passphrase',
    errors: [400, 401, 403],
    read: ({ body }) => ({ recipient: body.text('recipient'), wrapped: body.required('wrapped') }),
  }),
  route('DELETE', '/user/get/@me/seal', {
    procedure: 'user.deleteSeal',
    summary: 'Forget the key of the caller; what was sealed to it needs the secret key for ever',
    errors: [401, 403, 404],
    says: 'The key was deleted',
  }),
  route('GET', '/user/get/@me/settings/webhook', {
    procedure: 'user.webhookSettings',
    summary: 'How uploads look in link previews, and where events are sent',
    errors: [401, 403],
  }),
  route('PATCH', '/user/get/@me/settings/webhook', {
    procedure: 'user.patchWebhookSettings',
    summary: 'Change embeds and the webhook; absent fields stay',
    errors: [400, 401, 403, 409],
    read: ({ body }) => ({
      enabled: body.boolean('enabled') ?? body.text('enabled'),
      title: body.text('title'),
      titleUrl: body.text('titleUrl'),
      description: body.text('description'),
      color: body.text('color'),
      authorName: body.text('authorName'),
      url: body.text('url'),
      format: body.text('format'),
      events: body.raw('events') === '' ? '' : body.list('events'),
      secret: body.text('secret'),
    }),
    reply: noContent,
  }),
  route('PATCH', '/user/me/socials', {
    procedure: 'user.patchSocials',
    summary: 'Change the social profiles of the account; absent fields stay',
    errors: [400, 401, 403],
    read: ({ body }) => body.all(),
    message: fullUser.shape.socials,
    reply: ({ uid, socials }) => message(socials, { uniqueId: String(uid) }),
  }),
  route('PUT', '/user/get/@me/avatar', {
    procedure: 'user.setAvatar',
    summary: 'Upload a profile picture',
    body: 'file',
    admit: allowPicture,
    errors: [400, 401, 403, 413],
    read: ({ file }) => ({ file: file }),
  }),
  route('DELETE', '/user/get/@me/avatar', {
    procedure: 'user.resetAvatar',
    summary: 'Go back to the generated profile picture',
    errors: [401, 403],
  }),
  route('GET', '/user/get/@me/uploaders', {
    procedure: 'user.uploaders',
    summary: 'Ready configurations of upload tools',
    errors: [400, 401, 403],
    read: ({ query }) => ({ all: query.boolean('all') }),
  }),
  route('GET', '/user/get/@me/uploaders/{file}', {
    procedure: 'user.uploader',
    summary: 'A ready configuration that contains the API key of the account',
    errors: [401, 403, 404],
    responds: { kind: 'text', types: ['application/json', 'text/x-shellscript', 'text/plain'] },
    read: ({ params }) => ({ file: params.file ?? '' }),
    reply: file,
  }),
  route('POST', '/user/get/@me/uploaders/{file}', {
    procedure: 'user.uploaderWithKey',
    summary: 'As the GET, with a new named key that may only create what the tool sends',
    errors: [400, 401, 403, 404],
    responds: { kind: 'text', types: ['application/json', 'text/x-shellscript', 'text/plain'] },
    read: ({ params }) => ({ file: params.file ?? '' }),
    reply: file,
  }),
  route('GET', '/user/get/{username}', {
    procedure: 'user.get',
    summary: 'An account by username, e-mail address or user ID',
    errors: [401, 403, 404],
    read: ({ params }) => ({ username: params.username ?? '' }),
  }),
  route('GET', '/user/avatar/{uid}', {
    procedure: 'user.avatar',
    summary: 'The profile picture of an account',
    errors: [304, 400, 404],
    responds: { kind: 'content' },
    read: (wire) => ({ uid: uidOf(wire), transfer: transferOf(wire) }),
    reply: (answer) => (answer.as === 'generated' ? picture(answer.svg) : content(answer)),
  }),
];
