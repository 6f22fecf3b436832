/** `holdall import` from products whose files are in a database, in repositories of git, or encrypted. */
import { execFile } from 'node:child_process';
import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
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

const command = promisify(execFile);

/** A folder `repos` as Opengist leaves it: a bare repository for each gist. */
async function repositories(folder: string): Promise<string> {
  const gists: Record<string, Record<string, string | Buffer>> = {
    '6f0c2f3a9c1e4b52a1f3d2c4b5a69788': {
      'deploy.sh': '#!/bin/sh\necho deploy\n',
      'logo.png': PNG,
      'notes é.md': '# Notes\n',
    },
    '7f0c2f3a9c1e4b52a1f3d2c4b5a69788': { 'diary.txt': 'dear diary' },
  };
  for (const [uuid, files] of Object.entries(gists)) {
    const work = await put(join(folder, 'work', uuid), files);
    const git = (...args: string[]) =>
      command('git', ['-C', work, '-c', 'user.name=o', '-c', 'user.email=o@example.com', ...args]);
    await git('init', '-q');
    await git('add', '.');
    await git('commit', '-qm', 'one');
    await mkdir(join(folder, 'repos/olga'), { recursive: true });
    await command('git', ['clone', '-q', '--bare', work, join(folder, 'repos/olga', uuid)]);
  }
  await mkdir(join(folder, 'repos/viagithub'), { recursive: true });
  await command('git', [
    ...['init', '-q', '--bare', join(folder, 'repos/viagithub/8f0c2f3a9c1e4b52a1f3d2c4b5a69788')],
  ]);
  return join(folder, 'repos');
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** A paste as PrivateBin stores it, and its link. */
function paste(
  id: string,
  says: unknown,
  { password = '', burn = 0, expires = 0, format = 'plaintext' } = {},
) {
  // Its first byte is zero, which base 58 does not write.
  const key = Buffer.concat([Buffer.alloc(1), randomBytes(31)]);
  const [iv, salt] = [randomBytes(16), randomBytes(8)];
  const adata = [
    [iv.toString('base64'), salt.toString('base64'), 100_000, 256, 128, 'aes', 'gcm', 'zlib'],
    ...[format, 0, burn],
  ];
  const secret = Buffer.concat([key, Buffer.from(password)]);
  const derived = pbkdf2Sync(secret, salt, 100_000, 32, 'sha256');
  const cipher = createCipheriv('aes-256-gcm', derived, iv);
  cipher.setAAD(Buffer.from(JSON.stringify(adata)));
  const ct = Buffer.concat([
    cipher.update(deflateRawSync(JSON.stringify(says))),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  let number = BigInt(`0x${key.toString('hex')}`);
  let signs = '';
  for (; number > 0n; number /= 58n) signs = (ALPHABET[Number(number % 58n)] ?? '') + signs;
  const meta = { created: 1_650_000_000, ...(expires > 0 && { expire_date: expires }) };
  return {
    id,
    stored: { adata, ct: ct.toString('base64'), meta, v: 2 },
    link: `https://bin.example.com/?${id}#${burn ? '-' : ''}${signs}${password === '' ? '' : ` ${password}`}`,
  };
}

/** As its file storage writes it. */
const inFile = (content: unknown) => `<?php http_response_code(403); /*\n${JSON.stringify(content)}`;

onBothDatabases('moving in from more products', (test) => {
  test('XBackBone: what was hidden stays hidden, tags, addresses below the code of the account', async (world) => {
    const database = await sqliteOf(world, 'xbackbone');
    const files = await put(join(world.folder, 'xbackbone'), {
      'aB1cD/SUFoKi63.png': PNG,
      'aB1cD/HiDDen00.txt': 'hidden',
      'old/orphan11.txt': 'left',
    });
    const { out, err } = await run(world, 'xbackbone', '--database', database, '--files', files);
    assert.match(
      err,
      'imported 3 files, 0 pastes, 0 links and 0 collections; 0 had come before, 1 cannot come',
    );
    assert.match(out, 'upload 4: its name leads out of the folder');
    for (const path of ['/aB1cD/SUFoKi63/raw', '/aB1cD/SUFoKi63/raw.png', '/aB1cD/SUFoKi63/download'])
      assert.equal((await visit(world, path)).body, PNG, path);
    for (const path of ['/aB1cD/SUFoKi63', '/aB1cD/SUFoKi63.png'])
      assert.match((await visit(world, path)).url, '/web/image-render/SUFoKi63');
    assert.not.match((await visit(world, '/aB1cD/HiDDen00/raw')).body.toString(), 'hidden');
    const { text } = await api(world, '/admin/image/get/SUFoKi63');
    assert.match(text, '2021-03-04T05:06:07.000Z');
    assert.equal(await found(world, "SELECT items FROM tags WHERE name = 'work'"), [{ items: 1 }]);
    assert.is(await signIn(world, 'xena'), 200);
    assert.is.not(await signIn(world, 'inactive'), 200);
    const again = await run(world, 'xbackbone', '--database', database, '--files', files);
    assert.match(again.err, 'imported 0 files, 0 pastes, 0 links and 0 collections; 3 had come before');
  });

  test('Picsur: images out of its PostgreSQL, those that it keeps as QOI as PNG', async (world) => {
    const database = await postgresOf('picsur');
    if (database === null) return skipping('PostgreSQL: TEST_DATABASE_URL is not set');
    try {
      const { out, err } = await run(world, 'picsur', '--database', database.url);
      assert.match(
        err,
        'imported 2 files, 0 pastes, 0 links and 0 collections; 0 had come before, 2 cannot come',
      );
      assert.match(out, 'image 10000000-0000-4000-8000-000000000003: its file is missing');
      assert.match(out, 'image 10000000-0000-4000-8000-000000000004: its file is damaged');
      assert.not.match(out, 'account guest');
      const one = '10000000-0000-4000-8000-000000000001';
      for (const path of [`/i/${one}`, `/i/${one}.jpg`, `/i/${one}.png`])
        assert.equal((await visit(world, path)).body, PNG, path);
      assert.match((await visit(world, `/view/${one}`)).url, `/web/image-render/${one}`);
      const { body } = await visit(world, '/i/10000000-0000-4000-8000-000000000002.png');
      assert.equal([...(await sharp(body).ensureAlpha().raw().toBuffer())], [255, 255, 255, 255, 0, 0, 0, 0]);
      assert.match((await api(world, `/admin/image/get/${one}`)).text, '2023-01-02T03:04:05.678Z');
      assert.is(await signIn(world, 'pia'), 200);
    } finally {
      await database.drop();
    }
  });

  test('Slink: what was not shared stays private, passwords of links protect, collections', async (world) => {
    const database = await sqliteOf(world, 'slink');
    const names = [1, 2, 3, 4].map((number) => `b0000000-0000-4000-8000-00000000000${number}.png`);
    const files = await put(
      join(world.folder, 'slink'),
      Object.fromEntries(names.map((name) => [name, PNG])),
    );
    const { out, err } = await run(world, 'slink', '--database', database, '--files', files);
    assert.match(err, 'imported 4 files, 0 pastes, 0 links and 1 collections');
    assert.not.match(out, 'Deleted');
    assert.equal((await visit(world, `/image/${names[0]}`)).body, PNG);
    const locked = await visit(world, '/i/LkeTwo22');
    assert.match(locked.body.toString(), 'password');
    assert.is.not((await visit(world, `/image/${names[2]}`)).status, 200);
    assert.is((await visit(world, '/i/EndedLnk')).status, 404);
    const page = await visit(world, '/c/LakesAll');
    assert.is(page.status, 200);
    assert.match(page.body.toString(), 'Lakes');
    const { text } = await api(world, '/admin/image/get/b0000000-0000-4000-8000-000000000001');
    assert.match(text, 'A lake');
    const [image] = await found(world, "SELECT views FROM images WHERE description = 'A lake'");
    assert.ok(Number(image?.views) >= 7, String(image?.views));
    assert.is(await signIn(world, 'sia@example.com'), 200);
  });

  test('Opengist: each gist with its files from its repository, what is no text as a file', async (world) => {
    const database = await sqliteOf(world, 'opengist');
    const files = await repositories(join(world.folder, 'opengist'));
    const args = ['opengist', '--database', database, '--files', files];
    const dry = await run(world, ...args, '--dry-run');
    assert.match(dry.err, 'would import 1 files, 2 pastes');
    const { out, err } = await run(world, ...args);
    assert.match(
      err,
      'imported 1 files, 2 pastes, 0 links and 0 collections; 0 had come before, 1 cannot come',
    );
    assert.match(out, 'gist 3: ');
    assert.match(out, 'account viagithub is new, without a password');
    assert.match((await visit(world, '/Olga/deploy')).url, '/web/paste-render/deploy');
    assert.match(
      (await visit(world, '/Olga/6f0c2f3a9c1e4b52a1f3d2c4b5a69788')).url,
      '/web/paste-render/deploy',
    );
    assert.is(
      (await visit(world, '/Olga/deploy/raw/HEAD/deploy.sh')).body.toString(),
      '#!/bin/sh\necho deploy\n',
    );
    const notes = `/Olga/deploy/raw/HEAD/${encodeURIComponent('notes é.md')}`;
    assert.is((await visit(world, notes)).body.toString(), '# Notes\n');
    assert.equal((await visit(world, '/Olga/deploy/raw/HEAD/logo.png')).body, PNG);
    const diary = await visit(world, '/Olga/7f0c2f3a9c1e4b52a1f3d2c4b5a69788/raw/HEAD/diary.txt');
    assert.not.match(diary.body.toString(), 'dear diary');
    assert.is(await signIn(world, 'Olga'), 200);
    assert.match((await run(world, ...args)).err, 'imported 0 files, 0 pastes');
  });

  test('PrivateBin: what a link with its key opens comes, and nothing else', async (world) => {
    const pastes = [
      paste('f468483c313401e8', { paste: 'said in private' }),
      paste('a468483c313401e8', { paste: '# locked' }, { password: PASSWORD, format: 'markdown' }),
      paste('b468483c313401e8', { paste: 'only once' }, { burn: 1 }),
      paste('c468483c313401e8', {
        paste: '',
        attachment: `data:image/png;base64,${PNG.toString('base64')}`,
        attachment_name: 'one.png',
      }),
      paste('d468483c313401e8', { paste: 'nobody has its link' }),
      paste('e468483c313401e8', { paste: 'over' }, { expires: 1_650_000_100 }),
      paste('e568483c313401e8', { paste: 'another key' }),
    ];
    const folder = await put(
      join(world.folder, 'privatebin'),
      Object.fromEntries([
        ...pastes.map(({ id, stored }) => [`${id.slice(0, 2)}/${id.slice(2, 4)}/${id}.php`, inFile(stored)]),
        ['01/02/0102483c313401e8.php', inFile({ data: '{"iv":"x"}', meta: { postdate: 1_400_000_000 } })],
        ['salt.php', '<?php # |abc|'],
      ]),
    );
    const links = join(world.folder, 'links.txt');
    const given = pastes
      .filter(({ id }) => !['d468483c313401e8', 'e568483c313401e8'].includes(id))
      .map(({ link }) => link);
    const wrong = (pastes[0]?.link ?? '').replace('f468483c313401e8', 'e568483c313401e8');
    await writeFile(links, `${[...given, wrong].join('\n\n')}\n`);
    const args = ['privatebin', '--files', folder, '--links', links];
    const { out, err } = await run(world, ...args);
    assert.match(
      err,
      'imported 1 files, 3 pastes, 0 links and 0 collections; 0 had come before, 4 cannot come',
    );
    assert.match(out, 'paste d468483c313401e8: is encrypted, and --links has no link with its key');
    assert.match(out, 'paste e468483c313401e8: has expired');
    assert.match(out, 'paste e568483c313401e8: cannot be decrypted');
    assert.match(out, 'paste 0102483c313401e8: cannot be read');
    const shown = await visit(world, '/?f468483c313401e8');
    assert.match(shown.url, '/web/paste-render/f468483c313401e8');
    assert.match(shown.body.toString(), 'said in private');
    assert.match((await api(world, '/paste/get/f468483c313401e8')).text, '2022-04-15T05:20:00.000Z');
    assert.not.match((await visit(world, '/?a468483c313401e8')).body.toString(), '# locked');
    const opened = await api(world, `/paste/get/a468483c313401e8?password=${encodeURIComponent(PASSWORD)}`);
    assert.match(opened.text, '# locked');
    assert.match((await visit(world, '/?c468483c313401e8')).url, '/web/image-render/');
    const [once] = await found(world, "SELECT burn FROM pastes WHERE unique_id = 'b468483c313401e8'");
    assert.ok(once?.burn);
    assert.is((await visit(world, '/?0000000000000000')).status, 200, 'the first page');
    assert.match((await run(world, ...args)).err, 'imported 0 files, 0 pastes');
  });

  test('what PrivateBin needs is said', async (world) => {
    const links = join(world.folder, 'no-links.txt');
    await writeFile(links, 'https://bin.example.com/?f468483c313401e8\n');
    for (const [args, reason] of [
      [['privatebin', '--files', world.folder], '--links is missing'],
      [['privatebin', '--links', links], 'give either --files'],
      [['privatebin', '--files', world.folder, '--links', links], 'line 1 of'],
      [
        ['xbackbone', '--database', links, '--files', world.folder, '--links', links],
        '--links has no meaning',
      ],
    ] as const) {
      const { code, err } = await world.holdall(['import', ...args]);
      assert.not.equal(code, 0);
      assert.match(err, reason);
    }
  });
});
