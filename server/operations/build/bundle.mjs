/**
 * Builds into the given folder: the server, the `holdall` command, the decoders, their shared scripts with the licences
 * of the packages in them, and the browser assets (docs/adr/0008). With source maps unless `--no-maps` follows. Types are checked separately (`npm run
 * typecheck`).
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildAssets } from './assets.mjs';
import { bundleOptions } from './bundle-options.mjs';
import { licencesOf } from './licences.mjs';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** The entry point of each kind of process. */
const entryPoints = [
  'server/runtime/main.ts',
  'server/operations/command/main.ts',
  'server/drivers/media/workers/main.ts',
];

const [outdir, ...options] = process.argv.slice(2);
const { metafile } = await build({
  ...bundleOptions,
  absWorkingDir: root,
  entryPoints,
  outdir,
  sourcemap: !options.includes('--no-maps'),
  metafile: true,
  logLevel: 'warning',
});
writeFileSync(join(outdir, 'licences.txt'), licencesOf(root, metafile));
await buildAssets(join(outdir, 'assets'));
