import type { IncomingMessage } from 'node:http';
import type { ArrivedPart } from '../routers/email/attachments.js';
import type { StagedUpload } from '../routers/image/staged.js';
import type { Transfer } from '../routers/transfer.js';
import { type Fields, fieldsOf, NO_FIELDS } from './fields.js';

/** A request as routes read it: everything has been received, nothing has been interpreted. */
export interface Wire {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  /** The query string, `?` included, or "". */
  readonly search: string;
  readonly query: Fields;
  readonly body: Fields;
  /** The staged file of a route that takes one; null when none came. */
  readonly file: StagedUpload | null;
  /** The staged files of a route that takes several, in their order. */
  readonly parts?: readonly ArrivedPart[];
  /** The text of an uploaded text file; null when none came. */
  readonly text: { readonly content: string; readonly name: string | null } | null;
  header(name: string): string | null;
}

/** What a route's body reader adds to the wire. */
export interface Received {
  readonly body: Fields;
  readonly file: StagedUpload | null;
  readonly parts?: readonly ArrivedPart[];
  readonly text: Wire['text'];
}

export const NOTHING_RECEIVED: Received = { body: NO_FIELDS, file: null, text: null };

/** Puts together what a route reads. */
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

/** The part of the request that decides which bytes are sent. */
export const transferOf = (wire: Wire): Transfer => ({
  head: wire.method === 'HEAD',
  ifNoneMatch: wire.header('if-none-match'),
  ifRange: wire.header('if-range'),
  range: wire.header('range'),
});

/** The id that the path names. */
export const itemOf = ({ params }: Wire) => ({ uniqueId: params.uniqueId ?? '' });

/** The id that the path names, and the password shown for it. */
export const itemWithPassword = (wire: Wire) => ({
  uniqueId: wire.params.uniqueId ?? '',
  password: passwordOf(wire),
});

/** What `read` finds in the body and, of what is not there, in the query. */
export function fromBodyOrQuery<T extends object>(
  { body, query }: Pick<Wire, 'body' | 'query'>,
  read: (fields: Fields) => T,
): T {
  const sent = Object.entries(read(body)).filter(([, value]) => value !== undefined && value !== null);
  return { ...read(query), ...Object.fromEntries(sent) };
}

/** The password shown for an item: `?password=`, `X-Password`, or a field of the body. */
export const passwordOf = (wire: Wire): string | undefined =>
  wire.query.text('password') || textOf(wire.header('x-password')) || wire.body.text('password');

/** A header with any text: UTF-8, as most clients send it, else the Latin-1 that the protocol knows. */
function textOf(header: string | null): string | null {
  if (header === null) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}

/** True for a browser that opens a page: it names `text/html` among what it accepts. */
export const prefersPage = (wire: Wire): boolean => (wire.header('accept') ?? '').includes('text/html');

/** True for tools that want just the link: `Accept` names text/plain, and neither JSON nor anything. */
export function prefersLink(wire: Wire): boolean {
  const accept = (wire.header('accept') ?? '').toLowerCase();
  return accept.includes('text/plain') && !accept.includes('application/json') && !accept.includes('*/*');
}
