/**
 * Builds into the folder it is given, with source maps unless `--no-maps` follows: the server, the `holdall` command and
 * the decoders, with what they share in scripts between them, and what browsers load (docs/adr/0008). Types are checked
 * elsewhere (`npm run typecheck`).
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.mjs';
import { buildAssets } from './web/build-assets.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Each is what a process begins with. */
const entryPoints = ['server/main.ts', 'server/cli/main.ts', 'server/media/workers/main.ts'];

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
