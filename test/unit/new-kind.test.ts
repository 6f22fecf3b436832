/** The compiler asks for a new kind of item where kinds are defined; apart, as it compiles what uses them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../support/root.js';
import { KIND_DEFINITIONS, sourceFiles } from '../support/sources.js';

const test = suite('a new kind of item');

const LIST = "['image', 'paste', 'url'] as const";
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The errors of the files that use a definition, when the list of kinds has one more. */
function filesWithErrors(): string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const host = ts.createCompilerHost({ ...options, incremental: false });
  const read = host.readFile;
  host.readFile = (path) =>
    path === join(ROOT, 'db/content/kinds.ts')
      ? read(path)?.replace(LIST, LIST.replace("'url'", "'url', 'note'"))
      : read(path);
  const using = sourceFiles().filter((file) => /\/(?:kinds|items)\.js'/.test(textOf(file)));
  const program = ts.createProgram(
    using.map((file) => join(ROOT, file)),
    { ...options, incremental: false },
    host,
  );
  return [...new Set([...using, ...KIND_DEFINITIONS])]
    .filter((file) => program.getSemanticDiagnostics(program.getSourceFile(join(ROOT, file))).length > 0)
    .sort();
}

test('a new kind stops the compiler at each definition and nowhere else', () => {
  assert.ok(textOf('db/content/kinds.ts').includes(LIST));
  assert.equal(filesWithErrors(), KIND_DEFINITIONS);
});

test.run();
