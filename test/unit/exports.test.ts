/** Every export says what it is: newcomers read the sentence, and the editor shows it at each use. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../support/root.js';
import { sourceFiles } from '../support/sources.js';

const test = suite('exports');

const EXPORT =
  /^export (?:default )?(?:async )?(?:abstract )?(?:const|function\*?|type|interface|class) (\w+)/;
/** Types that follow from a value beside them, which has the sentence. */
const DERIVED =
  /= (?:z\.(?:infer|output|input)<typeof \w+>|\(typeof \w+\)\[number\]|keyof (?:typeof )?\w+);$/;

/** Where exports without a sentence stand. One comment may precede several exports that follow each other without a blank line. */
function undescribed(file: string): string[] {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  const found: string[] = [];
  let described = false;
  let names = new Set<string>();
  lines.forEach((line, index) => {
    if (line === '') described = false;
    if (/^(?:\/\/| ?\*\/|\/\*\*.*\*\/$)/.test(line)) described = true;
    const name = EXPORT.exec(line)?.[1];
    if (name === undefined) return;
    if (!described && !DERIVED.test(line) && !names.has(name)) found.push(`${file}:${index + 1}: ${name}`);
    names = new Set([...names, name]);
  });
  return found;
}

const files = sourceFiles().filter((file) => /\.tsx?$/.test(file) && !file.startsWith('db/migrations/'));

test('an export is used elsewhere', () => {
  const texts = ['knexfile.ts', ...files, ...sourceFiles(['test'])].map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const users = new Map<string, number>();
  for (const text of texts)
    for (const word of new Set(text.match(/\w+/g))) users.set(word, (users.get(word) ?? 0) + 1);
  const exported = texts.slice(1, files.length + 1).flatMap((text) => text.split('\n'));
  const alone = exported.map((line) => EXPORT.exec(line)?.[1] ?? '').filter((name) => users.get(name) === 1);
  // For the users of the package, and thereby named here: ClientOptions.
  assert.equal(alone, []);
});

test('every export has a sentence', () => {
  assert.ok(files.length > 900);
  assert.equal(files.flatMap(undescribed), []);
});

test.run();
