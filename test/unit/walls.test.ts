/** The walls between the floors and rooms: the linter refuses an import across one, wherever it is written. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../support/root.js';
import { sourceFiles } from '../support/sources.js';

const test = suite('walls');

/** Imports that are refused, by the folder of the file that has them. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'routers/base': [
    '../core/access.js',
    '../features/paste/read.js',
    '../app/items.js',
    '../../db/content/link/link.js',
  ],
  'routers/base/ports': [
    '../../core/context.js',
    '../../features/paste/read.js',
    '../../../db/content/link/link.js',
  ],
  'routers/core': ['../features/image/content.js', '../app/items.js', 'koa', 'knex', 'sharp', '@koa/router'],
  'routers/core/items': ['../../features/image/content.js', '../../app/items.js', 'sqlite3', 'pg'],
  'routers/features/paste': [
    '../image/content.js',
    '../../app/items.js',
    '../../index.js',
    '../../../rest-adapter/wire.js',
    'node:http',
    'sharp',
  ],
  'routers/features/paste/parts': [
    '../../image/content.js',
    '../../image/upload/store.js',
    '../../../app/items.js',
    '../../../index.js',
    'sharp',
  ],
  'routers/app': ['../../server/runtime/app.js', '../../rest-adapter/wire.js', 'knex'],
  db: ['../routers/base/errors.js', '../server/runtime/app.js', '../rest-adapter/wire.js'],
  'rest-adapter': ['../db/content/link/link.js', '../server/runtime/app.js', 'knex'],
  'server/web/paste': [
    '../../../db/content/link/link.js',
    '../../drivers/media/index.js',
    '../../runtime/app.js',
    '../../../routers/features/paste/create.js',
    '../../../routers/core/audit.js',
  ],
  'server/drivers/media': [
    '../../web/serving/serve.js',
    '../../runtime/app.js',
    '../../../routers/core/context.js',
  ],
  'server/runtime': ['../operations/build/index.js', '../../client/src/index.js'],
  'server/shared': ['../drivers/media/index.js', '../../db/content/link/link.js'],
  'client/src': [
    '../../server/web/serving/serve.js',
    '../../routers/core/context.js',
    '../../routers/base/errors.js',
  ],
};

/** Imports that stay possible. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'routers/base': ['../../db/content/kinds.js', './errors.js'],
  'routers/core/items': ['../../base/errors.js', '../access.js', '../../../db/content/link/link.js'],
  'routers/features/paste': [
    '../image/public.js',
    './read.js',
    '../../core/access.js',
    '../../base/errors.js',
  ],
  'routers/features/paste/parts': [
    '../../image/public.js',
    '../read.js',
    './other.js',
    '../../../core/access.js',
    '../../../base/errors.js',
  ],
  'routers/app': ['../features/image/content.js', './items.js'],
  'server/web/paste': ['../../../routers/base/errors.js', '../../../routers/index.js'],
};

interface Planted {
  readonly path: string;
  readonly from: string;
}

const plantedIn = (imports: Readonly<Record<string, readonly string[]>>): readonly Planted[] =>
  Object.entries(imports).flatMap(([folder, specifiers]) =>
    specifiers.map((from, index) => ({ path: `${folder}/planted-${index}.ts`, from })),
  );

/**
 * What pages take from the domain by value, beside its foundation: constants, words and questions about values. All that a
 * page does goes through procedures, except what a reader's page is and counts, and what is asked before a body is read.
 */
const TAKEN_BY_PAGES = {
  values: [
    ...['DEFAULT_BRANDING', 'ID_PATTERN', 'MAX_FILES', 'OTHER_REFERRERS', 'POLICIES', 'SCOPES', 'SOFTWARE'],
    ...['auditChoices', 'auditWords'],
    ...['dispositionHeader', 'displayName', 'isAllowed', 'isDocument', 'isDrawing', 'isInlineSafe'],
    ...['isReportKind', 'isUsable', 'mayBeArchive', 'mayBeText', 'outageOf', 'parametersIn', 'readUserAgent'],
    ...['readsForPreview', 'reasonIn', 'revisionTag', 'ruleFor'],
  ],
  site: ['brandingOf', 'entryRulesOf', 'lacksOwner'],
  counted: ['noteShown'],
  beforeBodies: ['allowPicture', 'allowReceiving', 'allowUpload'],
};

/** Names imported by value from the domain above its foundation. */
const FROM_THE_DOMAIN = /^import (\{[^}]*\}) from '(?:\.\.\/)+routers\/(?:core|features|app)\//gm;

/** The files with this text that the linter refuses by a rule. */
async function refusedBy(rule: string, files: readonly { readonly path: string; readonly text: string }[]) {
  const folder = await mkdtemp(join(tmpdir(), 'walls-'));
  try {
    await copyFile(join(ROOT, 'biome.json'), join(folder, 'biome.json'));
    for (const { path, text } of files) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const output = await new Promise<string>((resolve, reject) => {
      const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
      const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
      const rules = [`--only=${rule}`, '--reporter=json', '--max-diagnostics=none'];
      const args = [biome, 'lint', '--vcs-enabled=false', ...rules, '.'];
      execFile(process.execPath, args, options, (_, stdout, stderr) =>
        stdout.includes('{') ? resolve(stdout) : reject(new Error(stderr)),
      );
    });
    return files.filter(({ path }) => output.includes(path)).map(({ path }) => path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of these imports, those that the linter refuses. */
async function refusedOf(planted: readonly Planted[]): Promise<readonly Planted[]> {
  const files = planted.map(({ path, from }) => ({
    path,
    text: `import { value } from '${from}';\nvalue();\n`,
  }));
  const refused = await refusedBy('style/noRestrictedImports', files);
  return planted.filter(({ path }) => refused.includes(path));
}

test('an import across a wall is refused', async () => {
  const planted = plantedIn(REFUSED);
  const refused = await refusedOf(planted);
  assert.equal(
    planted.filter((one) => !refused.includes(one)),
    [],
  );
});

test('an import along the floors is not', async () => {
  assert.equal(await refusedOf(plantedIn(ALLOWED)), []);
});

test('pages do nothing around the procedures', async () => {
  const taken = new Set<string>();
  for (const path of sourceFiles().filter((path) => path.startsWith('server/web/'))) {
    const text = await readFile(join(ROOT, path), 'utf8');
    for (const [, names = ''] of text.matchAll(FROM_THE_DOMAIN))
      for (const name of names.replace(/[{}]/g, '').split(','))
        if (name.trim() !== '' && !name.trim().startsWith('type ')) taken.add(name.trim());
  }
  assert.equal([...taken].sort(), Object.values(TAKEN_BY_PAGES).flat().sort());
});

test('a circle is refused, also one of types alone', async () => {
  const circle = [
    {
      path: 'routers/core/one.ts',
      text: "import type { Two } from './two.js';\nexport type One = Two | 1;\n",
    },
    { path: 'routers/core/two.ts', text: "import type { One } from './one.js';\nexport type Two = One[];\n" },
  ];
  const refused = await refusedBy('suspicious/noImportCycles', circle);
  assert.equal(
    refused,
    circle.map(({ path }) => path),
  );
});

test.run();
