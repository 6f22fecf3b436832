import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BlobStore } from '../../../routers/base/ports/storage.js';
import { createDiskStore } from '../../../server/drivers/storage/disk/disk.js';
import { openBlobStore } from '../../../server/drivers/storage/index.js';
import { blobStoreSuite, chunked, failure, sha256 } from '../../suites/blob-store.js';
import { partStoreSuite } from '../../suites/part-store.js';

const NO_LIMIT = { maxBytes: Number.MAX_SAFE_INTEGER };

async function openDisk() {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-disk-'));
  const store = await createDiskStore({ dataDir });
  const dispose = () => rm(dataDir, { recursive: true });
  return { store, dataDir, stagingDir: join(dataDir, 'staging'), dispose };
}

blobStoreSuite('disk', openDisk);
partStoreSuite('disk', openDisk);

const test = suite('disk store');
let store: BlobStore;
let dataDir: string;
let dispose: () => Promise<void>;
test.before.each(async () => {
  ({ store, dataDir, dispose } = await openDisk());
});
test.after.each(() => dispose());

const pathOf = (hash: string) => join(dataDir, 'blobs', hash.slice(0, 2), hash);

async function put(bytes: Buffer): Promise<string> {
  const staged = await store.stage(chunked(bytes), NO_LIMIT);
  await staged.commit();
  await staged.discard();
  return staged.sha256;
}

test('without S3 the configuration opens this store', async () => {
  const opened = await openBlobStore({ dataDir, s3: null, places: ['disk'] });
  assert.is(opened.location, 'LOCAL');
  assert.is(opened.direct, null);
});

test('after commit the bytes are at the path of their hash, private to this user, and staging is empty', async () => {
  const bytes = randomBytes(100_000);
  const hash = await put(bytes);
  assert.ok(bytes.equals(await readFile(pathOf(hash))));
  assert.is((await stat(pathOf(hash))).mode & 0o077, 0);
  assert.is((await stat(join(dataDir, 'blobs'))).mode & 0o077, 0);
  assert.equal(await readdir(join(dataDir, 'staging')), []);
});

test('content that is already stored is not rewritten, but gets a new date', async () => {
  const bytes = randomBytes(1000);
  const hash = await put(bytes);
  const { ino } = await stat(pathOf(hash));
  await utimes(pathOf(hash), new Date(0), new Date(0));
  await put(bytes);
  const after = await stat(pathOf(hash));
  assert.is(after.ino, ino);
  assert.ok(after.mtimeMs > Date.now() - 60_000);
});

test('a stored file of the wrong size is replaced', async () => {
  const bytes = randomBytes(1000);
  const hash = sha256(bytes);
  await mkdir(join(pathOf(hash), '..'), { recursive: true });
  await writeFile(pathOf(hash), bytes.subarray(0, 500));
  await put(bytes);
  assert.ok(bytes.equals(await store.read(hash)));
});

test('a reopened store finds what was committed', async () => {
  const bytes = randomBytes(1000);
  const hash = await put(bytes);
  const again = await createDiskStore({ dataDir });
  assert.ok(bytes.equals(await again.read(hash)));
});

test('folders that were removed are recreated', async () => {
  const bytes = randomBytes(1000);
  await put(bytes);
  await rm(join(dataDir, 'blobs'), { recursive: true });
  assert.ok(bytes.equals(await store.read(await put(bytes))));
});

test('foreign files in the folder are not listed', async () => {
  const hash = await put(randomBytes(10));
  await writeFile(join(dataDir, 'blobs', 'README'), '');
  await writeFile(join(pathOf(hash), '..', 'note.txt'), '');
  const names = [];
  for await (const blob of store.list()) names.push(blob.sha256);
  assert.equal(names, [hash]);
});

test('no file handle stays open, however a blob or a reader ends', async () => {
  const handles = async () => (await readdir('/proc/self/fd')).length;
  const bytes = randomBytes(1_000_000);
  const hash = await put(bytes);
  const before = await handles();
  for (let i = 0; i < 20; i += 1) {
    const reader = await store.open(hash);
    const closed = new Promise((resolve) => reader.once('close', resolve));
    reader.destroy();
    await closed;
    for await (const chunk of await store.open(hash, { start: 5, end: 5 + i })) assert.ok(chunk.length > 0);
    await (await store.stage(chunked(bytes), NO_LIMIT)).discard();
    await failure(store.stage(chunked(bytes), { maxBytes: 10 + i * 50_000 }));
    await put(bytes);
    await put(randomBytes(10));
  }
  assert.is(await handles(), before);
});

test('check fails if the folder is not writable, and a failed commit leaves no staged bytes', async () => {
  if (process.getuid?.() === 0) {
    // Permissions do not restrict root; a file in place of the folder does.
    await rm(join(dataDir, 'staging'), { recursive: true });
    await writeFile(join(dataDir, 'staging'), '');
  } else {
    await chmod(join(dataDir, 'staging'), 0o500);
  }
  assert.instance(await failure(store.check()), Error);
  assert.instance(await failure(store.stage(chunked(randomBytes(10)), NO_LIMIT)), Error);
  await rm(join(dataDir, 'staging'), { recursive: true });
});

test('a failed commit can be retried, or aborted without a trace', async () => {
  const bytes = randomBytes(10);
  const staged = await store.stage(chunked(bytes), NO_LIMIT);
  await rm(join(dataDir, 'blobs'), { recursive: true });
  await writeFile(join(dataDir, 'blobs'), '');
  assert.instance(await failure(staged.commit()), Error);
  await rm(join(dataDir, 'blobs'));
  await mkdir(join(dataDir, 'blobs'));
  await staged.commit();
  assert.ok(bytes.equals(await store.read(staged.sha256)));
  await staged.discard();
  assert.equal(await readdir(join(dataDir, 'staging')), []);
});

test.run();
