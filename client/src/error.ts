/** What went wrong, in one type for every way of calling. */
export class HoldallError extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /**
   * Stable name of the refusal, such as `NOT_FOUND` or `ID_TAKEN`; `NETWORK` when no answer came, `UNEXPECTED` when it was
   * none of Holdall's. An upload that is refused for a reason it cannot know says `REFUSED`.
   */
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
