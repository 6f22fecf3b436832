import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { link, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../../../db/engine/connect.js';
import { installationValue } from '../../../db/system/installation.js';
import type { Secrets } from '../../../routers/base/ports/secrets.js';
import { ConfigError } from '../../shared/config-error.js';
import { putFile } from '../storage/disk/durable-file.js';
import { failedWith, syncFolder } from '../storage/disk/folders.js';
import type { StorageOptions } from '../storage/options.js';
import type { SecretOptions } from './options.js';
import { sameSecret } from './same-secret.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const CHECK_SUBJECT = 'installation check';
/**
 * The key of a database value signed with the secret: it detects a different secret and reveals nothing about this
 * one.
 */
export const SECRET_CHECK = 'secret_check';

/** The file in DATA_DIR with the secret of an installation without SECRET_KEY. */
export const SECRET_FILE = 'secret.key';

const secretFile = (dataDir: string): string => join(dataDir, SECRET_FILE);

/** Keys for each purpose, derived from the secret of the installation. */
function createSecrets(secret: string): Secrets {
  const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, 'holdall', purpose, 32));
  const encryptionKey = derive('encryption');
  const signingKey = derive('signing');
  const sign = (subject: string): string => createHmac('sha256', signingKey).update(subject).digest('hex');

  return {
    encrypt: (text) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
    },
    decrypt: (text) => {
      const data = Buffer.from(text, 'base64');
      const iv = data.subarray(0, IV_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, iv, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(data.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(data.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      );
    },
    sign,
    verifySignature: (subject, signature) => sameSecret(signature, sign(subject)),
  };
}

/** The value that the database has under `SECRET_CHECK` if this is its secret. */
export const checkOf = (secret: string): string => createSecrets(secret).sign(CHECK_SUBJECT);

/**
 * Opens the secret of this installation: SECRET_KEY, or a file created at first start with mode 0600. Refuses to
 * start with a different secret than the one the database was used with, because nothing could be decrypted.
 */
export async function openSecrets(
  config: SecretOptions & Pick<StorageOptions, 'dataDir'>,
  db: Db,
): Promise<Secrets> {
  const secrets = createSecrets(config.secretKey ?? (await readOrMakeSecret(config.dataDir)));
  const check = secrets.sign(CHECK_SUBJECT);
  const stored = await installationValue(db, SECRET_CHECK, check);
  if (stored === check) return secrets;
  throw new ConfigError(
    'SECRET_KEY: is not the one this database was used with. Start with the right one, or restore ' +
      `${secretFile(config.dataDir)} from a backup.`,
  );
}

async function readOrMakeSecret(dataDir: string): Promise<string> {
  const path = secretFile(dataDir);
  if ((await readSecret(path)) === null) {
    // If several processes start at once, only the first one creates the file.
    await putFile(path, [`${randomBytes(32).toString('hex')}\n`], link).catch((error: unknown) => {
      if (!failedWith(error, 'EEXIST')) throw error;
    });
  }
  // Another process may have just created the file. It must be durable before the database stores its check value.
  await syncFolder(dataDir);
  const secret = await readSecret(path);
  if (secret === null) throw new Error(`${path} could not be created`);
  return secret;
}

async function readSecret(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return null;
    throw error;
  }
}
