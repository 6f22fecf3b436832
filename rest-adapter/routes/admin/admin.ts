import { z } from 'zod';
import { changedAccount, listedUser } from '../../../routers/features/admin/accounts.js';
import { inviteRecord } from '../../../routers/features/admin/invites.js';
import { pageOutput } from '../../../routers/features/admin/paging.js';
import { auditEntry } from '../../../routers/features/admin/system.js';
import { message } from '../../reply/reply.js';
import { route } from '../../route.js';
import { fromBodyOrQuery, pagingOf, uidOf, type Wire } from '../../wire.js';

/** Lists that clients expect in full get the maximum page size. */
const wholeList = (wire: Wire) => ({ ...pagingOf(wire), size: pagingOf(wire).size ?? 500 });

const TEXT = { text: z.string() };

/** Administration of accounts, invites and the system. `get` must come before `{uid}`. */
export const adminRoutes = [
  route('POST', '/admin/invite/create', {
    procedure: 'admin.createInvites',
    summary: 'Create invite codes',
    errors: [400, 401, 403],
    responds: { status: 202 },
    read: (wire) =>
      fromBodyOrQuery(wire, (fields) => ({
        amount: fields.number('amount'),
        code: fields.text('code'),
        prefix: fields.text('prefix'),
        expiresAt: fields.text('expiresAt', 'expiry', 'expiryDate'),
        maxUses: fields.number('maxUses'),
        role: fields.filled('role'),
      })),
    message: z.union([inviteRecord, z.array(z.string())]),
    reply: (invites) =>
      message(invites.length === 1 ? invites[0] : invites.map((invite) => invite.code), { status: 202 }),
  }),
  route('GET', '/admin/invite/get', {
    procedure: 'admin.invites',
    summary: 'Invite codes, newest first',
    errors: [400, 401, 403],
    read: (wire) => ({ used: wire.query.boolean('used'), ...wholeList(wire) }),
    message: z.array(inviteRecord),
    beside: pageOutput,
    reply: ({ content, ...page }) => message(content, { extra: page }),
  }),
  route('DELETE', '/admin/invite/{code}', {
    procedure: 'admin.revokeInvite',
    summary: 'Revoke an invite code',
    errors: [401, 403, 404],
    read: ({ params }) => ({ code: params.code ?? '' }),
    says: 'The invite code was revoked',
  }),
  route('GET', '/admin/user/get', {
    procedure: 'admin.users',
    summary: 'Accounts, newest first',
    errors: [400, 401, 403, 429],
    read: (wire) => ({
      search: wire.query.text('search', 'query', 'q'),
      role: wire.query.filled('role'),
      status: wire.query.filled('status'),
      ...wholeList(wire),
    }),
    message: z.array(listedUser),
    beside: pageOutput,
    reply: ({ content, ...page }) => message(content, { extra: page }),
  }),
  route('GET', '/admin/user/{uid}', {
    procedure: 'admin.user',
    summary: 'An account',
    errors: [401, 403, 404],
    read: (wire) => ({ uid: uidOf(wire) }),
  }),
  route('PUT', '/admin/user/{uid}', {
    procedure: 'admin.changeUser',
    summary: 'Change an account of a lower role',
    errors: [400, 401, 403, 404],
    read: (wire) => ({
      uid: uidOf(wire),
      username: wire.body.filled('username'),
      email: wire.body.filled('email'),
      avatar: wire.body.text('avatar'),
      role: wire.body.filled('role'),
      password: wire.body.filled('password'),
      endIdentities: wire.body.boolean('endIdentities'),
      endPasskeys: wire.body.boolean('endPasskeys'),
    }),
    // Older clients show `text`.
    message: z.union([changedAccount.omit({ toPortal: true }).extend(TEXT), z.string()]),
    beside: TEXT,
    // A separate portal shows the message as it is.
    reply: ({ toPortal, ...user }) =>
      message(toPortal ? 'Updated' : { ...user, text: 'Updated' }, { extra: { text: 'Updated' } }),
  }),
  route('DELETE', '/admin/user/{uid}', {
    procedure: 'admin.deleteUser',
    summary: 'Delete an account of a lower role with its content',
    errors: [401, 403, 404],
    read: (wire) => ({ uid: uidOf(wire) }),
    says: 'The account was deleted',
  }),
  route('POST', '/admin/user/{uid}/activate', {
    procedure: 'admin.activateUser',
    summary: 'Activate a pending account of a lower role without its verification',
    errors: [400, 401, 403, 404],
    read: (wire) => ({ uid: uidOf(wire) }),
    says: 'The account is active',
  }),
  route('PUT', '/admin/user/{uid}/approval', {
    procedure: 'admin.decideApproval',
    summary: 'Let an account in that waits for it, or refuse it, which deletes it',
    errors: [400, 401, 403, 404],
    read: (wire) => ({ uid: uidOf(wire), approved: wire.body.boolean('approved') as boolean }),
    says: 'The decision is made',
  }),
  route('DELETE', '/admin/user/{uid}/totp', {
    procedure: 'admin.endSecondFactor',
    summary: 'Turn off two-step sign-in for an account of a lower role',
    errors: [401, 403, 404],
    read: (wire) => ({ uid: uidOf(wire) }),
    says: 'Two-step sign-in is off',
  }),
  route('GET', '/admin/system/metrics', {
    procedure: 'admin.metrics',
    summary: 'Metrics of the installation',
    errors: [401, 403],
  }),
  route('GET', '/admin/system/auditlog', {
    procedure: 'admin.auditLog',
    summary: 'The audit log, newest first',
    errors: [400, 401, 403],
    read: (wire) => ({
      event: wire.query.word('event'),
      uid: wire.query.number('uid'),
      ...pagingOf(wire),
      // Clients that know no pages expect all of it.
      size: pagingOf(wire).size ?? (wire.query.number('page') === undefined ? 1_000 : undefined),
    }),
    message: z.array(auditEntry),
    beside: pageOutput,
    reply: ({ content, ...page }) => message(content, { extra: page }),
  }),
];
