import { getPaste } from '../../routers/paste/read.js';
import type { PasteRecord } from '../../routers/paste/record.js';
import { done, message, type NoExtra, type Reply, record, text } from '../reply/reply.js';
import { route } from '../route.js';
import { itemOf, itemWithPassword, type Wire } from '../wire.js';
import { ALSO_LINK, created } from './created.js';

const reading = (paste: PasteRecord, wire: Wire): Reply<PasteRecord, NoExtra, never> => {
  const headers = { 'x-paste-ispublic': String(paste.isPublic) };
  return wire.query.boolean('raw') === true ? text(paste.content, headers) : record(paste, headers);
};

const RAW = { raw: 'Only the text' };
const ALSO_TEXT = { types: ['text/plain'] } as const;

/** Text pastes. */
export const pasteRoutes = [
  route('POST', '/paste/create', {
    procedure: 'paste.create',
    summary: 'Create a paste from JSON, a form or a file',
    body: 'text',
    errors: [400, 401, 403, 413, 429],
    read: ({ body, text: file }) => ({
      text: file?.content ?? body.required('text', 'content'),
      title: body.text('title'),
      fileName: file?.name,
      uniqueId: body.text('uniqueId'),
      private: body.boolean('private'),
      password: body.text('password'),
      expiresAt: body.text('expiresAt', 'expiryDate'),
      language: body.text('language'),
      burn: body.boolean('burn'),
    }),
    responds: ALSO_LINK,
    reply: created,
  }),
  route('GET', '/paste/get/{uniqueId}', {
    procedure: 'paste.get',
    summary: 'A paste, or only its text with raw=true',
    errors: [403, 404],
    alsoQuery: RAW,
    read: itemWithPassword,
    responds: ALSO_TEXT,
    reply: reading,
    hot: getPaste,
  }),
  route('POST', '/paste/get/{uniqueId}', {
    procedure: 'paste.confirm',
    summary: 'Confirm reading a paste; deletes one that can only be read once',
    errors: [403, 404],
    alsoQuery: RAW,
    read: itemWithPassword,
    responds: ALSO_TEXT,
    reply: reading,
  }),
  route('DELETE', '/paste/get/{uniqueId}', {
    procedure: 'paste.delete',
    summary: 'Delete a paste',
    errors: [401, 404],
    read: itemOf,
    reply: done,
  }),
  route('GET', '/paste/stats', {
    procedure: 'paste.stats',
    summary: 'How many pastes were created in a period of time',
    errors: [400, 503],
    read: ({ query }) => ({ fromDate: query.text('fromDate'), toDate: query.text('toDate') }),
    reply: (stats) => message(stats),
  }),
];
