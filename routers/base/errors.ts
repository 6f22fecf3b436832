import { TRPCError } from '@trpc/server';
import { ENGLISH, msg } from './language/i18n.js';
import { asLocalizable, isLocalizable, type Localizable, localizable } from './language/localizable.js';
import type { Message } from './language/message.js';

/**
 * Every domain error: a stable code, its HTTP status and the text the caller sees (contract §2). Texts are public;
 * private causes go into `cause` and the log.
 */
const errors = {
  NOT_FOUND: [404, msg('Resource not found')],
  PACK_NOT_FOUND: [404, msg('Pack not found')],
  PACK_FILE_NOT_FOUND: [404, msg('File not found in pack')],
  UNAUTHENTICATED: [401, msg('Sign in or send a valid X-API-Key header')],
  NOT_OWNER: [401, msg('Only the owner may do this')],
  FORBIDDEN: [403, msg('Your account may not do this')],
  MEMBER_ROLE: [403, msg('Members of this collection may not do this, or not in your role')],
  SCOPE_MISSING: [403, msg('This key lacks the scope for this: add it to the key, or use one that has it')],
  ACCOUNT_PAUSED: [403, msg('Your account is paused')],
  LIMIT_EXCEEDED: [403, msg('A limit of your account is exceeded')],
  ACCOUNT_INACTIVE: [403, msg('This account is not active')],
  PRIVATE: [403, msg('This item is private')],
  PASSWORD_REQUIRED: [403, msg('This item requires a password')],
  CHALLENGE_REQUIRED: [
    403,
    msg('Solve a challenge first: send its token with POST to this request, and the ticket with the file'),
  ],
  PASSWORD_WRONG: [403, msg('The password is wrong')],
  LOGIN_FAILED: [403, msg('The e-mail address or the password is wrong')],
  LOGIN_CODE_REQUIRED: [403, msg('The code from your authenticator app is required')],
  LOGIN_CODE_WRONG: [403, msg('The code is wrong or was already used')],
  LOGIN_PENDING: [403, msg('Verify your e-mail address first')],
  LOGIN_WAITING: [403, msg('This account waits for an administrator to let it in')],
  ACCOUNT_BANNED: [403, msg('This account is banned')],
  OWNERS_ONLY: [403, msg('Only an owner may change this setting')],
  RANK_TOO_LOW: [403, msg('Only a higher role may change this account')],
  ROLE_TOO_HIGH: [403, msg('You cannot grant a role above your own')],
  LAST_OWNER: [403, msg('The last owner cannot be removed')],
  SIGN_IN_OVER: [401, msg('This took too long or was already used; sign in again')],
  VERIFY_TOKEN_INVALID: [401, msg('Register or sign in again to verify this account')],
  SECOND_FACTOR_ON: [400, msg('Two-step sign-in is already on')],
  SECOND_FACTOR_OFF: [404, msg('Two-step sign-in is off')],
  NOT_PENDING: [400, msg('This account is active already')],
  NOT_WAITING: [400, msg('This account does not wait for a decision')],
  CODE_INVALID: [400, msg('The code is wrong, already used or expired')],
  INVITE_TAKEN: [400, msg('This invite code already exists')],
  REGISTRATION_CLOSED: [403, msg('Registration is closed')],
  INVITE_INVALID: [403, msg('The invite code is missing, wrong or already used')],
  CROSS_SITE: [
    403,
    msg('Requests from other sites are refused, except from those that an operator adds to CORS_ORIGINS'),
  ],
  CONFIRM_BURN: [403, msg('Confirm to read this paste once')],
  INVALID: [400, msg('The request is not valid')],
  ID_TAKEN: [400, msg('This id is taken, choose another one')],
  USERNAME_TAKEN: [400, msg('This username is taken')],
  EMAIL_TAKEN: [400, msg('This e-mail address is taken')],
  CONTENT_BLOCKED: [400, msg('This content is blocked here and cannot be stored')],
  NETWORK_BLOCKED: [403, msg('Nothing can be created from your network')],
  FILE_MISSING: [400, msg('Send the file in the form field "file"')],
  FILE_EMPTY: [400, msg('The file is empty')],
  FILE_NOT_UPLOADED: [400, msg('The file has not been uploaded yet')],
  FILE_NOT_FETCHED: [400, msg('The file could not be fetched')],
  FILE_MISMATCH: [400, msg("The file's content does not match its name or type")],
  TAG_TAKEN: [409, msg('You have a tag of this name already, choose another one')],
  MAILBOX_TAKEN: [400, msg('This address is taken, choose another one')],
  DOMAIN_TAKEN: [409, msg('This host is active for another account, whose proof is still there')],
  DOMAINS_OFF: [403, msg('Accounts have no domains of their own here')],
  SANDBOX: [409, msg('Nothing leaves a test inbox: end its sending credentials first')],
  MAIL_FORGED: [401, msg('The signature or the token of this mail is missing or wrong')],
  MAIL_STALE: [406, msg('The signature of this mail is too old or was used for another one')],
  TARGET_REFUSED: [400, msg('This URL cannot be shortened')],
  TOO_LARGE: [413, msg('The request is too large')],
  UPLOAD_UNAUTHENTICATED: [401, msg('Send your API key before the file')],
  METHOD_NOT_ALLOWED: [405, msg('This method is not allowed here')],
  MAIL_OFF: [409, msg('This installation sends no mail')],
  DEMO: [409, msg('This is a demo: it sends no mail, calls no other server and fetches nothing')],
  SETTING_FIXED: [409, msg('The environment of the server says this: change it there')],
  UPLOAD_OFFSET: [409, msg('This is not where the upload has to continue; ask for its offset first')],
  UPLOAD_BUSY: [423, msg('Another request is sending to this upload, try again in a moment')],
  UPLOAD_CHECKSUM: [460, msg('The bytes do not match their checksum, send them again')],
  UPLOAD_PROTOCOL: [412, msg('Send Tus-Resumable: 1.0.0, the version of the protocol spoken here')],
  UPLOAD_TYPE: [415, msg('Send the bytes as application/offset+octet-stream')],
  UPLOAD_URL_INVALID: [403, msg('This upload URL is wrong or was already used')],
  UNSUPPORTED: [400, msg('This file cannot be processed')],
  CODING_UNSUPPORTED: [415, msg('Send the body uncompressed, without Content-Encoding')],
  PRECONDITION_FAILED: [412, msg('The content is not the one that If-Match names')],
  RANGE_NOT_SATISFIABLE: [416, msg('The requested range is not part of the content')],
  TOO_MANY_REQUESTS: [429, msg('Too many requests, try again later')],
  UNAVAILABLE: [503, msg('The service is busy, try again in a moment')],
  SEARCH_TOO_LONG: [400, msg('This search takes too long. Narrow it down, or try again later.')],
  STORAGE_FULL: [507, msg('The server has no space left, please tell its administrator')],
  NOT_AVAILABLE: [501, msg('This is not available on this server')],
  PROVIDER_FAILED: [502, msg('The other service did not respond as expected')],
  PROVIDER_REFUSED: [400, msg('The other service refused the request')],
  CHATAPP_ABSENT: [404, msg('No chat application is configured')],
  CHATAPP_NOT_LINKED: [404, msg('No account is linked to this chat account')],
  CHATAPP_TAKEN: [400, msg('This chat account is linked to another account')],
  OAUTH_STATE: [
    400,
    msg('This sign-in was not started here, took too long or was already used. Start again.'),
  ],
  OIDC_ABSENT: [404, msg('There is no provider of this name')],
  OIDC_UNKNOWN: [
    403,
    msg(
      'No account here is linked to this identity. Sign in another way, then link it in the security settings.',
    ),
  ],
  OIDC_INVITE: [403, msg('A new account needs an invite code: register with it')],
  OIDC_ADDRESS: [403, msg('The provider gave no e-mail address, which an account here needs')],
  OIDC_LINK_FIRST: [
    403,
    msg(
      'An account with this e-mail address exists. Sign in to it another way, then link this identity in the security settings.',
    ),
  ],
  IDENTITY_TAKEN: [400, msg('This identity is linked to another account')],
  SIGN_IN_WAY: [403, msg('This way to sign in is not offered here')],
  PROOF_REQUIRED: [
    403,
    msg('Confirm with your password, or sign in again: your sign-in is more than ten minutes old'),
  ],
  PASSKEY_UNKNOWN: [403, msg('This passkey is not known here')],
  PASSKEY_REFUSED: [403, msg('This passkey was not accepted')],
  PASSKEY_CHALLENGE: [400, msg('This took too long or was already used; try again')],
  MESSENGER_ABSENT: [404, msg('No messenger is configured')],
  INTERNAL: [500, msg('Something went wrong')],
} as const satisfies Record<string, readonly [number, Message]>;

