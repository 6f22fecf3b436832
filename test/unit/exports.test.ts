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

test('every export has a sentence', () => {
  const files = sourceFiles().filter((file) => /\.tsx?$/.test(file) && !file.startsWith('db/migrations/'));
  assert.ok(files.length > 900);
  assert.equal(files.flatMap(undescribed), []);
});

test.run();
