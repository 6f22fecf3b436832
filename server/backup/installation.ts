import { createHash } from 'node:crypto';
import type { Db } from '../../db/connect.js';
import { storedValue } from '../../db/installation.js';
import { checkOf, SECRET_CHECK } from '../secrets/secrets.js';

/** The check value goes into no backup as it is: what it is good for stays in the database. */
const named = (check: string): string => createHash('sha256').update(`installation ${check}`).digest('hex');

/** The name that the backups of an installation bear, the same for its whole life; null before its first start. */
export async function installationOf(db: Db): Promise<string | null> {
  const check = await storedValue(db, SECRET_CHECK);
  return check === null ? null : named(check);
}

/** Whether this is the secret of the installation of that name. */
export const isSecretOf = (secret: string, installation: string): boolean =>
  named(checkOf(secret)) === installation;
