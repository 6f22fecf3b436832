import { readFile } from 'node:fs/promises';

let version: Promise<string> | undefined;

/** The version in package.json. */
export function packageVersion(): Promise<string> {
  version ??= readVersion();
  return version;
}

/** package.json lies beside the sources and one folder above the build. */
async function readVersion(): Promise<string> {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      return JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8')).version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error('package.json is missing');
}
