import type { lookup as resolveName } from 'node:dns';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import { codeOf } from '../../../db/engine/error-code.js';
import { type Localizable, localizable } from '../../../routers/base/language/localizable.js';
import { type FetchedFile, OutboundFailed, OutboundRefused } from '../../../routers/base/ports/outbound.js';
import { dispositionName, nameIn } from '../../../routers/base/text/header-names.js';
import { percentDecoded } from '../../../routers/base/text/percent.js';
import { packageVersion } from '../../shared/version.js';
import { type AllowList, checkAddress, guardedLookup } from './addresses.js';

const MAX_REDIRECTS = 5;
const MAX_URL_LENGTH = 8_000;
/** The whole exchange, and how long the other server may be silent. */
const WHOLE_MS = 30 * 60_000;
const IDLE_MS = 30_000;
const MOVED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What may be reached, and for how long. */
interface FetchOptions {
  readonly allow: AllowList;
  readonly signal?: AbortSignal;
  readonly wholeMs?: number;
  readonly idleMs?: number;
  /** Replaces the system's name lookup. */
  readonly resolve?: typeof resolveName;
}

/**
 * Fetches a file from an address that a user gives, and follows at most five redirects. Each address is checked before
 * it is connected to: it must be public or in the allow list, by https or http, without credentials. Throws
 * `OutboundRefused` or `OutboundFailed`; the body fails with `OutboundFailed` unless it arrives whole and in time.
 */
export async function fetchFile<T>(
  text: string,
  options: FetchOptions,
  use: (file: FetchedFile) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const end = () => stop.abort();
  const timer = setTimeout(end, options.wholeMs ?? WHOLE_MS);
  options.signal?.addEventListener('abort', end, { once: true });
  if (options.signal?.aborted) end();
  let response: IncomingMessage | null = null;
  try {
    const reached = await follow(text, options, stop.signal);
    response = reached.response;
    return await use(toFile(reached.url, response));
  } catch (error) {
    if (stop.signal.aborted)
      throw new OutboundFailed(
        'The file took too long to arrive: try again later, or upload it from your device',
      );
    throw isOfTransfer(error) ? new OutboundFailed(describe(error)) : error;
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', end);
    response?.destroy();
  }
}

/** The answer at the end of the redirects. */
async function follow(
  text: string,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<{ readonly url: URL; readonly response: IncomingMessage }> {
  let url = readFileUrl(text, options.allow);
  for (let redirects = 0; ; redirects += 1) {
    const response = await begin(url, options, signal).catch((error: unknown) => {
      // A name with a forbidden address looks like one that does not exist, so that nobody learns which names exist here.
      throw new OutboundFailed(error instanceof OutboundRefused ? NOT_FOUND : describe(error));
    });
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return { url, response };
    response.destroy();
    if (!MOVED.has(statusCode) || headers.location === undefined)
      throw new OutboundFailed(refusalWith(statusCode));
    if (redirects === MAX_REDIRECTS)
      throw new OutboundFailed('The address redirects too often: enter that of the file itself');
    if (!URL.canParse(headers.location, url))
      throw new OutboundFailed(
        'The address redirects to something that is no URL: enter that of the file itself',
      );
    url = readFileUrl(new URL(headers.location, url).href, options.allow);
  }
}

/** What a status that is no file means, and what helps. */
function refusalWith(status: number): Localizable {
  if (status === 401 || status === 403)
    return localizable(
      'The address asks for permission (status {status}): download the file and upload it from your device',
      { status },
    );
  if (status === 404 || status === 410)
    return localizable(
      'Nothing is at the address (status {status}): check that a browser shows the file there',
      {
        status,
      },
    );
  if (status === 429 || status >= 500)
    return localizable('The other server cannot answer at the moment (status {status}): try again later', {
      status,
    });
  return localizable('The address answers with status {status}: enter that of the file itself', { status });
}

/** Reads a URL; its host is checked here if it is an IP address, and when it is connected to if it is a name. */
function readFileUrl(text: string, allow: AllowList): URL {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text))
    throw new OutboundRefused('This is not a valid URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new OutboundRefused('The URL must start with https:// or http://');
  if (url.username !== '' || url.password !== '')
    throw new OutboundRefused('The URL must not contain a username or password');
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0) checkAddress(literal, 'https:', allow);
  return url;
}

async function begin(url: URL, options: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const version = await packageVersion();
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, {
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': `Holdall/${version}` },
      agent: false,
      signal,
      timeout: options.idleMs ?? IDLE_MS,
      // What is fetched is no secret, so that http is as good as https: what counts is the address.
      lookup: guardedLookup('https:', options.allow, options.resolve),
    });
    request.on('timeout', () =>
      request.destroy(new OutboundFailed('The address does not answer in time: try again later')),
    );
    request.on('response', resolve);
    request.on('error', reject);
    request.on('close', () => reject(new Error('closed the connection without a response')));
    request.end();
  });
}

function toFile(url: URL, response: IncomingMessage): FetchedFile {
  const { headers } = response;
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity')
    throw new OutboundFailed(
      'The address answers with a compressed file: download it and upload it from your device',
    );
  const length = Number(headers['content-length'] ?? Number.NaN);
  return {
    body: response,
    size: Number.isSafeInteger(length) ? length : null,
    contentType: headers['content-type']?.split(';', 1)[0]?.trim() || null,
    filename: dispositionName(headers['content-disposition']) ?? lastOf(url),
  };
}

const lastOf = ({ pathname }: URL): string | null =>
  nameIn(percentDecoded(pathname.split('/').at(-1) ?? '')) || null;

const NOT_FOUND = localizable(
  'The host name could not be found, or has no public address: check how it is written',
);

/** Whether the transfer itself failed, not what was done with the bytes. */
const isOfTransfer = (error: unknown): boolean =>
  ['ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(codeOf(error)) ||
  codeOf(error).startsWith('HPE_');

/** The error without addresses or names, which would reveal what the server can reach. */
function describe(error: unknown): Localizable {
  if (error instanceof OutboundFailed) return error.localizable;
  const code = codeOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return NOT_FOUND;
  if (code === 'ECONNREFUSED')
    return localizable('The other server refused the connection: check the address, or try again later');
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_/.test(code))
    return localizable(
      'The other server has no valid certificate: download the file and upload it from your device',
    );
  return localizable('The connection to the other server was lost: try again');
}
