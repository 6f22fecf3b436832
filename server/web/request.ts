import type { VNode } from 'preact';
import type { Fields } from '../../rest-adapter/fields.js';
import type { BodyKind } from '../../rest-adapter/route.js';
import type { Received } from '../../rest-adapter/wire.js';
import type { Context } from '../../routers/context.js';
import type { createCaller } from '../../routers/index.js';
import type { Site } from './site.js';

/** A request for a page: received, and with everything a page may use to answer it. */
export interface PageRequest {
  readonly site: Site;
  /** Procedures, called on behalf of who is asking. */
  readonly call: ReturnType<typeof createCaller>;
  readonly ctx: Context;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Fields;
  readonly body: Fields;
  readonly file: Received['file'];
  readonly text: Received['text'];
  header(name: string): string | null;
}

/** What a page answers. */
export type PageAnswer =
  | { readonly as: 'page'; readonly status: number; readonly page: VNode }
  /** See other; `cookie` is a whole `Set-Cookie` value. */
  | { readonly as: 'way'; readonly location: string; readonly cookie: string | null }
  | { readonly as: 'json'; readonly status: number; readonly body: unknown }
  /** The bytes of an image, as `/image/get/{uniqueId}` sends them. */
  | { readonly as: 'bytes'; readonly uniqueId: string };

/** One page or form: where it is, how its body arrives, and what answers. */
export interface PageRow {
  readonly method: 'GET' | 'POST';
  /** Below `/web`, parameters in braces. */
  readonly path: string;
  readonly body: BodyKind;
  readonly answer: (request: PageRequest) => Promise<PageAnswer>;
}

/** A page that is looked at. */
export const show = (path: string, answer: PageRow['answer']): PageRow => ({
  method: 'GET',
  path,
  body: 'none',
  answer,
});

/** A form that is sent. */
export const take = (path: string, answer: PageRow['answer'], body: BodyKind = 'fields'): PageRow => ({
  method: 'POST',
  path,
  body,
  answer,
});

/** Answers with a document. */
export const page = (vnode: VNode, status = 200): PageAnswer => ({ as: 'page', status, page: vnode });

/** Sends the reader on, to a path of this site. */
export const goTo = (location: string, cookie: string | null = null): PageAnswer => ({
  as: 'way',
  location,
  cookie,
});
