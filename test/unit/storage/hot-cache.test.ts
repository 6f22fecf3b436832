import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHotCache } from '../../../server/drivers/storage/hot-cache.js';

const test = suite('hot cache');

/** A loader of `size` bytes that counts its runs. */
function loader(size: number) {
  const load = async () => {
    load.runs += 1;
    return Buffer.alloc(size, size % 256);
  };
  load.runs = 0;
  return load;
}

test('cached content is not loaded again', async () => {
  const cache = createHotCache({ maxBytes: 100_000, maxBlobBytes: 50_000 });
  const load = loader(10);
  assert.is(cache.peek('a'), null);
  const first = await cache.get('a', 10, load);
  assert.is(await cache.get('a', 10, load), first);
  assert.is(cache.peek('a'), first);
  assert.is(load.runs, 1);
  assert.ok(cache.bytes >= 10);
});

test('concurrent callers share one load', async () => {
  const cache = createHotCache({ maxBytes: 100_000, maxBlobBytes: 5 });
  const load = loader(10);
  const got = await Promise.all([
    cache.get('a', 10, load),
    cache.get('a', 10, load),
    cache.get('a', 10, load),
  ]);
  assert.is(load.runs, 1);
  assert.is(got[0], got[2]);
  assert.is(cache.bytes, 0, 'too large to be kept');
});

test('the budget is respected, and the least recently used blob is evicted first', async () => {
  const cache = createHotCache({ maxBytes: 100_000, maxBlobBytes: 50_000 });
  for (const name of ['a', 'b', 'c']) await cache.get(name, 30_000, loader(30_000));
  await cache.get('a', 30_000, loader(30_000));
  await cache.get('d', 35_000, loader(35_000));
  assert.is(cache.peek('b'), null);
  for (const name of ['a', 'c', 'd']) assert.ok(cache.peek(name), name);
  for (let i = 0; i < 1000; i += 1) {
    await cache.get(String(i), (i % 60) * 1000, loader((i % 60) * 1000));
    assert.ok(cache.bytes <= 100_000);
  }
});

test('everything is cached while there is room; then only blobs requested more recently than a cached one', async () => {
  const cache = createHotCache({ maxBytes: 100_000, maxBlobBytes: 50_000 });
  assert.not.ok(cache.wants('too large', 50_001));
  for (const name of ['a', 'b', 'c']) {
    assert.ok(cache.wants(name, 30_000));
    await cache.get(name, 30_000, loader(30_000));
  }
  assert.not.ok(cache.wants('d', 30_000));
  assert.ok(cache.wants('d', 30_000));
  assert.not.ok(cache.wants('e', 30_000));
  for (const name of ['a', 'b', 'c']) assert.ok(cache.peek(name));
  assert.not.ok(cache.wants('e', 30_000), 'the others were all asked for since');
});

test('neither a single scan of more than fits nor many evict anything', async () => {
  const cache = createHotCache({ maxBytes: 100_000, maxBlobBytes: 50_000 });
  let loads = 0;
  for (let round = 0; round < 5; round += 1)
    for (let i = 0; i < 6; i += 1) {
      if (cache.peek(`${i}`) === null && cache.wants(`${i}`, 30_000)) {
        loads += 1;
        await cache.get(`${i}`, 30_000, loader(30_000));
      }
    }
  assert.is(loads, 3);
});

test('pending loads count: no more is loaded at once than there is room for', async () => {
  const cache = createHotCache({ maxBytes: 100_000, maxBlobBytes: 50_000 });
  const pending: Promise<Buffer>[] = [];
  for (let i = 0; i < 50; i += 1)
    if (cache.wants(`${i}`, 30_000)) pending.push(cache.get(`${i}`, 30_000, loader(30_000)));
  assert.is(pending.length, 3);
  assert.ok(cache.wants('0', 30_000), 'it comes anyway');
  await Promise.all(pending);
  assert.not.ok(cache.wants('50', 30_000));
  assert.ok(cache.wants('50', 30_000));
});

test('an evicted blob that is still in use counts until it is released', async () => {
  const cache = createHotCache({ maxBytes: 100_000, maxBlobBytes: 50_000 });
  const ends: (() => void)[] = [];
  /** Requested twice, so that it evicts something else. */
  const ask = async (name: string): Promise<boolean> => {
    if (!cache.wants(name, 30_000) && !cache.wants(name, 30_000)) return false;
    ends.push(cache.lend(name, await cache.get(name, 30_000, loader(30_000))));
    return true;
  };
  let lent = 0;
  for (let i = 0; i < 50; i += 1) if (await ask(`${i}`)) lent += 1;
  assert.is(lent, 6, 'as much again as is kept');
  assert.not.ok(await ask('another'));
  for (const end of ends) end();
  assert.ok(await ask('another'));
});

test('the number of tiny blobs is bounded', async () => {
  const cache = createHotCache({ maxBytes: 100_000, maxBlobBytes: 50_000 });
  for (let i = 0; i < 1000; i += 1) await cache.get(String(i), 1, loader(1));
  assert.is(cache.peek('0'), null);
  assert.ok(cache.peek('999'));
});

test('a failed load is reported to all who wait, and is retried', async () => {
  const cache = createHotCache({ maxBytes: 100_000, maxBlobBytes: 50_000 });
  const broken = async () => {
    throw new Error('gone');
  };
  for (const result of await Promise.allSettled([cache.get('a', 10, broken), cache.get('a', 10, broken)])) {
    assert.is(result.status, 'rejected');
  }
  assert.is((await cache.get('a', 10, loader(10))).length, 10);
});

test('a deleted blob is forgotten, also if it was being loaded', async () => {
  const cache = createHotCache({ maxBytes: 100_000, maxBlobBytes: 50_000 });
  await cache.get('a', 10, loader(10));
  const pending = cache.get('b', 10, loader(10));
  cache.delete('a');
  cache.delete('b');
  cache.delete('c');
  await pending;
  assert.is(cache.peek('a'), null);
  assert.is(cache.peek('b'), null);
  assert.is(cache.bytes, 0);
});

test('what was not used between two trims is forgotten, and what is still being read stays accounted for', async () => {
  const cache = createHotCache({ maxBytes: 100_000, maxBlobBytes: 50_000 });
  for (const name of ['a', 'b', 'c']) await cache.get(name, 10_000, loader(10_000));
  const giveBack = cache.lend('b', cache.peek('b') ?? Buffer.alloc(0));
  cache.trim();
  assert.ok(cache.peek('a'), 'used since the trim before');
  cache.trim();
  assert.equal(
    ['a', 'b', 'c'].map((name) => cache.peek(name) !== null),
    [true, false, false],
  );
  assert.is(cache.wants('d', 85_000), false, 'the budget still counts what is being read');
  giveBack();
  cache.trim();
  cache.trim();
  assert.is(cache.bytes, 0);
});

test.run();
