/** The error of every call, whichever way it was made. */
export class HoldallError extends Error {
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /**
   * Stable error code, such as `NOT_FOUND` or `ID_TAKEN`; `NETWORK` if there was no response, `UNEXPECTED` if
   * the response was not Holdall's. An upload refused for a reason that the client does not know has
   * `REFUSED`.
   */
  readonly reason: string;
  /** Seconds after which a retry makes sense; null if the server did not say. */
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
