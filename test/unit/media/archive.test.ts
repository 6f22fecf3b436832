import { readdir, readFile, stat } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ArchiveRefused } from '../../../routers/base/ports/media/archives.js';
import { type ArchiveLimits, createArchives } from '../../../server/drivers/media/archive/index.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { bz2Bomb, tar, tarBz2, tarGz, type ZipEntry, zip } from '../../support/media/archive-fixtures.js';
import { animation, jpegPhoto, mediaFolder, movie, pngPhoto } from '../../support/media/media-fixtures.js';

const MIB = 1024 * 1024;
const folder = await mediaFolder();
const temp = `${folder.root}/temp`;
const limits: ArchiveLimits = { entries: 1000, entryBytes: 64 * MIB, totalBytes: 128 * MIB, ratio: 100 };
const log = createLogs('silent').log;
const archives = createArchives({ tempDir: temp, limits, log });

const [photo, drawing, gif] = [await jpegPhoto(), await pngPhoto(), await animation('gif')];
const entries = [
  { name: 'a.jpg', data: photo },
  { name: 'sub/folder/b.png', data: drawing },
  { name: 'sub/c.mp4', data: movie() },
];

const opening = suite('archives: extraction of media files');

const kinds: [string, () => Buffer | Promise<Buffer>][] = [
  ['zip', () => zip(entries)],
  ['zip without compression', () => zip(entries.map((entry) => ({ ...entry, stored: true })))],
  ['tar', () => tar(entries)],
  ['tar.gz', () => tarGz(entries)],
];
for (const [name, bytes] of kinds) {
  opening(`${name}: every file with its path and bytes`, async () => {
    const opened = await archives.open(await folder.put(await bytes()));
    assert.equal(
      opened.entries.map(({ path }) => path),
      entries.map(({ name }) => name),
    );
    assert.equal(opened.skipped, []);
    for (const [index, { file }] of opened.entries.entries()) {
      assert.ok((await readFile(file)).equals(entries[index]?.data ?? Buffer.alloc(0)));
    }
    await opened.dispose();
    assert.equal(await readdir(temp), []);
  });
}

opening('zip: names without the UTF-8 flag are decoded by best guess', async () => {
  const names = [
    { name: 'é😀 日本.jpg', unsaid: 'utf8' },
    { name: 'caf\x82.jpg', unsaid: 'latin1' },
    { name: 'plain.jpg', unsaid: 'utf8' },
  ] as const;
  const opened = await archives.open(await folder.put(zip(names.map((name) => ({ ...name, data: photo })))));
  assert.equal(
    opened.entries.map(({ path }) => path),
    ['é😀 日本.jpg', 'café.jpg', 'plain.jpg'],
  );
  await opened.dispose();
});

opening('tar.bz2: every file', async () => {
  const opened = await archives.open(await folder.put(tarBz2()));
  assert.equal(
    opened.entries.map(({ path }) => path),
    ['a.gif', 'sub/b.svg'],
  );
  await opened.dispose();
});

opening('files that are not media are skipped, with the reason', async () => {
  const odd = [
    { name: 'readme.txt', data: Buffer.from('hello') },
    { name: 'inner.zip', data: zip(entries) },
    { name: 'inner.tar', data: await tar(entries) },
    { name: '__MACOSX/._a.jpg', data: photo },
    { name: 'sub/.DS_Store', data: Buffer.from('x') },
    { name: 'empty.jpg', data: Buffer.alloc(0) },
    { name: 'page.jpg', data: Buffer.from('<html><script>alert(1)</script></html>') },
    { name: './dotted//d.gif', data: gif },
  ];
  for (const bytes of [zip(odd), await tar(odd)]) {
    const opened = await archives.open(await folder.put(bytes));
    assert.equal(
      opened.entries.map(({ path }) => path),
      ['dotted/d.gif'],
    );
    assert.equal(
      opened.skipped.map(({ reason }) => reason),
      [
        'not an image, video or audio file',
        'an archive inside the archive',
        'an archive inside the archive',
        'left by a file manager',
        'left by a file manager',
        'empty',
        'not an image, video or audio file',
      ],
    );
    await opened.dispose();
  }
});

opening('folders and names in any alphabet are accepted', async () => {
  const named = [
    { name: 'Grüße/', data: Buffer.alloc(0), stored: true, mode: 0o040755 },
    { name: 'Grüße/你好 (1).jpg', data: photo, mode: 0o100644 },
  ];
  const opened = await archives.open(await folder.put(zip(named)));
  assert.equal(
    opened.entries.map(({ path }) => path),
    ['Grüße/你好 (1).jpg'],
  );
  await opened.dispose();
});

opening('extracted files do not keep the permissions of the archive', async () => {
  const opened = await archives.open(await folder.put(zip([{ name: 'a.jpg', data: photo, mode: 0o106777 }])));
  assert.is((await stat(opened.entries[0]?.file ?? '')).mode & 0o7777, 0o600);
  await opened.dispose();
});

opening.run();

const guards = suite('archives: a dangerous archive is refused completely and leaves nothing behind');

