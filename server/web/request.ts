import type { Readable } from 'node:stream';
import type { VNode } from 'preact';
import type { Fields } from '../../rest-adapter/fields.js';
import type { Admit, BodyKind } from '../../rest-adapter/route.js';
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
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Fields;
  readonly body: Fields;
  readonly file: Received['file'];
  readonly text: Received['text'];
  header(name: string): string | null;
}

/** What a page answers. */
export type PageAnswer =
  | {
      readonly as: 'page';
      readonly status: number;
      readonly page: VNode;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly as: 'redirect'; readonly status: 301 | 302 | 303; readonly location: string }
  | { readonly as: 'json'; readonly status: number; readonly body: unknown }
  /** HTML that others wrote, already cleaned; shown in a frame that runs and loads nothing. */
  | { readonly as: 'foreign'; readonly html: string }
  /** A file to keep; a stream is sent as it comes. */
  | { readonly as: 'file'; readonly filename: string; readonly content: Buffer | Readable }
  /** The bytes of an image, as `/image/get/{uniqueId}` sends them. */
  | { readonly as: 'bytes'; readonly uniqueId: string };

/** One page or form: where it is, how its body arrives, and what answers. */
export interface PageRoute {
  readonly method: 'GET' | 'POST';
  /** Parameters in braces. */
  readonly paths: readonly string[];
  /** Only for callers that accept HTML; others get what the interface has at this path. */
  readonly htmlOnly: boolean;
  /** The answer depends on `Accept`. */
  readonly byAccept: boolean;
  readonly body: BodyKind;
  /** Set on forms with a file. */
  readonly admit: Admit | null;
  readonly answer: (request: PageRequest) => Promise<PageAnswer>;
}

/** Pages are at the host root, and below `/v1` for those who only know `{base_url}`. */
const below = (path: string): readonly string[] => [`/web${path}`, `/v1/web${path}`];

/** A page that is looked at, at these very paths. */
export const getPageAt = (paths: readonly string[], answer: PageRoute['answer']): PageRoute => ({
  method: 'GET',
  paths,
  htmlOnly: false,
  byAccept: false,
  body: 'none',
  admit: null,
  answer,
});

/** A page that is looked at, below `/web`. */
export const getPage = (path: string, answer: PageRoute['answer'], byAccept = false): PageRoute => ({
  ...getPageAt(below(path), answer),
  byAccept,
});

/** A form that is sent, below `/web`. */
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
  answer,
});

/** A form that is sent with a file, below `/web`. */
export const postFile = (path: string, answer: PageRoute['answer'], admit: Admit): PageRoute => ({
  ...postForm(path, answer),
  body: 'file',
  admit,
});

/** A page for browsers at a path that the interface has as well. */
export const getForBrowsers = (paths: readonly string[], answer: PageRoute['answer']): PageRoute => ({
  ...getPageAt(paths, answer),
  htmlOnly: true,
  byAccept: true,
});

/** Answers with a document. */
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

/** Sends the reader on after a form, to a path of this site. */
export const goTo = (location: string): PageAnswer => ({ as: 'redirect', status: 303, location });
