import DataLoader from 'dataloader';
import type { Db } from './connect.js';
import { type Identity, identitiesByKey, identitiesBySession } from './credential.js';
import { imagesByIds, type StoredImage } from './image.js';
import { type Paste, pastesByIds } from './paste.js';
import { type ShortUrl, shortUrlsByIds } from './short-url.js';
import { type User, usersByIds } from './user.js';

/** Looks one thing up; lookups of the same moment share one statement. Nothing is remembered. */
export type Load<K, V> = (key: K) => Promise<V | null>;

/** The lookups that requests make most. Ids are given in lower case. */
export interface Loaders {
  readonly image: Load<string, StoredImage>;
  readonly paste: Load<string, Paste>;
  readonly url: Load<string, ShortUrl>;
  readonly user: Load<number, User>;
  readonly identityByKey: Load<string, Identity>;
  readonly identityBySession: Load<string, Identity>;
}

const BATCH_LIMIT = 500;
/** Statements of one kind under way at once; what arrives meanwhile joins the next batch. */
const STATEMENTS_AT_ONCE = 2;

/** Makes the micro-batching lookups of a database. */
export function createLoaders(db: Db): Loaders {
  return {
    image: batched((keys) => imagesByIds(db, keys)),
    paste: batched((keys) => pastesByIds(db, keys)),
    url: batched((keys) => shortUrlsByIds(db, keys)),
    user: batched(async (ids) => {
      const users = new Map((await usersByIds(db, ids)).map((user) => [user.id, user]));
      return ids.map((id) => users.get(id) ?? null);
    }),
    identityByKey: batched((hashes) => identitiesByKey(db, hashes)),
    identityBySession: batched((hashes) => identitiesBySession(db, hashes)),
  };
}

function batched<K, V>(lookup: (keys: readonly K[]) => Promise<(V | null)[]>): Load<K, V> {
  let running = 0;
  let waiting: (() => void)[] = [];
  const loader = new DataLoader<K, V | null>(
    async (keys) => {
      running += 1;
      try {
        const distinct = [...new Set(keys)];
        const found = await lookup(distinct);
        const byKey = new Map(distinct.map((key, index) => [key, found[index] ?? null]));
        return keys.map((key) => byKey.get(key) ?? null);
      } finally {
        running -= 1;
        waiting.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize: BATCH_LIMIT,
      batchScheduleFn: (dispatch) => {
        if (running < STATEMENTS_AT_ONCE) setImmediate(dispatch);
        else waiting = [...waiting, dispatch];
      },
    },
  );
  return (key) => loader.load(key);
}
