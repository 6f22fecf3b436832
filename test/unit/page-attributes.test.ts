/** What pages write for their scripts, and what scripts look for: each name is known to both. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../support/root.js';
import { sourceFiles } from '../support/sources.js';

const attributes = suite('attributes of pages');

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const codeBelow = (folder: string): string =>
  sourceFiles()
    .filter((path) => path.startsWith(folder))
    .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    .join('\n');
const named = (code: string, pattern: RegExp): Set<string> =>
  new Set([...code.matchAll(pattern)].map(([, name = '']) => kebab(name)));

/** `data-head` is for the styles, and `data-src` is what pages make of pictures in mails. */
const NOT_FOR_SCRIPTS = new Set(['head', 'src']);

attributes('every data attribute of a page is known to a script, and the other way around', () => {
  const pages = codeBelow('server/web/');
  const scripts = codeBelow('client/browser/');
  // `data-${action}` of `RowActions`, whose names are a type of both.
  const actions = named(readFileSync(join(ROOT, 'client/browser/attributes.ts'), 'utf8'), /\| '([\w-]+)'/g);
  const written = new Set([...named(pages, /\bdata-([a-z][a-z-]*)/g), ...actions]);
  const asked = named(scripts, /(?:\[data-|\bdataset\.)([A-Za-z][A-Za-z-]*)/g);
  for (const [, names = ''] of scripts.matchAll(/const \{([^}]*)\} = \w+\.dataset/g))
    for (const name of names.split(',')) asked.add(kebab(name.replace(/[:=].*/, '').trim()));
  const set = named(scripts, /\bdataset\.([A-Za-z]+) = /g);
  assert.ok(written.size > 50);
  const isAsked = (name: string) => asked.has(name) || actions.has(name) || NOT_FOR_SCRIPTS.has(name);
  assert.equal(
    [...written].filter((name) => !isAsked(name)),
    [],
    'no script knows them',
  );
  assert.equal(
    [...asked].filter((name) => !written.has(name) && !set.has(name)),
    [],
    'no page writes them',
  );
});

attributes.run();
