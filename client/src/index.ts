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
import type { FolderFile } from './folder/task.js';
import { type FolderOptions, type FolderResult, uploadFolder } from './folder.js';
import { ownMemory } from './memory.js';
import type { AppRouter, ImageRecord } from './router.js';
import { fetchJson, withTypedErrors } from './typed-errors.js';
import { type UploadOptions, uploadFile } from './upload.js';

export { HoldallError } from './error.js';
export type { FolderPlan } from './folder/plan.js';
export type { FolderFile } from './folder/task.js';
export type { FolderOptions, FolderResult } from './folder.js';
export type { UploadMemory } from './memory.js';
export type { AppRouter, ImageRecord, Inputs, Outputs, PasteRecord, ShortUrlRecord } from './router.js';
export type { UploadOptions } from './upload.js';

/** The server and the caller's credential. Without a key, the browser's session cookie is used. */
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
  /** Stores the files of a folder in one collection, with their paths; see `FolderOptions`. Throws `HoldallError`. */
  uploadFolder(title: string, files: readonly FolderFile[], options?: FolderOptions): Promise<FolderResult>;
}

/** Calls made at the same time are batched, at most this many in one request. */
const MAX_BATCH = 20;
/** Larger inputs are sent alone: a server accepts 8 MiB per request, and a character may take three bytes. */
const LARGE_INPUT = 100_000;
/** The inputs of queries are part of the URL, whose length servers and proxies limit to about this value. */
const MAX_URL = 8_000;
const LARGE_QUERY = MAX_URL / 2;

/**
 * Opens no connection yet; each call is its own request or part of a batch. Throws `HoldallError` with the
 * reason `INVALID` if the origin is not a URL, or if the key cannot be sent in a header.
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
    uploadFolder: (title, files, { memory = ownMemory(), ...folder } = {}) =>
      uploadFolder({ target: { origin, apiKey }, title, files, memory }, folder),
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

/** The URL without trailing slashes and without `/v1`, which the address of the REST API has. */
function baseAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw invalid(`${text} is not an address like https://files.example.org`);
  return text.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '');
}
