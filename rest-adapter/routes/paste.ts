import type { PasteRecord } from '../../routers/features/paste/record.js';
import { revisionRecord } from '../../routers/features/paste/revisions.js';
import { pageIn, pageMessage, pageReply } from '../pages.js';
import { done, itemRecord, message, type NoExtra, type Reply, record, text } from '../reply/reply.js';
import { route } from '../route.js';
import {
  changedFieldsOf,
  changedItemOf,
  deletedItemOf,
  itemOf,
  itemWithPassword,
  passwordOf,
  rowIdIn,
  type Wire,
} from '../wire.js';
import { ALSO_LINK, created } from './created.js';

const publicity = (paste: PasteRecord) => ({ 'x-paste-ispublic': String(paste.isPublic) });
const reading = (paste: PasteRecord, wire: Wire): Reply<PasteRecord, NoExtra, never> => {
  const headers = publicity(paste);
  return wire.query.boolean('raw') === true
    ? text(paste.content, headers)
    : itemRecord('paste', paste, headers);
};

const RAW = { raw: 'Only the text' };
/** Without a spread, because every request of a paste is read by it (docs/adr/0025). */
const fileOf = (wire: Wire) => ({
  uniqueId: wire.params.uniqueId ?? '',
  password: passwordOf(wire),
  file: wire.query.text('file'),
});
const ALSO_TEXT = { types: ['text/plain'] } as const;

/** Text pastes. */
export const pasteRoutes = [
  route('POST', '/paste/create', {
    procedure: 'paste.create',
    summary: 'Create a paste from JSON, a form or a file',
    body: 'text',
    errors: [400, 401, 403, 413, 429],
    read: ({ body, text: file }) =>
      Object.assign(body.seal(), {
        text: file?.content ?? body.text('text', 'content'),
        files: body.raw('files'),
        title: body.text('title'),
        fileName: file?.name,
        uniqueId: body.text('uniqueId'),
        private: body.boolean('private'),
        notify: body.text('notify'),
        password: body.text('password'),
        expiresAt: body.text('expiresAt', 'expiryDate'),
        language: body.text('language'),
        burn: body.boolean('burn'),
        tags: body.list('tags'),
      }),
    responds: ALSO_LINK,
    reply: created,
  }),
  route('GET', '/paste/get/{uniqueId}', {
    procedure: 'paste.get',
    summary: 'A paste, or only its text with raw=true',
    errors: [400, 403, 404],
    alsoQuery: RAW,
    read: fileOf,
    responds: ALSO_TEXT,
    reply: reading,
    hot: true,
  }),
  route('GET', '/paste/get/{uniqueId}/raw', {
    procedure: 'paste.get',
    summary: 'Only the text of a paste, or that of one of its files',
    errors: [400, 403, 404],
    read: fileOf,
    responds: { kind: 'text' },
    reply: (paste) => text(paste.content, publicity(paste)),
  }),
  route('GET', '/paste/get/{uniqueId}/zip', {
    procedure: 'paste.zip',
    summary: 'A zip of the files of a paste',
    errors: [400, 403, 404],
    read: itemWithPassword,
    responds: { kind: 'content' },
    reply: (listing) => ({ as: 'zip', listing }),
  }),
  route('POST', '/paste/get/{uniqueId}', {
    procedure: 'paste.confirm',
    summary: 'Confirm reading a paste; deletes one that can only be read once',
    errors: [400, 403, 404],
    alsoQuery: RAW,
    read: fileOf,
    responds: ALSO_TEXT,
    reply: reading,
  }),
  route('PATCH', '/paste/get/{uniqueId}', {
    procedure: 'paste.change',
    summary: 'Change a paste; absent fields stay, null and "" clear',
    body: 'long',
    errors: [400, 401, 403, 404, 412, 413, 429],
    read: (wire) => ({
      ...wire.body.clear(),
      ...changedItemOf(wire),
      ...changedFieldsOf(wire),
      text: wire.body.text('text', 'content'),
      files: wire.body.raw('files'),
      title: wire.body.text('title'),
      language: wire.body.text('language'),
      sealedName: wire.body.text('sealedName'),
    }),
    reply: (paste) => itemRecord('paste', paste),
  }),
  route('PUT', '/paste/get/{uniqueId}', {
    procedure: 'paste.change',
    summary: 'Replace the text of a paste by the body',
    body: 'plain',
    errors: [400, 401, 403, 404, 412, 413, 429],
    read: (wire) => ({
      ...itemOf(wire),
      ifMatch: wire.header('if-match'),
      text: wire.text?.content,
    }),
    reply: (paste) => itemRecord('paste', paste),
  }),
  route('POST', '/paste/get/{uniqueId}/fork', {
    procedure: 'paste.fork',
    summary: 'Make a new paste of your own with the text of this one',
    errors: [400, 401, 403, 404, 429],
    read: (wire) => ({
      ...itemWithPassword(wire),
      title: wire.body.text('title'),
      private: wire.body.boolean('private'),
    }),
    reply: (paste) => itemRecord('paste', paste),
  }),
  route('GET', '/paste/get/{uniqueId}/revisions', {
    procedure: 'paste.revisions',
    summary: 'What the text, title and language of a paste were, newest first',
    errors: [400, 401, 403, 404],
    read: (wire) => ({ ...itemOf(wire), ...pageIn(wire) }),
    message: pageMessage(revisionRecord),
    reply: (page, wire) => message(pageReply(page), { uniqueId: wire.params.uniqueId ?? null }),
  }),
  route('GET', '/paste/get/{uniqueId}/revisions/{revision}', {
    procedure: 'paste.revision',
    summary: 'One revision of a paste, or only its text with raw=true',
    errors: [400, 401, 403, 404],
    alsoQuery: RAW,
    read: (wire) => ({
      ...itemOf(wire),
      revision: rowIdIn(wire.params.revision),
      file: wire.query.text('file'),
    }),
    responds: ALSO_TEXT,
    reply: (revision, wire) =>
      wire.query.boolean('raw') === true ? text(revision.content) : record(revision),
  }),
  route('GET', '/paste/get/{uniqueId}/diff', {
    procedure: 'paste.diff',
    summary: 'The unified diff of two revisions of a paste; by default of the last two',
    errors: [400, 401, 403, 404, 503],
    responds: { kind: 'text' },
    read: (wire) => ({ ...itemOf(wire), from: wire.query.number('from'), to: wire.query.number('to') }),
    reply: ({ diff }) => text(diff),
  }),
  route('POST', '/paste/get/{uniqueId}/revisions/{revision}/restore', {
    procedure: 'paste.restore',
    summary: 'Make an older revision of a paste the present text, as a new revision',
    errors: [400, 401, 403, 404, 412, 429],
    read: (wire) => ({
      ...itemOf(wire),
      revision: rowIdIn(wire.params.revision),
      ifMatch: wire.header('if-match'),
    }),
    reply: (paste) => itemRecord('paste', paste),
  }),
  route('DELETE', '/paste/get/{uniqueId}', {
    procedure: 'paste.delete',
    summary: 'Delete a paste',
    errors: [401, 404],
    read: deletedItemOf,
    reply: done,
  }),
  route('GET', '/paste/stats', {
    procedure: 'paste.stats',
    summary: 'How many pastes were created in a period of time',
    errors: [400, 503],
    read: ({ query }) => ({ fromDate: query.text('fromDate'), toDate: query.text('toDate') }),
  }),
];
