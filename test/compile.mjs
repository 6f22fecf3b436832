import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleOptions } from '../server/operations/build/bundle-options.mjs';

/** Modules that tests start as processes, or pass to one. */
const PROCESSES = [
  'server/runtime/logger.ts',
  'test/hostile/regex/worker.ts',
  'test/support/stores/backup-and-die.ts',
  'test/support/stores/fail-and-log.ts',
  'test/support/stores/fill-and-die.ts',
  'test/support/stores/migrate-and-die.ts',
  'test/support/stores/move-and-die.ts',
];

/**
 * Bundles every test file, with the modules it imports, into `dist/test`: a test file would otherwise load
 * several hundred sources one by one in its process. Another run may be reading the folder, so only changed
 * files are written.
 */
export async function compileTests(root) {
  // Only after packages are installed.
  const { build } = await import('esbuild');
  const outdir = join(root, 'dist', 'test');
  const tests = readdirSync(join(root, 'test'), { recursive: true }).filter((path) =>
    path.endsWith('.test.ts'),
  );
  const { outputFiles } = await build({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: [...PROCESSES, ...tests.map((path) => join('test', path))],
    outdir,
    sourcemap: true,
    // Every process parses the maps of what it loads, and their sources are at hand.
    sourcesContent: false,
    write: false,
  });
  const made = new Set(outputFiles.map(({ path }) => path));
  // Files that another run is just writing end in its process id.
  for (const path of existsSync(outdir) ? below(outdir) : [])
    if (/\.js(\.map)?$/.test(path) && !made.has(path)) rmSync(path, { force: true });
  for (const { path, contents } of outputFiles) replace(path, Buffer.from(contents));
}

/** The compiled path of a test file. */
export const compiled = (path) => join('dist', 'test', path.replace(/\.ts$/, '.js'));

const below = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

function replace(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}
