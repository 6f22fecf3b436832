import { STATUS_CODES } from 'node:http';
import { allowUpload } from '../../routers/features/image/allowance.js';
import type { ImageRecord } from '../../routers/features/image/record.js';
import { redirect } from '../reply/reply.js';
import { bytesUrl, captionOf, deletionPage, nameOf, smallUrl, titleIn, titlesIn } from './address.js';
import { type Door, entrance, json, line, momentOf, refuseForm, sourceRefusal, type Visit } from './door.js';

const DURATION =
  /^P(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/i;

/** The end of a duration that begins now (`PT5M`, `P1D`); undefined for none. */
function endOf(duration: string): string | undefined {
  if (duration === '') return undefined;
  const parts = DURATION.exec(duration.trim());
  if (parts === null || !/\d/.test(duration))
    return refuseForm('expiration: use a duration like PT5M or P1D');
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const end = new Date();
  end.setUTCMonth(end.getUTCMonth() + years * 12 + months, end.getUTCDate() + weeks * 7 + days);
  return String(end.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1000);
}

const imageOf = (image: ImageRecord) => ({
  ...{
    name: image.uniqueId,
    extension: image.type,
    size: image.size,
    width: image.width,
    height: image.height,
  },
  ...{ url: bytesUrl(image), url_viewer: image.urlSet.webUrl, url_short: image.urlSet.shortUrl },
  ...{ filename: nameOf(image), mime: image.mimeType },
  ...{ thumb: { url: smallUrl(image, 160) }, medium: { url: smallUrl(image, 500) } },
  ...{ delete_url: deletionPage(image), ...titleIn(image.description) },
  expiration_date_gmt: image.expiresAt === null ? null : momentOf(image.expiresAt),
});

const answer = async ({ call, wire: { parts = [] }, fields }: Visit<'upload.source'>) => {
  const [title, description] = titlesIn(fields);
  const image = await call('upload.source', {
    file: parts.find(({ field }) => field.toLowerCase() === 'source')?.upload ?? parts[0]?.upload,
    text: fields.filled('source'),
    desc: captionOf(title, description),
    expiresAt: endOf(fields.string('expiration')),
    password: undefined,
    source: 'API',
  });
  const format = fields.string('format').toLowerCase();
  if (format === 'txt') return line(bytesUrl(image));
  if (format === 'redirect') return redirect(image.urlSet.webUrl, 302);
  return json({
    status_code: 200,
    success: { message: 'image uploaded', code: 200 },
    image: { ...imageOf(image), title: title ?? null, description: description ?? null },
    status_txt: 'OK',
  });
};

/** The API of Chevereto, version 1. */
export const chevereto: Door = {
  entrances: [
    entrance('GET', '/api/1/upload', { procedures: ['upload.source'], answer }),
    entrance('POST', '/api/1/upload', {
      ...{ procedures: ['upload.source'], body: 'source', admit: allowUpload },
      answer,
    }),
  ],
  keyIn: (fields) => fields.filled('key'),
  refuse: (failure, { fields }) => {
    const { status } = failure;
    const message = sourceRefusal(failure, 'source');
    return fields.string('format').toLowerCase() === 'txt'
      ? line(message, {}, status)
      : json(
          { status_code: status, error: { message, code: status }, status_txt: STATUS_CODES[status] ?? '' },
          status,
        );
  },
};
