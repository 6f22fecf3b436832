import { createHash } from 'node:crypto';
import type { Db } from '../../../db/engine/connect.js';
import { storedValue } from '../../../db/system/installation.js';
import { checkOf, SECRET_CHECK } from '../../drivers/secrets/secrets.js';

/** The check value itself never leaves the database, so backups hold only a hash of it. */
const named = (check: string): string => createHash('sha256').update(`installation ${check}`).digest('hex');

/** The ID of an installation in its backups. It never changes; null before the first start. */
export async function installationOf(db: Pick<Db, 'read'>): Promise<string | null> {
  const check = await storedValue(db, SECRET_CHECK);
  return check === null ? null : named(check);
}

/** Whether this secret belongs to the installation with that ID. */
export const isSecretOf = (secret: string, installation: string): boolean =>
  named(checkOf(secret)) === installation;
