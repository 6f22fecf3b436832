import { codeOf } from '../db/error-code.js';
import { DomainError } from './errors.js';
import { MediaBusy } from './ports/media.js';
import { BlobStoreUnavailable } from './ports/storage.js';

/** No room is left: on the disk of files or of SQLite, in a quota, on the disk of PostgreSQL. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100']);

/** A part of the service is away, overloaded or out of order; it is nothing that the request has done. */
const AWAY = new Set([
  ...['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_IOERR', 'SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_NOMEM'],
  // The network on the way to PostgreSQL.
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
  // PostgreSQL: shutting down, crashed, starting, a standby, a statement cut off, conflicts in spite of retries.
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

/** The file system under `DATA_DIR` takes nothing. */
const UNWRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'EIO', 'ENODEV', 'ESTALE', 'EMFILE', 'ENFILE']);

/** The driver of PostgreSQL tells some losses of a connection in words alone; knex puts the statement before them. */
const LOST_CONNECTION =
  /(^| - )(Connection (terminated|ended)( unexpectedly)?|Client (was closed|has encountered a connection error) and is not queryable|Query read timeout|timeout expired)$/;

/** PostgreSQL's own class of errors about connections. */
const CONNECTION_CLASS = /^08\w{3}$/;

/**
 * What the failure of a driver means to callers: 507 where no space is left, 503 where a part of the service is
 * away. Null for everything else. Errors that wrap another are looked into.
 */
export function outageOf(error: unknown): DomainError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = codeOf(cause);
    if (FULL.has(code)) return new DomainError('STORAGE_FULL', { cause: error });
    if (UNWRITABLE.has(code))
      return unavailable(error, 'The server cannot write to its disk, try again later');
    if (isAway(cause, code)) return unavailable(error);
  }
  return null;
}

function isAway(error: Error, code: string): boolean {
  return (
    error instanceof BlobStoreUnavailable ||
    error instanceof MediaBusy ||
    error.name === 'KnexTimeoutError' ||
    AWAY.has(code) ||
    CONNECTION_CLASS.test(code) ||
    LOST_CONNECTION.test(error.message)
  );
}

const unavailable = (cause: unknown, message?: string): DomainError =>
  new DomainError('UNAVAILABLE', {
    cause,
    ...(message === undefined ? {} : { message }),
  });
