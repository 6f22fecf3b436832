import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the program: the one with package.json, at any depth above the running script. */
export const ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));

/** A file of the build. */
export const built = (...path: readonly string[]): string => join(ROOT, 'dist', ...path);

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  if (folder === dirname(folder)) throw new Error('package.json is missing');
  return findRoot(dirname(folder));
}
