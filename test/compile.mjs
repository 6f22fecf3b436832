import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Strips the types of everything in `test/` into `dist/test`, beside the built program that the tests then import:
 * loading that takes half the time of loading sources, and every test file and decoder is a process of its own.
 */
export async function compileTests(root) {
  // Not before packages are installed.
  const { build } = await import('esbuild');
  const outdir = join(root, 'dist', 'test');
  const entryPoints = readdirSync(join(root, 'test'), { recursive: true })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(root, 'test', path));
  await build({
    entryPoints,
    outdir,
    outbase: join(root, 'test'),
    format: 'esm',
    target: 'node20',
    sourcemap: true,
  });
}

/** What `compileTests` has made of a test file. */
export const compiled = (path) => join('dist', path.replace(/\.ts$/, '.js'));
