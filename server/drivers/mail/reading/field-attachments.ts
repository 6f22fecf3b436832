import {
  type InboundAttachment,
  type InboundForm,
  InboundRefused,
} from '../../../../routers/base/ports/mail/mail.js';
import { carriedBytes } from './carried-bytes.js';
import { decodeWords } from './words.js';

/** The attachments of a form or an object, and whether some that it announces are missing. */
interface FieldAttachments {
  readonly found: readonly InboundAttachment[];
  readonly missing: boolean;
}

type Entry = Readonly<Record<string, unknown>>;

/**
 * The attachments that came as parts of the form or in its field `attachments`: with their bytes or, from a provider
 * that stores them (`stored`), with their addresses. Throws `InboundRefused` for what cannot be understood.
 */
export function attachmentsIn(
  form: InboundForm,
  skipped: readonly string[],
  stored: boolean,
): FieldAttachments {
  const parts = partsOf(form, skipped);
  const listed = listIn(form.fields.attachments, stored);
  const found = [...parts, ...(listed ?? []).map((entry, index) => attachmentOf(entry, index, stored))];
  const announced = Number(form.fields['attachment-count'] ?? 0);
  return { found, missing: listed === null || announced > found.length };
}

function partsOf({ parts, fields }: InboundForm, skipped: readonly string[]): InboundAttachment[] {
  const ids = contentIds(fields['content-id-map']);
  return parts
    .filter(({ field }) => !skipped.includes(field))
    .sort((a, b) => numberOf(a.field) - numberOf(b.field))
    .map(({ field, filename, contentType, size }) => ({
      filename: decodeWords(filename),
      contentType,
      size,
      content: { kind: 'part', field },
      contentId: ids.get(field) ?? null,
      disposition: ids.has(field) ? 'inline' : null,
    }));
}

/** `attachment-2` is the second, wherever it stands in the form; others stay where they are. */
const numberOf = (field: string): number => Number(/^attachment-(\d{1,4})$/.exec(field)?.[1] ?? 0);

/** The Content-Ids by part; the provider names the part by Content-Id. */
function contentIds(given: unknown): ReadonlyMap<string, string> {
  try {
    const map: unknown = typeof given === 'string' ? JSON.parse(given) : given;
    if (typeof map !== 'object' || map === null) return new Map();
    return new Map(Object.entries(map).map(([id, field]) => [String(field), id]));
  } catch {
    return new Map();
  }
}

/** Null if the provider's list is damaged. */
function listIn(given: unknown, stored: boolean): readonly Entry[] | null {
  if (given === undefined || given === null || given === '') return [];
  try {
    const list: unknown = typeof given === 'string' ? JSON.parse(given) : given;
    if (Array.isArray(list) && list.every((entry) => typeof entry === 'object' && entry !== null))
      return list;
  } catch {
    // As any other value that is no list.
  }
  if (stored) return null;
  throw new InboundRefused('malformed', 'The mail cannot be read at attachments');
}

function attachmentOf(entry: Entry, index: number, stored: boolean): InboundAttachment {
  const place = `attachments.${index}`;
  const word = (...names: string[]): string => {
    const value = names.map((name) => entry[name]).find((one) => typeof one === 'string' && one !== '');
    return typeof value === 'string' ? value : '';
  };
  const disposition = word('disposition', 'contentDisposition', 'content-disposition').toLowerCase();
  const described = {
    filename: decodeWords(word('filename', 'fileName', 'name')),
    contentType: word('contentType', 'mimeType', 'content-type', 'content_type', 'type'),
    contentId: word('contentId', 'cid', 'content-id', 'content_id') || null,
    disposition: disposition === 'inline' || disposition === 'attachment' ? disposition : null,
  } as const;
  const size = typeof entry.size === 'number' && Number.isInteger(entry.size) ? entry.size : null;
  const url = word('url');
  if (stored && URL.canParse(url)) return { ...described, size, content: { kind: 'stored', url } };
  const carried = [entry.contentBase64, entry.content, entry.data, entry.body].find(
    (one) => one !== undefined && one !== null,
  );
  const bytes = carriedBytes(carried, entry.contentBase64 === carried ? 'base64' : entry.encoding, place);
  if (carried === undefined && (size ?? 0) > 0)
    throw new InboundRefused('malformed', `The mail cannot be read at ${place}: its content is missing`);
  return { ...described, size: bytes.length, content: { kind: 'bytes', bytes } };
}
