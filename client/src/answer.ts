import { HoldallError } from './error.js';

/** Node's error codes for failed connections; browsers give no reason. */
const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  ETIMEDOUT: 'it does not respond',
  UND_ERR_CONNECT_TIMEOUT: 'it does not respond',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ENOTFOUND: 'there is no host with that name',
  EAI_AGAIN: 'its name cannot be resolved at the moment',
};

/** The error for a server that did not respond. */
export function unreachable(origin: string, cause?: unknown): HoldallError {
  let why: string | undefined;
  for (let error = cause; error instanceof Error && why === undefined; error = error.cause)
    why = WHY[String((error as { code?: unknown }).code)];
  const reason = why === undefined ? '' : `: ${why}`;
  return new HoldallError(`${origin} cannot be reached${reason}`, { status: 0, reason: 'NETWORK', cause });
}

/** The error for a response that does not come from Holdall, but from a proxy or another program. */
export const unexpected = (origin: string, status: number, cause?: unknown): HoldallError =>
  new HoldallError(`${origin} sent an unexpected response (status ${status}): is it a Holdall server?`, {
    status,
    reason: 'UNEXPECTED',
    cause,
  });

/** The seconds of a `Retry-After` header; null without one. */
export const secondsOf = (retryAfter: string | null): number | null =>
  retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
