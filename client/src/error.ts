import { TRPCClientError } from '@trpc/client';

/** What went wrong, in one type for every way of calling. */
export class HoldallError extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Stable name of the refusal, such as `NOT_FOUND` or `ID_TAKEN`; `NETWORK` when no answer came. */
  readonly reason: string;
  /** Seconds after which trying again makes sense; null when the server did not say. */
  readonly retryAfter: number | null;

  constructor(
    message: string,
    details: { status: number; reason: string; retryAfter?: number | null; cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.name = 'HoldallError';
    this.status = details.status;
    this.reason = details.reason;
    this.retryAfter = details.retryAfter ?? null;
  }
}

/** Turns what tRPC throws into a `HoldallError`; everything else stays what it is. */
function asHoldallError(error: unknown): unknown {
  if (!(error instanceof TRPCClientError)) return error;
  const data = error.data as { httpStatus?: number; reason?: string } | null | undefined;
  return new HoldallError(error.message, {
    status: data?.httpStatus ?? 0,
    reason: data?.reason ?? 'NETWORK',
    cause: error,
  });
}

/** The same tRPC client, whose calls throw `HoldallError`. */
export function withTypedErrors<T extends object>(client: T): T {
  return new Proxy(client, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? withTypedErrors(member) : member;
    },
    apply: (target, self, parameters) => {
      const answer: unknown = Reflect.apply(target as () => unknown, self, parameters);
      if (!(answer instanceof Promise)) return answer;
      return answer.catch((error: unknown) => {
        throw asHoldallError(error);
      });
    },
  });
}
