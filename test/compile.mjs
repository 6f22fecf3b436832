import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Strips the types of everything in `test/` into `dist/test`, beside the built program that the tests then import:
 * loading that takes half the time of loading sources, and every test file and decoder is a process of its own.
 * Another run may be reading what is there, so only what differs is touched.
 */
export async function compileTests(root) {
  // Not before packages are installed.
  const { build } = await import('esbuild');
  const outdir = join(root, 'dist', 'test');
  const entryPoints = below(join(root, 'test')).filter((path) => path.endsWith('.ts'));
  const { outputFiles } = await build({
    entryPoints,
    outdir,
    outbase: join(root, 'test'),
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    write: false,
  });
  const made = new Set(outputFiles.map(({ path }) => path));
  // What another run is just writing has its number behind.
  for (const path of existsSync(outdir) ? below(outdir) : [])
    if (/\.js(\.map)?$/.test(path) && !made.has(path)) rmSync(path, { force: true });
  for (const { path, contents } of outputFiles) replace(path, Buffer.from(contents));
}

/** What `compileTests` has made of a test file. */
export const compiled = (path) => join('dist', path.replace(/\.ts$/, '.js'));

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
