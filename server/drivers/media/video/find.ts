import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { ConfigError } from '../../../shared/config-error.js';

const run = promisify(execFile);
const START_MS = 30_000;

/**
 * The path of FFmpeg: the configured one, else the first on the `PATH`; null if it is switched off or there is none.
 * Throws `ConfigError` if a configured one does not run.
 */
export async function findFfmpeg(given: string | null, searchPath: string): Promise<string | null> {
  if (given === 'off') return null;
  if (given !== null) {
    const works = isAbsolute(given) && (await runs(given));
    if (!works)
      throw new ConfigError(
        'Holdall cannot start: FFMPEG must be the absolute path of a program that runs, or "off"',
      );
    return given;
  }
  for (const folder of searchPath.split(delimiter)) {
    const path = join(folder, 'ffmpeg');
    if (isAbsolute(path) && (await isProgram(path)) && (await runs(path))) return path;
  }
  return null;
}

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

const runs = (path: string): Promise<boolean> =>
  run(path, ['-version'], { env: {}, timeout: START_MS }).then(
    ({ stdout }) => stdout.startsWith('ffmpeg version'),
    () => false,
  );
