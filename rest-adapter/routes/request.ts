import { allowReceiving } from '../../routers/features/request/receive.js';
import type { Fields } from '../fields.js';
import { content, done, message, record } from '../reply/reply.js';
import { route } from '../route.js';
import {
  fromBodyOrQuery,
  itemOf,
  itemWithPassword,
  pageIn,
  passwordOf,
  transferOf,
  type Wire,
} from '../wire.js';
import { formatOf } from './image.js';

/** A field as it was sent: null or "" clears it, an absent one stays as it is. */
export const sent = <T>(
  body: Fields,
  name: string,
  read: (name: string) => T | undefined,
): T | null | undefined => {
  const value = body.raw(name);
  return value === null || value === '' ? null : read(name);
};

const fieldsOf = ({ body }: Wire) => ({
  note: body.text('note'),
  maxFiles: sent(body, 'maxFiles', (name) => body.number(name)),
  maxBytes: sent(body, 'maxBytes', (name) => body.number(name)),
  types: sent(body, 'types', (name) => body.list(name)),
  expiresAt: body.text('expiresAt', 'expiryDate'),
  password: body.text('password'),
  askName: body.boolean('askName'),
  // Earlier clients send yes or no.
  notify: body.boolean('notify') as boolean | string | undefined,
  blind: body.boolean('blind'),
  closed: body.boolean('closed'),
  collection: body.text('collection'),
  recipient: body.text('recipient'),
  wall: body.text('wall'),
  message: body.text('message'),
  ends: body.text('ends'),
});

const fileOf = ({ params }: Wire) => ({ fileId: params.fileId ?? '' });
const shownOf = (wire: Wire) => ({ ...itemWithPassword(wire), ...ticketOf(wire) });
const ticketOf = ({ query }: Wire) => ({ ticket: query.text('ticket') });

/** Links by which others upload: those of the caller, and what guests do with them. */
export const requestRoutes = [
  route('POST', '/request/create', {
    procedure: 'request.create',
    summary: 'Make a link by which others upload to the caller',
    errors: [400, 401, 403, 429],
    read: (wire) => ({ title: wire.body.required('title'), ...fieldsOf(wire) }),
    reply: (request) => record(request),
  }),
  route('GET', '/request/get/@me', {
    procedure: 'request.mine',
    summary: "The caller's request links, newest first",
    errors: [400, 401],
    read: pageIn,
  }),
  route('GET', '/request/get/{uniqueId}', {
    procedure: 'request.get',
    summary: 'A request link of the caller',
    errors: [401, 404],
    read: itemOf,
    reply: (request) => record(request),
  }),
  route('PATCH', '/request/get/{uniqueId}', {
    procedure: 'request.change',
    summary: 'Change a request link; absent fields stay, null or "" clears',
    errors: [400, 401, 404],
    read: (wire) => ({ ...itemOf(wire), title: wire.body.text('title'), ...fieldsOf(wire) }),
    reply: (request) => record(request),
  }),
  route('DELETE', '/request/get/{uniqueId}', {
    procedure: 'request.delete',
    summary: 'Delete a request link; what came in by it stays',
    errors: [401, 404],
    read: itemOf,
    reply: done,
  }),
  route('GET', '/request/get/{uniqueId}/files', {
    procedure: 'request.received',
    summary: 'What came in by a request link, newest first',
    errors: [400, 401, 404],
    read: (wire) => ({ ...itemOf(wire), ...pageIn(wire), waiting: wire.query.boolean('waiting') }),
  }),
  route('PUT', '/request/get/{uniqueId}/files/{fileId}', {
    procedure: 'request.approve',
    summary: 'Let a file through to the wall of a request link, or no longer',
    errors: [400, 401, 404],
    read: (wire) => ({ ...itemOf(wire), ...fileOf(wire), approved: wire.body.boolean('approved') }),
  }),
  route('GET', '/request/open/{uniqueId}', {
    procedure: 'request.open',
    summary: 'What guests see of a request link',
    errors: [403, 404, 429],
    read: shownOf,
    reply: (request) => record(request),
  }),
  route('POST', '/request/open/{uniqueId}', {
    procedure: 'request.unlock',
    summary:
      'Check the password of a request link, and a solved challenge; the ticket is shown with the files',
    errors: [400, 403, 404, 429, 502],
    read: (wire) => ({ ...itemWithPassword(wire), ...ticketOf(wire), token: wire.body.text('token') }),
    reply: (unlocked) => record(unlocked),
  }),
  route('POST', '/request/open/{uniqueId}/files', {
    procedure: 'request.receive',
    summary: 'Send a file to the owner of a request link, without an account',
    body: 'file',
    admit: (ctx, wire) => allowReceiving(ctx, { ...itemWithPassword(wire), ...ticketOf(wire) }),
    errors: [400, 403, 404, 413, 429],
    read: (wire) => ({
      ...itemOf(wire),
      ...ticketOf(wire),
      file: wire.file,
      name: wire.body.text('name') ?? wire.query.text('name'),
      password: passwordOf(wire),
      ...fromBodyOrQuery(wire, (fields) => fields.seal()),
      receipt: wire.body.text('receipt') ?? wire.query.text('receipt'),
    }),
    reply: (sentFiles, wire) => message(sentFiles, { uniqueId: wire.params.uniqueId ?? null }),
  }),
  route('DELETE', '/request/open/{uniqueId}/files/{receipt}', {
    procedure: 'request.takeBack',
    summary: 'Delete a file for good, for the guest who sent it within the last hour',
    errors: [400, 404, 429],
    read: (wire) => ({ ...itemOf(wire), receipt: wire.params.receipt ?? '' }),
    reply: done,
  }),
  route('GET', '/request/open/{uniqueId}/wall', {
    procedure: 'request.wall',
    summary: 'What guests see of what came in, newest first',
    errors: [400, 403, 404, 429],
    read: (wire) => ({ ...shownOf(wire), ...pageIn(wire) }),
  }),
  route('GET', '/request/open/{uniqueId}/wall/{fileId}', {
    procedure: 'request.wallPicture',
    summary: 'A picture of a wall, at most 1,600 pixels wide',
    errors: [302, 304, 400, 403, 404, 415, 416, 429, 503],
    read: (wire) => ({
      ...shownOf(wire),
      ...fileOf(wire),
      transfer: transferOf(wire),
      width: wire.query.number('width'),
      format: formatOf(wire),
    }),
    responds: { kind: 'content' },
    reply: (picture) => content(picture),
  }),
];
