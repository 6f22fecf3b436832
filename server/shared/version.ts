import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './root.js';

let version: Promise<string> | undefined;

/** The version in package.json. */
export function packageVersion(): Promise<string> {
  version ??= readFile(join(ROOT, 'package.json'), 'utf8').then((text) => JSON.parse(text).version);
  return version;
}
