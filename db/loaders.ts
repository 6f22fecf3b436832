import DataLoader from 'dataloader';
import { type User, usersByIds } from './account/account.js';
import { type Identity, identitiesByKey, identitiesBySession } from './account/credential.js';
import { type StoredEntryRules, storedRulesFor } from './account/entry-rules.js';
import { type Standing, standingsOf } from './account/limits.js';
import { aliasesOfItems } from './content/alias.js';
import { type Content, lookupId } from './content/content.js';
import { imagesByIds, type StoredImage } from './content/file/image.js';
import { impossibleSources } from './content/file/rendition.js';
import type { Kind } from './content/kinds.js';
import { type Domain, domainsByHosts, domainsByIds } from './content/link/domain.js';
import { type Link, shortUrlsByIds } from './content/link/link.js';
import { type FoundPaste, forkSources, pastesByIds } from './content/paste.js';
import { tagsOfItems } from './content/tag/tag.js';
import type { Db } from './engine/connect.js';
import { createMemo, type Memo } from './engine/memo.js';
import type { DatabaseState } from './engine/state.js';
import { blockedAddresses, blockedHashes } from './system/block.js';
import { type Look, readLook } from './system/branding.js';

/**
 * Looks up one item in its current committed state. Concurrent lookups share one statement, and results are
 * cached until the next commit (docs/adr/0007). Callers must not change what they get.
 */
type Load<K, V> = (key: K) => Promise<V | null>;

/** The most frequent lookups of requests, of items of each kind among them. Ids are accepted in any case. */
export interface Loaders extends Readonly<Record<Kind, Load<string, Content>>> {
  readonly image: Load<string, StoredImage>;
  readonly paste: Load<string, FoundPaste>;
  readonly url: Load<string, Link>;
  /** By host: the domain that it means; one of another state than active is no host of links. */
  readonly domain: Load<string, Domain>;
  /** By number, removed ones included. */
  readonly domainById: Load<number, Domain>;
  readonly user: Load<number, User>;
  /** By the hash of an image: whether a rendition of it is known to be impossible. */
  readonly impossible: Load<string, true>;
  /** By `itemKey`. */
  readonly tags: Load<string, readonly string[]>;
  /** By `itemKey`: former ids, the first one first, and the present one if the item has gone back to it. */
  readonly aliases: Load<string, readonly string[]>;
  /** By row id: the paste that a fork was made from. */
  readonly forkSource: Load<number, { readonly uniqueId: string; readonly open: boolean }>;
  /** What every page shows of the operator. */
  readonly look: Load<'look', Look>;
  /** By account: what decides how much it may create. */
  readonly standing: Load<number, Standing>;
  /** By account: the rules for everybody, then those of its role. */
  readonly entryRules: Load<number, readonly StoredEntryRules[]>;
  /** By address, as 32 hexadecimal digits: whether it is in a blocked network. */
  readonly blockedAddress: Load<string, true>;
  /** By hash: whether the bytes are blocked. */
  readonly blockedHash: Load<string, true>;
  readonly identityByKey: Load<string, Identity>;
  readonly identityBySession: Load<string, Identity>;
}

const MAX_BATCH = 500;
/** Concurrent statements per lookup; keys that arrive meanwhile join the next batch. */
const STATEMENTS_AT_ONCE = 2;

/** Longer pastes are not cached, to keep the cache small. */
const KEPT_PASTE_BYTES = 8 * 1024;

/** Creates the lookups of a database. Credentials are not cached, because they also expire. */
export function createLoaders(db: Db, state: DatabaseState): Loaders {
  return {
    image: byId(batched((keys) => imagesByIds(db, keys), createMemo(state, always))),
    paste: byId(
      batched(
        (keys) => pastesByIds(db, keys),
        createMemo(state, (paste) => paste === null || paste.size <= KEPT_PASTE_BYTES),
      ),
    ),
    url: byId(batched((keys) => shortUrlsByIds(db, keys), createMemo(state, always))),
    domain: batched((hosts) => domainsByHosts(db, hosts), createMemo(state, always)),
    domainById: batched((ids) => domainsByIds(db, ids), createMemo(state, always)),
    user: batched(
      async (ids) => {
        const users = new Map((await usersByIds(db, ids)).map((user) => [user.id, user]));
        return ids.map((id) => users.get(id) ?? null);
      },
      createMemo(state, always),
    ),
    tags: batched(async (keys) => {
      const tags = await tagsOfItems(db, keys);
      return keys.map((key) => tags.get(key) ?? null);
    }),
    aliases: batched(async (keys) => {
      const aliases = await aliasesOfItems(db, keys);
      return keys.map((key) => aliases.get(key) ?? null);
    }),
    forkSource: batched((ids) => forkSources(db, ids)),
    look: batched(
      async (keys) => {
        const look = await readLook(db.read);
        return keys.map(() => look);
      },
      createMemo(state, always),
    ),
    impossible: batched((sources) => impossibleSources(db.read, sources)),
    standing: batched(
      async (ids) => {
        const standings = await standingsOf(db.read, ids);
        return ids.map((id) => standings.get(id) ?? null);
      },
      createMemo(state, always),
    ),
    entryRules: batched((ids) => storedRulesFor(db.read, ids), createMemo(state, always)),
    blockedAddress: batched(
      async (addresses) => {
        const blocked = await blockedAddresses(db.read, addresses);
        return addresses.map((address) => (blocked.has(address) ? true : null));
      },
      createMemo(state, always),
    ),
    blockedHash: batched(
      async (hashes) => {
        const blocked = await blockedHashes(db.read, hashes);
        return hashes.map((hash) => (blocked.has(hash) ? true : null));
      },
      createMemo(state, always),
    ),
    identityByKey: batched((hashes) => identitiesByKey(db, hashes)),
    identityBySession: batched((hashes) => identitiesBySession(db, hashes)),
  };
}

const always = () => true;

/** Converts ids to their lookup form first, so that ids differing only in case share a cache entry. */
const byId =
  <V>(load: Load<string, V>): Load<string, V> =>
  (uniqueId) =>
    load(lookupId(uniqueId));

function batched<K, V>(
  lookup: (keys: readonly K[]) => Promise<(V | null)[]>,
  memo?: Memo<K, V | null>,
): Load<K, V> {
  let running = 0;
  let waiting: (() => void)[] = [];
  const loader = new DataLoader<K, V | null>(
    async (keys) => {
      running += 1;
      try {
        const distinct = [...new Set(keys)];
        const begun = memo?.begin() ?? null;
        const found = await lookup(distinct);
        const byKey = new Map(distinct.map((key, index) => [key, found[index] ?? null]));
        memo?.keep(begun, byKey);
        return keys.map((key) => byKey.get(key) ?? null);
      } finally {
        running -= 1;
        waiting.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize: MAX_BATCH,
      batchScheduleFn: (dispatch) => {
        if (running < STATEMENTS_AT_ONCE) setImmediate(dispatch);
        else waiting = [...waiting, dispatch];
      },
    },
  );
  return async (key) => {
    const known = memo?.get(key);
    return known === undefined ? loader.load(key) : known;
  };
}
