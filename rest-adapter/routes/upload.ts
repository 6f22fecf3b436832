import { uploadRecord } from '../../routers/features/upload/index.js';
import { message, type Reply } from '../reply/reply.js';
import { route } from '../route.js';
import { metadataFields, numberIn, progressHeaders, UPLOADS_PATH } from '../tus.js';
import { fromBodyOrQuery, passwordOf, type Wire } from '../wire.js';
import { ALSO_LINK, created } from './created.js';
import { itemFieldsOf } from './image-upload.js';

const secretOf = (wire: Wire) => ({ secret: wire.params.secret ?? '' });

/** The length that a client announces: null if it says that it will say it later. */
function lengthOf(wire: Wire): number | null {
  const deferred = wire.header('upload-defer-length');
  const length = numberIn(wire.header('upload-length'));
  if (deferred === null) return length ?? Number.NaN;
  // Which of two answers is meant nobody can know.
  return deferred === '1' && length === null ? null : Number.NaN;
}

/** The fields of an upload, which come with its metadata. */
function describedIn(wire: Wire) {
  const fields = metadataFields(wire.header('upload-metadata'));
  return {
    ...fields.seal(),
    filename: fields.filled('filename', 'name'),
    filetype: fields.filled('filetype', 'type'),
    uniqueId: fields.text('uniqueId'),
    private: fields.boolean('private'),
    password: fields.text('password'),
    desc: fields.text('desc', 'description'),
    source: fields.text('source'),
    expiresAt: fields.text('expiresAt', 'expiryDate'),
    maxViews: fields.number('maxViews'),
    tags: fields.list('tags'),
  };
}

/** The ids that request links can have; proxies name requests by longer ones in the same header. */
const LINK_ID = /^[\w-]{1,20}$/;

/** The request link that an upload answers, and what its guest shows; null for an upload of the caller. */
function answeredBy(wire: Wire) {
  const named = wire.query.text('request');
  const uniqueId = named || (wire.header('x-request-id')?.trim() ?? '');
  if (!named && !LINK_ID.test(uniqueId)) return null;
  const fields = metadataFields(wire.header('upload-metadata'));
  const [filename, name] = [fields.filled('filename'), fields.filled('name')];
  return {
    uniqueId,
    isCertain: Boolean(named),
    // Clients that know only files send the file's name as both.
    name: filename === undefined || name === filename ? null : name,
    password: fields.filled('password') ?? passwordOf(wire),
    ticket: wire.query.text('ticket'),
    receipt: fields.filled('receipt') ?? null,
  };
}

/** What a new upload is for. Which of the two it is, is not known here: proxies send the header with their own ids. */
const purposeIn = (wire: Wire) => ({ ...describedIn(wire), request: answeredBy(wire) });

/** Uploads that are fetched, and those that arrive in several requests: the protocol tus 1.0.0. */
export const uploadRoutes = [
  route('POST', '/image/upload/url', {
    procedure: 'upload.fromUrl',
    summary: 'Let the server fetch a file from a public address and store it',
    errors: [400, 401, 403, 409, 413, 429],
    read: (wire) => ({
      ...fromBodyOrQuery(wire, (fields) => ({
        url: fields.required('url'),
        uniqueId: fields.text('uniqueId'),
        filename: fields.text('filename', 'fileName'),
      })),
      ...itemFieldsOf(wire),
    }),
    responds: ALSO_LINK,
    reply: created,
  }),
  route('POST', UPLOADS_PATH, {
    procedure: 'upload.begin',
    summary: 'Begin an upload that arrives in several requests (tus 1.0.0: creation, creation-with-upload)',
    body: 'part',
    tus: [
      ...['Tus-Resumable', 'Upload-Length', 'Upload-Defer-Length', 'Upload-Metadata'],
      ...['Upload-Checksum', 'X-HTTP-Method-Override', 'X-Request-Id'],
    ],
    errors: [400, 401, 403, 404, 412, 413, 415, 423, 429, 460],
    read: (wire) => ({
      ...purposeIn(wire),
      length: lengthOf(wire),
      metadata: wire.header('upload-metadata'),
      checksum: wire.header('upload-checksum'),
      part: wire.part,
    }),
    responds: { kind: 'empty', status: 201 },
    reply: (begun): Reply<never, never, never> => ({
      as: 'empty',
      status: 201,
      headers: { location: begun.url, ...progressHeaders(begun) },
    }),
  }),
  route('PATCH', `${UPLOADS_PATH}/{secret}`, {
    procedure: 'upload.append',
    summary: 'Send the next bytes of an upload',
    body: 'part',
    tus: ['Tus-Resumable', 'Upload-Offset', 'Upload-Length', 'Upload-Checksum'],
    errors: [400, 404, 409, 412, 413, 415, 423, 460],
    read: (wire) => ({
      ...secretOf(wire),
      offset: numberIn(wire.header('upload-offset')) ?? Number.NaN,
      length: numberIn(wire.header('upload-length')),
      checksum: wire.header('upload-checksum'),
      part: wire.part,
    }),
    responds: { kind: 'empty', status: 204 },
    reply: (progress): Reply<never, never, never> => ({
      as: 'empty',
      status: 204,
      headers: progressHeaders(progress),
    }),
  }),
  route('GET', `${UPLOADS_PATH}/{secret}`, {
    procedure: 'upload.get',
    summary: 'What became of an upload; HEAD says where to continue it',
    tus: ['Tus-Resumable'],
    errors: [404, 412],
    read: secretOf,
    message: uploadRecord,
    reply: ({ metadata, ...upload }) => {
      const headers = progressHeaders(upload);
      return message(upload, {
        uniqueId: upload.image?.uniqueId ?? null,
        headers: metadata === null ? headers : { ...headers, 'upload-metadata': metadata },
      });
    },
  }),
  route('DELETE', `${UPLOADS_PATH}/{secret}`, {
    procedure: 'upload.end',
    summary: 'End an upload and remove its bytes',
    body: 'none',
    tus: ['Tus-Resumable'],
    errors: [404, 412, 423],
    read: secretOf,
    responds: { kind: 'empty', status: 204 },
    reply: (): Reply<never, never, never> => ({ as: 'empty', status: 204 }),
  }),
];
