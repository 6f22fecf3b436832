import { ownItemRecord } from '../../routers/app/library/own-item.js';
import { trashedRecord } from '../../routers/app/trash/record.js';
import { foundMessage, foundReply, pageIn, pageMessage, pageReply } from '../pages.js';
import { done, message, said } from '../reply/reply.js';
import { route } from '../route.js';
import type { Wire } from '../wire.js';

const trashItem = ({ params }: Wire) => ({
  kind: params.kind?.toLowerCase() ?? '',
  uniqueId: params.uniqueId ?? '',
});

/** The caller's own items of every kind, their tags, and the trash. */
export const ownItemRoutes = [
  route('GET', '/user/get/@me/items', {
    procedure: 'library.items',
    summary: 'The own images, pastes and links in one list',
    errors: [400, 401, 403, 429],
    read: (wire) => ({
      kind: wire.query.word('kind'),
      tag: wire.query.text('tag'),
      search: wire.query.text('search'),
      visibility: wire.query.word('visibility'),
      favourite: wire.query.boolean('favourite'),
      sealed: wire.query.boolean('sealed'),
      from: wire.query.text('from'),
      to: wire.query.text('to'),
      health: wire.query.word('health'),
      sort: wire.query.word('sort'),
      ...pageIn(wire),
    }),
    message: foundMessage(ownItemRecord),
    reply: (page) => message(foundReply(page)),
  }),
  route('GET', '/user/get/@me/tags', {
    procedure: 'library.tags',
    summary: 'The own tags, and how many items have each',
    errors: [401, 403],
  }),
  route('PATCH', '/user/get/@me/tags/{tag}', {
    procedure: 'library.renameTag',
    summary: 'Give a tag another name on everything that has it',
    errors: [400, 401, 403, 404, 503],
    read: ({ params, body }) => ({ tag: params.tag ?? '', name: body.required('tag', 'name') }),
  }),
  route('DELETE', '/user/get/@me/tags/{tag}', {
    procedure: 'library.removeTag',
    summary: 'Take a tag from everything that has it',
    errors: [401, 403, 404],
    read: ({ params }) => ({ tag: params.tag ?? '' }),
    says: 'The tag was removed',
  }),
  route('GET', '/user/get/@me/trash', {
    procedure: 'trash.list',
    summary: 'What was deleted and can still be restored, the last first',
    errors: [400, 401, 403],
    read: pageIn,
    message: pageMessage(trashedRecord),
    reply: (page) => message(pageReply(page)),
  }),
  route('DELETE', '/user/get/@me/trash', {
    procedure: 'trash.empty',
    summary: 'Delete everything in the trash for good',
    errors: [401, 403],
    responds: { kind: 'said' },
    reply: ({ complete }) =>
      said(complete ? 'The trash is empty' : 'What this key may change was deleted from the trash'),
  }),
  route('POST', '/user/get/@me/trash/{kind}/{uniqueId}/restore', {
    procedure: 'trash.restore',
    summary: 'Take an item out of the trash',
    errors: [400, 401, 403, 404],
    read: trashItem,
    reply: (item) => message(item, { uniqueId: item.uniqueId }),
  }),
  route('DELETE', '/user/get/@me/trash/{kind}/{uniqueId}', {
    procedure: 'trash.remove',
    summary: 'Delete an item in the trash for good',
    errors: [400, 401, 403, 404],
    read: trashItem,
    reply: done,
  }),
];
