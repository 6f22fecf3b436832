import { allowUpload } from '../../routers/features/image/allowance.js';
import type { ImageRecord } from '../../routers/features/image/record.js';
import { bytesUrl, deletionPage, nameOf, smallUrl } from './address.js';
import { type Door, entrance, json, momentOf, refuseForm, wholeOr } from './door.js';

/** The capacity of an account without a limit, in KiB: a pebibyte. */
const UNLIMITED_KIB = 2 ** 40;
const PER_PAGE = 40;

const kib = (bytes: number): number => Math.round((bytes / 1024) * 100) / 100;
const done = (message: string, data: object) => json({ status: true, message, data });
const inHtml = (text: string): string => text.replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`);

/** A file as a list or an upload shows it. */
function entryOf(image: ImageRecord) {
  const url = bytesUrl(image);
  const name = nameOf(image);
  const title = image.originalName ?? name;
  const plain = title.replace(/[[\]\\]/g, '\\$&');
  return {
    ...{ key: image.uniqueId, name, pathname: name, origin_name: title, size: kib(image.size ?? 0) },
    ...{ mimetype: image.mimeType, extension: image.type, md5: '', sha1: '' },
    ...{
      width: image.width ?? 0,
      height: image.height ?? 0,
      date: momentOf(image.uploadedAt),
    },
    links: {
      url,
      html: `<img src="${inHtml(url)}" alt="${inHtml(title)}" title="${inHtml(title)}" />`,
      bbcode: `[img]${url}[/img]`,
      markdown: `![${plain}](${url})`,
      markdown_with_link: `[![${plain}](${url})](${url})`,
      thumbnail_url: smallUrl(image, 400),
      delete_url: deletionPage(image),
    },
  };
}

/** The API of Lsky Pro, version 2. */
export const lsky: Door = {
  entrances: [
    entrance('POST', '/api/v1/upload', {
      procedures: ['image.upload'],
      body: 'file',
      admit: allowUpload,
      answer: async ({ call, wire, fields }) => {
        const image = await call('image.upload', {
          file: wire.file as never,
          uniqueId: undefined,
          private: fields.number('permission') === 0,
          password: undefined,
          expiresAt: fields.filled('expired_at'),
          source: 'API',
        });
        return done('Uploaded', entryOf(image));
      },
    }),
    entrance('DELETE', '/api/v1/images/{key}', {
      procedures: ['image.delete'],
      answer: async ({ call, wire }) => {
        await call('image.delete', { uniqueId: wire.params.key ?? '' });
        return done('Deleted', {});
      },
    }),
    entrance('GET', '/api/v1/images', {
      procedures: ['library.images'],
      answer: async ({ call, fields }) => {
        const page = Math.max(1, wholeOr(fields.text('page'), 1));
        const search = fields.string('keyword');
        const { items, total } = await call('library.images', { page: page - 1, pageSize: PER_PAGE, search });
        const last_page = Math.max(1, Math.ceil(total / PER_PAGE));
        const data = items.map(entryOf);
        return done('Images', { current_page: page, data, total, per_page: PER_PAGE, last_page });
      },
    }),
    entrance('GET', '/api/v1/profile', {
      procedures: ['image.summary'],
      answer: async ({ call, settings }) => {
        const { username, email, files, bytes, maxBytes } = await call('image.summary', undefined);
        return done('Profile', {
          ...{ username, name: username, email, avatar: '', url: settings.origin, registered_ip: '' },
          ...{ capacity: maxBytes === null ? UNLIMITED_KIB : kib(maxBytes), size: kib(bytes) },
          ...{ image_num: files, album_num: 0 },
        });
      },
    }),
    entrance('POST', '/api/v1/tokens', {
      procedures: ['auth.uploadKey'],
      open: true,
      answer: async ({ call, fields }) => {
        const [email, password] = [fields.string('email'), fields.string('password')];
        if (email === '' || password === '') return refuseForm('Send the e-mail address and the password');
        const { key } = await call('auth.uploadKey', { email, password, name: 'Lsky' });
        return done('Signed in', { token: key });
      },
    }),
    entrance('DELETE', '/api/v1/tokens', {
      procedures: ['user.deleteThisKey'],
      answer: async ({ call }) => {
        await call('user.deleteThisKey', undefined);
        return done('Signed out', {});
      },
    }),
  ],
  refuse: ({ status, message }) =>
    status === 401
      ? json({ message: 'Unauthenticated.' }, 401)
      : json({ status: false, message, data: {} }, status === 400 ? 422 : status),
};
