/** What an import knows of the tables of products, and what becomes of what it does not know. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSqliteFile } from '../../db/engine/connect.js';
import type { Source, SourceItem } from '../../server/operations/import/port.js';
import { PRODUCTS } from '../../server/operations/import/sources/index.js';
import { doubtsAbout } from '../../server/operations/import/tables/doubts.js';
import { fixtureStatements } from '../support/servers/importing.js';

const test = suite<{ folder: string }>('import: what is known of products');
test.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'holdall-test-'));
});
test.after(({ folder }) => rm(folder, { recursive: true, force: true }));

type Name = keyof typeof PRODUCTS;
let databases = 0;

/** The database of a fixture, changed by more statements. */
async function changed(folder: string, product: string, ...statements: string[]): Promise<string> {
  const file = join(folder, `${++databases}.sqlite`);
  const knex = openSqliteFile(file);
  // SQLite has neither types of its own nor lists, and keeps bytes otherwise.
  const made = (await fixtureStatements(product)).filter((one) => !/CREATE TYPE|decode\(/.test(one));
  for (const one of [...made, ...statements])
    await knex.raw(
      one
        .replaceAll('?', '\\?')
        .replaceAll(/TEXT\[\]|text array/g, 'TEXT')
        .replaceAll('gen_random_uuid()', "'1'"),
    );
  await knex.destroy();
  return file;
}

const openAt = (product: Name, database: string, folder: string, ignored: string[] = []): Promise<Source> =>
  PRODUCTS[product].open({
    ...{ database, files: folder, links: null, prefix: null, hidden: false, ignored },
    paths: PRODUCTS[product].paths,
  });

/** What is not understood about each of the items and accounts, by their keys. */
async function doubtsOf(source: Source): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for await (const { key, rows } of source.accounts()) found.set(`account ${key}`, doubtsAbout(rows));
  for await (const item of source.items() as AsyncIterable<SourceItem>)
    if (item.kind !== 'refused') found.set(item.key, doubtsAbout(item.rows));
  await source.close();
  return found;
}

test('columns and tables that nobody knows close what they are about, unless they are ignored', async ({
  folder,
}) => {
  const alter = (rest: string) => `ALTER TABLE "Share" ADD COLUMN ${rest}`;
  const group = 'CREATE TABLE "ShareGroup" ("shareId" TEXT, "name" TEXT)';
  const cases: [string | null, ...string[]][] = [
    [
      'column audience of table Share',
      alter('"audience" TEXT DEFAULT \'staff\''),
      'UPDATE "Share" SET "audience" = \'board\'',
    ],
    [null, alter('"audience" TEXT DEFAULT NULL')],
    [null, alter('"color" TEXT DEFAULT \'blue\'')],
    [null, alter('"isHidden" BOOLEAN NOT NULL DEFAULT false')],
    ['column isHidden of table Share', alter('"isHidden" BOOLEAN NOT NULL DEFAULT true')],
    ['column published of table Share', alter('"published" BOOLEAN NOT NULL DEFAULT 0')],
    [null, alter('"published" BOOLEAN NOT NULL DEFAULT 1')],
    [null, alter('"lastSeenAt" DATETIME'), 'UPDATE "Share" SET "lastSeenAt" = 1691000000000'],
    [
      'column network of table ShareSecurity',
      'ALTER TABLE "ShareSecurity" ADD COLUMN "network" TEXT',
      "INSERT INTO \"ShareSecurity\" VALUES ('s7', 0, NULL, NULL, 'minutes', '10.0.0.0/8')",
    ],
    ['table ShareGroup', group, "INSERT INTO \"ShareGroup\" VALUES ('minutes', 'board')"],
    [null, group, "INSERT INTO \"ShareGroup\" VALUES ('another', 'board')"],
    [
      'table Chosen',
      'CREATE TABLE "Chosen" ("of" TEXT REFERENCES "Share" ("id"))',
      'INSERT INTO "Chosen" VALUES (\'minutes\')',
    ],
    [
      'table AccessRule',
      'CREATE TABLE "AccessRule" ("pattern" TEXT)',
      'INSERT INTO "AccessRule" VALUES (\'/s/*\')',
    ],
    [null, 'CREATE TABLE "AccessRule" ("pattern" TEXT)'],
    [null, 'CREATE TABLE "Theme" ("name" TEXT)', 'INSERT INTO "Theme" VALUES (\'dark\')'],
  ];
  for (const [what, ...statements] of cases) {
    const database = await changed(folder, 'pingvin', ...statements);
    const doubts = await doubtsOf(await openAt('pingvin', database, folder));
    const expected = what === null ? [] : [`${what} is not understood`];
    for (const key of ['share minutes', 'file file-1', 'file file-2'])
      assert.equal(doubts.get(key), expected, `${statements.join('; ')}: ${key}`);
    assert.equal(doubts.get('account 0e7c'), []);
    const ignored =
      what === null ? [] : [what.replace(/^column (\w+) of table (\w+)$/, '$2.$1').replace('table ', '')];
    const left = await doubtsOf(await openAt('pingvin', database, folder, ignored));
    assert.equal(left.get('share minutes'), []);
  }
});

