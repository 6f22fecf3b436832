import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LimitStore } from '../../server/drivers/limits/limit-store.js';

/**
 * The guarantees of every rate limit store, tested on the ones that `open` creates; two share their counts.
 */
export function testLimitStore(
  name: string,
  open: () => Promise<{ readonly stores: readonly LimitStore[]; close(): Promise<void> }>,
): void {
  const test = suite<{ stores: readonly LimitStore[]; close(): Promise<void> }>(`limit store: ${name}`);
  test.before.each(async (context) => {
    Object.assign(context, await open());
  });
  test.after.each(({ close }) => close());
  const LONG = 60_000;
  const pick = (stores: readonly LimitStore[], index: number): LimitStore => {
    const store = stores[index % stores.length];
    if (store === undefined) throw new Error('no store');
    return store;
  };

  test('concurrent points are all counted, and each sum is returned once', async ({ stores }) => {
    const sums = await Promise.all(
      Array.from(
        { length: 60 },
        async (_, index) => (await pick(stores, index).count('login', 'a', 1, LONG)).points,
      ),
    );
    assert.equal(
      sums.sort((x, y) => x - y),
      Array.from({ length: 60 }, (_, index) => index + 1),
    );
  });

  test('a span ends when its first point said, however many follow', async ({ stores }) => {
    const first = await pick(stores, 0).count('login', 'a', 1, LONG);
    const second = await pick(stores, 1).count('login', 'a', 3, 2 * LONG);
    assert.is(second.points, 4);
    assert.ok(second.leftMs <= first.leftMs, 'nothing was added');
  });

  test('an expired span starts anew', async ({ stores }) => {
    await pick(stores, 0).count('login', 'a', 5, 0);
    const next = await pick(stores, 1).count('login', 'a', 1, LONG);
    assert.is(next.points, 1);
    assert.ok(next.leftMs > 0);
  });

  test('points are given back one by one, never below zero, or all at once', async ({ stores }) => {
    const [store, other] = [pick(stores, 0), pick(stores, 1)];
    await store.count('login', 'a', 2, LONG);
    for (let times = 0; times < 3; times += 1) await other.uncount('login', 'a');
    await other.uncount('login', 'never counted');
    assert.is((await store.count('login', 'a', 1, LONG)).points, 1);
    await other.forget('login', 'a');
    assert.is((await store.count('login', 'a', 1, LONG)).points, 1);
  });

  test('keys are independent of each other', async ({ stores }) => {
    await pick(stores, 0).count('login', 'a', 9, LONG);
    assert.is((await pick(stores, 1).count('login', 'b', 1, LONG)).points, 1);
  });

  test.run();
}
