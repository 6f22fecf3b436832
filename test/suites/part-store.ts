import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BlobMissing, type Part, type PartPlace } from '../../routers/base/ports/storage.js';
import { type BlobStoreUnderTest, failure, sha256 } from './blob-store.js';

const MiB = 1024 * 1024;

/** What a store of the parts of uploads guarantees. */
export function partStoreSuite(name: string, open: () => Promise<BlobStoreUnderTest>): void {
  const test = suite(`parts of uploads: ${name}`);
  let under: BlobStoreUnderTest;
  test.before(async () => {
    under = await open();
  });
  test.after(() => under.dispose());

  const parts = () => under.store.parts;
  const keys = async (): Promise<string[]> => {
    const all: string[] = [];
    for await (const { key } of parts().list()) all.push(key);
    return all;
  };
  /** Records parts as the database does: one that begins where another does replaces it. */
  const recorded = (known: readonly Part[], more: readonly Part[]): Part[] =>
    [...new Map([...known, ...more].map((part) => [part.start, part])).values()].sort(
      (a, b) => a.start - b.start,
    );
  const placeBehind = (known: readonly Part[], settled = true): PartPlace => {
    const last = known.at(-1) ?? null;
    return { start: last === null ? 0 : last.start + last.size, last, settled };
  };
  /** Adds bytes as one request does. */
  const add = async (known: readonly Part[], bytes: Buffer, settled = true): Promise<Part[]> => {
    const writer = await parts().open(placeBehind(known, settled));
    for (let at = 0; at < bytes.length; at += 60_000) await writer.write(bytes.subarray(at, at + 60_000));
    const now = recorded(known, await writer.sync());
    await writer.close();
    return now;
  };
  const joined = async (known: readonly Part[]): Promise<Buffer> => {
    const blob = await parts().join(known);
    try {
      const bytes = await readFile(blob.path);
      assert.equal([blob.sha256, blob.size], [sha256(bytes), bytes.length]);
      await blob.commit();
      assert.ok((await buffer(await under.store.open(blob.sha256))).equals(bytes));
      return bytes;
    } finally {
      await blob.discard();
    }
  };
  const freeAll = async (known: readonly Part[]) => {
    await parts().remove(known.map(({ key }) => key));
    await parts().remove(known.map(({ key }) => key));
    assert.equal(await keys(), []);
  };

  test('bytes added by any number of requests are joined in their order, and stay until they are removed', async () => {
    const bytes = randomBytes(21 * MiB + 5);
    let known: Part[] = [];
    const cuts = [0, 1, 700, 3 * MiB, 11 * MiB, 11 * MiB + 9, bytes.length];
    for (const [index, start] of cuts.slice(0, -1).entries())
      known = await add(known, bytes.subarray(start, cuts[index + 1]));
    assert.is(
      known.reduce((sum, { size }) => sum + size, 0),
      bytes.length,
    );
    assert.equal((await keys()).sort(), known.map(({ key }) => key).sort());
    assert.ok((await joined(known)).equals(bytes));
    assert.ok((await joined(known)).equals(bytes));
    assert.equal(await readdir(under.stagingDir), []);
    await freeAll(known);
  });

  test('what was written after the last record is no part of the upload', async () => {
    let known = await add([], Buffer.from('hello'));
    // On a bucket, `close` says that what was synced is recorded, and removes what that replaced.
    if (under.store.location !== 'LOCAL') return freeAll(known);
    for (const settled of [true, false]) {
      const writer = await parts().open(placeBehind(known, settled));
      await writer.write(Buffer.from('lost'));
      await writer.sync();
      await writer.close();
    }
    known = await add(known, Buffer.from(' world'));
    assert.is((await joined(known)).toString(), 'hello world');
    await parts().remove(await keys());
  });

  test('abandoned bytes are freed, and the upload continues where it was', async () => {
    let known = await add([], Buffer.from('hello'));
    for (const settled of [true, false]) {
      const writer = await parts().open(placeBehind(known, settled));
      await writer.write(randomBytes(9 * MiB));
      await writer.abandon();
    }
    known = await add(known, Buffer.from(' world'));
    assert.is((await joined(known)).toString(), 'hello world');
    await freeAll(known);
  });

  test('whoever takes over is not disturbed by one who is still writing', async () => {
    let known = await add([], Buffer.from('hello'));
    const late = await parts().open(placeBehind(known));
    await late.write(Buffer.from(' from the past'));
    known = await add(known, Buffer.from(' world'), false);
    await late.write(randomBytes(MiB));
    await late.sync();
    assert.is((await joined(known)).toString(), 'hello world');
    await late.abandon();
    assert.is((await joined(known)).toString(), 'hello world');
    await parts().remove(await keys());
  });

  test('lost bytes are BlobMissing, when an upload continues and when it is joined', async () => {
    const known = await add([], Buffer.from('hello'));
    await freeAll(known);
    assert.instance(await failure(parts().open(placeBehind(known))), BlobMissing);
    assert.instance(await failure(parts().join(known)), BlobMissing);
    assert.equal(await readdir(under.stagingDir), []);
  });

  test.run();
}
