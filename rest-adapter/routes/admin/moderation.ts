import { route } from '../../route.js';
import { fromBodyOrQuery, pagingOf } from '../../wire.js';

/** A number in a path or a query; what is none names nothing. */
const idIn = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : /^\d{1,9}$/.test(text) ? Number(text) : 0x7fffffff;

const unblocked = {
  summary: 'End a block, named by its id or by its kind and value',
  errors: [400, 401, 403, 404],
  says: 'The block was ended',
} as const;

/** Reports, and what may not come in. */
export const moderationRoutes = [
  route('GET', '/challenge', {
    procedure: 'order.challenge',
    summary: 'A proof of work for what people without an account do, where the operator wants one',
    errors: [404],
  }),
  route('POST', '/report', {
    procedure: 'order.report',
    summary: 'Report an item; the answer does not tell whether it exists',
    errors: [400, 403, 429],
    read: ({ body }) => ({
      kind: body.required('kind'),
      uniqueId: body.required('uniqueId'),
      reason: body.required('reason'),
      details: body.text('details'),
      email: body.text('email'),
      token: body.text('token'),
    }),
    says: 'Thank you, the report was received',
  }),
  route('GET', '/admin/reports', {
    procedure: 'order.reports',
    summary: 'Reports, newest first',
    errors: [400, 401, 403],
    read: (wire) => ({ ...pagingOf(wire), status: wire.query.word('status') }),
  }),
  route('POST', '/admin/reports/{id}/resolve', {
    procedure: 'order.resolve',
    summary: 'Decide about a report: none, quarantine, delete or ban',
    errors: [400, 401, 403, 404],
    read: (wire) => ({
      id: idIn(wire.params.id) ?? 0,
      action: wire.body.required('action'),
      note: wire.body.text('note'),
    }),
  }),
  route('GET', '/admin/blocks', {
    procedure: 'order.blocks',
    summary: 'Blocked contents and networks, newest first',
    errors: [400, 401, 403],
    read: pagingOf,
  }),
  route('POST', '/admin/blocks', {
    procedure: 'order.block',
    summary: 'Block a content by its SHA-256, or a network',
    errors: [400, 401, 403],
    read: ({ body }) => ({
      kind: body.required('kind'),
      value: body.required('value'),
      note: body.text('note'),
    }),
  }),
  route('DELETE', '/admin/blocks', {
    procedure: 'order.unblock',
    ...unblocked,
    read: (wire) =>
      fromBodyOrQuery(wire, (fields) => ({
        id: fields.number('id'),
        kind: fields.filled('kind'),
        value: fields.filled('value'),
      })),
  }),
  route('DELETE', '/admin/blocks/{id}', {
    procedure: 'order.unblock',
    ...unblocked,
    read: ({ params }) => ({ id: idIn(params.id) }),
  }),
];
