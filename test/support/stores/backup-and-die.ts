/**
 * Backs up one folder into another in a separate process, and kills this process just before its nth change
 * of names in a folder. Exits with 0 if there were fewer changes.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [dataDir = '', folder = '', deadline = ''] = process.argv.slice(2);
let changes = 0;

/** Counts the calls of these functions, and kills the process before the chosen one. */
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

const { backUp } = await import('../../../server/operations/backup/backup.js');
const { readConfig } = await import('../../../server/runtime/config/config.js');
await backUp(readConfig({ DATA_DIR: dataDir }), folder, () => {});
