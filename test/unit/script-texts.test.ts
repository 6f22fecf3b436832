/** Each script of the pages gets all its texts in every language, from the files that the build makes. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from '@typescript/typescript6';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../support/root.js';
import { readCatalogue, TRANSLATED } from '../support/texts/catalogues.js';
import { parse, textsOfSources } from '../support/texts/extract.js';

const scripts = suite('texts of scripts');
const ASSETS = join(ROOT, 'dist', 'assets');
const manifest: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(ASSETS, 'manifest.json'), 'utf8'),
);
const entries = Object.keys(manifest).filter((name) => !name.includes('.') && name !== 'style');
const { found } = textsOfSources();

/** The source files of a script: its own, and what it imports, at once or later, other than types. */
function filesOf(path: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(path)) return known;
  known.add(path);
  for (const statement of parse(path).statements) {
    if (!ts.isImportDeclaration(statement) || statement.importClause?.isTypeOnly) continue;
    const name = (statement.moduleSpecifier as ts.StringLiteral).text;
    if (name.startsWith('.')) filesOf(join(dirname(path), name).replace(/\.js$/, '.ts'), known);
  }
  for (const [, name = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g))
    filesOf(join(dirname(path), name).replace(/\.js$/, '.ts'), known);
  return known;
}

/** What a file of texts gives its script. */
function textsIn(name: string | undefined): Record<string, string> {
  if (name === undefined) return {};
  const code = readFileSync(join(ASSETS, name), 'utf8');
  return JSON.parse(/\.\.\.(\{".*\})\};\n$/.exec(code)?.[1] ?? '');
}

scripts('each script gets the translation of everything that it says, in every language', () => {
  assert.ok(entries.length > 10);
  let count = 0;
  for (const entry of entries) {
    const file = `client/browser/${entry}.ts`;
    const files = filesOf(existsSync(join(ROOT, file)) ? file : `client/browser/upload/${entry}.ts`);
    const said = found.filter(({ place }) => files.has(place.replace(/:\d+$/, ''))).map(({ key }) => key);
    count += said.length;
    for (const language of TRANSLATED) {
      const catalogue = readCatalogue(language);
      const given = textsIn(manifest[`${entry}.${language}`]);
      for (const key of said) assert.is(given[key], catalogue[key], `${entry} ${language}: ${key}`);
      // A literal of the code can be a text elsewhere; more than a few would be a mistake.
      assert.ok(Object.keys(given).length <= said.length + 8, `${entry} ${language}`);
    }
  }
  assert.ok(count > 60);
});

scripts('what an open page loads to say its texts in another language is less than 2 KB', () => {
  for (const language of TRANSLATED) {
    const names = ['core', 'viewer', 'request'].map((entry) => manifest[`${entry}.${language}`] ?? '');
    const sizes = names.map((name) => readFileSync(join(ASSETS, `${name}.br`)).length);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(bytes < 2_000, `${language}: ${bytes}`);
  }
});

scripts.run();