const good: ZipEntry = { name: 'good.jpg', data: photo };
const zeros = (mebibytes: number) => Buffer.concat([gif, Buffer.alloc(mebibytes * MIB)]);
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}.gif`, data: gif }));
const names: [string, string][] = [
  ['above the folder', '../evil.jpg'],
  ['above the folder, in the middle', 'sub/../../evil.jpg'],
  ['absolute', '/tmp/evil.jpg'],
  ['on a drive', 'C:\\evil.jpg'],
  ['above the folder, with backslashes', '..\\..\\evil.jpg'],
];
const dangerous: [string, () => Buffer | Promise<Buffer>][] = [
  ...names.flatMap(([what, name]): [string, () => Buffer | Promise<Buffer>][] => [
    [`zip: a name ${what}`, () => zip([good, { name, data: photo }])],
    [`tar: a name ${what}`, () => tar([good, { name, data: photo }])],
  ]),
  [
    'zip: a symbolic link',
    () => zip([good, { name: 'l.jpg', data: Buffer.from('/etc/passwd'), mode: 0o120777 }]),
  ],
  ['tar: a symbolic link', () => tar([good, { name: 'l.jpg', type: 'symlink', linkname: '/etc/passwd' }])],
  ['tar: a hard link', () => tar([good, { name: 'l.jpg', type: 'link', linkname: 'good.jpg' }])],
  ['tar: a device', () => tar([good, { name: 'zero', type: 'character-device' }])],
  ['tar: a pipe', () => tar([good, { name: 'pipe', type: 'fifo' }])],
  ['zip: more entries than allowed', () => zip(many(1001))],
  ['tar.gz: more entries than allowed', () => tarGz(many(1001))],
  ['zip: a bomb', () => zip([good, { name: 'bomb.gif', data: zeros(20) }])],
  [
    'zip: a bomb of many files',
    () => zip([good, ...[1, 2, 3].map((index) => ({ name: `${index}.gif`, data: zeros(6) }))]),
  ],
  ['tar.gz: a bomb', () => tarGz([good, { name: 'bomb.gif', data: zeros(20) }])],
  ['gz: a bomb without a tar', () => gzipSync(zeros(40))],
  ['tar.bz2: a bomb of a gibibyte', bz2Bomb],
  [
    'zip: a file that claims to be smaller',
    () => zip([good, { name: 'a.gif', data: zeros(1), claims: 500 }]),
  ],
  ['zip: a file that claims to be larger', () => zip([good, { name: 'a.gif', data: gif, claims: 5 * MIB }])],
  ['zip: a file larger than allowed', () => zip([good, { name: 'a.gif', data: gif, claims: 65 * MIB }])],
  ['zip: entries that share their bytes', () => zip([good, { ...good, name: 'again.jpg', sharing: 0 }])],
  ['zip: an encrypted entry', () => zip([good, { name: 'a.jpg', data: photo, flags: 1 }])],
  ['zip: an unknown compression', () => zip([good, { name: 'a.jpg', data: photo, method: 99 }])],
  ['zip: a wrong checksum', () => zip([good, { name: 'a.jpg', data: photo, crc: 1 }])],
  ['zip: nothing but a zip', () => zip([{ name: 'r.zip', data: zip([good]) }])],
  ['zip: nothing but text', () => zip([{ name: 'a.txt', data: Buffer.from('text') }])],
  ['zip: empty', () => zip([])],
  ['tar: empty', () => tar([])],
  ['zip: cut in the middle', () => zip(entries).subarray(0, 900)],
  ['tar: cut in the middle', async () => (await tar(entries)).subarray(0, 900)],
  ['tar.gz: cut in the middle', async () => (await tarGz(entries)).subarray(0, 900)],
  ['tar.bz2: cut in the middle', () => tarBz2().subarray(0, 300)],
  [
    'tar.gz: noise behind its head',
    async () => Buffer.concat([(await tarGz(entries)).subarray(0, 40), photo]),
  ],
  ['gz: no tar inside', () => gzipSync(photo)],
  ['a photo', () => photo],
  ['a text', () => Buffer.from('text')],
  ['nothing', () => Buffer.alloc(0)],
];
for (const [name, bytes] of dangerous) {
  guards(name, async () => {
    try {
      await archives.open(await folder.put(await bytes()));
      assert.unreachable('it was opened');
    } catch (error) {
      assert.instance(error, ArchiveRefused);
    }
    assert.equal(await readdir(temp), []);
  });
}

guards('a highly compressed but small archive is not treated as a bomb', async () => {
  const opened = await archives.open(await folder.put(zip([{ name: 'flat.gif', data: zeros(15) }])));
  assert.is(opened.entries.length, 1);
  await opened.dispose();
});

guards('the total size of all files is bounded', async () => {
  const small = createArchives({ tempDir: temp, limits: { ...limits, totalBytes: 2000 }, log });
  for (const bytes of [zip(entries), await tar(entries)]) {
    try {
      await small.open(await folder.put(bytes));
      assert.unreachable('it was opened');
    } catch (error) {
      assert.instance(error, ArchiveRefused);
    }
  }
});

guards.after(folder.remove);
guards.run();
