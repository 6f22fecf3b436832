import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Limit } from '../../routers/base/ports/limits.js';
import {
  createDatabaseStore,
  createMemoryStore,
  type LimitStore,
  MAX_SPANS,
} from '../../server/drivers/limits/limit-store.js';
import { testLimitStore } from '../suites/limits.js';
import { databaseKinds } from '../support/stores/databases.js';
import { until } from '../support/until.js';

testLimitStore('memory', async () => ({ stores: [createMemoryStore()], close: async () => {} }));

for (const { name, makeMigrated } of databaseKinds()) {
  testLimitStore(name, async () => {
    const database = await makeMigrated();
    const [one, other] = await Promise.all([database.open(), database.open()]);
    return { stores: [one, other].map(createDatabaseStore), close: database.remove };
  });
}

const bound = suite('limit store: memory at its bound');

const LONG = 60_000;

/** Counts points for that many new keys. */
async function flood(store: LimitStore, limit: Limit, keys: number, points = 1, spanMs = LONG) {
  const name = `${points}-${Math.random()}`;
  for (let key = 0; key < keys; key += 1) await store.count(limit, `${name}-${key}`, points, spanMs);
}

/** The points of a key, found out by adding one. */
const known = async (store: LimitStore, limit: Limit, key: string) =>
  (await store.count(limit, key, 1, LONG)).points - 1;

bound('a flood on one limit does not evict keys of another', async () => {
  const store = createMemoryStore();
  await store.count('register', 'a', 1, LONG);
  await flood(store, 'login', MAX_SPANS + 1_000);
  assert.is(await known(store, 'register', 'a'), 1);
});

bound('two floods share the room, and a third limit still loses nothing', async () => {
  const store = createMemoryStore();
  for (let key = 0; key < 1_000; key += 1) await store.count('code', String(key), 1, LONG);
  await flood(store, 'login', MAX_SPANS);
  await flood(store, 'codeAddress', MAX_SPANS);
  for (let key = 0; key < 1_000; key += 1) assert.is(await known(store, 'code', String(key)), 1);
});

bound('keys with more points are kept exactly while there are keys with fewer', async () => {
  const store = createMemoryStore();
  await store.count('login', 'spent', 15, LONG);
  await store.count('login', 'two', 2, LONG);
  await flood(store, 'login', MAX_SPANS + 1_000);
  assert.is(await known(store, 'login', 'spent'), 15);
  assert.is(await known(store, 'login', 'two'), 2);
});

bound('keys whose points were given back are evicted before others', async () => {
  const store = createMemoryStore();
  await store.count('login', 'kept', 1, LONG);
  await flood(store, 'login', MAX_SPANS - 2);
  await store.count('login', 'given back', 1, LONG);
  await store.uncount('login', 'given back');
  await store.count('login', 'one too many', 1, LONG);
  assert.is(await known(store, 'login', 'kept'), 1);
  assert.is(await known(store, 'login', 'given back'), 0);
});

bound('expired spans are evicted first, from every limit', async () => {
  const store = createMemoryStore();
  await flood(store, 'register', MAX_SPANS - 1, 9, 0);
  await store.count('login', 'a', 1, LONG);
  await flood(store, 'login', MAX_SPANS - 1);
  assert.is(await known(store, 'login', 'a'), 1);
});

bound(
  'no flood resets the count of a key: an evicted one has at least as many points as before',
  async () => {
    const store = createMemoryStore();
    await store.count('login', 'a', 3, LONG);
    await flood(store, 'login', MAX_SPANS, 4);
    assert.ok((await known(store, 'login', 'a')) >= 3);
  },
);

bound('a new key is counted even when the room is full of keys with more points', async () => {
  const store = createMemoryStore();
  await flood(store, 'login', MAX_SPANS, 5);
  let points = 0;
  for (let tries = 1; tries <= 20; tries += 1) {
    await flood(store, 'login', 10);
    ({ points } = await store.count('login', 'a', 1, LONG));
    assert.ok(points >= tries, `${points} after ${tries}`);
  }
});

bound('once a flood is over, new keys begin with no points', async () => {
  const store = createMemoryStore();
  const spanMs = 2_000;
  await flood(store, 'login', MAX_SPANS + 1_000, 5, spanMs);
  let guest = 0;
  await until(async () => {
    guest += 1;
    return (await store.count('login', `guest-${guest}`, 1, spanMs)).points === 1;
  });
});

bound.run();
