import { tracingChannel } from 'node:diagnostics_channel';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { BlobStoreUnavailable } from '../../../../routers/base/ports/storage.js';
import { answer, readText } from './answer.js';
import { S3Refused } from './refused.js';
import { firstText } from './xml.js';

/** The bucket and our credentials. */
export interface S3Location {
  readonly endpoint: string;
  /** The same server as its clients outside reach it, for presigned URLs; null if that is no different. */
  readonly publicEndpoint?: string | null;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** `https://host/bucket/key` if true, else `https://bucket.host/key`. */
  readonly forcePathStyle: boolean;
  /** How long the server may be idle, in milliseconds, before a request counts as failed. */
  readonly idleTimeoutMs?: number;
  /**
   * Maximum concurrent responses that external clients read at their own speed; beyond that `BlobStoreUnavailable`.
   */
  readonly mostReaders?: number;
  /** Called for each request that failed, after all attempts. */
  readonly onFailure?: () => void;
}

/** A request; `body` opens the bytes again for each attempt. */
export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** An external client reads the response at its own speed, so it must not block other requests. */
  readonly outside?: boolean;
  readonly body?: { readonly size: number; readonly sha256: string; open(): Readable };
}

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 200;
const IDLE_TIMEOUT_MS = 15_000;
/**
 * Minimum speed, in bytes per millisecond, when somebody waits for the whole response; below it the connection counts
 * as broken.
 */
const SLOWEST = 64;
const MAX_SOCKETS = 256;
/** Each uses about 400 KiB while it is slow. */
const MAX_READERS = 1024;
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** A request to the store that is sent; whoever traces it may add headers. */
interface TracedStoreRequest {
  readonly method: string;
  readonly host: string;
  readonly headers: Record<string, string>;
}

/** Tells of each request to the store, to whoever traces it. */
export const storeRequests = tracingChannel<unknown, TracedStoreRequest>('holdall.store');

/** Signed requests to one bucket, with timeouts and retries. */
export class S3Client {
  readonly #location: S3Location;
  readonly #base: URL;
  readonly #publicBase: URL;
  readonly #agent: HttpAgent;
  /** Connections for external readers, who may hold them for any time; no other request queues behind them. */
  readonly #readers: HttpAgent;
  readonly #mostReaders: number;
  #reading = 0;
  readonly #idleTimeoutMs: number;
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(location: S3Location) {
    this.#location = location;
    this.#base = bucketUrl(location, location.endpoint);
    this.#publicBase = bucketUrl(location, location.publicEndpoint ?? location.endpoint);
    this.#idleTimeoutMs = location.idleTimeoutMs ?? IDLE_TIMEOUT_MS;
    this.#mostReaders = location.mostReaders ?? MAX_READERS;
    const Agent = this.#base.protocol === 'https:' ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
    this.#readers = new Agent({ keepAlive: true });
  }

