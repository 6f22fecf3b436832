import type { Readable } from 'node:stream';
import type { VNode } from 'preact';
import type { Fields } from '../../rest-adapter/fields.js';
import type { Admit, BodyKind, ProcedurePath } from '../../rest-adapter/route.js';
import type { Received } from '../../rest-adapter/wire.js';
import type { Context } from '../../routers/core/context.js';
import type { createCaller } from '../../routers/index.js';
import type { Site } from './site.js';

/** A parsed request for a page, with everything that a page may use to answer it. */
export interface PageRequest {
  readonly site: Site;
  /** Procedures, called as the current user. */
  readonly call: ReturnType<typeof createCaller>;
  readonly ctx: Context;
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Fields;
  /** The query string as received, `?` included. */
  readonly search: string;
  readonly body: Fields;
  readonly file: Received['file'];
  readonly text: Received['text'];
  header(name: string): string | null;
}

/** The response of a page. */
export type PageAnswer =
  | {
      readonly as: 'page';
      readonly status: number;
      readonly page: VNode;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly as: 'redirect'; readonly status: 301 | 302 | 303; readonly location: string }
  | { readonly as: 'json'; readonly status: number; readonly body: unknown }
  /** Untrusted HTML, already sanitised; shown in a frame that runs nothing, and loads at most the pictures that are asked for. */
  | { readonly as: 'foreign'; readonly html: string; readonly remotePictures: boolean }
  /** A file to download; a stream is sent as it arrives. */
  | { readonly as: 'file'; readonly filename: string; readonly content: Buffer | Readable }
  /** The bytes of an image, in the same way as `/image/get/{uniqueId}`; or a document for the frame on its page. */
  | { readonly as: 'bytes'; readonly uniqueId: string; readonly framed?: true }
  /** 404 without a body, for a picture of another page. */
  | { readonly as: 'gone' };

/** A page or form: its paths, its kind of body, and its handler. */
export interface PageRoute {
  readonly method: 'GET' | 'POST';
  /** Path parameters are in braces; `{*name}` is all that is left, with its slashes. */
  readonly paths: readonly string[];
  /** Only for clients that accept HTML; others get the API at this path. */
  readonly htmlOnly: boolean;
  /** The response depends on `Accept`. */
  readonly byAccept: boolean;
  readonly body: BodyKind;
  /** Set on forms with a file. */
  readonly admit: Admit | null;
  /** Set on forms with a file: what is called with it, so that whoever may not is refused before the file arrives. */
  readonly procedure: ProcedurePath | null;
  readonly answer: (request: PageRequest) => Promise<PageAnswer>;
}

/** Pages are at the host root, and also below `/v1` for clients that only know `{base_url}`. */
const below = (path: string): readonly string[] => [`/web${path}`, `/v1/web${path}`];

/** A GET page at exactly these paths. */
export const getPageAt = (paths: readonly string[], answer: PageRoute['answer']): PageRoute => ({
  method: 'GET',
  paths,
  htmlOnly: false,
  byAccept: false,
  body: 'none',
  admit: null,
  procedure: null,
  answer,
});

/** A GET page below `/web`. */
export const getPage = (path: string, answer: PageRoute['answer'], byAccept = false): PageRoute => ({
  ...getPageAt(below(path), answer),
  byAccept,
});

/** A POST form below `/web`. */
export const postForm = (
  path: string,
  answer: PageRoute['answer'],
  body: 'fields' | 'text' = 'fields',
): PageRoute => ({
  method: 'POST',
  paths: below(path),
  htmlOnly: false,
  byAccept: false,
  body,
  admit: null,
  procedure: null,
  answer,
});

/** A POST form with a file, below `/web`. */
export const postFile = (
  path: string,
  answer: PageRoute['answer'],
  admit: Admit,
  procedure: ProcedurePath,
): PageRoute => ({
  ...postForm(path, answer),
  body: 'file',
  admit,
  procedure,
});

/** A page for browsers at a path that is also part of the API. */
export const getForBrowsers = (paths: readonly string[], answer: PageRoute['answer']): PageRoute => ({
  ...getPageAt(paths, answer),
  htmlOnly: true,
  byAccept: true,
});

/** Responds with an HTML page. */
export const page = (
  vnode: VNode,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): PageAnswer => ({
  as: 'page',
  status,
  page: vnode,
  headers,
});

/** Says where a page has gone for good, with the query that it was asked with. */
export const moved = (path: string, search: string): PageAnswer => ({
  as: 'redirect',
  status: 301,
  location: `${path}${search}`,
});

/** Redirects to a path of this site, or a page without a form to the portal. */
export const goTo = (location: string): PageAnswer => ({ as: 'redirect', status: 303, location });

/** A field of a form; null if it was left empty. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text);
