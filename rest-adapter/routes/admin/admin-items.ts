import { z } from 'zod';
import { adminImage } from '../../../routers/features/admin/image.js';
import { message } from '../../reply/reply.js';
import { route } from '../../route.js';
import { itemOf, pagingOf, uidOf, type Wire } from '../../wire.js';
import { described, withBase64 } from '../image.js';

const ofUser = (wire: Wire) => ({
  uid: uidOf(wire),
  from: wire.query.text('from', 'fromDate'),
  to: wire.query.text('to', 'toDate'),
  limit: wire.query.number('limit'),
  content: wire.query.boolean('content'),
  logs: wire.query.boolean('logs'),
});

/** Filters of administrators' lists, as older clients name them. */
const filters = ({ query }: Wire) => ({
  uniqueId: query.text('uniqueId'),
  includeUsers: query.list('includeUsers'),
  excludeUsers: query.list('excludeUsers'),
  trashed: query.boolean('trashed'),
});

const searched = (wire: Wire) => ({
  ...filters(wire),
  search: wire.query.text('search', 'query', 'q'),
  uid: wire.query.number('uid', 'user'),
  from: wire.query.text('from', 'fromDate'),
  to: wire.query.text('to', 'toDate'),
  ...pagingOf(wire),
});

/** An image with what its options ask for. */
export const imageForAdministrators = withBase64(adminImage.shape.message);

/** What administrators see of everybody's items. */
export const adminItemRoutes = [
  route('GET', '/admin/image/get/{uniqueId}', {
    procedure: 'admin.image',
    summary: 'Any image, including private ones',
    errors: [401, 403, 404],
    read: (wire) => ({
      ...itemOf(wire),
      base64: wire.query.boolean('base64'),
      raw: wire.query.boolean('raw'),
      uploaderInfo: wire.query.boolean('uploader_info'),
      imageInfo: wire.query.boolean('image_info'),
      info: wire.query.boolean('info'),
    }),
    message: imageForAdministrators,
    reply: (image) => described(image),
  }),
  route('GET', '/admin/user/{uid}/images', {
    procedure: 'admin.userImages',
    summary: 'Images of an account',
    errors: [400, 401, 403, 404],
    read: ofUser,
  }),
  route('GET', '/admin/user/{uid}/images/pageable', {
    procedure: 'admin.userImagesPage',
    summary: 'Images of an account, a page at a time',
    errors: [400, 401, 403, 404],
    read: (wire) => ({
      uid: uidOf(wire),
      from: wire.query.text('from', 'fromDate'),
      to: wire.query.text('to', 'toDate'),
      formats: wire.query.list('formats'),
      ...pagingOf(wire),
    }),
  }),
  route('GET', '/admin/user/{uid}/pastes', {
    procedure: 'admin.userPastes',
    summary: 'Pastes of an account',
    errors: [400, 401, 403, 404],
    read: ofUser,
  }),
  route('GET', '/admin/user/{uid}/urls', {
    procedure: 'admin.userUrls',
    summary: 'Short URLs of an account',
    errors: [400, 401, 403, 404],
    read: ofUser,
  }),
  route('GET', '/admin/images', {
    procedure: 'admin.images',
    summary: 'Search all images',
    errors: [400, 401, 403, 429],
    read: (wire) => ({
      ...searched(wire),
      formats: wire.query.list('formats'),
      location: wire.query.filled('location'),
    }),
  }),
  route('POST', '/admin/images/{uniqueId}/migrate', {
    procedure: 'admin.migrateImage',
    summary: 'Move the bytes of an image to the other store; 400 while there is only one',
    errors: [400, 401, 403, 404],
    read: itemOf,
    message: z.string(),
    beside: { location: z.enum(['LOCAL', 'S3']) },
    reply: ({ uniqueId, location }) =>
      message('Storage migrated successfully', { uniqueId, extra: { location } }),
  }),
  route('GET', '/admin/pastes', {
    procedure: 'admin.pastes',
    summary: 'Search all pastes',
    errors: [400, 401, 403, 429],
    read: searched,
  }),
  route('GET', '/admin/urls', {
    procedure: 'admin.urls',
    summary: 'Search all short URLs',
    errors: [400, 401, 403, 429],
    read: (wire) => ({
      ...searched(wire),
      minVisits: wire.query.number('minVisits'),
      maxVisits: wire.query.number('maxVisits'),
      maxUses: wire.query.number('maxUses'),
      expired: wire.query.boolean('expired'),
    }),
  }),
];
