import { content, itemRecord, message, said, text } from '../reply/reply.js';
import { route } from '../route.js';
import { itemOf, pageIn, passwordOf, rowIdIn, transferOf, type Wire } from '../wire.js';
import { formatOf } from './image.js';
import { sent } from './request.js';

const fieldsOf = ({ body }: Wire) => ({
  label: body.text('label'),
  note: body.text('note'),
  password: body.text('password'),
  expiresAt: body.text('expiresAt', 'expiryDate'),
  maxViews: sent(body, 'maxViews', (name) => body.number(name)),
  renditionsOnly: body.boolean('renditionsOnly'),
  notify: body.text('notify'),
});

const linkOf = (wire: Wire) => ({ ...itemOf(wire), linkId: rowIdIn(wire.params.linkId) });

/** What those show who open a share link: the password, and the ticket of an earlier opening. */
export const sharedOf = (wire: Wire) => ({
  secret: wire.params.secret ?? '',
  password: passwordOf(wire),
  ticket: wire.query.text('ticket'),
});

/** Where something with share links is, and what it is called. */
const SHARED = [
  { kind: 'image', path: '/image/get/{uniqueId}/links', name: 'an image' },
  { kind: 'paste', path: '/paste/get/{uniqueId}/links', name: 'a paste' },
  { kind: 'collection', path: '/collection/{uniqueId}/links', name: 'a collection' },
] as const;

/** The share links of items and collections, and what they open; what those of collections open is with the collections. */
export const shareRoutes = [
  ...SHARED.flatMap(({ kind, path, name }) => [
    route('GET', path, {
      procedure: `${kind}.links`,
      summary: `The share links of ${name}, newest first`,
      errors: [400, 401, 404],
      read: (wire) => ({ ...itemOf(wire), ...pageIn(wire) }),
    }),
    route('POST', path, {
      procedure: `${kind}.createLink`,
      summary: `Make a share link: it opens ${name} by its own secret, whatever the privacy`,
      errors: [400, 401, 404, 429],
      read: (wire) => ({ ...itemOf(wire), ...fieldsOf(wire) }),
      reply: (link, wire) => message(link, { uniqueId: wire.params.uniqueId ?? null }),
    }),
    route('POST', `${path}/send`, {
      procedure: `${kind}.sendLinks`,
      summary: `Mail a share link of ${name}; with own=true each address gets one of its own`,
      errors: [400, 401, 403, 404, 409, 429],
      read: (wire) => ({
        ...itemOf(wire),
        to: (wire.body.list('to') ?? wire.body.required('to')) as string[],
        message: wire.body.text('message'),
        replyTo: wire.body.boolean('replyTo'),
        own: wire.body.boolean('own'),
      }),
      reply: (sent, wire) => message(sent, { uniqueId: wire.params.uniqueId ?? null }),
    }),
    route('PATCH', `${path}/{linkId}`, {
      procedure: `${kind}.changeLink`,
      summary: 'Change a share link; absent fields stay, null or "" clears',
      errors: [400, 401, 404],
      read: (wire) => ({ ...linkOf(wire), ...fieldsOf(wire) }),
      reply: (link, wire) => message(link, { uniqueId: wire.params.uniqueId ?? null }),
    }),
    route('DELETE', `${path}/{linkId}`, {
      procedure: `${kind}.deleteLink`,
      summary: 'Revoke a share link; it stops working at once',
      errors: [400, 401, 404],
      read: linkOf,
      responds: { kind: 'said' },
      reply: (_, wire) => said('Revoked', { uniqueId: wire.params.uniqueId ?? null }),
    }),
  ]),
  route('GET', '/image/shared/{secret}', {
    procedure: 'image.shared',
    summary: 'The file that a share link opens; counts a view of the link and of the file',
    errors: [302, 304, 400, 403, 404, 415, 416, 429],
    read: (wire) => ({
      ...sharedOf(wire),
      download: wire.query.boolean('download') ?? false,
      poster: wire.query.boolean('poster') ?? false,
      transfer: transferOf(wire),
      width: wire.query.number('width'),
      format: formatOf(wire),
    }),
    responds: { kind: 'content' },
    reply: (file) => content(file),
  }),
  route('GET', '/paste/shared/{secret}', {
    procedure: 'paste.shared',
    summary: 'The paste that a share link opens, or only its text with raw=true; counts a view of both',
    errors: [400, 403, 404, 429],
    alsoQuery: { raw: 'Only the text' },
    read: (wire) => ({
      ...sharedOf(wire),
      head: wire.method === 'HEAD',
      file: wire.query.text('file'),
    }),
    responds: { types: ['text/plain'] },
    reply: (paste, wire) =>
      wire.query.boolean('raw') === true ? text(paste.content) : itemRecord('paste', paste),
  }),
];
