import type { IncomingMessage } from 'node:http';
import type { Transfer } from '../routers/base/transfer.js';
import type { StagedUpload } from '../routers/features/image/upload/staged.js';
import type { ArrivedPart } from '../routers/features/mail/arrival/attachments.js';
import type { IncomingPart } from '../routers/features/upload/incoming.js';
import { type Fields, NO_FIELDS } from './fields.js';
import { fieldsOf } from './receive/encoded.js';

/** A request as routes read it: completely received, but not interpreted yet. */
export interface Wire {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  /** The query string, `?` included, or "". */
  readonly search: string;
  readonly query: Fields;
  readonly body: Fields;
  /** The staged file of a route that accepts one; null if there was none. */
  readonly file: StagedUpload | null;
  /** The staged files of a route that accepts several, in their order. */
  readonly parts?: readonly ArrivedPart[];
  /** The bytes of a route that reads them while they arrive. */
  readonly part?: IncomingPart;
  /** The text of an uploaded text file; null if there was none. */
  readonly text: { readonly content: string; readonly name: string | null } | null;
  header(name: string): string | null;
}

/** What a route's body reader adds to the wire. */
export interface Received {
  readonly body: Fields;
  readonly file: StagedUpload | null;
  readonly parts?: readonly ArrivedPart[];
  readonly part?: IncomingPart;
  readonly text: Wire['text'];
}

/** A request without a body. */
export const NOTHING_RECEIVED: Received = { body: NO_FIELDS, file: null, text: null };

/** Combines everything that a route reads. */
export function wireOf(
  req: IncomingMessage,
  params: Readonly<Record<string, string>>,
  search: string,
  received: Received,
): Wire {
  return {
    method: req.method ?? 'GET',
    params,
    search,
    query: fieldsOf(search),
    ...received,
    header: (name) => headerOf(req, name),
  };
}

/** One request header as text, or null. */
export function headerOf(req: IncomingMessage, name: string): string | null {
  const value = req.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** The parts of the request that decide which bytes are sent. */
export const transferOf = (wire: Wire): Transfer => ({
  head: wire.method === 'HEAD',
  ifMatch: wire.header('if-match'),
  ifNoneMatch: wire.header('if-none-match'),
  ifRange: wire.header('if-range'),
  range: wire.header('range'),
});

/** The id in the path. */
export const itemOf = ({ params }: Wire) => ({ uniqueId: params.uniqueId ?? '' });

/** The page of a list. */
export const pagingOf = ({ query }: Wire) => ({
  page: query.number('page'),
  size: query.number('size', 'pageSize', 'limit'),
});

/** The number of a row in a path; -1, which none has, for anything but digits. */
export const rowIdIn = (text: string | undefined): number =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : -1;

/** The account in the path. */
export const uidOf = ({ params }: Pick<Wire, 'params'>): number => rowIdIn(params.uid);
/** Whether what is deleted skips the trash. */
export const permanentOf = (wire: Wire) => ({
  permanent: wire.query.over(wire.body).boolean('permanent'),
});
/** The id in the path, and whether the item skips the trash. */
export const deletedItemOf = (wire: Wire) => ({ uniqueId: wire.params.uniqueId ?? '', ...permanentOf(wire) });

/** The id in the path, the new id if it changes, and the revision that the change is for. */
export const changedItemOf = (wire: Wire) => ({
  uniqueId: wire.params.uniqueId ?? '',
  newId: wire.body.text('uniqueId'),
  ifMatch: wire.header('if-match'),
});

/** The changed fields of an item of any kind; absent ones are undefined, null and "" clear. */
export const changedFieldsOf = ({ body }: Wire) => ({
  private: body.boolean('private'),
  password: body.raw('password') as string | null | undefined,
  expiresAt: body.raw('expiresAt', 'expiryDate') as string | null | undefined,
  tags: body.cleared((fields) => fields.list('tags'), 'tags'),
  favourite: body.boolean('favourite'),
  notify: body.text('notify'),
});

/** The id in the path, and the password given for it. */
export const itemWithPassword = (wire: Wire) => ({
  uniqueId: wire.params.uniqueId ?? '',
  password: passwordOf(wire),
});

/** The fields that `read` finds in the body, with missing ones from the query. */
export function fromBodyOrQuery<T extends object>(
  { body, query }: Pick<Wire, 'body' | 'query'>,
  read: (fields: Fields) => T,
): T {
  const fields = read(query);
  for (const [name, value] of Object.entries(read(body)))
    if (value !== undefined && value !== null) Object.assign(fields, { [name]: value });
  return fields;
}

/** The password given for an item: `?password=`, `X-Password`, or a field of the body. */
export const passwordOf = (wire: Wire): string | undefined =>
  wire.query.text('password') || textOf(wire.header('x-password')) || wire.body.text('password');

/** A header with any text: UTF-8, as most clients send it, otherwise Latin-1, the encoding of HTTP headers. */
function textOf(header: string | null): string | null {
  if (header === null) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}

/** Whether a browser is opening a page: its `Accept` header contains `text/html`. */
export const prefersPage = (wire: Wire): boolean => (wire.header('accept') ?? '').includes('text/html');

/** Whether a browser fetches this ahead of its reader, or to show a small picture of the page. */
export const isPrefetch = (header: (name: string) => string | null): boolean =>
  /prefetch|preview|prerender/i.test(
    header('sec-purpose') ?? header('purpose') ?? header('x-purpose') ?? header('x-moz') ?? '',
  );

/** Whether the caller wants only the link, or the text that it leads to: `Accept` contains text/plain, but neither JSON nor a wildcard. */
export function prefersLink(wire: Wire): boolean {
  const accept = (wire.header('accept') ?? '').toLowerCase();
  return accept.includes('text/plain') && !accept.includes('application/json') && !accept.includes('*/*');
}

/** The page of a list that the query asks for: `?page=0&size=25`. */
export const pageIn = ({ query }: Wire) => ({ page: query.number('page'), size: query.number('size') });