  /**
   * Sends a request, up to three times while the server does not respond or returns 5xx or 429; then throws
   * `BlobStoreUnavailable`. Throws `S3Refused` for any other status that is not 2xx or in `accept`. The caller must
   * read or destroy the response.
   */
  send(request: S3Request, accept: readonly number[] = []): Promise<IncomingMessage> {
    if (!storeRequests.hasSubscribers) return this.#send(request, accept, {});
    const traced = { method: request.method, host: this.#base.host, headers: {} };
    return storeRequests.tracePromise(() => this.#send(request, accept, traced.headers), traced);
  }

  async #send(
    request: S3Request,
    accept: readonly number[],
    unsigned: Readonly<Record<string, string>>,
  ): Promise<IncomingMessage> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(request, accept, unsigned);
      } catch (error) {
        if (!(error instanceof BlobStoreUnavailable) || attempt === ATTEMPTS) {
          this.#location.onFailure?.();
          throw error;
        }
        await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
      }
    }
  }

  /** Sends a request and reads the response as text. */
  async text(request: S3Request, accept: readonly number[] = []): Promise<string> {
    return readText(request.method, await this.send(request, accept));
  }

  /** Sends a request of which only the response's status and headers matter. */
  async run(request: S3Request, accept: readonly number[] = []): Promise<IncomingMessage> {
    const response = await this.send(request, accept);
    await readText(request.method, response);
    return response;
  }

  /** Maximum time to transfer this many bytes, in milliseconds, even if some data keeps arriving. */
  patienceFor(bytes: number): number {
    return this.#idleTimeoutMs + bytes / SLOWEST;
  }

  /** The copy source header for an object in this bucket, without a leading slash, which some servers refuse. */
  copySource(key: string): string {
    return `${this.#location.bucket}/${key}`;
  }

  /** A URL that permits one kind of request with exactly these headers. */
  async presign(request: S3Request, expiresInSeconds: number): Promise<{ url: string; expiresAt: number }> {
    const now = new Date();
    const query = { ...request.query, 'X-Amz-Expires': String(expiresInSeconds) };
    const url = urlOf(this.#publicBase, { ...request, query });
    const signed = await this.#sign(request, url, now, true);
    return {
      // Some servers do not accept a plus as a space when they verify the signature.
      url: signed.url.href.replaceAll('+', '%20'),
      expiresAt: (Math.floor(now.getTime() / 1000) + expiresInSeconds) * 1000,
    };
  }

  #sign({ method, headers }: S3Request, url: URL, now: Date, signQuery: boolean) {
    const { accessKeyId, secretAccessKey, region } = this.#location;
    // The cache adds one key per day; a long-running process does not need old ones.
    if (this.#signingKeys.size > 2) this.#signingKeys.clear();
    return new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      cache: this.#signingKeys,
      datetime: now.toISOString().replace(/[:-]|\.\d{3}/g, ''),
      signQuery,
      // A presigned URL must be used with exactly these headers; a proxy between us and the store may change ours.
      allHeaders: signQuery,
    }).sign();
  }

  async #attempt(
    request: S3Request,
    accept: readonly number[],
    unsigned: Readonly<Record<string, string>>,
  ): Promise<IncomingMessage> {
    const { method, body, outside = false } = request;
    const headers = {
      ...request.headers,
      'x-amz-content-sha256': body?.sha256 ?? EMPTY_SHA256,
      ...(body === undefined ? {} : { 'content-length': String(body.size) }),
    };
    const signed = await this.#sign({ ...request, headers }, urlOf(this.#base, request), new Date(), false);
    if (outside && this.#reading >= this.#mostReaders)
      throw new BlobStoreUnavailable('too many reads at the same time');
    const open = signed.url.protocol === 'https:' ? httpsRequest : httpRequest;
    const outgoing = open(signed.url, {
      method,
      agent: outside ? this.#readers : this.#agent,
      headers: { ...unsigned, ...Object.fromEntries(signed.headers) },
      timeout: this.#idleTimeoutMs,
    });
    if (outside) {
      this.#reading += 1;
      outgoing.once('close', () => {
        this.#reading -= 1;
      });
    }
    const response = await answer(outgoing, body?.open() ?? null, {
      beginMs: this.patienceFor(body?.size ?? 0),
      idleMs: this.#idleTimeoutMs,
    });
    const status = response.statusCode ?? 0;
    if ((status >= 200 && status < 300) || accept.includes(status)) return response;
    const code = firstText(await readText(method, response), 'Code') ?? '';
    const refused = new S3Refused(status, code, request);
    if ((status >= 500 && status !== 501) || status === 429)
      throw new BlobStoreUnavailable(refused.message, { cause: refused });
    throw refused;
  }
}

function urlOf(base: URL, { key, query = {} }: S3Request): URL {
  const url = new URL(base);
  url.pathname = key === '' ? url.pathname : `${url.pathname.replace(/\/$/, '')}/${key}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** The URL of the bucket at an endpoint. */
function bucketUrl({ bucket, forcePathStyle }: S3Location, endpoint: string): URL {
  const url = new URL(endpoint);
  if (forcePathStyle) url.pathname = `${url.pathname.replace(/\/$/, '')}/${bucket}`;
  else url.hostname = `${bucket}.${url.hostname}`;
  return url;
}
