/**
 * The texts of the browser scripts in each language (docs/adr/0023): for each entry that has some, one script with the
 * translations of exactly those texts. A page loads it before the entry; an English page loads none.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files to be written, with the name of each in the manifest: `core.de`. `built` is the result of esbuild. */
export async function textsOfScripts(root, entries, built) {
  const catalogues = await readCatalogues(join(root, 'routers', 'base', 'language', 'texts'));
  const files = [];
  for (const [name, path] of Object.entries(entries)) {
    const code = await codeOf(root, path, built);
    for (const [language, catalogue] of catalogues) {
      const texts = Object.entries(catalogue).filter(([text]) => says(code, text));
      if (texts.length === 0) continue;
      const bytes = Buffer.from(
        `globalThis.holdallTexts={...globalThis.holdallTexts,...${JSON.stringify(Object.fromEntries(texts))}};\n`,
      );
      files.push({ entry: `${name}.${language}`, name: `${name}.${language}-${hashOf(bytes)}.js`, bytes });
    }
  }
  return files;
}

async function readCatalogues(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) => [
      name.slice(0, -'.json'.length),
      JSON.parse(await readFile(join(folder, name), 'utf8')),
    ]),
  );
}

/** The sources of an entry, with those of the parts that it shares with others; libraries say nothing. */
async function codeOf(root, path, { metafile }) {
  const outputs = new Map(Object.entries(metafile.outputs).map(([file, output]) => [nameOf(file), output]));
  const reached = new Set();
  const reach = (file) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const imported of outputs.get(file)?.imports ?? []) reach(nameOf(imported.path));
  };
  for (const [file, output] of outputs) if (output.entryPoint === path) reach(file);
  const inputs = [...reached].flatMap((file) => Object.keys(outputs.get(file)?.inputs ?? {}));
  const own = [...new Set(inputs)].filter((input) => !input.startsWith('node_modules/'));
  return (await Promise.all(own.map((input) => readFile(join(root, input), 'utf8')))).join('\n');
}

/** Whether code has a text as a literal. The scripts have no texts with two meanings, nor any with quotes of all kinds. */
const says = (code, text) => ['"', "'", '`'].some((quote) => code.includes(quote + text + quote));

/** Of eight capitals and digits, as the names of the other assets have it. */
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 8).toUpperCase();

const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1);
