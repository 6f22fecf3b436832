import { packInfo } from '../../routers/features/pack/open.js';
import { packPage, packRecord } from '../../routers/features/pack/record.js';
import { allowPackFile, packAddress } from '../../routers/features/pack/reserve.js';
import { alsoAs } from '../receive/repeated.js';
import { content, done, flat } from '../reply/reply.js';
import { route } from '../route.js';
import {
  fromBodyOrQuery,
  pageIn,
  passwordOf,
  permanentOf,
  prefersPage,
  transferOf,
  type Wire,
} from '../wire.js';
import { formatOf } from './image.js';

const FLAT = { kind: 'flat' } as const;

const packOf = ({ params }: Wire) => ({ packId: params.uniqueId ?? '' });
const lockedOf = (wire: Wire) => ({ ...packOf(wire), password: passwordOf(wire) });
const reservedOf = ({ params, query }: Wire) => ({
  upload: params.upload ?? '',
  token: query.text('token') ?? '',
});

/** File packs as separate front ends make and show them: their answers have all fields beside the envelope. */
export const packRoutes = [
  route('POST', '/files/presigned-url/put', {
    procedure: 'pack.presign',
    summary: 'Reserve the name of a file and get a URL to upload it to with PUT',
    errors: [400, 401, 403, 429],
    read: (wire) =>
      fromBodyOrQuery(wire, (fields) => ({
        filename: fields.required('filename'),
        contentType: fields.text('contentType'),
      })),
    responds: FLAT,
    beside: packAddress.shape,
    reply: (address) => flat(address),
  }),
  route('PUT', '/files/reserved/{upload}', {
    procedure: 'pack.fill',
    summary: 'Upload a file of a pack to an upload URL of this server, once',
    body: 'bytes',
    errors: [400, 403, 404, 413],
    textErrors: true,
    admit: (ctx, wire) => allowPackFile(ctx, reservedOf(wire)),
    read: (wire) => ({ ...reservedOf(wire), file: wire.file }),
    says: 'Uploaded',
  }),
  route('POST', '/files/register', {
    procedure: 'pack.register',
    summary: 'Make a pack of uploaded files',
    errors: [400, 401, 403, 413, 429],
    textErrors: true,
    read: ({ body }) => ({
      items: body.raw('items'),
      source: body.text('source'),
      password: body.text('password'),
      description: body.text('description'),
    }),
    responds: FLAT,
    beside: packRecord.shape,
    reply: (pack) => flat(pack, pack.packId),
  }),
  route('GET', '/files/packs', {
    procedure: 'pack.mine',
    summary: "The caller's file packs, newest first",
    errors: [400, 401],
    read: pageIn,
    responds: FLAT,
    beside: packPage.shape,
    reply: (list) => flat(list),
  }),
  route('GET', '/files/all-packs', {
    procedure: 'pack.all',
    summary: 'The file packs of all accounts, newest first',
    errors: [400, 401, 403],
    read: pageIn,
    responds: FLAT,
    beside: packPage.shape,
    reply: (list) => flat(list),
  }),
  route('GET', '/files/pack/{uniqueId}', {
    procedure: 'pack.get',
    summary: 'A file pack of the caller',
    errors: [401, 404],
    read: packOf,
    responds: FLAT,
    beside: packRecord.shape,
    reply: (pack) => flat(pack, pack.packId),
  }),
  route('GET', '/files/pack/public/{uniqueId}/info', {
    procedure: 'pack.info',
    summary: 'What everybody may know of a file pack before it is opened',
    errors: [404],
    read: packOf,
    responds: FLAT,
    beside: packInfo.shape,
    reply: (info) => flat(info, info.packId),
  }),
  route('POST', '/files/pack/public/{uniqueId}', {
    procedure: 'pack.open',
    summary: 'Open a file pack, with its password if it has one; a cookie keeps it open for twelve hours',
    errors: [403, 404, 429],
    read: lockedOf,
    responds: FLAT,
    beside: packRecord.shape,
    reply: (pack) => flat(pack, pack.packId),
  }),
  route('POST', '/files/pack/public/{uniqueId}/download/zip', {
    procedure: 'pack.zip',
    summary: 'A zip of the files of a pack',
    errors: [403, 404, 429],
    read: lockedOf,
    responds: { kind: 'content' },
    reply: (listing) => ({ as: 'zip', listing }),
  }),
  route('DELETE', '/files/pack/public/{uniqueId}', {
    procedure: 'pack.delete',
    summary: 'Delete a file pack with its files',
    errors: [400, 401, 403, 404],
    read: (wire) => ({ ...packOf(wire), ...permanentOf(wire) }),
    reply: done,
  }),
  route('DELETE', '/files/pack/public/{uniqueId}/file/{filename}', {
    procedure: 'pack.deleteFile',
    summary: 'Delete a file of a pack; with the last file the pack goes, too',
    errors: [400, 401, 403, 404],
    read: (wire) => ({ ...packOf(wire), filename: wire.params.filename ?? '', ...permanentOf(wire) }),
    reply: done,
  }),
  ...alsoAs(
    route('GET', '/files/{filename}', {
      procedure: 'pack.file',
      summary: 'A file of a pack, for those who may open the pack',
      errors: [302, 304, 400, 403, 404, 416, 429],
      read: (wire) => ({
        filename: wire.params.filename ?? '',
        password: passwordOf(wire),
        download: wire.query.boolean('download') ?? false,
        prefersPage: prefersPage(wire),
        transfer: transferOf(wire),
        width: wire.query.number('width'),
        format: formatOf(wire),
      }),
      responds: { kind: 'content' },
      reply: (file) => content(file),
      atRoot: true,
    }),
    ['GET', '/files/get/{filename}'],
  ),
];
