import { HoldallError } from './error.js';

/** What Node says of a connection that does not come about; browsers tell nobody. */
const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  EHOSTUNREACH: 'no way leads there',
  ENETUNREACH: 'no way leads there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'its name cannot be looked up at the moment',
};

/** The error for a server from which no answer came. */
export function unreachable(origin: string, cause?: unknown): HoldallError {
  let why: string | undefined;
  for (let error = cause; error instanceof Error && why === undefined; error = error.cause)
    why = WHY[String((error as { code?: unknown }).code)];
  const reason = why === undefined ? '' : `: ${why}`;
  return new HoldallError(`${origin} cannot be reached${reason}`, { status: 0, reason: 'NETWORK', cause });
}

/** The error for an answer that is none of Holdall's: of a proxy, or of another program at that address. */
export const unexpected = (origin: string, status: number, cause?: unknown): HoldallError =>
  new HoldallError(`${origin} answered something unexpected (status ${status}): is Holdall there?`, {
    status,
    reason: 'UNEXPECTED',
    cause,
  });

/** The seconds of a `Retry-After` header; null without one. */
export const secondsOf = (retryAfter: string | null): number | null =>
  retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
