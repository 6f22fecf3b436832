import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadedOnce } from './loaded-once.js';
import { ROOT } from './root.js';

/** The version in package.json. */
export const packageVersion = loadedOnce(
  async (): Promise<string> => JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).version,
);