/** The stable code of a domain error. */
export type ErrorCode = keyof typeof errors;

const trpcCodes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  406: 'BAD_REQUEST',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  416: 'BAD_REQUEST',
  423: 'CONFLICT',
  429: 'TOO_MANY_REQUESTS',
  460: 'BAD_REQUEST',
  500: 'INTERNAL_SERVER_ERROR',
  501: 'NOT_IMPLEMENTED',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
  507: 'SERVICE_UNAVAILABLE',
} as const;

/** How long a caller should wait when something is unavailable, in seconds. */
const RETRY_SECONDS = 5;

interface ErrorDetails {
  /** Replaces the standard text; must be fit for the public. With values in it, a `Localizable`. */
  readonly message?: string | Localizable;
  /** Seconds after which a retry makes sense; becomes `Retry-After`. A 503 always has it. */
  readonly retryAfter?: number;
  /** Becomes `Content-Range: bytes *\/size` of a 416. */
  readonly size?: number;
  readonly cause?: unknown;
}

/** A domain error. Throw it with `fail`. */
export class DomainError extends TRPCError {
  readonly status: number;
  /** The message, to be told in any language. */
  readonly localizable: Localizable;
  readonly retryAfter: number | null;
  readonly size: number | null;

  constructor(
    readonly reason: ErrorCode,
    details: ErrorDetails = {},
  ) {
    const [status, text] = errors[reason];
    const known = reason === 'TOO_MANY_REQUESTS' ? details.retryAfter : undefined;
    const given = details.message ?? (known === undefined ? text : tryAgainIn(known));
    const whole = asLocalizable(given);
    super({ code: trpcCodes[status], message: ENGLISH.translate(whole), cause: details.cause });
    this.localizable = whole;
    this.name = 'DomainError';
    this.status = status;
    this.retryAfter = details.retryAfter ?? (status === 503 ? RETRY_SECONDS : null);
    this.size = details.size ?? null;
  }
}

