import { allowUpload } from '../../routers/features/image/allowance.js';
import { allowReserved, uploadAddress } from '../../routers/features/image/upload/reserve.js';
import { alsoAs } from '../receive/repeated.js';
import { message, said } from '../reply/reply.js';
import { route } from '../route.js';
import { fromBodyOrQuery, itemOf, type Wire } from '../wire.js';
import { ALSO_LINK, created } from './created.js';

/** The fields of an upload besides its file and id: from the body, or from the query for bare files. */
export const itemFieldsOf = (wire: Wire) => ({
  ...fromBodyOrQuery(wire, (fields) =>
    Object.assign(fields.seal(), {
      private: fields.boolean('private'),
      password: fields.text('password'),
      source: fields.text('source'),
      expiresAt: fields.text('expiresAt', 'expiryDate'),
      maxViews: fields.number('maxViews'),
      tags: fields.list('tags'),
      notify: fields.text('notify'),
    }),
  ),
  desc: wire.body.text('desc', 'description') ?? wire.query.text('desc'),
});

const reservedOf = (wire: Wire) => ({ ...itemOf(wire), token: wire.query.text('token') ?? '' });

/** File uploads: directly, or to an address reserved before. */
export const imageUploadRoutes = [
  ...alsoAs(
    route('POST', '/image/upload', {
      procedure: 'image.upload',
      summary: 'Upload a file',
      body: 'file',
      admit: allowUpload,
      errors: [400, 401, 403, 413, 429, 500],
      read: (wire) => ({
        file: wire.file,
        ...fromBodyOrQuery(wire, (fields) => ({ uniqueId: fields.text('uniqueId') })),
        ...itemFieldsOf(wire),
      }),
      responds: ALSO_LINK,
      reply: created,
    }),
    // The same operation: with an object store configured, every file is stored there.
    ['POST', '/image/upload/cloud'],
  ),
  route('POST', '/image/known', {
    procedure: 'image.known',
    summary: 'Which of these contents, by their SHA-256, the caller has as files already',
    body: 'long',
    errors: [400, 401, 403],
    read: ({ body }) => ({ sha256: body.raw('sha256'), ending: body.boolean('ending') }),
  }),
  route('POST', '/image/generate-upload-url', {
    procedure: 'image.reserve',
    summary: 'Get a URL to upload one file to with PUT within ten minutes',
    errors: [400, 401, 403, 413, 429],
    read: (wire) => ({
      // Browsers send null for an unknown type.
      contentType: wire.body.over(wire.query).required('contentType'),
      ...fromBodyOrQuery(wire, (fields) => ({
        size: fields.number('size') as number,
        filename: fields.text('filename', 'fileName'),
        ...fields.seal(),
      })),
    }),
    beside: uploadAddress.shape,
    reply: (address) => message(address, { uniqueId: address.uid, extra: address }),
  }),
  route('PUT', '/image/reserved/{uniqueId}', {
    procedure: 'image.fillReserved',
    summary: 'Upload a file to an upload URL of this server, once',
    body: 'bytes',
    errors: [400, 403, 404, 413],
    admit: (ctx, wire) => allowReserved(ctx, reservedOf(wire)),
    read: (wire) => ({ ...reservedOf(wire), file: wire.file }),
    responds: { kind: 'said' },
    reply: ({ uniqueId }) => said('Uploaded', { uniqueId }),
  }),
  route('POST', '/image/register', {
    procedure: 'image.register',
    summary: 'Create an image from the file sent to an upload URL',
    errors: [400, 401, 403, 404, 429],
    read: (wire) => ({
      ...fromBodyOrQuery(wire, (fields) => ({
        uniqueId: fields.required('uniqueId', 'uid'),
        fileType: fields.text('fileType'),
        size: fields.number('size'),
      })),
      ...itemFieldsOf(wire),
    }),
    responds: ALSO_LINK,
    reply: created,
  }),
];
