/**
 * `@holdall/client`: every procedure of a Holdall server with its types, and uploads with progress, in
 * browsers and in Node.
 *
 *     const holdall = createClient({ origin: 'https://files.example', apiKey });
 *     const link = await holdall.api.url.create.mutate({ url: 'https://example.com' });
 *     const image = await holdall.upload(file, { onProgress });
 */
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  type Operation,
  splitLink,
  type TRPCClient,
} from '@trpc/client';
import { HoldallError } from './error.js';
import type { AppRouter, ImageRecord } from './router.js';
import { fetchJson, withTypedErrors } from './typed-errors.js';
import { type UploadOptions, uploadFile } from './upload.js';

export { HoldallError } from './error.js';
export type { AppRouter, ImageRecord, Inputs, Outputs, PasteRecord, ShortUrlRecord } from './router.js';
export type { UploadOptions } from './upload.js';

/** Where the server is and who calls. Without a key a browser's session cookie counts. */
export interface ClientOptions {
  /** Scheme and host, without `/v1`. */
  readonly origin: string;
  readonly apiKey?: string;
}

/** A Holdall server. */
export interface HoldallClient {
  /** Every procedure: `api.paste.get.query({ uniqueId })`. Throws `HoldallError`. */
  readonly api: TRPCClient<AppRouter>;
  /** Stores a file; see `UploadOptions`. Throws `HoldallError`. */
  upload(file: Blob, options?: UploadOptions): Promise<ImageRecord>;
}

/** Calls of one moment travel together, at most this many in one request. */
const MAX_BATCH = 20;
/** What has more characters travels alone: a server takes 8 MiB a request, and a character may be three bytes. */
const LARGE_INPUT = 100_000;
/** The inputs of queries stand in the address, of which servers and proxies between take so many characters. */
const MAX_URL = 8_000;
const LARGE_QUERY = MAX_URL / 2;

/**
 * Connects nothing yet; each call is a request of its own or part of a batch. Throws `HoldallError` with the reason
 * `INVALID` for an origin that is no address, or a key that no request can carry.
 */
export function createClient(options: ClientOptions): HoldallClient {
  const origin = baseAddress(options.origin);
  const apiKey = options.apiKey ?? null;
  if (apiKey !== null && !/^[ -~]+$/.test(apiKey)) throw invalid('The API key contains invalid characters');
  const server = {
    url: `${origin}/trpc`,
    headers: apiKey === null ? {} : { 'x-api-key': apiKey },
    fetch: ((url, init) =>
      fetchJson(origin, url, { ...init, credentials: 'include' } as RequestInit)) as Fetch,
  };
  const api = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: travelsAlone,
        true: httpLink(server),
        false: httpBatchLink({ ...server, maxItems: MAX_BATCH, maxURLLength: MAX_URL }),
      }),
    ],
  });
  return {
    api: withTypedErrors(api, origin),
    upload: (file, upload) => uploadFile({ origin, apiKey }, file, upload),
  };
}

/** The type of `fetch` that the links accept. */
type Fetch = NonNullable<Parameters<typeof httpBatchLink<AppRouter>>[0]['fetch']>;

/** Large requests, and those that can be aborted separately. */
function travelsAlone({ type, input, signal }: Pick<Operation, 'type' | 'input' | 'signal'>): boolean {
  if (signal) return true;
  const text = JSON.stringify(input) ?? '';
  return type === 'query' ? encodeURIComponent(text).length > LARGE_QUERY : text.length > LARGE_INPUT;
}

const invalid = (message: string): HoldallError =>
  new HoldallError(message, { status: 0, reason: 'INVALID' });

/** The address without what stands behind it in links; many have that of the interface at hand, with `/v1`. */
function baseAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw invalid(`${text} is not an address like https://files.example.org`);
  return text.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '');
}
