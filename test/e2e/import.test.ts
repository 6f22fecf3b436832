/** `holdall import`: what other products leave behind comes in, and is found under its old addresses. */
import { copyFile, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { openDb, openSqliteFile } from '../../db/engine/connect.js';
import { ROOT } from '../support/root.js';
import {
  api,
  found,
  onBothDatabases,
  PASSWORD,
  PNG,
  postgresOf,
  put,
  run,
  signIn,
  sqliteOf,
  visit,
} from '../support/servers/importing.js';
import { skipping } from '../support/skip.js';

onBothDatabases('moving in', (test) => {
  test('a folder: every file with its date under its old path; a dry run changes nothing; a repetition adds nothing', async (world) => {
    const folder = await put(join(world.folder, 'plain'), {
      'cat.png': PNG,
      'deep/er/notes one.txt': 'some notes',
      'empty.txt': '',
    });
    await utimes(join(folder, 'cat.png'), 1_600_000_000, 1_600_000_000);
    const args = ['folder', '--files', folder, '--path', 'files=/old/'];
    const dry = await run(world, ...args, '--dry-run');
    assert.match(
      dry.err,
      'would import 2 files, 0 pastes, 0 links and 0 collections; 0 had come before, 1 cannot come',
    );
    assert.match(dry.out, 'empty.txt: its file is empty');
    assert.is((await visit(world, '/old/cat.png')).status, 404);

    assert.match((await run(world, ...args)).err, 'imported 2 files');
    assert.equal((await visit(world, '/old/cat.png')).body, PNG);
    assert.is((await visit(world, '/old/deep/er/notes%20one.txt')).body.toString(), 'some notes');
    assert.is((await visit(world, '/old/CAT.png')).status, 404);
    assert.match((await api(world, '/admin/image/get/cat')).text, '2020-09-13T12:26:40.000Z');
    assert.match(
      (await run(world, ...args)).err,
      'imported 0 files, 0 pastes, 0 links and 0 collections; 2 had come before',
    );
  });

  test('chibisafe: accounts with their passwords, files, snippets and albums', async (world) => {
    const database = await sqliteOf(world, 'chibisafe');
    const uploads = await put(join(world.folder, 'uploads'), { 'Xk2pQ9.png': PNG, 'notes.tar.gz': 'notes' });
    const { out, err } = await run(
      world,
      ...['chibisafe', '--database', database, '--files', uploads, '--map', 'admin=owner'],
    );
    assert.match(
      err,
      'imported 2 files, 1 pastes, 0 links and 1 collections; 0 had come before, 2 cannot come',
    );
    assert.match(out, "account mia o'hara is new as miaohara");
    assert.match(out, 'account admin is owner');
    assert.match(out, 'file 3: its file');
    assert.match(out, 'file 4: is in a bucket');

    assert.equal((await visit(world, '/Xk2pQ9.png')).body, PNG);
    assert.is((await visit(world, '/snippet/sn1pp3t/raw')).body.toString(), 'print("hello; world")');
    assert.match((await visit(world, '/snippet/sn1pp3t')).url, '/web/paste-render/sn1pp3t');
    const album = await visit(world, '/a/AlbumLnk');
    assert.is(album.status, 200);
    assert.match(album.url, '/web/collection/AlbumLnk');
    assert.match((await api(world, '/admin/image/get/Xk2pQ9')).text, '2022-12-02T16:53:20.123Z');

    assert.is.not(await signIn(world, 'miaohara', 'wrong'), 200);
    assert.is(await signIn(world, 'miaohara'), 200);
    const db = await openDb({ databaseUrl: world.databaseUrl || null, dataDir: world.folder });
    const user = await db.read('users').where('username', 'miaohara').first();
    await db.close();
    assert.match(user.password_hash, /^\$argon2id\$/, 'hashed anew at the first use');
    assert.is(user.role, 'USER');
    assert.is(await signIn(world, 'miaohara'), 200);
  });

  test('ids that clash and passwords of items: Shlink with codes that differ in case, Kutt with a protected link', async (world) => {
    const shlink = await run(world, 'shlink', '--database', await sqliteOf(world, 'shlink'));
    assert.match(shlink.err, 'imported 0 files, 0 pastes, 2 links');
    assert.match(shlink.out, 'link 3: has expired');
    assert.is((await visit(world, '/aB3?x=2')).to, 'https://example.org/docs?page=1&x=2');
    assert.is((await visit(world, '/Ab3')).to, 'https://example.org/other');
    assert.match((await api(world, '/url/get/aB3')).text, '"visits":24');
    // Its own domain waits for its proof.
    const onHost = JSON.parse((await api(world, '/url/get/Ab3?domain=s.example.net')).text).message;
    assert.equal([onHost.uniqueId, onHost.domain, onHost.note], ['Ab3', 's.example.net', null]);
    const { message: domains } = JSON.parse((await api(world, '/domains')).text);
    assert.equal(
      domains.map(({ host, state }: { host: string; state: string }) => [host, state]),
      [['s.example.net', 'pending']],
    );

    const kutt = await run(world, 'kutt', '--database', await sqliteOf(world, 'kutt'));
    assert.match(kutt.err, '2 links');
    assert.match(kutt.out, 'link 3: is banned');
    assert.match(kutt.out, 'link 4: ');
    assert.is((await visit(world, '/handbook')).to, 'https://example.org/handbook');
    const locked = await visit(world, '/secret1');
    assert.is(locked.to, null);
    assert.match(locked.body.toString(), 'password');
    const opened = await fetch(
      `${world.server.origin}/v1/url/r/secret1?password=${encodeURIComponent(PASSWORD)}`,
      {
        redirect: 'manual',
      },
    );
    assert.is(opened.headers.get('location'), 'https://example.org/secret');
    assert.is(await signIn(world, 'kim@example.com'), 200);
    assert.is.not(await signIn(world, 'spam@example.com'), 200);
  });

  test('YOURLS: a dump of MySQL, with quotes, signs of every script and counts', async (world) => {
    const dump = join(ROOT, 'test/fixtures/import/yourls.sql');
    assert.match((await run(world, 'yourls', '--database', dump)).err, '3 links');
    assert.is((await visit(world, '/blog')).to, 'https://example.org/blog');
    assert.is((await visit(world, `/${encodeURIComponent('日本')}`)).to, 'https://example.org/jp');
    const { text } = await api(world, '/url/get/blog');
    assert.match(text, '"visits":322');
    assert.match(text, '2022-03-04T05:06:07.000Z');
    assert.match(JSON.parse(text).message.note, 'It\'s; a "blog" (new)\n-- here');
    const first = await fetch(`${world.server.origin}/blog?a=b`, { redirect: 'manual' });
    assert.is(first.headers.get('location'), 'https://example.org/blog');
    assert.match((await api(world, '/url/get/blog')).text, '"visits":323');
  });

  test('YOURLS: ids of any script and words of the service stay, and are told', async (world) => {
    const dump = await readFile(join(ROOT, 'test/fixtures/import/yourls.sql'), 'utf8');
    const file = join(world.folder, 'yourls-ids.sql');
    await writeFile(file, dump.replaceAll("'blog'", "'v1/x'").replaceAll("'日本'", "'Größe/Straße-1.2'"));
    const { out, err } = await run(world, 'yourls', '--database', file, '--name', 'ids');
    assert.match(out, 'comes without its place at the root of a host: /r/v1/x');
    assert.match(err, '1 links: its place at the root of a host');
    const id = encodeURIComponent('größe/straße-1.2');
    assert.is(JSON.parse((await api(world, `/url/get/${id}`)).text).uniqueId, 'Größe/Straße-1.2');
    assert.is((await visit(world, '/r/v1/x')).to, 'https://example.org/blog');
  });

  test('YOURLS and Kutt: ids of 128 characters of any script come unchanged', async (world) => {
    const [first = '', second = ''] = ['Длинный', '長い'].map((part) => part.repeat(128).slice(0, 128));
    const dump = await readFile(join(ROOT, 'test/fixtures/import/yourls.sql'), 'utf8');
    const file = join(world.folder, 'yourls-long.sql');
    await writeFile(file, dump.replaceAll("'ozh'", `'${first}'`));
    await run(world, 'yourls', '--database', file, '--name', 'long');
    const database = join(world.folder, 'kutt-long.sqlite');
    await copyFile(await sqliteOf(world, 'kutt'), database);
    const knex = openSqliteFile(database);
    await knex('links').where('id', 1).update('address', second);
    await knex.destroy();
    await run(world, 'kutt', '--database', database, '--name', 'long');
    for (const [id, to] of [
      [first, 'https://example.org/ozh'],
      [second, 'https://example.org/handbook'],
    ] as const) {
      const { text } = await api(world, `/url/get/${encodeURIComponent(id)}`);
      assert.is(JSON.parse(text).message.uniqueId, id);
      assert.is((await visit(world, `/${encodeURIComponent(id)}`)).to, to);
    }
  });

  test('Pingvin Share: shares with their files, passwords and limits', async (world) => {
    const database = await sqliteOf(world, 'pingvin');
    const files = await put(join(world.folder, 'shares'), {
      'minutes/file-1': 'minutes',
      'minutes/file-2': 'list',
      'locked1/file-3': 'inside',
      'removed1/file-4': 'closed',
      'usedup1/file-5': 'closed',
      'ended1/file-6': 'closed',
      'halfway/file-7': 'closed',
    });
    const { out, err } = await run(world, 'pingvin', '--database', database, '--files', files);
    assert.match(err, 'imported 3 files, 0 pastes, 0 links and 2 collections');
    for (const [share, file, reason] of [
      ['halfway', 'file-7', 'was never completed'],
      ['removed1', 'file-4', 'was removed: against the rules'],
      ['usedup1', 'file-5', 'has no views left'],
      ['ended1', 'file-6', 'has expired'],
    ]) {
      assert.match(out, `share ${share}: ${reason}`);
      assert.match(out, `file ${file}: ${reason}`);
      for (const path of [`/s/${share}`, `/share/${share}`, `/api/shares/${share}/files/${file}`])
        assert.is((await visit(world, path)).status, 404, path);
    }
    const page = await visit(world, '/s/minutes');
    assert.is(page.status, 200);
    assert.match(page.body.toString(), 'minutes.txt');
    assert.match(page.body.toString(), 'list.txt');
    const locked = await visit(world, '/share/locked1');
    assert.not.match(locked.body.toString(), 'inside.txt');
    assert.is(await signIn(world, 'penny'), 200);
  });

  test('Zipline: its PostgreSQL, with tags, limits, vanity addresses and accounts without a password', async (world) => {
    const database = await postgresOf('zipline');
    if (database === null) return skipping('PostgreSQL: TEST_DATABASE_URL is not set');
    try {
      const files = await put(join(world.folder, 'zipline'), {
        'aBcDeF.png': PNG,
        'ABCDEF.txt': 'plain',
        'old.txt': 'o',
      });
      const { out, err } = await run(world, 'zipline', '--database', database.url, '--files', files);
      assert.match(
        err,
        'imported 2 files, 0 pastes, 1 links and 1 collections; 0 had come before, 2 cannot come',
      );
      assert.match(out, 'account oauthonly is new, without a password, as oauthonly');
      assert.match(out, 'file clf3: has expired');
      assert.equal((await visit(world, '/u/aBcDeF.png')).body, PNG);
      // The two ids differ by case only: one of the files has another one here.
      const [, id = ''] =
        /\/web\/image-render\/(\w+)$/.exec((await visit(world, '/view/aBcDeF.png')).url) ?? [];
      assert.not.match((await visit(world, '/u/ABCDEF.txt')).body.toString(), 'plain');
      for (const name of ['holiday', 'x7Yz'])
        assert.is((await visit(world, `/go/${name}`)).to, 'https://example.org/album?a=1');
      assert.is((await visit(world, '/go/holiday')).status, 404, 'nine uses at most, seven before');
      assert.is((await visit(world, '/folder/clfold1')).status, 200);
      const { text } = await api(world, `/admin/image/get/${id}`);
      assert.match(text, '2024-03-04T05:06:07.890Z');
      assert.match(text, 'lake');
      assert.is(await signIn(world, 'zia'), 200);
    } finally {
      await database.drop();
    }
  });

  test('an account is taken for the same person by its address only if it has verified it; a name alone is not enough', async (world) => {
    const database = await sqliteOf(world, 'kutt');
    const from = (name: string) => ['kutt', '--database', database, '--name', name];
    // An earlier test has made it, and says that its address is verified.
    const [kim] = await found(world, "SELECT id FROM users WHERE email = 'kim@example.com'");
    assert.ok(kim);
    assert.match((await run(world, ...from('verified'))).out, 'account kim is kim');

    const db = await openDb({ databaseUrl: world.databaseUrl || null, dataDir: world.folder });
    const update = (columns: Record<string, string>) =>
      db.write(async (trx) => {
        await trx('users').where('id', Number(kim?.id)).update(columns);
      });
    try {
      await update({ status: 'PENDING' });
      const half = await world.holdall(['import', ...from('unverified')]);
      assert.is.not(half.code, 0);
      assert.match(half.err, 'has the address kim@example.com, but has not verified it');
      assert.equal(await found(world, "SELECT kind FROM imported WHERE source = 'unverified'"), []);

      // Somebody else, who has only the name in common.
      await update({ status: 'ACTIVE', email: 'other@example.com', email_key: 'other@example.com' });
      assert.match((await run(world, ...from('other'))).out, 'account kim is new as kim-2');
    } finally {
      await db.close();
    }
  });

  test('what cannot be read is said, and nothing comes', async (world) => {
    for (const [args, reason] of [
      [['nothing'], 'name a product'],
      [['kutt'], '--database is missing'],
      [['kutt', '--database', '/nowhere/kutt.db'], 'cannot be read'],
      [['yourls', '--database', join(ROOT, 'package.json')], 'has no table yourls_url'],
      [['folder', '--files', world.folder, '--path', 'links=/x'], 'has no meaning here'],
      [['folder', '--files', world.folder, '--owner', 'nobody'], 'there is no account nobody'],
    ] as const) {
      const { code, err } = await world.holdall(['import', ...args]);
      assert.not.equal(code, 0);
      assert.match(err, reason);
    }
  });
});
