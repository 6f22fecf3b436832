import { TRPCError } from '@trpc/server';
import { sqliteFault } from '../../../db/engine/clients/sqlite-fault.js';
import { sqliteFile } from '../../../db/engine/connect.js';
import { UnusableDatabase } from '../../../db/engine/migrate.js';
import { TransferError } from '../../../db/transfer/table.js';
import { DomainError } from '../../../routers/base/errors.js';
import { BlobStoreUnavailable } from '../../../routers/base/ports/storage.js';
import { publicMessage } from '../../../routers/core/trpc.js';
import { S3Forbidden } from '../../drivers/storage/s3/permissions.js';
import { S3Refused } from '../../drivers/storage/s3/refused.js';
import { readConfig } from '../../runtime/config/config.js';
import { ConfigError } from '../../shared/config-error.js';
import { BackupError } from '../backup/layout.js';

/** Refusals of the object store that a setting can end, by its error code, and what to change. */
const STORE_REFUSALS = new Map([
  ['NoSuchBucket', 'the bucket does not exist: create it in the object store, or correct S3_BUCKET'],
  ['InvalidAccessKeyId', 'the object store does not know the key: correct S3_ACCESS_KEY_ID'],
  [
    'SignatureDoesNotMatch',
    'the object store does not accept the signature: correct S3_SECRET_ACCESS_KEY, or let the proxy in front of the store pass on the Host header and the path unchanged',
  ],
  ['AuthorizationHeaderMalformed', 'the bucket is in another region: correct S3_REGION'],
  ['PermanentRedirect', 'the bucket is at another address: correct S3_ENDPOINT and S3_REGION'],
  [
    'RequestTimeTooSkewed',
    'the clocks of this machine and of the object store differ too much: synchronise the clock of this machine',
  ],
]);

/** Errors whose messages are made for people. */
const SAYING = [ConfigError, BackupError, DomainError, TransferError, UnusableDatabase];

/** The message for a known error of a server command; null for any other error. */
export function explainServerError(error: unknown): string | null {
  if (SAYING.some((kind) => error instanceof kind)) return (error as Error).message;
  const advice = error instanceof S3Refused ? STORE_REFUSALS.get(error.code) : undefined;
  if (advice !== undefined) return advice;
  if (error instanceof S3Forbidden)
    return `${error.message}: grant it in the policy of the key or of the bucket`;
  if (error instanceof S3Refused || error instanceof BlobStoreUnavailable)
    return `the stored files cannot be accessed: ${error.message}`;
  const fault = sqliteFault(error, databaseFile);
  if (fault !== null) return fault;
  if (error instanceof TRPCError && error.code !== 'INTERNAL_SERVER_ERROR') return publicMessage(error);
  return null;
}

/** The database file; described in general terms if variables are wrong, because that is a separate error. */
function databaseFile(): string {
  try {
    return sqliteFile(readConfig().dataDir);
  } catch (error) {
    if (error instanceof ConfigError) return 'the database';
    throw error;
  }
}
