import { secondsOf, unexpected } from './answer.js';
import { HoldallError } from './error.js';

interface Envelope {
  readonly error: boolean;
  readonly message: unknown;
}

/** Reasons that follow from the status; the response has none. */
const REASONS: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  413: 'TOO_LARGE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  507: 'STORAGE_FULL',
};
/** Reasons that follow from the text of the response. */
const REASONS_OF_TEXTS: Readonly<Record<string, string>> = {
  'This id is taken, choose another one': 'ID_TAKEN',
  'The file is empty': 'FILE_EMPTY',
  'This account is not active': 'ACCOUNT_INACTIVE',
  'Your account may not do this': 'FORBIDDEN',
};

/** The message of an answer in the envelope; throws the `HoldallError` of a refusal, or of an answer from elsewhere. */
export function messageOf(origin: string, status: number, text: string, retryAfter: string | null): unknown {
  let envelope: Partial<Envelope> | null;
  try {
    envelope = JSON.parse(text) as Partial<Envelope> | null;
  } catch (cause) {
    throw unexpected(origin, status, cause);
  }
  if (typeof envelope?.error !== 'boolean') throw unexpected(origin, status);
  if (!envelope.error) return envelope.message;
  throw refusalOf(status, String(envelope.message), retryAfter);
}

/** The error for a refusal with this text. */
export const refusalOf = (status: number, message: string, retryAfter: string | null): HoldallError =>
  new HoldallError(message, {
    status,
    reason: REASONS[status] ?? REASONS_OF_TEXTS[message] ?? 'REFUSED',
    retryAfter: secondsOf(retryAfter),
  });