/** When to try again, rounded up. */
const tryAgainIn = (seconds: number): Localizable =>
  seconds < 100
    ? localizable('Too many requests, try again in {seconds, plural, one {# second} other {# seconds}}', {
        seconds: Math.ceil(seconds),
      })
    : localizable('Too many requests, try again in {minutes, plural, one {# minute} other {# minutes}}', {
        minutes: Math.ceil(seconds / 60),
      });

/** Throws a domain error. */
export function fail(reason: ErrorCode, details?: ErrorDetails | Localizable | string): never {
  throw new DomainError(
    reason,
    typeof details === 'string' || isLocalizable(details) ? { message: details } : details,
  );
}

/** What older pages show of a 404: all others have the text that older clients compare with. */
export const SHOWN_WHEN_MISSING: ReadonlySet<ErrorCode> = new Set(['PACK_NOT_FOUND', 'PACK_FILE_NOT_FOUND']);

/** Throws NOT_FOUND for a missing value; for lookups: `found(await ...)`. */
export function found<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) fail('NOT_FOUND');
  return value;
}

/** Turns NOT_FOUND into null, for what may be deleted while it is read. */
export function unlessRemoved<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: unknown) => {
    if (error instanceof DomainError && error.reason === 'NOT_FOUND') return null;
    throw error;
  });
}
