/**
 * Builds the browser assets: scripts of client/browser/ and the style sheet, minified, with content hashes in their
 * names, each with .br and .gz variants, and a manifest from entry to file name.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const entries = {
  core: 'client/browser/core.ts',
  upload: 'client/browser/upload.ts',
  library: 'client/browser/library.ts',
  embed: 'client/browser/embed.ts',
  live: 'client/browser/live.ts',
  style: 'server/web/styles/index.css',
};

/** Writes all of them to the folder `out`, which is created. */
export async function buildAssets(out) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: Object.entries(entries).map(([name, path]) => ({ in: path, out: name })),
    outdir: '/',
    entryNames: '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  await mkdir(out, { recursive: true });
  for (const file of result.outputFiles) await writeCompressed(join(out, nameOf(file.path)), file.contents);
  const icon = await readFile(join(root, 'server/web/styles/icon.svg'));
  await writeCompressed(join(out, 'icon.svg'), icon);
  await writeFile(join(out, 'manifest.json'), JSON.stringify(manifest(result.metafile), null, 2));
}

/** Entry name -> file name, for `Assets`. */
function manifest(metafile) {
  const names = new Map(Object.entries(entries).map(([name, path]) => [path, name]));
  const outputs = Object.entries(metafile.outputs).filter(([, output]) => names.has(output.entryPoint));
  return Object.fromEntries(outputs.map(([path, output]) => [names.get(output.entryPoint), nameOf(path)]));
}

async function writeCompressed(path, bytes) {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  await writeFile(path, bytes);
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, brotli));
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

function nameOf(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}
