import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  BlobMissing,
  type BlobStore,
  BlobTooLarge,
  type ByteRange,
  type StagedBlob,
} from '../../routers/base/ports/storage.js';

/** A store under test, the local folder of its staged bytes, and how to close it. */
export interface BlobStoreUnderTest {
  readonly store: BlobStore;
  readonly stagingDir: string;
  dispose(): Promise<void>;
}

const NO_LIMIT = { maxBytes: Number.MAX_SAFE_INTEGER };
const ABSENT = '0'.repeat(64);

/** The error of an async call; fails if it resolves. */
export async function failure(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    assert.instance(error, Error);
    return error as Error;
  }
  assert.unreachable('the call should have failed');
  throw new Error();
}

/** A stream of these bytes in chunks as a socket would deliver them. */
export function chunked(bytes: Buffer, chunkBytes = 64 * 1024): Readable {
  function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  return Readable.from(chunks());
}

/** SHA-256 in lower-case hex. */
export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A new folder on another file system than that of temporary files; null if there is none. */
async function folderElsewhere(): Promise<string | null> {
  const { dev } = await stat(tmpdir());
  for (const place of ['/dev/shm', '/var/tmp']) {
    const other = await stat(place).catch(() => null);
    if (other !== null && other.dev !== dev) return mkdtemp(join(place, 'holdall-blob-'));
  }
  return null;
}

