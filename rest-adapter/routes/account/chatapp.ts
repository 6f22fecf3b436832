import { alsoUnder } from '../../receive/repeated.js';
import { redirect } from '../../reply/reply.js';
import { route } from '../../route.js';
import type { Wire } from '../../wire.js';
import { signedIn } from '../signed-in.js';

const proof = ({ body }: Wire) => ({
  accessToken: body.text('accessToken'),
  refreshToken: body.text('refreshToken'),
  expiresAt: body.number('expiresAt'),
  code: body.text('code'),
  state: body.text('state'),
});

const PATHS = [
  route('GET', '/chatapp/start', {
    procedure: 'chatapp.start',
    summary: 'Redirect to the chat application to sign in or to link an account',
    startsLink: true,
    responds: { kind: 'redirect', status: 302 },
    errors: [400, 401, 404, 409, 429],
    read: ({ query }) => ({ intent: query.word('intent') as 'login' | 'link' | undefined }),
    reply: ({ location }) => redirect(location, 302),
  }),
  route('GET', '/chatapp/callback', {
    procedure: 'chatapp.callback',
    summary: 'Where the chat application sends a browser back to',
    responds: { kind: 'redirect', status: 302 },
    errors: [400, 401, 403, 404, 409, 502],
    // Linking needs the session that started it, signing in does not.
    credentials: [],
    read: ({ query }) => ({
      code: query.text('code'),
      state: query.text('state'),
      error: query.text('error'),
    }),
    reply: ({ location }) => redirect(location, 302),
  }),
  route('POST', '/chatapp/authorize', {
    procedure: 'chatapp.authorize',
    summary: 'Link a chat account, by its tokens or by code and state',
    errors: [400, 401, 404, 409, 502],
    read: proof,
  }),
  route('POST', '/chatapp/login', {
    procedure: 'chatapp.login',
    signsIn: true,
    summary: 'Sign in as the account a chat account is linked to; sets the cookie session_token',
    errors: [400, 401, 403, 404, 409, 502],
    credentials: [],
    read: proof,
    reply: signedIn,
  }),
  route('GET', '/chatapp/get/@me', {
    procedure: 'chatapp.mine',
    summary: 'The linked chat account',
    errors: [401, 404],
  }),
  route('DELETE', '/chatapp/get/@me', {
    procedure: 'chatapp.unlink',
    summary: 'Unlink the chat account and revoke its tokens',
    errors: [401, 404],
    says: 'Unlinked',
  }),
  route('GET', '/chatapp/get/{chatappId}', {
    procedure: 'chatapp.get',
    summary: 'The account that a chat account is linked to',
    errors: [401, 403, 404],
    read: ({ params }) => ({ chatappId: params.chatappId ?? '' }),
  }),
  route('DELETE', '/chatapp/token/{token}', {
    procedure: 'chatapp.revoke',
    summary: 'Revoke a token at the chat application',
    errors: [401, 403, 404, 502],
    read: ({ params }) => ({ token: params.token ?? '' }),
    says: 'Revoked',
  }),
];

/** Linking and login with a chat application; clients know it under two names. */
export const chatappRoutes = alsoUnder(PATHS, '/chatapp', '/discord');
