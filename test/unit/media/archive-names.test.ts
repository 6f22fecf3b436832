/** Archives as people's systems make them: whatever the files are called, every picture comes out. */
import { execFile } from 'node:child_process';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32, gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ArchiveRefused } from '../../../routers/base/ports/media/archives.js';
import { createArchives } from '../../../server/drivers/media/archive/index.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { tar, type ZipEntry, zip } from '../../support/media/archive-fixtures.js';
import { jpegPhoto, mediaFolder, movie, pngPhoto } from '../../support/media/media-fixtures.js';
import { skipping } from '../../support/skip.js';

const run = promisify(execFile);
const MIB = 1024 * 1024;
const folder = await mediaFolder();
const log = createLogs('silent').log;
const limits = { entries: 100, entryBytes: 64 * MIB, totalBytes: 128 * MIB, ratio: 1000 };
const archives = createArchives({ tempDir: `${folder.root}/temp`, limits, log });
const photo = await jpegPhoto();
const drawing = await pngPhoto();

/** The paths of what was unpacked, and of what was skipped. */
async function unpack(bytes: Buffer): Promise<{ paths: string[]; skipped: string[] }> {
  const opened = await archives.open(await folder.put(bytes));
  const paths = opened.entries.map(({ path }) => path);
  for (const { file } of opened.entries) assert.ok((await readFile(file)).length > 0);
  await opened.dispose();
  return { paths, skipped: opened.skipped.map(({ path }) => path) };
}
const pathsIn = async (bytes: Buffer) => (await unpack(bytes)).paths;

async function isRefused(bytes: Buffer): Promise<void> {
  try {
    await archives.open(await folder.put(bytes));
    assert.unreachable('it was opened');
  } catch (error) {
    assert.instance(error, ArchiveRefused);
  }
}

const names = suite('archives: names');

const kana = `${'あ'.repeat(90)}.jpg`;
/** Entries of one archive, and the paths that are shown. */
const NAMES: readonly (readonly [what: string, given: readonly string[], shown: readonly string[]])[] = [
  ['control characters', ['a\nb.jpg', 'a\tb.jpg', 'evil\u0007.jpg'], ['ab.jpg', 'ab.jpg', 'evil.jpg']],
  ['longer than a file system takes', [kana, `${'x'.repeat(300)}.jpg`], [kana, `${'x'.repeat(300)}.jpg`]],
  ['equal', ['a.jpg', 'a.jpg'], ['a.jpg', 'a.jpg']],
  ['equal but for case or composition', ['é.jpg', 'É.JPG', 'e\u0301.jpg'], ['é.jpg', 'É.JPG', 'e\u0301.jpg']],
  ['of a file and of a folder', ['a', 'a/b.jpg'], ['a', 'a/b.jpg']],
  ['with a colon, as on macOS', ['A: me.jpg'], ['A: me.jpg']],
];
for (const [what, given, shown] of NAMES) {
  names(`names ${what}: every file is kept`, async () => {
    const entries = given.map((name) => ({ name, data: photo }));
    assert.equal(await pathsIn(zip(entries)), shown);
    assert.equal(await pathsIn(await tar(entries)), shown);
  });
}

names('a file without a usable name is skipped, not the archive', async () => {
  const { paths, skipped } = await unpack(
    zip([
      { name: '\u0001', data: photo },
      { name: 'a.jpg', data: photo },
    ]),
  );
  assert.equal([paths, skipped], [['a.jpg'], ['']]);
});

names('what a Mac adds is skipped and counts against no limit', async () => {
  const pictures = Array.from({ length: 100 }, (_, index) => ({ name: `p/${index}.jpg`, data: photo }));
  const left = pictures.map(({ name }) => ({
    name: `__MACOSX/p/._${name.slice(2)}`,
    data: Buffer.from('Mac OS X'),
  }));
  const icon = [
    { name: 'p/Icon\r', data: Buffer.from('x') },
    { name: 'p/.DS_Store', data: Buffer.from('x') },
  ];
  for (const bytes of [zip([...icon, ...left, ...pictures]), await tar([...icon, ...left, ...pictures])]) {
    const { paths, skipped } = await unpack(bytes);
    assert.equal([paths.length, skipped.length], [100, 102]);
  }
  await isRefused(
    zip(Array.from({ length: 1_100 }, (_, index) => ({ name: `._${index}`, data: Buffer.from('x') }))),
  );
});

names('what a phone has thrown away or keeps for itself is skipped', async () => {
  const bytes = zip([
    { name: 'DCIM/1.jpg', data: photo },
    { name: 'DCIM/.trashed-1700000000-2.jpg', data: photo },
    { name: 'DCIM/.thumbnails/3.jpg', data: photo },
    { name: 'DCIM/.nomedia', data: Buffer.from('x') },
  ]);
  const { paths, skipped } = await unpack(bytes);
  assert.equal([paths, skipped.length], [['DCIM/1.jpg'], 3]);
});

const raw = (bytes: Buffer): Pick<ZipEntry, 'name' | 'unsaid'> => ({
  name: bytes.toString('latin1'),
  unsaid: 'latin1',
});
/** Names in bytes of a code page, in hexadecimal. */
const PAGES: readonly (readonly [page: string, names: readonly (readonly [hex: string, name: string])[]])[] =
  [
    [
      'Shift-JIS, where 0x5C ends a character',
      [
        ['955c8ea62f975c92e8955c2e6a7067', '表示/予定表.jpg'],
        ['835c2e6a7067', 'ソ.jpg'],
      ],
    ],
    [
      'GBK',
      [
        ['d5d5c6ac2f', '照片/'],
        ['d5d5c6ac2fb1b1bea92e6a7067', '照片/北京.jpg'],
      ],
    ],
    ['cp866', [['94aee2ae2f8caee1aaa2a02e6a7067', 'Фото/Москва.jpg']]],
    [
      'cp437',
      [
        ['4772 94e1652e6a7067'.replace(' ', ''), 'Größe.jpg'],
        ['63616682 2e6a7067'.replace(' ', ''), 'café.jpg'],
      ],
    ],
    [
      'UTF-8 without its flag',
      [
        ['e4ba882e6a7067', '予.jpg'],
        ['4772c3b6c39f652e6a7067', 'Größe.jpg'],
      ],
    ],
  ];
