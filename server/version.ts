import { readFile } from 'node:fs/promises';

/** The version in package.json, which lies beside the sources and one folder above the build. */
export async function packageVersion(): Promise<string> {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      return JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8')).version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error('package.json is missing');
}
