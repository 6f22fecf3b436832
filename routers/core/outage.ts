import { codeOf } from '../../db/engine/error-code.js';
import { DomainError } from '../base/errors.js';
import { MediaBusy } from '../base/ports/media/media.js';
import { BlobStoreUnavailable } from '../base/ports/storage.js';

/** No space is left: on the disk of files or of SQLite, in a quota, or on the disk of PostgreSQL. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100']);

/** A part of the service is unavailable, overloaded or broken; the request is not the cause. */
const UNREACHABLE = new Set([
  ...['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_IOERR', 'SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_NOMEM'],
  // The network connection to PostgreSQL.
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
  ],
  // PostgreSQL: shutting down, crashed, starting, a standby, a cancelled statement, conflicts in spite of
  // retries.
  ...[
    '57P01',
    '57P02',
    '57P03',
    '57P05',
    '25006',
    '57014',
    '40001',
    '40P01',
    '55P03',
    '58030',
    '53200',
    '53300',
    '53400',
  ],
]);

/** The file system under `DATA_DIR` is not writable. */
const UNWRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'EIO', 'ENODEV', 'ESTALE', 'EMFILE', 'ENFILE']);

/** PostgreSQL's driver reports some lost connections only by message; knex puts the statement before it. */
const LOST_CONNECTION =
  /(^| - )(Connection (terminated|ended)( unexpectedly)?|Client (was closed|has encountered a connection error) and is not queryable|Query read timeout|timeout expired)$/;

/** PostgreSQL's class of connection errors. */
const CONNECTION_CLASS = /^08\w{3}$/;

/**
 * Maps a driver error to what callers get: 507 if no space is left, 503 if a part of the service is
 * unavailable. Null for everything else. Also checks wrapped errors.
 */
export function outageOf(error: unknown): DomainError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = codeOf(cause);
    if (FULL.has(code)) return new DomainError('STORAGE_FULL', { cause: error });
    if (UNWRITABLE.has(code))
      return unavailable(error, 'The server cannot write to its disk, try again later');
    if (isUnreachable(cause, code)) return unavailable(error);
  }
  return null;
}

/**
 * What callers get for an error of a driver: an outage, or 404 for a row whose neighbour was deleted after the request had
 * read it. Null for everything else.
 */
export function refusalOf(error: unknown): DomainError | null {
  const outage = outageOf(error);
  if (outage !== null) return outage;
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (isReferenceRemoved(cause)) return new DomainError('NOT_FOUND', { cause: error });
  return null;
}

const isReferenceRemoved = (error: Error): boolean =>
  codeOf(error) === '23503' ||
  (codeOf(error) === 'SQLITE_CONSTRAINT' && error.message.endsWith('FOREIGN KEY constraint failed'));

function isUnreachable(error: Error, code: string): boolean {
  return (
    error instanceof BlobStoreUnavailable ||
    error instanceof MediaBusy ||
    error.name === 'KnexTimeoutError' ||
    UNREACHABLE.has(code) ||
    CONNECTION_CLASS.test(code) ||
    LOST_CONNECTION.test(error.message)
  );
}

const unavailable = (cause: unknown, message?: string): DomainError =>
  new DomainError('UNAVAILABLE', {
    cause,
    ...(message === undefined ? {} : { message }),
  });
