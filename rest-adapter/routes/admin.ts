import { z } from 'zod';
import { changedAccount, listedUser } from '../../routers/admin/accounts.js';
import { adminImage } from '../../routers/admin/image.js';
import { inviteRecord } from '../../routers/admin/invites.js';
import { pageOutput } from '../../routers/admin/paging.js';
import { auditEntry } from '../../routers/admin/system.js';
import { message, said } from '../reply/reply.js';
import { nothing, route } from '../route.js';
import { fromBodyOrQuery, itemOf, type Wire } from '../wire.js';
import { described, withBase64 } from './image.js';

const uidOf = ({ params }: Wire): number => (/^\d{1,15}$/.test(params.uid ?? '') ? Number(params.uid) : -1);

const paging = ({ query }: Wire) => ({
  page: query.number('page'),
  size: query.number('size', 'pageSize', 'limit'),
});

/** Lists that clients expect in full get the maximum page size. */
const wholeList = (wire: Wire) => ({ ...paging(wire), size: paging(wire).size ?? 500 });

const ofUser = (wire: Wire) => ({
  uid: uidOf(wire),
  from: wire.query.text('from', 'fromDate'),
  to: wire.query.text('to', 'toDate'),
  limit: wire.query.number('limit'),
  content: wire.query.boolean('content'),
  logs: wire.query.boolean('logs'),
});

/** Filters of administrators' lists, as older clients name them. */
const filters = ({ query }: Wire) => ({
  uniqueId: query.text('uniqueId'),
  includeUsers: query.list('includeUsers') as never,
  excludeUsers: query.list('excludeUsers') as never,
});

const searched = (wire: Wire) => ({
  ...filters(wire),
  search: wire.query.text('search', 'query', 'q'),
  uid: wire.query.number('uid', 'user'),
  from: wire.query.text('from', 'fromDate'),
  to: wire.query.text('to', 'toDate'),
  ...paging(wire),
});

const TEXT = { text: z.string() };

/** An image with what its options ask for. */
export const imageForAdministrators = withBase64(adminImage.shape.message);

/** Administration. `get` must come before `{uid}`. */
export const adminRoutes = [
  route('GET', '/admin/image/get/{uniqueId}', {
    procedure: 'admin.image',
    summary: 'Any image, including private ones',
    errors: [401, 403, 404],
    read: (wire) => ({
      ...itemOf(wire),
      base64: wire.query.boolean('base64'),
      raw: wire.query.boolean('raw'),
      uploaderInfo: wire.query.boolean('uploader_info'),
      imageInfo: wire.query.boolean('image_info'),
      info: wire.query.boolean('info'),
    }),
    message: imageForAdministrators,
    reply: (image) => described(image),
  }),
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
    responds: { kind: 'said' },
    reply: () => said('The invite code was revoked'),
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
    reply: (user) => message(user),
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
    }),
    // Older clients show `text`.
    message: changedAccount.extend(TEXT),
    beside: TEXT,
    reply: (user) => message({ ...user, text: 'Updated' }, { extra: { text: 'Updated' } }),
  }),
  route('DELETE', '/admin/user/{uid}', {
    procedure: 'admin.deleteUser',
    summary: 'Delete an account of a lower role with its content',
    errors: [401, 403, 404],
    read: (wire) => ({ uid: uidOf(wire) }),
    responds: { kind: 'said' },
    reply: () => said('The account was deleted'),
  }),
  route('DELETE', '/admin/user/{uid}/totp', {
    procedure: 'admin.endSecondFactor',
    summary: 'Turn off two-step sign-in for an account of a lower role',
    errors: [401, 403, 404],
    read: (wire) => ({ uid: uidOf(wire) }),
    responds: { kind: 'said' },
    reply: () => said('Two-step sign-in is off'),
  }),
  route('GET', '/admin/user/{uid}/images', {
    procedure: 'admin.userImages',
    summary: 'Images of an account',
    errors: [400, 401, 403, 404],
    read: ofUser,
    reply: (images) => message(images),
  }),
  route('GET', '/admin/user/{uid}/images/pageable', {
    procedure: 'admin.userImagesPage',
    summary: 'Images of an account, a page at a time',
    errors: [400, 401, 403, 404],
    read: (wire) => ({
      uid: uidOf(wire),
      from: wire.query.text('from', 'fromDate'),
      to: wire.query.text('to', 'toDate'),
      formats: wire.query.list('formats'),
      ...paging(wire),
    }),
    reply: (page) => message(page),
  }),
  route('GET', '/admin/user/{uid}/pastes', {
    procedure: 'admin.userPastes',
    summary: 'Pastes of an account',
    errors: [400, 401, 403, 404],
    read: ofUser,
    reply: (pastes) => message(pastes),
  }),
  route('GET', '/admin/user/{uid}/urls', {
    procedure: 'admin.userUrls',
    summary: 'Short URLs of an account',
    errors: [400, 401, 403, 404],
    read: ofUser,
    reply: (urls) => message(urls),
  }),
  route('GET', '/admin/images', {
    procedure: 'admin.images',
    summary: 'Search all images',
    errors: [400, 401, 403, 429],
    read: (wire) => ({
      ...searched(wire),
      formats: wire.query.list('formats'),
      location: wire.query.filled('location'),
    }),
    reply: (page) => message(page),
  }),
  route('POST', '/admin/images/{uniqueId}/migrate', {
    procedure: 'admin.migrateImage',
    summary: 'Move the bytes of an image to the other store; 400 while there is only one',
    errors: [400, 401, 403, 404],
    read: itemOf,
    responds: { kind: 'done' },
    reply: () => message(undefined),
  }),
  route('GET', '/admin/pastes', {
    procedure: 'admin.pastes',
    summary: 'Search all pastes',
    errors: [400, 401, 403, 429],
    read: searched,
    reply: (page) => message(page),
  }),
  route('GET', '/admin/urls', {
    procedure: 'admin.urls',
    summary: 'Search all short URLs',
    errors: [400, 401, 403, 429],
    read: (wire) => ({
      ...searched(wire),
      minVisits: wire.query.number('minVisits'),
      maxVisits: wire.query.number('maxVisits'),
      maxUses: wire.query.number('maxUses'),
      expired: wire.query.boolean('expired'),
    }),
    reply: (page) => message(page),
  }),
  route('GET', '/admin/system/metrics', {
    procedure: 'admin.metrics',
    summary: 'Metrics of the installation',
    errors: [401, 403],
    read: nothing,
    reply: (metrics) => message(metrics),
  }),
  route('GET', '/admin/system/auditlog', {
    procedure: 'admin.auditLog',
    summary: 'The audit log, newest first',
    errors: [400, 401, 403],
    read: (wire) => ({
      event: wire.query.word('event') as never,
      uid: wire.query.number('uid'),
      ...paging(wire),
      // Clients that know no pages expect all of it.
      size: paging(wire).size ?? (wire.query.number('page') === undefined ? 1_000 : undefined),
    }),
    message: z.array(auditEntry),
    beside: pageOutput,
    reply: ({ content, ...page }) => message(content, { extra: page }),
  }),
];
