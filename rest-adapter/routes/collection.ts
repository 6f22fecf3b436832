import { revisionTag } from '../../routers/core/items/revision.js';
import { content, done, record, redirect } from '../reply/reply.js';
import { route } from '../route.js';
import { deletedItemOf, itemOf, pageIn, passwordOf, transferOf, type Wire } from '../wire.js';
import { formatOf } from './image.js';
import { sent } from './request.js';
import { sharedOf } from './share.js';

const fieldsOf = ({ body }: Wire) => ({
  description: body.text('description'),
  tags: sent(body, 'tags', (name) => body.list(name)),
  cover: body.text('cover'),
  password: body.text('password'),
  expiresAt: body.text('expiresAt', 'expiryDate'),
  maxViews: sent(body, 'maxViews', (name) => body.number(name)),
  isPublic: body.boolean('isPublic'),
  private: body.boolean('private'),
  favourite: body.boolean('favourite'),
  notify: body.text('notify'),
});

/** The id in the path, and the revision that the change is for. */
const changedOf = (wire: Wire) => ({ ...itemOf(wire), ifMatch: wire.header('if-match') });

/** The record of a collection for those who keep it, with the entity tag of its revision. */
const ownRecord = <R extends { readonly uniqueId: string; readonly revision: number }>(collection: R) =>
  record(collection, { etag: revisionTag('collection', collection) });

const itemsOf = ({ body }: Wire) => body.raw('items');

/** What those show who have no account: the password, and the ticket of an earlier opening. */
const shownOf = (wire: Wire) => ({ password: passwordOf(wire), ticket: wire.query.text('ticket') });
const openedOf = (wire: Wire) => ({ ...itemOf(wire), ...shownOf(wire) });

const fileOf = (wire: Wire) => ({
  fileId: wire.params.fileId ?? '',
  download: wire.query.boolean('download') ?? false,
  poster: wire.query.boolean('poster') ?? false,
  transfer: transferOf(wire),
  width: wire.query.number('width'),
  format: formatOf(wire),
});

const READING = [302, 304, 400, 403, 404, 416, 429];

