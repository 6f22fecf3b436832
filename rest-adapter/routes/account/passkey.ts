import { route } from '../../route.js';
import { pageIn, rowIdIn, type Wire } from '../../wire.js';
import { signedIn } from '../signed-in.js';

/** The credential, which clients send as the body or in a field of it. */
const credentialIn = ({ body }: Wire) => body.raw('credential') ?? body.all();

/** Passkeys. */
export const passkeyRoutes = [
  route('POST', '/auth/passkey/register/options', {
    procedure: 'passkey.registerOptions',
    summary: 'Options for a new passkey; needs the password or a session of the last ten minutes',
    errors: [400, 401, 403, 429],
    read: ({ body }) => ({ password: body.text('password') }),
  }),
  route('POST', '/auth/passkey/register/verify', {
    procedure: 'passkey.register',
    summary: 'Store the passkey that answers the options',
    errors: [400, 401, 403],
    read: (wire) => ({ credential: credentialIn(wire), name: wire.body.text('name') }),
  }),
  route('POST', '/auth/passkey/login/options', {
    procedure: 'passkey.loginOptions',
    summary: 'Options for signing in with a passkey, also as the second step',
    errors: [400, 403],
  }),
  route('POST', '/auth/passkey/login/verify', {
    procedure: 'passkey.login',
    signsIn: true,
    summary: 'Sign in with the passkey that answers the options; sets the cookie session_token',
    errors: [400, 403, 429],
    credentials: [],
    read: (wire) => ({ credential: credentialIn(wire) }),
    reply: signedIn,
  }),
  route('GET', '/user/get/@me/passkeys', {
    procedure: 'passkey.list',
    summary: 'The passkeys of the account',
    errors: [400, 401, 403],
    read: pageIn,
  }),
  route('PATCH', '/user/get/@me/passkeys/{id}', {
    procedure: 'passkey.rename',
    summary: 'Rename a passkey',
    errors: [400, 401, 403, 404],
    read: ({ params, body }) => ({ id: rowIdIn(params.id), name: body.required('name') }),
  }),
  route('DELETE', '/user/get/@me/passkeys/{id}', {
    procedure: 'passkey.remove',
    summary: 'Remove a passkey',
    errors: [400, 401, 403, 404],
    read: ({ params }) => ({ id: rowIdIn(params.id) }),
    says: 'The passkey was removed',
  }),
];
