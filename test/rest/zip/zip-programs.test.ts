/** Downloaded zips open everywhere: whole or from a pipe, in old and small programs as well. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { zipLength, zipOf } from '../../../rest-adapter/reply/zip-stream.js';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import { skipping } from '../../support/skip.js';

const run = promisify(execFile);
const test = suite('downloaded zips');
let server: TestServer;
let folder: string;
const whole = new Map<string, Buffer>();
/** The zip of a playlist, and that of the account. */
const zips: { name: string; path: string }[] = [];

const contents: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['Größe 予定.bin', Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251))],
  ['one block.bin', Buffer.alloc(65_535, 3)],
  ['a.txt', Buffer.from('text')],
];

test.before(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'holdall-zips-'));
  const { key } = server.owner;
  const imagesUids: string[] = [];
  for (const [name, bytes] of contents) {
    whole.set(createHash('sha256').update(bytes).digest('hex'), bytes);
    const { body } = await server.request('POST', '/image/upload', { key, form: fileForm(bytes, name) });
    imagesUids.push(body.uniqueId);
  }
  const json = { title: 'Mein 📷 Album/2026', imagesUids };
  const { uniqueId } = (await server.request('POST', '/image/playlist/create', { key, json })).body;
  for (const [name, path] of [
    ['playlist', `/v1/image/playlist/get/${uniqueId}/download`],
    ['export', '/web/settings/account/export'],
  ] as const) {
    const answer = await fetch(`http://127.0.0.1:${server.app.address.port}${path}`, {
      headers: { 'x-api-key': key },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (name === 'playlist') {
      assert.is(answer.headers.get('content-length'), String(bytes.length));
      assert.is(
        answer.headers.get('content-disposition'),
        `attachment; filename="Mein Album_2026.zip"; filename*=UTF-8''Mein%20%F0%9F%93%B7%20Album_2026.zip`,
      );
    }
    zips.push({ name, path: join(folder, `${name}.zip`) });
    await writeFile(join(folder, `${name}.zip`), bytes);
  }
});
test.after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** All uploaded files are somewhere below a folder, byte for byte. */
async function holdsAll(place: string): Promise<void> {
  const found = new Set<string>();
  for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    found.add(createHash('sha256').update(bytes).digest('hex'));
  }
  for (const hash of whole.keys()) assert.ok(found.has(hash));
}

/** Reads a zip from its beginning to its end, as a browser applet or an app does, without the directory. */
const JAVA = `import java.io.*; import java.nio.file.*; import java.util.zip.*;
public class Unzip { public static void main(String[] a) throws Exception {
  try (ZipInputStream zip = new ZipInputStream(new FileInputStream(a[0]))) { int n = 0;
    for (ZipEntry e; (e = zip.getNextEntry()) != null; n++) Files.copy(zip, Paths.get(a[1], "f" + n)); } } }`;

/** A script of the shell, which gets the zip as `$0` and the folder as `$1`. */
const shell =
  (script: string) =>
  (zip: string, to: string): string[] => ['sh', '-c', script, zip, to];

const PROGRAMS: readonly (readonly [name: string, command: (zip: string, to: string) => string[]])[] = [
  ['busybox', (zip, to) => ['busybox', 'unzip', '-q', zip, '-d', to]],
  ['unzip', (zip, to) => ['unzip', '-q', zip, '-d', to]],
  // Distributions call it by one of two names.
  ['7z', shell('p=$(command -v 7zz || command -v 7z) || exit 127; "$p" x -bd "-o$1" "$0"')],
  ['python3', (zip, to) => ['python3', '-m', 'zipfile', '-e', zip, to]],
  ['bsdtar from a pipe', shell('command -v bsdtar >/dev/null || exit 127; cat "$0" | bsdtar -xf - -C "$1"')],
  ['java', (zip, to) => ['java', join(folder, 'Unzip.java'), zip, to]],
];
for (const [name, command] of PROGRAMS) {
  test(`${name} unpacks the zip of a playlist and of an account`, async () => {
    await writeFile(join(folder, 'Unzip.java'), JAVA);
    for (const { path } of zips) {
      const to = await mkdtemp(join(folder, 'to-'));
      try {
        const [program = '', ...args] = command(path, to);
        await run(program, args, { env: { ...process.env, LC_ALL: 'C.UTF-8' } });
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (code !== 'ENOENT' && code !== 127) throw error;
        return skipping(`no ${name}`);
      }
      await holdsAll(to);
    }
  });
}

test('nothing in a small zip needs zip64, and no entry is stored with its size behind it', async () => {
  for (const { path } of zips) {
    const bytes = await readFile(path);
    assert.is(bytes.indexOf('PK\x06\x06', 0, 'latin1'), -1);
    for (
      let at = bytes.indexOf('PK\x01\x02', 0, 'latin1');
      at >= 0;
      at = bytes.indexOf('PK\x01\x02', at + 4, 'latin1')
    )
      assert.equal([bytes.readUInt16LE(at + 8) & 8, bytes.readUInt16LE(at + 10)], [8, 8]);
  }
});

test('the length of a zip is known before it is written, with any number of entries', async () => {
  for (const count of [0, 1, 700, 66_000]) {
    const entries = Array.from({ length: count }, (_, index) => ({
      name: `${index}`.padStart(90, 'n'),
      size: 1,
      mtime: new Date(),
    }));
    async function* opened() {
      for (const entry of entries) yield { ...entry, content: Readable.from([Buffer.from('x')]) };
    }
    assert.is((await buffer(zipOf(opened()))).length, zipLength(entries), String(count));
  }
});

test.run();