for (const [page, pairs] of PAGES) {
  names(`names in ${page} are decoded`, async () => {
    const entries = pairs.map(([hex]) => ({ ...raw(Buffer.from(hex, 'hex')), data: photo }));
    const files = pairs.map(([, name]) => name).filter((name) => !name.endsWith('/'));
    assert.equal(await pathsIn(zip(entries)), files);
  });
}

names('a name in the Unicode field of Info-ZIP is used if it belongs to the entry', async () => {
  const field = (of: string, name: string) => {
    const data = Buffer.concat([Buffer.of(1), Buffer.alloc(4), Buffer.from(name)]);
    data.writeUInt32LE(crc32(of), 1);
    const head = Buffer.alloc(4);
    head.writeUInt16LE(0x7075, 0);
    head.writeUInt16LE(data.length, 2);
    return Buffer.concat([head, data]);
  };
  const entries = [
    { name: '__.jpg', unsaid: 'latin1', extra: field('__.jpg', '予定.jpg'), data: photo },
    { name: 'a.jpg', unsaid: 'latin1', extra: field('other.jpg', '予定.jpg'), data: photo },
  ] as const;
  assert.equal(await pathsIn(zip(entries)), ['予定.jpg', 'a.jpg']);
});
names.run();

const shapes = suite('archives: forms');

shapes('a zip with something in front of it and behind it', async () => {
  const whole = zip([
    { name: 'a.jpg', data: photo },
    { name: 'b.png', data: drawing },
  ]);
  for (const [before, after] of [
    ['', '\r\n'],
    ['', '\0'.repeat(40_000)],
    ['#!/bin/sh\nexit\n', ''],
    ['x'.repeat(5_000), 'PK\x05\x06 no record'],
  ] as const)
    assert.equal(await pathsIn(Buffer.concat([Buffer.from(before), whole, Buffer.from(after, 'latin1')])), [
      'a.jpg',
      'b.png',
    ]);
  await isRefused(Buffer.concat([drawing, whole]));
  await isRefused(Buffer.concat([Buffer.alloc(80_000, 'x'), whole]));
});

/** A film with holes, and a picture, packed by a program in a form of its own. */
async function packed(program: string, ...options: string[]): Promise<Buffer | null> {
  const place = join(folder.root, `${program}${options.join('')}`);
  await mkdir(place);
  const film = await open(join(place, 'film.mp4'), 'w');
  await film.write(movie());
  // More pieces than fit into one header.
  for (let piece = 1; piece <= 30; piece += 1)
    await film.write(Buffer.alloc(8_192, piece), 0, 8_192, piece * 256 * 1024);
  await film.truncate(9 * MIB);
  await film.close();
  await writeFile(join(place, 'b.png'), drawing);
  try {
    await run(program, [...options, '-cf', 'all.tar', 'film.mp4', 'b.png'], { cwd: place });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
    return null;
  }
  const opened = await archives.open(join(place, 'all.tar'));
  const [first, second] = opened.entries;
  assert.equal([first?.path, second?.path, opened.skipped], ['film.mp4', 'b.png', []]);
  assert.ok((await readFile(first?.file ?? '')).equals(await readFile(join(place, 'film.mp4'))));
  assert.ok((await readFile(second?.file ?? '')).equals(drawing));
  await opened.dispose();
  return readFile(join(place, 'all.tar'));
}
for (const options of [
  ['-S'],
  ['-S', '--format=posix'],
  ['-S', '--format=posix', '--sparse-version=0.1'],
  ['-S', '--format=posix', '--sparse-version=0.0'],
  ['--format=v7'],
  ['--format=oldgnu', '-V', 'a label'],
]) {
  shapes(`tar ${options.join(' ')}: every byte`, async () => {
    const bytes = await packed('tar', ...options);
    if (bytes === null) return skipping('no tar');
    assert.equal(await pathsIn(gzipSync(bytes)), ['film.mp4', 'b.png']);
  });
}
for (const format of ['pax', 'gnutar', 'ustar']) {
  shapes(`bsdtar ${format}, which stores holes by itself: every byte`, async () => {
    if ((await packed('bsdtar', `--format=${format}`)) === null) skipping('no bsdtar');
  });
}

shapes('holes count as unpacked bytes', async () => {
  const place = join(folder.root, 'holes');
  await mkdir(place);
  const film = await open(join(place, 'film.mp4'), 'w');
  await film.write(movie());
  await film.truncate(60 * MIB);
  await film.close();
  try {
    await run('tar', ['-S', '-cf', 'all.tar', 'film.mp4'], { cwd: place });
  } catch {
    return skipping('no tar');
  }
  await isRefused(await readFile(join(place, 'all.tar')));
});

shapes('bytes behind the end of a tar do not matter', async () => {
  assert.equal(
    await pathsIn(Buffer.concat([await tar([{ name: 'a.jpg', data: photo }]), Buffer.alloc(700, 'x')])),
    ['a.jpg'],
  );
});

shapes.after(folder.remove);
shapes.run();
