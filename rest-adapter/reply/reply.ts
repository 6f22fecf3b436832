import type { Kind } from '../../routers/base/kinds.js';
import type { Lines } from '../../routers/base/lines.js';
import { revisionTag } from '../../routers/core/items/revision.js';
import type { ZipListing } from '../../routers/features/collection/zip.js';
import type { ContentDelivery } from '../../routers/features/image/deliver.js';

/** Extra response headers. */
export type Headers = Readonly<Record<string, string>>;

/** Bytes of a blob to send. */
export type Bytes = Extract<ContentDelivery, { as: 'bytes' }>;

/** No fields beside `message`. */
export type NoExtra = Readonly<Record<string, never>>;

/**
 * Every kind of response of a route: `M` is the type of the message, `X` that of the fields beside it, `B` that of a
 * body without the envelope. A route declares a schema for each, so that the OpenAPI document cannot differ.
 */
export type Reply<M = unknown, X extends object = object, B = unknown> =
  | {
      readonly as: 'message';
      readonly status: number;
      readonly uniqueId: string | null;
      readonly message: M | undefined;
      readonly extra: X;
      readonly headers: Headers;
    }
  /** A failure that the procedure reports as a success, with fields beside its sentence. */
  | { readonly as: 'failure'; readonly status: number; readonly sentence: string; readonly extra: X }
  | { readonly as: 'json'; readonly status: number; readonly body: B }
  | {
      readonly as: 'text';
      readonly status: number;
      readonly text: string;
      readonly headers: Headers;
      /** Plain text unless it is given. */
      readonly type?: string;
    }
  | { readonly as: 'empty'; readonly status: number; readonly headers?: Headers }
  | { readonly as: 'redirect'; readonly status: number; readonly location: string; readonly headers: Headers }
  | { readonly as: 'bytes'; readonly content: Bytes; readonly headers: Headers }
  | { readonly as: 'zip'; readonly listing: ZipListing }
  /** A list that is made while it is sent. */
  | { readonly as: 'lines'; readonly lines: Lines }
  /** A temporary file, sent as a download, or with headers that say otherwise. */
  | {
      readonly as: 'file';
      readonly path: string;
      readonly size: number;
      readonly mimeType: string;
      readonly filename: string;
      readonly headers?: Headers;
    }
  | {
      readonly as: 'base64';
      readonly source: { readonly sha256: string; readonly size: number };
      /** The envelope around the text; null sends the text alone. */
      readonly envelope: { readonly uniqueId: string; readonly message: object } | null;
      readonly headers: Headers;
    };

interface MessageOptions<X extends object> {
  readonly status?: number;
  readonly uniqueId?: string | null;
  readonly headers?: Headers;
  /** Fields beside `message`, for clients that expect them there. */
  readonly extra?: X;
}

/** The envelope with a message; `undefined` leaves `message` out. */
export const message = <const M, X extends object = NoExtra>(
  value: M,
  options: MessageOptions<X> = {},
): Reply<M, X, never> => ({
  as: 'message',
  status: options.status ?? 200,
  uniqueId: options.uniqueId ?? null,
  message: value,
  extra: options.extra ?? ({} as X),
  headers: options.headers ?? {},
});

/** The envelope with a sentence for people, for routes that respond with `said`. */
export const said = <X extends object = NoExtra>(
  sentence: string,
  options: MessageOptions<X> = {},
): Reply<never, X, never> => message(sentence as never, options);

/** The envelope of a failure with fields beside its sentence, for statuses in `failing` of the route. */
export const failed = <X extends object>(
  status: number,
  sentence: string,
  extra: X,
): Reply<never, X, never> => ({ as: 'failure', status, sentence, extra });

/** The envelope with a record that has its own id. */
export const record = <M extends { readonly uniqueId: string }>(
  value: M,
  headers: Headers = {},
): Reply<M, NoExtra, never> => message(value, { uniqueId: value.uniqueId, headers });

/** As `record`, for an item that can be changed: its owner gets the entity tag of its revision. */
export const itemRecord = <
  M extends { readonly uniqueId: string; readonly revision: number; readonly aliases?: unknown },
>(
  kind: Kind,
  value: M,
  headers: Headers = {},
): Reply<M, NoExtra, never> => record(value, { ...headers, ...ownTag(kind, value) });

/** The `ETag` of a record that only the owner gets. */
export const ownTag = (
  kind: Kind,
  value: { readonly uniqueId?: string; readonly revision?: number; readonly aliases?: unknown },
): Headers => {
  const { uniqueId, revision, aliases } = value;
  if (aliases === undefined || uniqueId === undefined || revision === undefined) return {};
  return { etag: revisionTag(kind, { uniqueId, revision }) };
};

/** The envelope with fields beside it and no message, for older clients that read them there. */
export const flat = <X extends object>(
  fields: X,
  uniqueId: string | null = null,
): Reply<never, X, never> => ({
  as: 'message',
  status: 200,
  uniqueId,
  message: undefined,
  extra: fields,
  headers: {},
});

/** The envelope without a message, for deletes. */
export const done = (value: { readonly uniqueId?: string | null }): Reply<never, NoExtra, never> =>
  message(undefined, { uniqueId: value.uniqueId ?? null });

/** 204 without a body. */
export const noContent = (): Reply<never, NoExtra, never> => ({ as: 'empty', status: 204 });

/** Plain text. */
export const text = (value: string, headers: Headers = {}): Reply<never, NoExtra, never> => ({
  as: 'text',
  status: 200,
  text: value,
  headers,
});

/** A picture in a temporary file, shown as it is. */
export const pictureReply = (
  file: { readonly path: string; readonly size: number },
  headers: Headers,
): Reply<never, NoExtra, never> => ({
  ...{ as: 'file', ...file, mimeType: 'image/png', filename: 'qr.png' },
  headers: { ...headers, 'content-disposition': 'inline; filename="qr.png"' },
});

/**
 * A redirect that is never cached. A 302 varies by `Accept`, because browsers are redirected to pages. Other
 * sites may follow it, because they embed its target.
 */
export const redirect = (location: string, status: 301 | 302): Reply<never, NoExtra, never> => ({
  as: 'redirect',
  status,
  location,
  headers: { 'cross-origin-resource-policy': 'cross-origin', ...(status === 302 ? { vary: 'Accept' } : {}) },
});

/** The content of a blob, or a redirect to it. */
export const content = (value: ContentDelivery, headers: Headers = {}): Reply<never, NoExtra, never> =>
  value.as === 'redirect'
    ? redirect(value.location, 302)
    : {
        as: 'bytes',
        content: value,
        headers: value.byAccept === true ? { ...headers, vary: 'Accept' } : headers,
      };

/** A list that is made while it is sent, as CSV or in the envelope. */
export const linesReply = (lines: Lines): Reply<never, NoExtra, never> => ({ as: 'lines', lines });
