import type { IncomingMessage, ServerResponse } from 'node:http';
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { DomainError, type ErrorCode, SHOWN_WHEN_MISSING } from '../routers/base/errors.js';
import { ENGLISH, type I18n, i18nForAnswer } from '../routers/base/language/i18n.js';
import { BlobMissing } from '../routers/base/ports/storage.js';
import { refusalOf } from '../routers/core/outage.js';
import { publicMessage } from '../routers/core/trpc.js';
import { failure } from './reply/envelope.js';
import { writeJson } from './reply/write.js';

/** An error as the caller sees it. */
export interface Failure {
  readonly status: number;
  readonly message: string;
  readonly headers: Record<string, string>;
  /** Null if a schema or the protocol refused. */
  readonly reason: ErrorCode | null;
}

/** Whether the error is the server's fault; refusals by a schema or the domain are the caller's. */
export const isOurFault = (error: unknown): boolean =>
  !(error instanceof TRPCError) ||
  (error.code === 'INTERNAL_SERVER_ERROR' && !(error instanceof DomainError));

/** The only place that turns errors into statuses and messages (contract §2). */
export function failureOf(error: unknown, i18n: I18n = ENGLISH): Failure {
  if (error instanceof DomainError) return refusal(error, i18n);
  if (error instanceof BlobMissing) return refusal(new DomainError('NOT_FOUND'), i18n);
  const refused = refusalOf(error);
  if (refused !== null) return refusal(refused, i18n);
  if (!(error instanceof TRPCError)) return refusal(new DomainError('INTERNAL'), i18n);
  if (error.code === 'INTERNAL_SERVER_ERROR') return failureOf(error.cause, i18n);
  return {
    status: getHTTPStatusCodeFromError(error),
    message: publicMessage(error, i18n),
    headers: {},
    reason: null,
  };
}

/** Refusals for which a browser would be redirected to a page. */
const BY_ACCEPT: ReadonlySet<ErrorCode> = new Set(['PRIVATE', 'PASSWORD_REQUIRED', 'PASSWORD_WRONG']);

const refusal = (error: DomainError, i18n: I18n): Failure => ({
  status: error.status,
  reason: error.reason,
  message: i18n.translate(error.localizable),
  headers: {
    ...(BY_ACCEPT.has(error.reason) ? { vary: 'Accept' } : {}),
    // Never Basic: browsers would ask for a password in a dialog.
    ...(error.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(error.retryAfter === null ? {} : { 'retry-after': String(error.retryAfter) }),
    ...(error.size === null ? {} : { 'content-range': `bytes */${error.size}` }),
  },
});

/** Legacy clients compare with this text, so nearly every 404 uses it (contract §2). */
const NOT_FOUND = new DomainError('NOT_FOUND');

/**
 * Whether a browser shows the answer as a picture of a page. It would report JSON from another origin as blocked, so an
 * item that has expired or is used up is answered without a body.
 */
export const isForPicture = (req: IncomingMessage): boolean =>
  req.method === 'GET' && /^\s*image\//i.test(req.headers.accept ?? '');

/** 404 without a body, for a picture that is gone. */
export function writeRemoved(res: ServerResponse, headers: Record<string, string> = {}): void {
  res.writeHead(NOT_FOUND.status, {
    ...headers,
    'cache-control': 'no-store',
    'content-length': '0',
    // There is nothing to protect, and the browser would report this as blocked as well.
    'cross-origin-resource-policy': 'cross-origin',
  });
  res.end();
}

/**
 * Sends a failure in the envelope, or closes the connection if the response has already begun. `shown`: the path serves
 * what a page may show as a picture.
 */
export function writeFailure(
  res: ServerResponse,
  error: unknown,
  uniqueId: string | null,
  shown = false,
  i18n: I18n = ENGLISH,
): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { status, message, headers } = failureOf(error, i18n);
  if (status === NOT_FOUND.status && shown && isForPicture(res.req)) {
    writeRemoved(res, headers);
    return;
  }
  if (status === NOT_FOUND.status) {
    const own = error instanceof DomainError && SHOWN_WHEN_MISSING.has(error.reason);
    writeJson(res, status, failure(uniqueId, own ? error.message : NOT_FOUND.message), headers);
    return;
  }
  const language = i18n === ENGLISH ? {} : { 'content-language': i18n.language };
  writeJson(res, status, failure(uniqueId, message), { ...headers, ...language });
}

/**
 * As `writeFailure`, in the language that a request without a key asks for. "Not found" is English for everybody, because
 * old clients compare with it.
 */
export async function answerFailure(
  res: ServerResponse,
  error: unknown,
  uniqueId: string | null,
  shown = false,
): Promise<void> {
  const { headers } = res.req;
  const i18n = await i18nForAnswer(headers['accept-language'] ?? null, Boolean(headers['x-api-key']));
  writeFailure(res, error, uniqueId, shown, i18n);
}

/** As `writeFailure`, with the text in `error` as well: some pages of older front ends show that field. */
export function writeTextFailure(res: ServerResponse, error: unknown): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { status, message, headers } = failureOf(error);
  writeJson(res, status, { ...failure(null, message), error: message }, headers);
}
