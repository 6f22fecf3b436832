import type { ServerResponse } from 'node:http';
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { DomainError, type ErrorCode } from '../routers/errors.js';
import { outageOf } from '../routers/outage.js';
import { BlobMissing } from '../routers/ports/storage.js';
import { publicMessage } from '../routers/trpc.js';
import { failure } from './envelope.js';
import { writeJson } from './reply.js';

/** An error as the caller sees it. */
interface Failure {
  readonly status: number;
  readonly message: string;
  readonly headers: Record<string, string>;
}

/** True for an error that is nobody's fault but ours; what a schema or the domain refuses is the caller's. */
export const isOurFault = (error: unknown): boolean =>
  !(error instanceof TRPCError) ||
  (error.code === 'INTERNAL_SERVER_ERROR' && !(error instanceof DomainError));

/** The one place that turns errors into statuses and texts (contract §2). */
export function failureOf(error: unknown): Failure {
  if (error instanceof DomainError) return refusal(error);
  if (error instanceof BlobMissing) return refusal(new DomainError('NOT_FOUND'));
  const outage = outageOf(error);
  if (outage !== null) return refusal(outage);
  if (!(error instanceof TRPCError)) return refusal(new DomainError('INTERNAL'));
  if (error.code === 'INTERNAL_SERVER_ERROR') return failureOf(error.cause);
  return { status: getHTTPStatusCodeFromError(error), message: publicMessage(error), headers: {} };
}

/** Refusals that a browser would have been led to a page for. */
const BY_ACCEPT: ReadonlySet<ErrorCode> = new Set(['PRIVATE', 'PASSWORD_REQUIRED', 'PASSWORD_WRONG']);

const refusal = (error: DomainError): Failure => ({
  status: error.status,
  message: error.message,
  headers: {
    ...(BY_ACCEPT.has(error.reason) ? { vary: 'Accept' } : {}),
    ...(error.retryAfter === null ? {} : { 'retry-after': String(error.retryAfter) }),
    ...(error.size === null ? {} : { 'content-range': `bytes */${error.size}` }),
  },
});

/** Whatever was not found, old clients compare with this one text (contract §2). */
const NOT_FOUND = new DomainError('NOT_FOUND');

/** Writes a failure in the envelope, or cuts the connection when the answer has begun. */
export function writeFailure(res: ServerResponse, error: unknown, uniqueId: string | null): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { status, message, headers } = failureOf(error);
  const text = status === NOT_FOUND.status ? NOT_FOUND.message : message;
  writeJson(res, status, failure(uniqueId, text), headers);
}
