import { DomainError, fail } from '../../routers/base/errors.js';
import { KINDS } from '../../routers/base/kinds.js';
import { allowUpload } from '../../routers/features/image/allowance.js';
import { StagedUpload } from '../../routers/features/image/upload/staged.js';
import type { Fields } from '../fields.js';
import { redirect, text } from '../reply/reply.js';
import { prefersLink, prefersPage, type Wire } from '../wire.js';
import { bytesUrl, deletionToken } from './address.js';
import { type Door, entrance, json, line, refuseForm, type Visit } from './door.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Larger numbers are moments in milliseconds, smaller ones hours. */
const FIRST_MOMENT = 1_000_000_000;
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:s|sec|secs|second|seconds)$/, 1_000],
  [/^(?:m|min|mins|minute|minutes)$/, 60_000],
  [/^(?:h|hr|hrs|hour|hours)$/, HOUR_MS],
  [/^(?:d|day|days)$/, DAY_MS],
  [/^(?:w|week|weeks)$/, 7 * DAY_MS],
  [/^(?:month|months)$/, 30 * DAY_MS],
  [/^(?:y|year|years)$/, 365 * DAY_MS],
];

/** Never, if nothing says when. */
type End = number | undefined;

/** The field `expires` (hours, or a moment in milliseconds) or the header `expire` (`10min`, `2h 30m`, `7d`). */
function endOf(fields: Fields, header: Wire['header']): End {
  const given = fields.filled('expires');
  if (given !== undefined) {
    if (!/^\d{1,15}$/.test(String(given).trim()))
      return refuseForm('expires: use hours, or milliseconds since 1970');
    const number = Number(given);
    return number >= FIRST_MOMENT ? number : Date.now() + number * HOUR_MS;
  }
  const duration = header('expire');
  return duration === null || duration.trim() === '' ? undefined : Date.now() + lengthOf(duration);
}

function lengthOf(duration: string): number {
  const parts = [...duration.toLowerCase().matchAll(/(\d{1,9})\s*([a-z]+)/g)];
  if (parts.length === 0 || !/^\s*(?:\d{1,9}\s*[a-z]+\s*)+$/i.test(duration))
    return refuseForm('expire: use a duration like 10min, 2h or 7d');
  return parts.reduce((sum, [, count, unit = '']) => {
    const known = UNITS.find(([names]) => names.test(unit));
    return sum + Number(count) * (known?.[1] ?? refuseForm('expire: use a duration like 10min, 2h or 7d'));
  }, 0);
}

/** A number of days or downloads. */
function countIn(header: Wire['header'], name: string): number | undefined {
  const given = header(name)?.trim() ?? '';
  if (given === '') return undefined;
  return /^[1-9]\d{0,8}$/.test(given) ? Number(given) : refuseForm(`${name}: use a whole number from 1`);
}

const atEnd = (end: End): string | undefined => (end === undefined ? undefined : String(end));
const called = (file: StagedUpload, name: string | null): StagedUpload =>
  name === null || name === '' ? file : new StagedUpload(file.blob, name, file.declaredType, file.counted);

/** What `X-Token` and `X-Expires` say of a new item. */
const headersOf = (
  item: Parameters<typeof deletionToken>[0] & { readonly expiresAt: string | null },
): Record<string, string> => ({
  'x-token': deletionToken(item),
  ...(item.expiresAt === null ? {} : { 'x-expires': String(Date.parse(item.expiresAt)) }),
});

const USUAL = { uniqueId: undefined, password: undefined, source: 'API' } as const;

const post = async ({
  call,
  fields,
  wire: { parts = [], header },
}: Visit<'image.upload' | 'url.create' | 'upload.fromUrl'>) => {
  const end = atEnd(endOf(fields, header));
  const files = parts.filter(({ field }) => field === 'file' || field === 'oneshot');
  const addresses = ['url', 'oneshot_url', 'remote'].map((name) => fields.filled(name));
  // The answer has one address, so that a second file would be lost without a word.
  if ([...files, ...addresses].filter((one) => one !== undefined).length !== 1)
    return refuseForm('Send exactly one of file, oneshot, url, oneshot_url and remote, as a form (curl -F)');
  const [part] = files;
  const [url, onceUrl, remote] = addresses as readonly (string | undefined)[];
  const target = url ?? onceUrl;
  if (target !== undefined) {
    const maxUses = onceUrl === undefined ? undefined : 1;
    const link = await call('url.create', { ...USUAL, url: target, maxUses, expiresAt: end });
    return line(link.urlSet.shortUrl, headersOf(link));
  }
  const image =
    part === undefined
      ? await call('upload.fromUrl', {
          ...USUAL,
          url: remote ?? '',
          expiresAt: end,
          filename: header('filename'),
        })
      : await call('image.upload', {
          ...USUAL,
          file: called(part.upload, header('filename')),
          expiresAt: end,
          ...(part.field === 'oneshot' ? { maxViews: 1 } : {}),
        });
  return line(bytesUrl(image), headersOf(image));
};

