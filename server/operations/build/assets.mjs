/**
 * Builds the browser assets: scripts of client/browser/ and the style sheet, minified, with content hashes in their
 * names, each with .br and .gz variants, the texts of the scripts in each language, and a manifest from entry to file name.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';
import sharp from 'sharp';
import { drawingFrame } from './drawing-frame.mjs';
import { textsOfScripts } from './script-texts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const entries = {
  core: 'client/browser/core.ts',
  upload: 'client/browser/upload/upload.ts',
  hasher: 'client/browser/upload/hasher.ts',
  request: 'client/browser/upload/request.ts',
  fetching: 'client/browser/fetching.ts',
  library: 'client/browser/library.ts',
  embed: 'client/browser/embed.ts',
  live: 'client/browser/live.ts',
  proof: 'client/browser/proof.ts',
  passkey: 'client/browser/passkey.ts',
  viewer: 'client/browser/viewer.ts',
  order: 'client/browser/order.ts',
  anywhere: 'client/browser/upload/anywhere.ts',
  editor: 'client/browser/editor.ts',
  code: 'client/browser/code.ts',
  diagram: 'client/browser/diagram.ts',
  wall: 'client/browser/wall.ts',
  sealed: 'client/browser/sealed.ts',
  seal: 'client/browser/seal.ts',
  style: 'server/web/styles/index.css',
};

/** Writes all of them to the folder `out`, which is created. */
export async function buildAssets(out) {
  const frame = await drawingFrame(root);
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
    // Texts stay as they are in the catalogues, and are looked for.
    charset: 'utf8',
    define: { DRAWING_FRAME: JSON.stringify(`/web/assets/${frame.name}`) },
    target: ['chrome123', 'firefox121', 'safari17.5'],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  await mkdir(out, { recursive: true });
  for (const file of result.outputFiles) await writeCompressed(join(out, nameOf(file.path)), file.contents);
  await writeCompressed(join(out, frame.name), frame.bytes);
  const names = manifest(result.metafile);
  for (const { entry, name, bytes } of await textsOfScripts(root, entries, result)) {
    await writeCompressed(join(out, name), bytes);
    names[entry] = name;
  }
  const icon = await readFile(join(root, 'server/web/styles/icon.svg'));
  await writeCompressed(join(out, 'icon.svg'), icon);
  await writeCompressed(join(out, 'robots.txt'), await readFile(join(root, 'server/web/styles/robots.txt')));
  // Programs that show links look for these names, whatever a page says.
  await writeFile(join(out, 'favicon.ico'), inIcon(await drawn(icon, 48)));
  await writeFile(join(out, 'apple-touch-icon.png'), await onWhite(icon, 180));
  await writeFile(join(out, 'manifest.json'), JSON.stringify(names, null, 2));
}

const drawn = (icon, size) =>
  sharp(icon, { density: 72 * (size / 24) })
    .resize(size)
    .png({ compressionLevel: 9 })
    .toBuffer();

/** With a margin and without transparency, which iOS would show as black. */
const onWhite = async (icon, size) =>
  sharp(await drawn(icon, Math.round(size * 0.7)))
    .extend({ ...margins(size), background: '#fff' })
    .flatten({ background: '#fff' })
    .png({ compressionLevel: 9 })
    .toBuffer();

function margins(size) {
  const rest = size - Math.round(size * 0.7);
  const [first, second] = [Math.floor(rest / 2), Math.ceil(rest / 2)];
  return { top: first, bottom: second, left: first, right: second };
}

/** A Windows icon with one PNG, whose size is below 256. */
function inIcon(png) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(png.readUInt32BE(16), 6);
  head.writeUInt8(png.readUInt32BE(20), 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

/** Entry name -> file name, for `Assets`. */
function manifest(metafile) {
  const names = new Map(Object.entries(entries).map(([name, path]) => [path, name]));
  const outputs = Object.entries(metafile.outputs).filter(([, output]) => names.has(output.entryPoint));
  return Object.fromEntries(outputs.map(([path, output]) => [names.get(output.entryPoint), nameOf(path)]));
}

async function writeCompressed(path, bytes) {
  // The highest takes seconds for a megabyte, and spares a tenth.
  const quality = bytes.length > 1_000_000 ? 9 : 11;
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: quality } };
  await writeFile(path, bytes);
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, brotli));
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

function nameOf(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}
