import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../root.js';

const FOLDER = join(ROOT, 'db/migrations');

/** Stands for the contents of all migrations, in the name of a database that they have made. */
export async function migrationsDigest(): Promise<string> {
  const files = await Promise.all((await readdir(FOLDER)).sort().map((file) => readFile(join(FOLDER, file))));
  return createHash('sha256').update(Buffer.concat(files)).digest('hex').slice(0, 24);
}
