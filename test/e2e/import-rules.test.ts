/**
 * `holdall import` keeps what other products say about who may see something: what it does not understand comes private
 * and is listed, and what is no database of the product that was named does not come at all.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { openSqliteFile } from '../../db/engine/connect.js';
import { ROOT } from '../support/root.js';
import {
  found,
  type ImportWorld,
  onBothDatabases,
  postgresOf,
  put,
  run,
  signIn,
  sqliteOf,
  visit,
} from '../support/servers/importing.js';
import { skipping } from '../support/skip.js';

/** The database of a fixture, changed by more statements. */
async function changed(world: ImportWorld, product: string, ...statements: string[]): Promise<string> {
  const file = join(world.folder, `${product}-${++databases}.sqlite`);
  await writeFile(file, await readFile(await sqliteOf(world, product)));
  const knex = openSqliteFile(file);
  try {
    for (const statement of statements) await knex.raw(statement.replaceAll('?', '\\?'));
  } finally {
    await knex.destroy();
  }
  return file;
}

let databases = 0;

const SHARE = 'INSERT INTO "Share" VALUES';
const REVERSE =
  'CREATE TABLE "ReverseShare" ("id" TEXT NOT NULL PRIMARY KEY, "createdAt" DATETIME, "token" TEXT, "shareExpiration" DATETIME, "maxShareSize" TEXT, "sendEmailNotification" BOOLEAN, "remainingUses" INTEGER, "simplified" BOOLEAN, "publicAccess" BOOLEAN NOT NULL DEFAULT true, "creatorId" TEXT NOT NULL)';

/** What opens for somebody who is not signed in. */
const opens = async (world: ImportWorld, path: string, text: string): Promise<boolean> => {
  const { status, body } = await visit(world, path);
  return status === 200 && body.toString().includes(text);
};

