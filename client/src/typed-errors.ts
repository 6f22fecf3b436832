import { TRPCClientError } from '@trpc/client';
import { secondsOf, unexpected, unreachable } from './answer.js';
import { HoldallError } from './error.js';

/** Turns tRPC errors into a `HoldallError`; returns every other error unchanged. */
function asHoldallError(origin: string, error: unknown): unknown {
  if (!(error instanceof TRPCClientError)) return error;
  if (error.cause instanceof HoldallError) return error.cause;
  const response = error.meta?.response as Response | undefined;
  const data = error.data as { httpStatus?: number; reason?: string } | null | undefined;
  if (data?.httpStatus === undefined || data.reason === undefined)
    return response === undefined ? unreachable(origin, error) : unexpected(origin, response.status, error);
  return new HoldallError(error.message, {
    status: data.httpStatus,
    reason: data.reason,
    retryAfter: secondsOf(response?.headers.get('retry-after') ?? null),
    cause: error,
  });
}

/** The abort signal passed to a call beside its input. */
const signalOf = (parameters: readonly unknown[]): AbortSignal | undefined =>
  (parameters[1] as { signal?: AbortSignal } | undefined)?.signal;

/** The same tRPC client, but its calls throw `HoldallError`, or the reason of their signal once it is aborted. */
export function withTypedErrors<T extends object>(client: T, origin: string): T {
  return new Proxy(client, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? withTypedErrors(member, origin) : member;
    },
    apply: (target, self, parameters: unknown[]) => {
      const answer: unknown = Reflect.apply(target as () => unknown, self, parameters);
      if (!(answer instanceof Promise)) return answer;
      return answer.catch((error: unknown) => {
        const signal = signalOf(parameters);
        throw signal?.aborted === true ? signal.reason : asHoldallError(origin, error);
      });
    },
  });
}

/** `fetch` for tRPC with readable errors for a missing response, or one that tRPC could not parse. */
export async function fetchJson(
  origin: string,
  url: RequestInfo | URL,
  init: RequestInit,
): Promise<Response> {
  const response = await fetch(url, init).catch((cause: unknown) => {
    throw unreachable(origin, cause);
  });
  if (response.headers.get('content-type')?.startsWith('application/json') === true) return response;
  await response.body?.cancel();
  throw unexpected(origin, response.status);
}