/** Does something to an item of any kind that its secret belongs to; 404 if there is none. */
async function withItem(work: (kind: (typeof KINDS)[number]) => Promise<unknown>): Promise<void> {
  for (const kind of KINDS)
    try {
      await work(kind);
      return;
    } catch (error) {
      if (!(error instanceof DomainError) || error.reason !== 'NOT_FOUND') throw error;
    }
  fail('NOT_FOUND');
}

const manage = async ({ call, fields, wire }: Visit<'library.deleteByLink' | 'library.endByLink'>) => {
  const uniqueId = wire.params.uniqueId ?? '';
  const token = fields.string('token');
  // This path has other meanings, too.
  if (token === '') return null;
  if (fields.filled('expires') !== undefined && fields.raw('delete') === undefined) {
    const expiresAt = endOf(fields, () => null);
    await withItem((kind) => call('library.endByLink', { kind, uniqueId, token, expiresAt }));
    return line('Changed');
  }
  await withItem((kind) => call('library.deleteByLink', { kind, uniqueId, token }));
  return line('Deleted');
};

/** The text of a paste that anybody may read more than once. */
async function plainPaste({ call, wire }: Visit<'paste.get'>, key: string) {
  const paste = await call('paste.get', { uniqueId: wire.params[key] ?? '' });
  return paste.requiresPassword ? fail('NOT_FOUND') : paste;
}

const isDocument = (path: string): boolean => /^\/(?:documents|raw)(?:\/|$)/i.test(path);

/** What people type: haste, transfer.sh, 0x0.st and rustypaste. */
export const curl: Door = {
  entrances: [
    entrance('POST', '/', {
      procedures: ['image.upload', 'url.create', 'upload.fromUrl'],
      body: 'files',
      admit: allowUpload,
      answer: post,
    }),
    entrance('POST', '/documents', {
      procedures: ['paste.create'],
      // Whatever its type says, also that it is a form.
      body: 'plain',
      answer: async ({ call, wire }) => {
        const paste = await call('paste.create', {
          ...{ text: wire.text?.content ?? '', uniqueId: undefined },
          ...{ password: undefined, expiresAt: undefined },
        });
        return json({ key: paste.uniqueId, url: paste.urlSet.shortUrl });
      },
    }),
    entrance('GET', '/documents/{key}', {
      procedures: ['paste.get'],
      open: true,
      answer: async (visit) => {
        const { uniqueId, content } = await plainPaste(visit, 'key');
        return json({ key: uniqueId, data: content });
      },
    }),
    entrance('GET', '/raw/{key}', {
      procedures: ['paste.get'],
      open: true,
      answer: async (visit) => text((await plainPaste(visit, 'key')).content),
    }),
    entrance('PUT', '/{name}', {
      procedures: ['image.upload'],
      body: 'bytes',
      admit: allowUpload,
      answer: async ({ call, wire: { file, params, header }, settings }) => {
        const days = countIn(header, 'max-days');
        const image = await call('image.upload', {
          ...USUAL,
          file: called(file as StagedUpload, params.name ?? null),
          expiresAt: atEnd(days === undefined ? undefined : Date.now() + days * DAY_MS),
          maxViews: countIn(header, 'max-downloads'),
        });
        const address = `${settings.origin}/${image.uniqueId}?token=${deletionToken(image)}`;
        return line(bytesUrl(image), { 'x-url-delete': address });
      },
    }),
    ...(['POST', 'DELETE'] as const).map((method) =>
      entrance(method, '/{uniqueId}', {
        procedures: ['library.deleteByLink', 'library.endByLink'],
        open: true,
        answer: manage,
      }),
    ),
    entrance('GET', '/{uniqueId}', {
      procedures: ['site.resolve', 'site.follow'],
      open: true,
      answer: async ({ call, wire }) => {
        const uniqueId = wire.params.uniqueId ?? '';
        const found = await call('site.resolve', { uniqueId }).catch(() => null);
        if (found?.kind !== 'paste') return null;
        return redirect(
          (
            await call('site.follow', {
              uniqueId,
              prefersPage: prefersPage(wire),
              prefersText: prefersLink(wire),
            })
          ).location,
          302,
        );
      },
    }),
  ],
  keyIn: (fields, header) => {
    const authorization = header('authorization')?.trim() ?? '';
    return /^\S+$/.test(authorization) ? authorization : fields.filled('key');
  },
  refuse: ({ status, message }, { method, path }) => {
    if (!isDocument(path)) return line(message, {}, status);
    // A text that not everybody may read is not there.
    const isHidden = method === 'GET' && (status === 401 || status === 403);
    return json({ message: isHidden ? 'Document not found.' : message }, isHidden ? 404 : status);
  },
};
