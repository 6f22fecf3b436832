import { allowUpload } from '../../routers/features/image/allowance.js';
import type { ImageRecord } from '../../routers/features/image/record.js';
import { bytesUrl, captionOf, deletionToken, titleIn, titlesIn } from './address.js';
import { type Door, type Entrance, entrance, json, sourceRefusal, wholeOr } from './door.js';

const success = (data: unknown) => json({ data, success: true, status: 200 });

const dataOf = (image: ImageRecord) => {
  const token = deletionToken(image);
  return {
    ...{ id: image.uniqueId, ...titleIn(image.description) },
    ...{ datetime: Math.floor(Date.parse(image.uploadedAt) / 1000), type: image.mimeType },
    ...{ animated: image.animated === true, width: image.width ?? 0, height: image.height ?? 0 },
    ...{ size: image.size ?? 0, views: image.views ?? 0, bandwidth: 0 },
    // With the id in front, because it stands for the image in addresses.
    ...(token === '' ? {} : { deletehash: `${image.uniqueId}.${token}` }),
    ...{ name: image.originalName ?? '', link: bytesUrl(image) },
  };
};

/** The id and the secret in an address. */
const hashIn = (hash: string): readonly [uniqueId: string, token: string | null] => {
  const [, id, token] = /^(.+)\.([0-9a-f]{64})$/.exec(hash) ?? [];
  return id === undefined || token === undefined ? [hash, null] : [id, token];
};

const upload = (path: string): Entrance =>
  entrance('POST', path, {
    procedures: ['upload.source'],
    body: 'source',
    admit: allowUpload,
    answer: async ({ call, wire: { parts = [], body }, fields }) => {
      const [title, description] = titlesIn(fields);
      const image = await call('upload.source', {
        file: parts.find(({ field }) => field.toLowerCase() === 'image')?.upload ?? parts[0]?.upload,
        text: body.filled('image'),
        form: fields.word('type') as never,
        filename: fields.filled('name'),
        desc: captionOf(title, description),
        password: undefined,
        expiresAt: undefined,
        source: 'API',
      });
      return success({ ...dataOf(image), title: title ?? null, description: description ?? null });
    },
  });

const images = (path: string): Entrance =>
  entrance('GET', path, {
    procedures: ['library.images'],
    answer: async ({ call, wire }) => {
      const page = Math.max(0, wholeOr(wire.params.page, 0));
      const { items } = await call('library.images', { page, pageSize: 50 });
      return success(items.map(dataOf));
    },
  });

/** The API of Imgur, version 3. */
export const imgur: Door = {
  entrances: [
    ...['/3/image', '/3/upload', '/3/image.json', '/3/upload.json'].map(upload),
    entrance('GET', '/3/image/{hash}', {
      procedures: ['image.unlock'],
      open: true,
      answer: async ({ call, wire }) => {
        const [uniqueId] = hashIn((wire.params.hash ?? '').replace(/\.json$/i, ''));
        return success(dataOf(await call('image.unlock', { uniqueId })));
      },
    }),
    entrance('DELETE', '/3/image/{hash}', {
      procedures: ['image.delete', 'library.deleteByLink'],
      open: true,
      answer: async ({ call, wire }) => {
        const [uniqueId, token] = hashIn((wire.params.hash ?? '').replace(/\.json$/i, ''));
        if (token === null) await call('image.delete', { uniqueId });
        else await call('library.deleteByLink', { kind: 'image', uniqueId, token });
        return success(true);
      },
    }),
    ...['/3/account/me/images', '/3/account/me/images/{page}'].map(images),
    entrance('GET', '/3/credits', {
      procedures: ['image.summary'],
      answer: async ({ call }) => {
        await call('image.summary', undefined);
        const [UserLimit, ClientLimit] = [500, 12_500];
        const UserReset = Math.floor(Date.now() / 1000) + 3_600;
        return success({
          UserLimit,
          UserRemaining: UserLimit,
          UserReset,
          ClientLimit,
          ClientRemaining: ClientLimit,
        });
      },
    }),
  ],
  keyIn: (_, header) => /^\s*client-id\s+(\S+)\s*$/i.exec(header('authorization') ?? '')?.[1],
  refuse: (failure, { method, path }) => {
    const { status } = failure;
    const error = sourceRefusal(failure, 'image');
    return json({ data: { error, request: path, method }, success: false, status }, status);
  },
};
