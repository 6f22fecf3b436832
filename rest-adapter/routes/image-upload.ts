import { allowUpload } from '../../routers/image/allowance.js';
import { allowReserved } from '../../routers/image/reserve.js';
import { alsoAs } from '../repeated.js';
import { message } from '../reply.js';
import { route } from '../route.js';
import type { Wire } from '../wire.js';
import { created } from './created.js';

/** What describes an upload besides its file and id: fields of the body, or of the query for bare files. */
export const itemFieldsOf = ({ body, query }: Wire) => ({
  private: body.boolean('private') ?? query.boolean('private'),
  password: body.nullable('password') ?? query.text('password'),
  desc: body.nullable('desc', 'description') ?? query.text('desc'),
  source: body.nullable('source') ?? query.text('source'),
  expiresAt: body.nullable('expiresAt', 'expiryDate') ?? query.text('expiresAt', 'expiryDate'),
  maxViews: body.number('maxViews') ?? query.number('maxViews'),
});

const reservedOf = ({ params, query }: Wire) => ({
  uniqueId: params.uniqueId ?? '',
  token: query.text('token') ?? '',
});

/** How files come in: at once, or by an address that was handed out before. */
export const imageUploadRoutes = [
  ...alsoAs(
    route('POST', '/image/upload', {
      procedure: 'image.upload',
      summary: 'Upload a file',
      body: 'file',
      admit: allowUpload,
      errors: [400, 401, 403, 413, 429, 500],
      read: (wire) => ({
        file: wire.file as never,
        uniqueId: wire.body.nullable('uniqueId') ?? wire.query.text('uniqueId'),
        ...itemFieldsOf(wire),
      }),
      reply: created,
    }),
    // Everything lies in the object store where one is configured.
    ['POST', '/image/upload/cloud'],
  ),
  route('POST', '/image/generate-upload-url', {
    procedure: 'image.reserve',
    summary: 'Get a URL to upload one file to with PUT within ten minutes',
    errors: [400, 401, 403, 413, 429],
    read: ({ body, query }) => ({
      contentType: body.over(query).nullable('contentType') as string,
      size: (body.number('size') ?? query.number('size')) as number,
      filename: body.nullable('filename', 'fileName') ?? query.text('filename', 'fileName'),
    }),
    reply: (address) => message(address, { uniqueId: address.uid, extra: address }),
  }),
  route('PUT', '/image/reserved/{uniqueId}', {
    procedure: 'image.fillReserved',
    summary: 'Upload a file to an upload URL of this server, once',
    body: 'bytes',
    errors: [400, 403, 404, 413],
    admit: (ctx, wire) => allowReserved(ctx, reservedOf(wire)),
    read: (wire) => ({ ...reservedOf(wire), file: wire.file as never }),
    responds: { kind: 'said' },
    reply: ({ uniqueId }) => message('Uploaded', { uniqueId }),
  }),
  route('POST', '/image/register', {
    procedure: 'image.register',
    summary: 'Create an image from the file sent to an upload URL',
    errors: [400, 401, 403, 404, 429],
    read: (wire) => ({
      uniqueId: (wire.body.text('uniqueId', 'uid') ?? wire.query.text('uniqueId', 'uid')) as string,
      fileType: wire.body.nullable('fileType') ?? wire.query.text('fileType'),
      size: wire.body.number('size') ?? wire.query.number('size'),
      ...itemFieldsOf(wire),
    }),
    reply: created,
  }),
];