/** Collections of files: those of the caller, their share links, and what others see of them. */
export const collectionRoutes = [
  route('GET', '/collection', {
    procedure: 'collection.mine',
    summary: "The caller's collections, newest first",
    errors: [400, 401, 429],
    read: (wire) => ({
      ...pageIn(wire),
      favourite: wire.query.boolean('favourite'),
      search: wire.query.text('search'),
    }),
  }),
  route('POST', '/collection', {
    procedure: 'collection.create',
    summary: 'Create a collection, optionally with files',
    body: 'long',
    errors: [400, 401, 403, 429],
    read: (wire) => ({
      ...wire.body.seal(),
      uniqueId: wire.body.text('uniqueId'),
      title: wire.body.text('title'),
      items: itemsOf(wire),
      ...fieldsOf(wire),
    }),
    reply: ownRecord,
  }),
  route('GET', '/collection/{uniqueId}', {
    procedure: 'collection.get',
    summary: 'A collection of the caller with its files',
    errors: [401, 403, 404],
    read: itemOf,
    reply: ownRecord,
  }),
  route('PATCH', '/collection/{uniqueId}', {
    procedure: 'collection.change',
    summary: 'Change a collection; absent fields stay, null or "" clears',
    errors: [400, 401, 403, 404, 412],
    read: (wire) => ({
      ...wire.body.clear(),
      ...changedOf(wire),
      title: wire.body.text('title'),
      sealedName: wire.body.text('sealedName'),
      ...fieldsOf(wire),
    }),
    reply: ownRecord,
  }),
  route('DELETE', '/collection/{uniqueId}', {
    procedure: 'collection.delete',
    summary: 'Delete a collection; its files stay, except for those of a file pack',
    errors: [400, 401, 404],
    read: deletedItemOf,
    reply: done,
  }),
  route('PUT', '/collection/{uniqueId}/items', {
    procedure: 'collection.putItems',
    summary: 'Make these the files of a collection, in this order',
    body: 'long',
    errors: [400, 401, 403, 404, 412],
    read: (wire) => ({ ...changedOf(wire), items: itemsOf(wire) }),
    reply: ownRecord,
  }),
  route('POST', '/collection/{uniqueId}/items', {
    procedure: 'collection.addItems',
    summary: 'Append files to a collection, all or none',
    body: 'long',
    errors: [400, 401, 403, 404, 412],
    read: (wire) => ({ ...changedOf(wire), items: itemsOf(wire) }),
    reply: ownRecord,
  }),
  route('DELETE', '/collection/{uniqueId}/items/{fileId}', {
    procedure: 'collection.takeItem',
    summary: 'Take a file out of a collection; the file stays',
    errors: [400, 401, 403, 404, 412],
    read: (wire) => ({ ...changedOf(wire), fileId: wire.params.fileId ?? '' }),
    reply: ownRecord,
  }),
  route('GET', '/collection/open/{uniqueId}', {
    procedure: 'collection.open',
    summary: 'What others see of a collection; counts a view',
    errors: [400, 403, 404, 429],
    read: (wire) => ({ ...openedOf(wire), head: wire.method === 'HEAD' }),
    reply: (collection) => record(collection),
  }),
  route('GET', '/collection/open/{uniqueId}/zip', {
    procedure: 'collection.openZip',
    summary: 'A zip of the files of a collection that the caller may open',
    errors: [400, 403, 404, 429],
    read: openedOf,
    responds: { kind: 'content' },
    reply: (listing) => ({ as: 'zip', listing }),
  }),
  route('GET', '/collection/open/{uniqueId}/files/{fileId}', {
    procedure: 'collection.openFile',
    summary: 'A file of a collection',
    errors: READING,
    read: (wire) => ({ ...openedOf(wire), ...fileOf(wire) }),
    responds: { kind: 'content' },
    reply: (file) => content(file),
  }),
  route('GET', '/collection/open/{uniqueId}/random', {
    procedure: 'collection.openRandom',
    summary: 'Leads to one of the pictures of a collection, another one each time',
    errors: [400, 403, 404, 429],
    read: (wire) => ({ ...openedOf(wire), width: wire.query.number('width') }),
    responds: { kind: 'redirect', status: 302 },
    reply: ({ location }) => redirect(location, 302),
  }),
  route('GET', '/collection/shared/{secret}/random', {
    procedure: 'collection.sharedRandom',
    summary: 'Leads to one of the pictures that a share link opens, another one each time',
    errors: [400, 403, 404, 429],
    read: (wire) => ({ ...sharedOf(wire), width: wire.query.number('width') }),
    responds: { kind: 'redirect', status: 302 },
    reply: ({ location }) => redirect(location, 302),
  }),
  route('GET', '/collection/shared/{secret}', {
    procedure: 'collection.shared',
    summary: 'What a share link opens; counts a view of the link',
    errors: [400, 403, 404, 429],
    read: (wire) => ({ ...sharedOf(wire), head: wire.method === 'HEAD' }),
    reply: (collection) => record(collection),
  }),
  route('GET', '/collection/shared/{secret}/zip', {
    procedure: 'collection.sharedZip',
    summary: 'A zip of the files that a share link opens',
    errors: [400, 403, 404, 429],
    read: sharedOf,
    responds: { kind: 'content' },
    reply: (listing) => ({ as: 'zip', listing }),
  }),
  route('GET', '/collection/shared/{secret}/files/{fileId}', {
    procedure: 'collection.sharedFile',
    summary: 'A file that a share link opens',
    errors: READING,
    read: (wire) => ({ ...sharedOf(wire), ...fileOf(wire) }),
    responds: { kind: 'content' },
    reply: (file) => content(file),
  }),
];
