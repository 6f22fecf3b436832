import { route } from '../../route.js';
import { uidOf, type Wire } from '../../wire.js';

const policyOf = ({ body }: Wire) => ({
  limits: body.raw('limits'),
  filePackLimits: body.raw('filePackLimits'),
});
const entryOf = ({ body }: Wire) => ({
  types: body.list('types'),
  maxExpiryDays: body.number('maxExpiryDays'),
  defaultExpiryDays: body.number('defaultExpiryDays'),
});
const ofUser = (wire: Wire) => ({ uid: uidOf(wire) });

/** How much accounts may create and store. */
export const limitRoutes = [
  route('GET', '/limits/file-pack', {
    procedure: 'limits.filePack',
    summary: 'How many files, and how many bytes, one pack of files may have',
    errors: [401, 403],
  }),
  route('GET', '/limits/me', {
    procedure: 'limits.mine',
    summary: 'What the own account may create, and what of it is used',
    errors: [401, 403],
  }),
  route('POST', '/limits/preflight', {
    procedure: 'limits.preflight',
    summary: 'Ask whether something may be created; a refusal is the one that creating it would get',
    errors: [400, 401, 403],
    read: ({ body }) => ({
      type: body.text('type'),
      count: body.number('count'),
      bytes: body.number('bytes'),
    }),
    says: 'Upload allowed',
  }),
  route('GET', '/admin/limits/roles', {
    procedure: 'limits.roles',
    summary: 'What accounts of each role may create',
    errors: [401, 403],
  }),
  route('PUT', '/admin/limits/roles/{role}', {
    procedure: 'limits.setRole',
    summary: 'Replace what accounts of a role may create',
    errors: [400, 401, 403],
    read: (wire) => ({
      role: wire.params.role ?? '',
      ...policyOf(wire),
      entry: wire.body.raw('entry'),
    }),
  }),
  route('PUT', '/admin/limits/roles/{role}/entry', {
    procedure: 'limits.setRoleEntry',
    summary: 'Set which types of files are accepted from a role, and how long its items live',
    errors: [400, 401, 403],
    read: (wire) => ({ role: wire.params.role ?? '', ...entryOf(wire) }),
  }),
  route('GET', '/admin/limits/site', {
    procedure: 'limits.site',
    summary: 'Which types of files are accepted from everybody, and how long items live',
    errors: [401, 403],
  }),
  route('PUT', '/admin/limits/site', {
    procedure: 'limits.setSite',
    summary: 'Set which types of files are accepted from everybody, and how long items live',
    errors: [400, 401, 403],
    read: entryOf,
  }),
  route('GET', '/admin/limits/users/{uid}', {
    procedure: 'limits.ofUser',
    summary: 'What an account may create, and what of it is used',
    errors: [400, 401, 403, 404],
    read: ofUser,
  }),
  route('PUT', '/admin/limits/users/{uid}', {
    procedure: 'limits.setUser',
    summary: 'Replace what an account may create otherwise than its role',
    errors: [400, 401, 403, 404],
    read: (wire) => ({ ...ofUser(wire), ...policyOf(wire) }),
  }),
  route('DELETE', '/admin/limits/users/{uid}/overrides', {
    procedure: 'limits.clearUser',
    summary: 'Let the role of an account decide alone; a pause stays',
    errors: [400, 401, 403, 404],
    read: ofUser,
  }),
  route('POST', '/admin/limits/users/{uid}/pause', {
    procedure: 'limits.pause',
    summary: 'Let an account only read, for some minutes or until the pause is ended',
    errors: [400, 401, 403, 404],
    read: (wire) => ({
      ...ofUser(wire),
      durationMinutes: wire.body.number('durationMinutes'),
      indefinite: wire.body.boolean('indefinite'),
    }),
  }),
  route('DELETE', '/admin/limits/users/{uid}/pause', {
    procedure: 'limits.resume',
    summary: 'End the pause of an account',
    errors: [400, 401, 403, 404],
    read: ofUser,
  }),
];
