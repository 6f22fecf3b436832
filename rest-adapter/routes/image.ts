import { z } from 'zod';
import { allowUpload } from '../../routers/features/image/allowance.js';
import type { ContentInput } from '../../routers/features/image/content.js';
import type { ImageAnswer } from '../../routers/features/image/get.js';
import { type Description, description } from '../../routers/features/image/query.js';
import {
  content,
  done,
  itemRecord,
  message,
  type NoExtra,
  noContent,
  ownTag,
  type Reply,
} from '../reply/reply.js';
import { route } from '../route.js';
import {
  changedFieldsOf,
  changedItemOf,
  deletedItemOf,
  fromBodyOrQuery,
  itemOf,
  itemWithPassword,
  passwordOf,
  prefersPage,
  transferOf,
  type Wire,
} from '../wire.js';
import { imageUploadRoutes } from './image-upload.js';

/** The format of a rendition in any case; whether there is such a format is for the schema to say. */
export const formatOf = (wire: Wire): ContentInput['format'] => {
  const format = wire.query.text('format')?.trim().toLowerCase();
  if (format === undefined || format === '') return undefined;
  return (format === 'jpg' ? 'jpeg' : format) as ContentInput['format'];
};

const readContent = (wire: Wire): ContentInput => ({
  // Written out: this runs for every image, and a spread object costs more than reading its bytes from memory.
  uniqueId: wire.params.uniqueId ?? '',
  password: passwordOf(wire),
  download: wire.query.boolean('download') ?? false,
  prefersPage: prefersPage(wire) && wire.query.boolean('raw') !== true,
  transfer: transferOf(wire),
  accept: wire.header('accept'),
  query: wire.search,
  width: wire.query.number('width'),
  format: formatOf(wire),
});

/** `X-Image-Size` (KiB) and `X-Image-Type`; none for null. */
const factHeaders = (
  facts: { readonly size: number; readonly type: string } | null,
): Record<string, string> =>
  facts === null ? {} : { 'x-image-size': String(Math.ceil(facts.size / 1024)), 'x-image-type': facts.type };

/** The message of `described`: the details with the bytes, if requested. */
export const withBase64 = <S extends z.ZodRawShape>(details: z.ZodObject<S>) =>
  details.extend({ base64: z.string().optional() });

/** The message of `GET /image/get` when it does not send the bytes themselves. */
export const imageDetails = withBase64(description.shape.message);

/** The details of an image, with its bytes on request; `textOnly` sends the bytes without the envelope. */
export function described<M extends object>({
  uniqueId,
  message: localizable,
  base64,
  facts,
  textOnly = false,
}: Omit<Description, 'as' | 'message' | 'textOnly'> & {
  readonly message: M;
  readonly textOnly?: boolean;
}): Reply<M, NoExtra, never> {
  const headers = factHeaders(facts);
  if (base64 === null)
    return message(localizable, { uniqueId, headers: { ...headers, ...ownTag('image', localizable) } });
  return {
    as: 'base64',
    source: base64,
    envelope: textOnly ? null : { uniqueId, message: localizable },
    headers,
  };
}

const answer = (image: ImageAnswer, wire: Wire): Reply<Description['message'], NoExtra, never> => {
  if (image.as === 'redirect') return content(image);
  if (image.as === 'bytes') {
    return content(image, factHeaders(wire.query.boolean('image_info') === true ? image.facts : null));
  }
  return described(image);
};

/** A PDF for the frame on its page, which serves it; no operation of the interface. */
export const documentRoute = route('GET', '/image/document/{uniqueId}', {
  procedure: 'image.document',
  summary: 'A document for the frame on its page',
  responds: { kind: 'content' },
  read: readContent,
  reply: (document) => content(document),
});