onBothDatabases('moving in keeps the rules', (test) => {
  test('Pingvin: what only some may open comes private, to whom it belongs, and is listed', async (world) => {
    const file = (id: string, share: string) =>
      `INSERT INTO "File" VALUES ('${id}', 1691000000000, '${id}.txt', '4', '${share}')`;
    const database = await changed(
      world,
      'pingvin',
      REVERSE,
      `INSERT INTO "ReverseShare" VALUES ('rev-0', 0, 't0', 0, '1', 0, 1, 0, 0, '0e7c'), ('rev-1', 0, 't1', 0, '1', 0, 1, 0, 1, '0e7c')`,
      'ALTER TABLE "ShareSecurity" ADD COLUMN "restrictToRecipients" BOOLEAN NOT NULL DEFAULT false',
      'CREATE TABLE "ShareRecipient" ("id" TEXT, "email" TEXT, "shareId" TEXT)',
      `${SHARE} ('guests0', 1691000000000, 1, 1, 0, 0, NULL, NULL, NULL, 'rev-0'), ('guests1', 1691000000000, 1, 1, 0, 0, NULL, NULL, NULL, 'rev-1'),
        ('guests2', 1691000000000, 1, 1, 0, 0, NULL, NULL, NULL, 'rev-gone'), ('chosen', 1691000000000, 1, 1, 0, 0, NULL, NULL, '0e7c', NULL),
        ('mailed', 1691000000000, 1, 1, 0, 0, NULL, NULL, '0e7c', NULL), ('once', 1691000000000, 1, 1, 0, 0, NULL, NULL, '0e7c', NULL)`,
      `INSERT INTO "ShareSecurity" VALUES ('s8', 0, NULL, NULL, 'chosen', 1), ('s9', 0, NULL, 1, 'once', 0)`,
      `INSERT INTO "ShareRecipient" VALUES ('r1', 'x@example.org', 'chosen'), ('r2', 'x@example.org', 'mailed')`,
      ...['guests0', 'guests1', 'guests2', 'chosen', 'mailed', 'once'].map((share) =>
        file(`of-${share}`, share),
      ),
    );
    const names = ['guests0', 'guests1', 'guests2', 'chosen', 'mailed', 'once'];
    const files = await put(
      join(world.folder, 'pingvin-rules'),
      Object.fromEntries(names.map((name) => [`${name}/of-${name}`, `content of ${name}`])),
    );
    const args = ['pingvin', '--database', database, '--files', files];
    const { out, err } = await run(world, ...args);
    assert.match(out, 'share guests0: comes private: only the owner of its reverse share may open it');
    assert.match(out, 'file of-guests0: comes private: only the owner');
    assert.match(out, 'share guests2: comes private: its reverse share is missing');
    assert.match(out, 'share chosen: comes private: only its recipients may open it');
    assert.match(out, 'share mailed: comes without its recipients');
    assert.match(err, '1 collections: only its recipients may open it');
    assert.match(err, 'does not come: 2 reverse shares');
    for (const name of names) {
      const isOpen = ['guests1', 'mailed', 'once'].includes(name);
      if (name !== 'once')
        assert.is(
          await opens(world, `/api/shares/${name}/files/of-${name}`, `content of ${name}`),
          isOpen,
          name,
        );
      assert.is(await opens(world, `/s/${name}`, `of-${name}`), isOpen, name);
    }
    const owners = await found(
      world,
      "SELECT u.username FROM collections c JOIN users u ON u.id = c.owner_id WHERE c.unique_id IN ('guests0', 'guests1')",
    );
    assert.equal(owners, [{ username: 'penny' }, { username: 'penny' }]);
    // The files of a share with a limit cannot be opened more often than it.
    const [image] = await found(world, "SELECT unique_id FROM images WHERE original_name = 'of-once.txt'");
    const own = `/v1/image/get/${image?.unique_id}`;
    assert.is((await visit(world, own)).status, 200);
    assert.is((await visit(world, own)).status, 404);
  });

  test('what is not understood comes private, unless it is ignored; another product stops the import', async (world) => {
    const files = await put(join(world.folder, 'unknown'), { 'minutes/file-1': 'minutes' });
    const database = await changed(
      world,
      'pingvin',
      'ALTER TABLE "Share" ADD COLUMN "audience" TEXT',
      'UPDATE "Share" SET "audience" = \'board\'',
    );
    const args = ['pingvin', '--name', 'unknown', '--database', database, '--files', files];
    const ignoring = await run(world, ...args, '--ignore', 'Share.audience', '--dry-run');
    assert.not.match(ignoring.out, 'comes private');
    const { out, err } = await run(world, ...args);
    assert.match(out, 'share minutes: comes private: column audience of table Share is not understood');
    assert.match(err, '1 files: column audience of table Share is not understood');
    const [file] = await found(
      world,
      "SELECT c.is_public FROM images c JOIN imported i ON i.item_id = c.id WHERE i.kind = 'image' AND i.source = 'unknown' AND i.source_key = 'file file-1'",
    );
    assert.not(file?.is_public);
    const wrong = await world.holdall(['import', 'shlink', '--database', database]);
    assert.is(wrong.code, 1);
    assert.match(wrong.err, /^holdall: this is no database of Shlink 3 or 4[^\n]+\n$/);
    assert.is(wrong.out, '');
  });

  test('Kutt: an address that was never confirmed makes no account that can be used', async (world) => {
    const database = await changed(
      world,
      'kutt',
      `INSERT INTO users VALUES (9, NULL, 0, NULL, 'never@example.com', (SELECT password FROM users WHERE id = 1), NULL, NULL, 0, '2023-01-02 03:04:05', '2023-01-02 03:04:05', 'USER')`,
      `INSERT INTO links VALUES (9, 'ofnever', NULL, 0, NULL, NULL, NULL, NULL, 'https://example.org/never', 9, 0, 'u', '2023-02-03 04:05:06', '2023-02-03 04:05:06')`,
    );
    const { out, err } = await run(world, 'kutt', '--database', database);
    assert.match(
      out,
      'account never is new as never, and waits for `holdall user activate`: its address was never',
    );
    assert.match(err, '1 accounts: wait for activation, because its address was never confirmed');
    assert.is(await signIn(world, 'never@example.com'), 403);
    assert.is((await visit(world, '/ofnever')).to, 'https://example.org/never');
    const { code } = await world.holdall(['user', 'activate', 'never']);
    assert.is(code, 0);
    assert.is(await signIn(world, 'never@example.com'), 200);
  });

  test('chibisafe: short links come, and album links that have ended do not open again', async (world) => {
    const database = await changed(
      world,
      'chibisafe',
      'CREATE TABLE "shortenedLinks" ("id" INTEGER PRIMARY KEY, "uuid" TEXT, "userId" INTEGER, "identifier" TEXT, "destination" TEXT, "views" INTEGER, "createdAt" DATETIME)',
      `INSERT INTO "shortenedLinks" VALUES (1, 's', 2, 'Short1', 'https://example.org/short', 4, 1670000000000)`,
      `INSERT INTO "albums" VALUES (2, 'a-2', 2, 'Over', NULL, NULL, 1672000000000, NULL, 0)`,
      `INSERT INTO "_albumsTofiles" VALUES (2, 1)`,
      `INSERT INTO "links" VALUES (2, 'l-2', 2, 1, 'ExpiredLnk', 1, 1, 1, 1673000000000, 1673000000000, NULL),
        (3, 'l-3', 2, 1, 'EndsSoon', 1, 1, 1, ${Date.now() + 86_400_000}, 1673000000000, NULL),
        (4, 'l-4', 2, 2, 'OverLnk', 1, 1, 1, 1673000000000, 1673000000000, NULL)`,
    );
    const files = await put(join(world.folder, 'chibi'), { 'Xk2pQ9.png': 'x' });
    const { out, err } = await run(world, 'chibisafe', '--database', database, '--files', files);
    assert.match(err, '1 links and 2 collections');
    assert.match(out, 'album 1: comes without links that end before the last one');
    assert.match(out, 'album 2: comes private: its links have expired or are switched off');
    assert.is((await visit(world, '/link/Short1')).to, 'https://example.org/short');
    assert.is((await visit(world, '/a/AlbumLnk')).status, 200);
    for (const name of ['ExpiredLnk', 'EndsSoon', 'OverLnk']) {
      assert.is((await visit(world, `/a/${name}`)).status, 404, name);
      assert.is((await visit(world, `/web/collection/${name}`)).status, 404, name);
    }
  });

  test('Shlink: redirect rules come in their order; what cannot be kept is named by link and counted', async (world) => {
    const rules = await changed(
      world,
      'shlink',
      'CREATE TABLE short_url_redirect_rules (id INTEGER PRIMARY KEY, priority INTEGER, long_url TEXT, short_url_id INTEGER)',
      'CREATE TABLE redirect_conditions (id INTEGER PRIMARY KEY, type TEXT, match_key TEXT, match_value TEXT)',
      'CREATE TABLE redirect_conditions_in_short_url_redirect_rules (redirect_condition_id INTEGER, short_url_redirect_rule_id INTEGER)',
      `INSERT INTO short_url_redirect_rules VALUES (1, 2, 'https://q.example.org', 1), (2, 1, 'https://m.example.org', 1), (3, 1, 'https://c.example.org', 2)`,
      `INSERT INTO redirect_conditions VALUES (1, 'query-param', 'ref', 'mail'), (2, 'device', NULL, 'ios'), (3, 'language', NULL, 'de'), (4, 'ip-address', NULL, '192.0.2.0/24')`,
      'INSERT INTO redirect_conditions_in_short_url_redirect_rules VALUES (1, 1), (2, 2), (3, 2), (4, 3)',
    );
    const came = await run(world, 'shlink', '--name', 'kept', '--database', rules);
    assert.match(came.out, 'link 2: comes without its redirect rules');
    assert.not.match(came.out, 'link 1: comes without');
    const [stored] = await found(
      world,
      "SELECT way FROM short_urls WHERE original_url LIKE 'https://example.org/docs%' AND way IS NOT NULL",
    );
    assert.equal(JSON.parse(String(stored?.way)).rules, [
      { when: { device: ['ios'], language: ['de'] }, url: 'https://m.example.org' },
      { when: { query: { ref: 'mail' } }, url: 'https://q.example.org' },
    ]);
    const database = await changed(
      world,
      'shlink',
      'CREATE TABLE short_url_redirect_rules (id INTEGER PRIMARY KEY, priority INTEGER, long_url TEXT, short_url_id INTEGER)',
      `INSERT INTO short_url_redirect_rules VALUES (1, 1, 'https://m.example.org', 2)`,
    );
    const { out, err } = await run(world, 'shlink', '--name', 'ruled', '--database', database);
    assert.match(out, 'link 2: comes without its redirect rules');
    assert.match(err, '1 links: its redirect rules');
    assert.match(err, '1 links: has expired');
  });

  test('YOURLS: any prefix, one of several installations, and rules of plugins', async (world) => {
    const dump = await readFile(join(ROOT, 'test/fixtures/import/yourls.sql'), 'utf8');
    const named = (prefix: string) => dump.replaceAll('yourls_', prefix);
    const ruled = named('go_')
      .replaceAll("'blog'", "'blog2'")
      .replace(
        "(1,'version','1.9.2')",
        `(1,'version','1.9.2'),(7,'my_password_plugin','a:1:{s:5:\\"blog2\\";s:4:\\"sesam\\";}')`,
      );
    const one = join(world.folder, 'go.sql');
    const both = join(world.folder, 'both.sql');
    await writeFile(one, ruled);
    await writeFile(both, `${ruled.replace(/-- Dump completed.*/, '')}${named('old_')}`);
    const args = ['yourls', '--name', 'go', '--database'];
    const { out } = await run(world, ...args, one);
    assert.match(out, 'link blog2: comes private: option my_password_plugin of a plugin is not understood');
    assert.is((await visit(world, '/blog2')).status, 403);
    const { code, err } = await world.holdall(['import', ...args, both]);
    assert.is(code, 1);
    assert.match(err, 'say with --prefix which one (go_, old_)');
    assert.match(
      (await run(world, ...args, both, '--prefix', 'old_')).err,
      'imported 0 files, 0 pastes, 1 links',
    );
  });

  test('Zipline: a dump of pg_dump, and no limit where it says 0', async (world) => {
    const database = await postgresOf('zipline');
    if (database === null) return skipping('PostgreSQL: TEST_DATABASE_URL is not set');
    await database.drop();
    const tables = await readFile(join(ROOT, 'test/fixtures/import/zipline.sql'), 'utf8');
    const dump = join(world.folder, 'zipline.sql');
    await writeFile(
      dump,
      `-- PostgreSQL database dump\nSET standard_conforming_strings = on;\n${tables}COPY public."Url" ("id", "createdAt", "updatedAt", "code", "vanity", "destination", "views", "maxViews", "password", "enabled", "userId") FROM stdin;\ncll7\t2024-03-05 00:00:00\t2024-03-05 00:00:00\tnolimit\t\\N\thttps://example.org/no\t7\t0\t\\N\tt\tclu1\n\\.\n-- PostgreSQL database dump complete\n`,
    );
    const files = await put(join(world.folder, 'zip'), { 'aBcDeF.png': 'x' });
    await run(world, 'zipline', '--name', 'dumped', '--database', dump, '--files', files);
    assert.is((await visit(world, '/go/nolimit')).to, 'https://example.org/no');
  });

  test('a folder: names in any charset, hidden files only when asked for, what cannot be read is told', async (world) => {
    const folder = await put(join(world.folder, 'old server'), {
      'a.txt': 'plain',
      '.env': 'SECRET=1',
      '.git/config': 'secret',
      '.thumbnails/1.txt': 'small',
      'sub/.DS_Store': 'x',
      'sub/Thumbs.db': 'x',
      'größe.txt': 'in UTF-8',
    });
    const inLatin = (name: string) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);
    await writeFile(inLatin('Größe.txt'), 'in Latin-1');
    await mkdir(inLatin('café'));
    await writeFile(Buffer.concat([inLatin('café'), Buffer.from('/b.txt')]), 'deep');
    const args = ['folder', '--files', folder, '--path', 'files=/was', '--name', 'old'];
    const { err } = await run(world, ...args);
    assert.match(err, 'imported 4 files');
    assert.match(err, 'does not come: 5 hidden files and folders (--hidden takes them)');
    for (const [path, content] of [
      ['Größe.txt', 'in Latin-1'],
      ['größe.txt', 'in UTF-8'],
      ['café/b.txt', 'deep'],
    ])
      assert.ok(await opens(world, `/was/${encodeURI(path ?? '')}`, content ?? ''), path);
    assert.is((await visit(world, '/was/.env')).status, 404);
    assert.match(
      (await run(world, ...args)).err,
      'imported 0 files, 0 pastes, 0 links and 0 collections; 4 had',
    );
    assert.match((await run(world, ...args, '--hidden')).err, 'imported 5 files');
  });

  test('the help names every product, and the completions every command', async (world) => {
    const { out } = await world.holdall(['import', '--help']);
    for (const product of ['xbackbone', 'picsur', 'slink', 'opengist', 'privatebin'])
      assert.match(out, product);
    for (const shell of ['bash', 'zsh', 'fish']) {
      const script = (await world.holdall(['completions', shell])).out;
      for (const word of ['serve', 'import', 'doctor', 'upload', 'completions', 'dry-run'])
        assert.match(script, word);
    }
  });
});