test('a column that closes is not overlooked in any of the tables of any product', async ({ folder }) => {
  const cases: Partial<Record<Name, [string, string][]>> = {
    pingvin: [
      ['Share', 'share minutes'],
      ['File', 'file file-1'],
      ['ShareSecurity', 'file file-3'],
      ['User', 'account 0e7c'],
    ],
    chibisafe: [
      ['files', 'file 1'],
      ['snippets', 'snippet 1'],
      ['albums', 'album 1'],
      ['links', 'album 1'],
      ['users', 'account 2'],
    ],
    shlink: [['short_urls', 'link 1']],
    kutt: [
      ['links', 'link 1'],
      ['users', 'account 1'],
    ],
    xbackbone: [
      ['uploads', 'upload 1'],
      ['users', 'account 1'],
    ],
    slink: [
      ['image', 'image b0000000-0000-4000-8000-000000000001'],
      ['collection', 'collection d0000000-0000-4000-8000-000000000001'],
      ['share', 'image b0000000-0000-4000-8000-000000000002'],
    ],
    zipline: [
      ['File', 'file clf1'],
      ['Url', 'link cll1'],
      ['Folder', 'folder clfold1'],
      ['User', 'account clu1'],
    ],
  };
  for (const [product, tables] of Object.entries(cases) as [Name, [string, string][]][])
    for (const [table, key] of tables) {
      const database = await changed(
        folder,
        product,
        `ALTER TABLE \`${table}\` ADD COLUMN visible_to TEXT`,
        `UPDATE \`${table}\` SET visible_to = 'friends'`,
      );
      const doubts = await doubtsOf(await openAt(product, database, folder));
      const said = doubts.get(key) ?? [];
      assert.ok(
        said.includes(`column visible_to of table ${table} is not understood`),
        `${product} ${table}: ${key} ${said}`,
      );
    }
});

test('another product, another release or a damaged database is refused in one sentence', async ({
  folder,
}) => {
  const kutt = await changed(folder, 'kutt');
  const cases: [Name, string][] = [
    ...(
      [
        'chibisafe',
        'shlink',
        'zipline',
        'yourls',
        'pingvin',
        'xbackbone',
        'slink',
        'opengist',
        'picsur',
      ] as const
    ).map((product): [Name, string] => [product, kutt]),
    ['kutt', await changed(folder, 'shlink')],
    ['kutt', await changed(folder, 'kutt', 'DROP TABLE domains')],
    ['kutt', await changed(folder, 'kutt', 'ALTER TABLE links DROP COLUMN expire_in')],
  ];
  for (const [product, database] of cases) {
    const error = await openAt(product, database, folder).catch((thrown: Error) => thrown);
    assert.match(
      error instanceof Error ? error.message : 'opened',
      /^this is no database of [^\n]+$/,
      product,
    );
  }
  const release3 = await changed(folder, 'kutt', 'CREATE TABLE "File" ("id" INTEGER, "expiresAt" DATETIME)');
  const error = await openAt('zipline', release3, folder).catch((thrown: Error) => thrown);
  assert.match(error instanceof Error ? error.message : 'opened', 'upgrade it to Zipline 4 first');
});

test('settings that kept strangers from everything keep it private', async ({ folder }) => {
  const cases: [Name, string[], string, string][] = [
    [
      'zipline',
      [
        'CREATE TABLE "Zipline" ("id" TEXT, "featuresFilesPrivateByDefault" BOOLEAN)',
        'INSERT INTO "Zipline" VALUES (\'z\', 1)',
      ],
      'file clf1',
      'files were private there',
    ],
  ];
  for (const [product, statements, key, reason] of cases) {
    const source = await openAt(product, await changed(folder, product, ...statements), folder);
    const items: SourceItem[] = [];
    for await (const item of source.items()) items.push(item);
    await source.close();
    const item = items.find((one) => one.key === key);
    assert.is(item?.kind === 'refused' ? null : item?.restriction, reason);
  }
});

test.run();
