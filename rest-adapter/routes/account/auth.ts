import { z } from 'zod';
import { done, said } from '../../reply/reply.js';
import { route } from '../../route.js';
import type { Wire } from '../../wire.js';
import { signedIn } from '../signed-in.js';

/** The six digits. A client that sends them as a number has lost the leading zeros. */
const digits = (code: unknown): string =>
  (typeof code === 'number' ? String(code).padStart(6, '0') : code) as string;

/** The password and a code of the second factor, from the body. */
const proof = ({ body }: Wire) => ({
  password: body.required('password'),
  code: digits(body.raw('code')),
});

/** Registration, verification, login and sessions. */
export const authRoutes = [
  route('POST', '/auth/register', {
    procedure: 'auth.register',
    signsIn: true,
    summary:
      'Create an account with an invite code; sets the cookie verify_token, for the first owner session_token',
    errors: [400, 403, 409, 429],
    responds: { kind: 'done' },
    read: ({ body }) => ({
      username: body.required('username'),
      email: body.required('email'),
      password: body.required('password'),
      inviteCode: body.text('inviteCode'),
    }),
    reply: () => done({}),
  }),
  route('POST', '/auth/login', {
    procedure: 'auth.login',
    signsIn: true,
    summary: 'Sign in; sets the cookie session_token',
    errors: [400, 403, 429],
    read: ({ body }) => ({
      email: body.required('email'),
      password: body.required('password'),
      code: body.raw('code') === null ? null : digits(body.raw('code')),
    }),
    reply: signedIn,
  }),
  route('POST', '/auth/login/code', {
    procedure: 'auth.loginCode',
    summary: 'Complete a login that needs a two-step sign-in code; sets the cookie session_token',
    errors: [400, 401, 403, 429],
    credentials: [],
    read: ({ body }) => ({ code: digits(body.raw('code')) }),
    reply: signedIn,
  }),
  route('POST', '/auth/logout', {
    procedure: 'auth.logout',
    summary: 'End the session of the cookie; logoutUrl signs out at its provider, too',
    errors: [401],
    responds: { kind: 'said' },
    beside: { logoutUrl: z.url().optional() },
    reply: ({ logoutUrl }) => said('Signed out', { extra: logoutUrl === null ? {} : { logoutUrl } }),
  }),
  route('GET', '/auth/me', {
    procedure: 'user.me',
    summary: 'The signed-in account',
    errors: [401, 403],
  }),
  route('POST', '/auth/me/confirm', {
    procedure: 'auth.confirm',
    summary: 'Confirm the session with the password, for changes of the ways to sign in',
    errors: [400, 401, 403, 429],
    read: ({ body }) => ({ password: body.required('password') }),
    says: 'Confirmed',
  }),
  route('GET', '/auth/me/sessions', {
    procedure: 'auth.sessions',
    summary: 'The sessions of the account',
    errors: [401, 403],
  }),
  route('DELETE', '/auth/me/sessions', {
    procedure: 'auth.revokeSessions',
    summary: 'End every session but the one that asks',
    errors: [401, 403],
  }),
  route('DELETE', '/auth/me/sessions/{id}', {
    procedure: 'auth.revokeSession',
    summary: 'End a session',
    errors: [401, 403, 404],
    read: ({ params }) => ({ id: params.id ?? '' }),
    says: 'Session ended',
  }),
  route('DELETE', '/auth/me/access', {
    procedure: 'auth.endEverything',
    summary: 'End all access to the account but the session that asks; keys are replaced or deleted',
    errors: [400, 401, 403, 429],
    read: ({ query, body }) => ({ password: query.over(body).text('password') }),
  }),
  route('GET', '/auth/me/totp', {
    procedure: 'auth.secondFactor',
    summary: 'Whether two-step sign-in is on, and how many recovery codes are left',
    errors: [401, 403],
  }),
  route('POST', '/auth/me/totp', {
    procedure: 'auth.beginSecondFactor',
    summary: 'Create a secret for an authenticator app; it takes effect once a code from it is confirmed',
    errors: [400, 401, 403, 429],
    read: ({ body }) => ({ password: body.required('password') }),
  }),
  route('POST', '/auth/me/totp/confirm', {
    procedure: 'auth.enableSecondFactor',
    summary: 'Turn on two-step sign-in; returns the recovery codes',
    errors: [400, 401, 403, 429],
    read: ({ body }) => ({ code: digits(body.raw('code')) }),
  }),
  route('POST', '/auth/me/totp/recovery', {
    procedure: 'auth.renewRecoveryCodes',
    summary: 'Replace the recovery codes',
    errors: [400, 401, 403, 404, 429],
    read: proof,
  }),
  route('DELETE', '/auth/me/totp', {
    procedure: 'auth.disableSecondFactor',
    summary: 'Turn off two-step sign-in',
    errors: [400, 401, 403, 404, 429],
    read: proof,
    says: 'Two-step sign-in is off',
  }),
  route('GET', '/auth/validate', {
    procedure: 'auth.validate',
    summary: 'The account that the key or session belongs to',
    errors: [401, 403],
  }),
  route('POST', '/auth/verify/email', {
    procedure: 'auth.verifyEmail',
    summary: 'Activate the account of the cookie verify_token with the 6-digit code from its e-mail',
    errors: [400, 401, 409, 429],
    credentials: ['verifyToken'],
    read: ({ query, body }) => ({ code: digits(query.over(body).raw('code')) }),
    says: 'Your account is active',
  }),
  route('POST', '/auth/verify/validate', {
    procedure: 'auth.waiting',
    summary: 'Whether the account of the cookie verify_token still waits for its verification',
    errors: [401],
    credentials: ['verifyToken'],
  }),
  route('POST', '/auth/verify/sendemail', {
    procedure: 'auth.sendEmail',
    summary: 'Send a new code by e-mail, at most every two minutes',
    errors: [401, 409, 429],
    credentials: ['verifyToken'],
    says: 'The e-mail is on its way',
  }),
  route('POST', '/auth/verify/resendemail', {
    procedure: 'auth.resendEmail',
    summary: 'Send a new code by e-mail, to the address in the cookie new_email if it is set',
    errors: [400, 401, 409, 429],
    credentials: ['verifyToken'],
    says: 'The e-mail is on its way',
  }),
  route('POST', '/auth/email/confirm', {
    procedure: 'auth.confirmAddress',
    summary: 'Give an account the new e-mail address that the code of this link was mailed to',
    errors: [400, 403, 429],
    read: ({ body }) => ({ code: body.required('code') }),
  }),
  route('POST', '/auth/reset/request', {
    procedure: 'auth.requestReset',
    summary: 'Send a link for setting a new password by e-mail; the response is the same for every address',
    errors: [400, 409, 429],
    read: ({ body }) => ({ email: body.required('email') }),
    says: 'If there is an account with this address, an e-mail is on its way',
  }),
  route('POST', '/auth/reset/confirm', {
    procedure: 'auth.confirmReset',
    summary: 'Set a new password with the code from the link; ends every session, key, link and webhook',
    errors: [400, 403, 429],
    read: ({ body }) => ({ code: body.required('code'), password: body.required('password') }),
    says: 'The new password was set',
  }),
];
