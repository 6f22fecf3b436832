import type { ServerResponse } from 'node:http';
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { DomainError } from '../routers/errors.js';
import { BlobMissing } from '../routers/ports.js';
import { publicMessage } from '../routers/trpc.js';
import { failure } from './envelope.js';
import { writeJson } from './reply.js';

/** An error as the caller sees it. */
interface Failure {
  readonly status: number;
  readonly message: string;
  readonly headers: Record<string, string>;
}

/** The one place that turns errors into statuses and texts (contract §2). */
export function failureOf(error: unknown): Failure {
  if (error instanceof DomainError) {
    return {
      status: error.status,
      message: error.message,
      headers: {
        ...(error.retryAfter === null ? {} : { 'retry-after': String(error.retryAfter) }),
        ...(error.size === null ? {} : { 'content-range': `bytes */${error.size}` }),
      },
    };
  }
  if (error instanceof BlobMissing) return { status: 404, message: 'Resource not found', headers: {} };
  if (error instanceof TRPCError) {
    if (error.cause instanceof DomainError) return failureOf(error.cause);
    return { status: getHTTPStatusCodeFromError(error), message: publicMessage(error), headers: {} };
  }
  return { status: 500, message: 'Something went wrong', headers: {} };
}

/** Writes a failure in the envelope, or cuts the connection when the answer has begun. */
export function writeFailure(res: ServerResponse, error: unknown, uniqueId: string | null): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { status, message, headers } = failureOf(error);
  writeJson(res, status, failure(uniqueId, message), headers);
}
