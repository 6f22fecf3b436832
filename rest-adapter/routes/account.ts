import { message } from '../reply.js';
import { row } from '../route.js';

/** Registration, login and accounts. */
export const accountRows = [
  row('POST', '/auth/register', {
    procedure: 'auth.register',
    summary: 'Make an account with an invite code',
    errors: [400, 403, 429],
    read: ({ body }) => ({
      username: body.text('username') as string,
      email: body.text('email') as string,
      password: body.text('password') as string,
      inviteCode: body.text('inviteCode'),
    }),
    reply: () => message(undefined),
  }),
  row('POST', '/auth/login', {
    procedure: 'auth.login',
    summary: 'Sign in; sets the cookie session_token',
    errors: [403, 429],
    read: ({ body }) => ({ email: body.text('email') as string, password: body.text('password') as string }),
    reply: (user) => message(user),
  }),
  row('POST', '/auth/logout', {
    procedure: 'auth.logout',
    summary: 'End the session',
    errors: [401],
    read: () => undefined,
    reply: () => message('Signed out'),
  }),
  row('GET', '/auth/me', {
    procedure: 'user.me',
    summary: 'The signed-in account',
    errors: [401],
    read: () => undefined,
    reply: (user) => message(user),
  }),
  row('GET', '/user/get/@me', {
    procedure: 'user.me',
    summary: 'The signed-in account',
    errors: [401],
    read: () => undefined,
    reply: (user) => message(user),
  }),
  row('GET', '/auth/validate', {
    procedure: 'auth.validate',
    summary: 'Whose key or session this is',
    errors: [401],
    read: () => undefined,
    reply: (user) => message(user),
  }),
  row('GET', '/user/avatar/{uid}', {
    procedure: 'user.avatar',
    summary: 'The generated picture of an account',
    errors: [404],
    read: ({ params }) => ({ uid: Number(params.uid) }),
    reply: ({ svg }) => ({
      as: 'text',
      status: 200,
      text: svg,
      headers: {
        'content-type': 'image/svg+xml',
        'cache-control': 'public, max-age=86400',
        'cross-origin-resource-policy': 'cross-origin',
      },
    }),
  }),
];
