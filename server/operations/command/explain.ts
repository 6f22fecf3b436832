import { TRPCError } from '@trpc/server';
import { sqliteFile } from '../../../db/engine/connect.js';
import { sqliteFault } from '../../../db/engine/sqlite-fault.js';
import { DomainError } from '../../../routers/errors.js';
import { BlobStoreUnavailable } from '../../../routers/ports/storage.js';
import { publicMessage } from '../../../routers/trpc.js';
import { S3Forbidden } from '../../drivers/storage/s3/permissions.js';
import { S3Refused } from '../../drivers/storage/s3/refused.js';
import { readConfig } from '../../runtime/config/config.js';
import { ConfigError } from '../../shared/config-error.js';
import { BackupError } from '../backup/layout.js';

/** The message for a known error of a server command; null for any other error. */
export function explainServerError(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof BackupError || error instanceof DomainError)
    return error.message;
  if (error instanceof S3Refused && error.code === 'NoSuchBucket')
    return 'the bucket does not exist: create it in the object store, or correct S3_BUCKET';
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
