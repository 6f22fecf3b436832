/**
 * Builds into the given folder: the server, the `holdall` command, the decoders, their shared scripts, and the
 * browser assets (docs/adr/0008). With source maps unless `--no-maps` follows. Types are checked separately (`npm run
 * typecheck`).
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildAssets } from './assets.mjs';
import { bundleOptions } from './bundle-options.mjs';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** The entry point of each kind of process. */
const entryPoints = [
  'server/runtime/main.ts',
  'server/operations/command/main.ts',
  'server/drivers/media/workers/main.ts',
];

const [outdir, ...options] = process.argv.slice(2);
await build({
  ...bundleOptions,
  absWorkingDir: root,
  entryPoints,
  outdir,
  sourcemap: !options.includes('--no-maps'),
  logLevel: 'warning',
});
await buildAssets(join(outdir, 'assets'));
