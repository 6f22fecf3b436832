import { TRPCError } from '@trpc/server';

/**
 * Every domain error: a stable code, its HTTP status and the text the caller sees (contract §2). Texts are public;
 * private causes go into `cause` and the log.
 */
const errors = {
  NOT_FOUND: [404, 'Resource not found'],
  UNAUTHENTICATED: [401, 'Sign in or send a valid X-API-Key header'],
  NOT_OWNER: [401, 'Only the owner may do this'],
  FORBIDDEN: [403, 'Your account may not do this'],
  SCOPE_MISSING: [403, 'This key lacks the scope for this: add it to the key, or use one that has it'],
  ACCOUNT_INACTIVE: [403, 'This account is not active'],
  PRIVATE: [403, 'This item is private'],
  PASSWORD_REQUIRED: [403, 'This item requires a password'],
  PASSWORD_WRONG: [403, 'The password is wrong'],
  LOGIN_FAILED: [403, 'The e-mail address or the password is wrong'],
  LOGIN_CODE_REQUIRED: [403, 'The code from your authenticator app is required'],
  LOGIN_CODE_WRONG: [403, 'The code is wrong or was already used'],
  LOGIN_PENDING: [403, 'Verify your e-mail address first'],
  ACCOUNT_BANNED: [403, 'This account is banned'],
  RANK_TOO_LOW: [403, 'Only a higher role may change this account'],
  ROLE_TOO_HIGH: [403, 'You cannot grant a role above your own'],
  LAST_OWNER: [403, 'The last owner cannot be removed'],
  SIGN_IN_OVER: [401, 'This took too long or was already used; sign in again'],
  VERIFY_TOKEN_INVALID: [401, 'Register or sign in again to verify this account'],
  SECOND_FACTOR_ON: [400, 'Two-step sign-in is already on'],
  SECOND_FACTOR_OFF: [404, 'Two-step sign-in is off'],
  CODE_INVALID: [400, 'The code is wrong, already used or expired'],
  INVITE_TAKEN: [400, 'This invite code already exists'],
  REGISTRATION_CLOSED: [403, 'Registration is closed'],
  INVITE_INVALID: [403, 'The invite code is missing, wrong or already used'],
  CROSS_SITE: [
    403,
    'Requests from other sites are refused, except from those that an operator adds to CORS_ORIGINS',
  ],
  CONFIRM_BURN: [403, 'Confirm to read this paste once'],
  INVALID: [400, 'The request is not valid'],
  ID_TAKEN: [400, 'This id is taken, choose another one'],
  USERNAME_TAKEN: [400, 'This username is taken'],
  EMAIL_TAKEN: [400, 'This e-mail address is taken'],
  FILE_MISSING: [400, 'Send the file in the form field "file"'],
  FILE_EMPTY: [400, 'The file is empty'],
  FILE_NOT_UPLOADED: [400, 'The file has not been uploaded yet'],
  FILE_MISMATCH: [400, "The file's content does not match its name or type"],
  MAILBOX_TAKEN: [400, 'This address is taken, choose another one'],
  MAIL_FORGED: [401, 'The signature or the token of this mail is missing or wrong'],
  MAIL_STALE: [406, 'The signature of this mail is too old or was used for another one'],
  TARGET_REFUSED: [400, 'This URL cannot be shortened'],
  TOO_LARGE: [413, 'The request is too large'],
  UPLOAD_UNAUTHENTICATED: [401, 'Send your API key before the file'],
  METHOD_NOT_ALLOWED: [405, 'This method is not allowed here'],
  UPLOAD_URL_INVALID: [403, 'This upload URL is wrong or was already used'],
  UNSUPPORTED: [400, 'This file cannot be processed'],
  CODING_UNSUPPORTED: [415, 'Send the body uncompressed, without Content-Encoding'],
  PRECONDITION_FAILED: [412, 'The content is not the one that If-Match names'],
  RANGE_NOT_SATISFIABLE: [416, 'The requested range is not part of the content'],
  TOO_MANY_REQUESTS: [429, 'Too many requests, try again later'],
  UNAVAILABLE: [503, 'The service is busy, try again in a moment'],
  SEARCH_TOO_LONG: [400, 'This search takes too long. Narrow it down, or try again later.'],
  STORAGE_FULL: [507, 'The server has no space left, please tell its administrator'],
  NOT_AVAILABLE: [501, 'This is not available on this server'],
  PROVIDER_FAILED: [502, 'The other service did not respond as expected'],
  PROVIDER_REFUSED: [400, 'The other service refused the request'],
  CHATAPP_ABSENT: [404, 'No chat application is configured'],
  CHATAPP_NOT_LINKED: [404, 'No account is linked to this chat account'],
  CHATAPP_TAKEN: [400, 'This chat account is linked to another account'],
  OAUTH_STATE: [400, 'This sign-in was not started here, took too long or was already used. Start again.'],
  MESSENGER_ABSENT: [404, 'No messenger is configured'],
  INTERNAL: [500, 'Something went wrong'],
} as const satisfies Record<string, readonly [number, string]>;

/** The stable code of a domain error. */
export type ErrorCode = keyof typeof errors;

const trpcCodes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  406: 'BAD_REQUEST',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  416: 'BAD_REQUEST',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  501: 'NOT_IMPLEMENTED',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
  507: 'SERVICE_UNAVAILABLE',
} as const;

/** How long a caller should wait when something is unavailable, in seconds. */
const RETRY_SECONDS = 5;

/** Additional details of a domain error. */
export interface ErrorDetails {
  /** Replaces the standard text; must be fit for the public. */
  readonly message?: string;
  /** Seconds after which a retry makes sense; becomes `Retry-After`. A 503 always has it. */
  readonly retryAfter?: number;
  /** Becomes `Content-Range: bytes *\/size` of a 416. */
  readonly size?: number;
  readonly cause?: unknown;
}

/** A domain error. Throw it with `fail`. */
export class DomainError extends TRPCError {
  readonly status: number;
  readonly retryAfter: number | null;
  readonly size: number | null;

  constructor(
    readonly reason: ErrorCode,
    details: ErrorDetails = {},
  ) {
    const [status, text] = errors[reason];
    const known = reason === 'TOO_MANY_REQUESTS' ? details.retryAfter : undefined;
    const standard = known === undefined ? text : `Too many requests, try again in ${inWords(known)}`;
    super({ code: trpcCodes[status], message: details.message ?? standard, cause: details.cause });
    this.name = 'DomainError';
    this.status = status;
    this.retryAfter = details.retryAfter ?? (status === 503 ? RETRY_SECONDS : null);
    this.size = details.size ?? null;
  }
}

/** A readable duration, rounded up. */
function inWords(seconds: number): string {
  const [count, unit] = seconds < 100 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Throws a domain error. */
export function fail(reason: ErrorCode, details?: ErrorDetails | string): never {
  throw new DomainError(reason, typeof details === 'string' ? { message: details } : details);
}

/** Throws NOT_FOUND for a missing value; for lookups: `found(await ...)`. */
export function found<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) fail('NOT_FOUND');
  return value;
}

/** Turns NOT_FOUND into null, for what may be deleted while it is read. */
export function unlessGone<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: unknown) => {
    if (error instanceof DomainError && error.reason === 'NOT_FOUND') return null;
    throw error;
  });
}