/** The guarantees of every `BlobStore`; `open` creates one whose content is distinguished by random bytes. */
export function blobStoreSuite(name: string, open: () => Promise<BlobStoreUnderTest>): void {
  const test = suite(`blob store: ${name}`);
  let under: BlobStoreUnderTest;
  let store: BlobStore;
  const stored = new Set<string>();

  test.before(async () => {
    under = await open();
    store = under.store;
  });
  test.after(async () => {
    for (const hash of stored) await store.remove(hash);
    await under.dispose();
  });

  const stage = (bytes: Buffer) => store.stage(chunked(bytes), NO_LIMIT);
  const commit = async (staged: StagedBlob) => {
    stored.add(staged.sha256);
    await staged.commit();
    await staged.discard();
    return staged.sha256;
  };
  const put = async (bytes: Buffer) => commit(await stage(bytes));
  const strays = () => readdir(under.stagingDir);
  /** Examines each piece after a delay, during which nobody may overwrite it. */
  const copied = async (hash: string, range?: ByteRange): Promise<Buffer> => {
    const pieces: Buffer[] = [];
    await store.copy(
      hash,
      async (piece) => {
        for (let turn = 0; turn < 10; turn += 1) await nextTurn();
        pieces.push(Buffer.from(piece));
      },
      range,
    );
    return Buffer.concat(pieces);
  };
  const readRange = async (hash: string, start: number, end: number) =>
    buffer(await store.open(hash, { start, end }));

  test('check succeeds on a working store, and leaves nothing behind', async () => {
    await store.check();
    assert.equal(await strays(), []);
  });

  for (const [label, size] of [
    ['an empty blob', 0],
    ['one byte', 1],
    ['100 KB', 100_000],
    ['20 MB', 20_000_003],
  ] as const) {
    test(`${label}: staged with hash and size, readable by path, complete after commit`, async () => {
      const bytes = randomBytes(size);
      const staged = await stage(bytes);
      assert.is(staged.sha256, sha256(bytes));
      assert.is(staged.size, size);
      assert.ok(bytes.equals(await readFile(staged.path)));
      assert.ok(staged.content === null ? size > 100_000 : bytes.equals(staged.content));
      const hash = await commit(staged);
      assert.equal(await store.stat(hash), { size });
      assert.ok(bytes.equals(await buffer(await store.open(hash))));
      assert.ok(bytes.equals(await store.read(hash)));
      assert.equal(await strays(), []);
    });
  }

  test('small files are held in memory up to a limit, and never after their end', async () => {
    const many = await Promise.all(Array.from({ length: 200 }, () => stage(randomBytes(100_000))));
    const held = many.filter(({ content }) => content !== null).length;
    for (const staged of many) await staged.discard();
    const again = await stage(randomBytes(100_000));
    await again.discard();
    assert.ok(held > 0 && held < 200);
    assert.is.not(again.content, null);
  });

  test('lent bytes are a local file until the work is done, even if they are removed meanwhile', async () => {
    const bytes = randomBytes(300_000);
    const hash = await put(bytes);
    const seen = await store.lend(hash, async (path) => {
      await store.remove(hash);
      await store.sweepStaging(60_000);
      return [path, await readFile(path)] as const;
    });
    assert.ok(bytes.equals(seen[1]));
    assert.equal(await strays(), []);
    await put(bytes);
    const broken = store.lend(hash, () => Promise.reject(new Error('the work failed')));
    assert.is((await failure(broken)).message, 'the work failed');
    assert.equal(await strays(), []);
    let worked = false;
    const absent = store.lend(sha256(randomBytes(8)), async () => {
      worked = true;
    });
    assert.instance(await failure(absent), BlobMissing);
    assert.not.ok(worked);
  });

  test('a range is half-open and is cut at the end of the blob', async () => {
    const bytes = randomBytes(1000);
    const hash = await put(bytes);
    for (const [start, end] of [
      [0, 0],
      [0, 1],
      [0, 1000],
      [10, 20],
      [500, 500],
      [999, 1000],
      [990, 5000],
      [1000, 1001],
      [1000, 1000],
    ] as const) {
      const got = await readRange(hash, start, end);
      assert.ok(got.equals(bytes.subarray(start, end)), `${start} to ${end}`);
      assert.ok((await copied(hash, { start, end })).equals(got), `${start} to ${end}, copied`);
    }
    const empty = await put(Buffer.alloc(0));
    assert.is((await readRange(empty, 0, 10)).length, 0);
  });

  test('a copy is delivered in pieces, each after the previous one was processed', async () => {
    const bytes = randomBytes(3_000_000);
    const hash = await put(bytes);
    const copies = Array.from({ length: 6 }, () => copied(hash));
    for (const copy of await Promise.all(copies)) assert.ok(copy.equals(bytes));
    assert.ok((await copied(hash, { start: 7, end: 2_000_001 })).equals(bytes.subarray(7, 2_000_001)));
  });

  test('a copy ends with the error of its consumer', async () => {
    const hash = await put(randomBytes(1_000_000));
    let pieces = 0;
    const broken = store.copy(hash, async () => {
      pieces += 1;
      throw new Error('enough');
    });
    assert.is((await failure(broken)).message, 'enough');
    assert.is(pieces, 1);
  });

  test('an invalid range is refused', async () => {
    for (const [start, end] of [
      [-1, 5],
      [5, 4],
      [0.5, 2],
      [Number.NaN, 2],
      [0, Number.POSITIVE_INFINITY],
    ] as const) {
      assert.instance(await failure(store.open(ABSENT, { start, end })), RangeError);
      assert.instance(await failure(copied(ABSENT, { start, end })), RangeError);
    }
  });

  test('a name that is not a SHA-256 in lower-case hex is refused', async () => {
    for (const name of ['', '../../../etc/passwd', 'A'.repeat(64), `${ABSENT}/`, `${ABSENT}\n`]) {
      for (const call of ['open', 'read', 'stat', 'remove'] as const) {
        assert.instance(await failure(store[call](name)), TypeError);
      }
      assert.instance(await failure(copied(name)), TypeError);
    }
  });

  test('missing content is reported before any byte', async () => {
    for (const call of [
      () => store.open(ABSENT),
      () => store.open(ABSENT, { start: 3, end: 3 }),
      () => store.open(ABSENT, { start: 0, end: 5 }),
      () => store.read(ABSENT),
      () => copied(ABSENT),
      () => copied(ABSENT, { start: 0, end: 5 }),
    ]) {
      const error = await failure(call());
      assert.instance(error, BlobMissing);
      assert.is((error as BlobMissing).sha256, ABSENT);
    }
    assert.is(await store.stat(ABSENT), null);
  });

  test('a blob is removed once, and removing it again is not an error', async () => {
    const hash = await put(randomBytes(10));
    await store.remove(hash);
    await store.remove(hash);
    assert.is(await store.stat(hash), null);
    assert.instance(await failure(store.read(hash)), BlobMissing);
  });

  test('the same content is stored once, and can be committed repeatedly and concurrently', async () => {
    const bytes = randomBytes(50_000);
    await put(bytes);
    await put(bytes);
    const together = await Promise.all([stage(bytes), stage(bytes), stage(bytes)]);
    await Promise.all(together.map(commit));
    const fresh = randomBytes(50_000);
    const both = await Promise.all([stage(fresh), stage(fresh)]);
    await Promise.all(both.map(commit));
    for (const content of [bytes, fresh]) {
      assert.ok(content.equals(await store.read(sha256(content))));
      let seen = 0;
      for await (const blob of store.list()) if (blob.sha256 === sha256(content)) seen += 1;
      assert.is(seen, 1);
    }
    assert.equal(await strays(), []);
  });

  test('more bytes than allowed are refused, and the source stays usable for an answer', async () => {
    for (const maxBytes of [99, 300_000]) {
      const source = chunked(randomBytes(2_000_000));
      const error = await failure(store.stage(source, { maxBytes }));
      assert.instance(error, BlobTooLarge);
      assert.is((error as BlobTooLarge).maxBytes, maxBytes);
      assert.not(source.destroyed);
      source.destroy();
      assert.equal(await strays(), []);
    }
    const exact = await store.stage(chunked(randomBytes(100)), { maxBytes: 100 });
    await exact.discard();
  });

  test('the error of a source is passed on and nothing is left behind', async () => {
    for (const before of [0, 10, 1_000_000]) {
      async function* broken() {
        if (before > 0) yield randomBytes(before);
        throw new Error('the line went dead');
      }
      const error = await failure(store.stage(Readable.from(broken()), NO_LIMIT));
      assert.is(error.message, 'the line went dead');
      assert.equal(await strays(), []);
    }
  });

  test('a source that is destroyed before its end is an error, not a short blob', async () => {
    const source = new Readable({ read() {} });
    source.push(randomBytes(600_000));
    const staging = store.stage(source, NO_LIMIT);
    setImmediate(() => source.destroy());
    assert.instance(await failure(staging), Error);
    assert.instance(await failure(store.stage(source, NO_LIMIT)), Error);
    assert.equal(await strays(), []);
  });

  test('discard frees the bytes, and may be repeated and follow a commit', async () => {
    const staged = await stage(randomBytes(300_000));
    await staged.discard();
    await staged.discard();
    assert.equal(await strays(), []);
    assert.is(await store.stat(staged.sha256), null);
    const kept = await stage(randomBytes(10));
    await commit(kept);
    await kept.discard();
    assert.equal(await store.stat(kept.sha256), { size: 10 });
  });

  test('a commit can be repeated until the discard, and restores what was removed meanwhile', async () => {
    const bytes = randomBytes(70_000);
    const staged = await stage(bytes);
    stored.add(staged.sha256);
    await staged.commit();
    await store.remove(staged.sha256);
    assert.ok(bytes.equals(await readFile(staged.path)));
    await staged.commit();
    await staged.commit();
    assert.ok(bytes.equals(await store.read(staged.sha256)));
    await staged.discard();
    assert.ok(bytes.equals(await store.read(staged.sha256)));
    assert.equal(await strays(), []);
  });

  test('a local file is moved into the store', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdall-blob-'));
    const elsewhere = await folderElsewhere();
    try {
      for (const place of elsewhere === null ? [folder] : [folder, elsewhere]) {
        for (const size of [0, 700_000]) {
          const bytes = randomBytes(size);
          const path = join(place, 'file');
          await writeFile(path, bytes);
          const staged = await store.stageFile(path);
          assert.is(staged.sha256, sha256(bytes));
          assert.is(staged.size, size);
          assert.ok(bytes.equals(await readFile(staged.path)));
          assert.equal(await readdir(place), []);
          assert.ok(bytes.equals(await store.read(await commit(staged))));
          assert.equal(await strays(), []);
        }
      }
    } finally {
      await rm(folder, { recursive: true });
      if (elsewhere !== null) await rm(elsewhere, { recursive: true });
    }
  });

  test('anything but a regular file is refused and stays in place', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdall-blob-'));
    try {
      await writeFile(join(folder, 'inner'), 'inner');
      await symlink(join(folder, 'inner'), join(folder, 'link'));
      for (const path of [folder, join(folder, 'link'), join(folder, 'nothing')]) {
        assert.instance(await failure(store.stageFile(path)), Error);
      }
      assert.equal((await readdir(folder)).sort(), ['inner', 'link']);
      assert.equal(await strays(), []);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('list returns every blob with the time of its last write', async () => {
    const start = Date.now();
    const hashes = await Promise.all(Array.from({ length: 12 }, () => put(randomBytes(20))));
    const found = new Map<string, number>();
    for await (const { sha256: hash, modifiedAt } of store.list()) found.set(hash, modifiedAt);
    for (const hash of hashes) {
      // Servers round to whole seconds, up or down.
      assert.ok(Math.abs((found.get(hash) ?? 0) - start) < 60_000, hash);
    }
  });

  test('a reader that stops midway affects nobody else', async () => {
    const bytes = randomBytes(3_000_000);
    const hash = await put(bytes);
    for (let i = 0; i < 5; i += 1) {
      for await (const chunk of await store.open(hash)) {
        assert.ok(chunk.length > 0);
        break;
      }
      (await store.open(hash)).destroy();
    }
    assert.ok(bytes.equals(await store.read(hash)));
  });

  test('sweepStaging removes only old leftovers', async () => {
    const [old, fresh] = await Promise.all([stage(randomBytes(5)), stage(randomBytes(5))]);
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(old.path, longAgo, longAgo);
    assert.is(await store.sweepStaging(60_000), 1);
    assert.equal(await strays(), [fresh.path.split('/').at(-1)]);
    await old.discard();
    await commit(fresh);
    assert.is(await store.sweepStaging(60_000), 0);
  });

  test('an imported file with an old date is not swept as a leftover', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdall-blob-'));
    try {
      const path = join(folder, 'old');
      await writeFile(path, 'old');
      await utimes(path, new Date(0), new Date(0));
      const staged = await store.stageFile(path);
      assert.is(await store.sweepStaging(60_000), 0);
      await staged.discard();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test.run();
}