/** Images, video and other files. */
export const imageRoutes = [
  ...imageUploadRoutes,
  route('GET', '/image/get/{uniqueId}', {
    procedure: 'image.get',
    summary: 'The content of an image; its details or base64 in the envelope on request',
    responds: { kind: 'content', types: ['text/plain'] },
    errors: [302, 304, 403, 404, 416],
    message: imageDetails,
    read: (wire) =>
      Object.assign(readContent(wire), {
        base64: wire.query.boolean('base64'),
        info: wire.query.boolean('info'),
        imageInfo: wire.query.boolean('image_info'),
        raw: wire.query.boolean('raw'),
      }),
    reply: answer,
    hot: true,
  }),
  route('POST', '/image/get/{uniqueId}', {
    procedure: 'image.unlock',
    summary: 'The record of an image, with its password in the body',
    errors: [403, 404],
    read: itemWithPassword,
    reply: (image) => itemRecord('image', image),
  }),
  route('PATCH', '/image/get/{uniqueId}', {
    procedure: 'image.change',
    summary: 'Change an image; absent fields stay, null and "" clear',
    errors: [400, 401, 403, 404, 412, 429],
    read: (wire) => ({
      ...wire.body.clear(),
      ...changedItemOf(wire),
      ...changedFieldsOf(wire),
      desc: wire.body.text('desc', 'description'),
      originalName: wire.body.text('originalName'),
      maxViews: wire.body.cleared((fields) => fields.number('maxViews'), 'maxViews'),
      sealedName: wire.body.text('sealedName'),
    }),
    reply: (image) => itemRecord('image', image),
  }),
  route('PUT', '/image/get/{uniqueId}', {
    procedure: 'image.replace',
    summary: 'Put another file under the id of an image',
    body: 'file',
    admit: allowUpload,
    errors: [400, 401, 403, 404, 412, 413, 429, 500],
    read: (wire) => ({
      ...itemOf(wire),
      ifMatch: wire.header('if-match'),
      file: wire.file,
      ...fromBodyOrQuery(wire, (fields) => ({ sealedName: fields.text('sealedName'), ...fields.clear() })),
    }),
    reply: (image) => itemRecord('image', image),
  }),
  route('DELETE', '/image/get/{uniqueId}', {
    procedure: 'image.delete',
    summary: 'Delete an image',
    errors: [401, 404],
    read: deletedItemOf,
    reply: done,
  }),
  route('GET', '/image/info/{uniqueId}', {
    procedure: 'image.info',
    summary: 'The record of an image; blank where the caller has no access',
    errors: [404],
    read: (wire) => ({ ...itemWithPassword(wire), exif: true, words: true }),
    reply: (image) => itemRecord('image', image),
  }),
  route('GET', '/image/get/video/{uniqueId}', {
    procedure: 'image.video',
    summary: 'The bytes of a video, in ranges on request',
    responds: { kind: 'content' },
    errors: [302, 304, 403, 404, 416],
    read: readContent,
    reply: (video) => content(video),
    hot: true,
  }),
  route('GET', '/image/get/poster/{uniqueId}', {
    procedure: 'image.poster',
    summary: 'The poster of a video, a JPEG',
    errors: [302, 304, 403, 404, 416],
    read: readContent,
    responds: { kind: 'content' },
    reply: (poster) => content(poster),
  }),
  route('PUT', '/image/password/{uniqueId}', {
    procedure: 'image.setPassword',
    summary: 'Set the password of an image; "" removes it',
    errors: [400, 401, 404, 429],
    read: (wire) => ({ ...itemOf(wire), password: wire.body.required('password') }),
    reply: (image) => itemRecord('image', image),
  }),
  route('GET', '/user/get/@me/settings/media', {
    procedure: 'image.mediaSettings',
    summary: 'Which embedded metadata is removed from uploads, and whether words in pictures are read',
    errors: [401],
  }),
  route('PATCH', '/user/get/@me/settings/media', {
    procedure: 'image.changeMediaSettings',
    summary:
      'Choose which embedded metadata is removed from uploads (strip, location or keep), and whether words in pictures are read',
    errors: [400, 401],
    read: ({ body }) => ({ metadata: body.text('metadata'), ocr: body.boolean('ocr') }),
    reply: noContent,
  }),
  route('GET', '/image/stats', {
    procedure: 'image.stats',
    summary: 'How many images were uploaded in a period of time',
    errors: [400, 503],
    read: ({ query }) => ({ fromDate: query.text('fromDate'), toDate: query.text('toDate') }),
  }),
];
