/**
 * Backs up the installation in one folder into another, in a process of its own, and kills this process just
 * before it changes names in a folder for the given time. Ends with 0 when there were fewer changes than that.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [dataDir = '', folder = '', deadline = ''] = process.argv.slice(2);
let changes = 0;

/** Counts the calls of these functions, and never makes the one that is due. */
function watch<T extends object>(functions: T, names: readonly (keyof T)[]): void {
  for (const name of names) {
    const real = functions[name] as (...given: unknown[]) => unknown;
    const watched = (...given: unknown[]): unknown => {
      changes += 1;
      if (changes === Number(deadline)) process.kill(process.pid, 'SIGKILL');
      return real.apply(functions, given);
    };
    functions[name] = Object.assign(watched, real) as T[keyof T];
  }
}
watch(fs, ['mkdir', 'link', 'rename', 'unlink']);
watch(fs.promises, ['mkdir', 'link', 'rename', 'unlink', 'rm', 'rmdir']);
syncBuiltinESMExports();

const { backUp } = await import('../../server/backup/backup.js');
const { readConfig } = await import('../../server/config/config.js');
await backUp(readConfig({ DATA_DIR: dataDir }), folder, () => {});
