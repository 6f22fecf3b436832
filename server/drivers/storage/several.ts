import { BlobMissing, type BlobStore } from '../../../routers/base/ports/storage.js';

/**
 * One store over several: the first takes what is new, and a blob is read from the one that has it. A blob that moves
 * from one to another is in at least one of them at any time, so whoever has found it in none looks once more.
 */
export function severalStores(stores: readonly BlobStore[]): BlobStore {
  const [first, ...others] = stores;
  if (first === undefined) throw new TypeError('there is no store');
  if (others.length === 0) return first;

  /** The local one first: it knows at once what it has. */
  const order = [...stores].sort((a, b) => rank(a) - rank(b));

  async function inOneOf<T>(sha256: string, look: (store: BlobStore) => Promise<T>): Promise<T> {
    for (const store of [...order, ...order.slice(0, -1)])
      try {
        return await look(store);
      } catch (error) {
        if (!(error instanceof BlobMissing)) throw error;
      }
    throw new BlobMissing(sha256);
  }

  return {
    ...first,
    open: (sha256, range) => inOneOf(sha256, (store) => store.open(sha256, range)),
    copy: (sha256, sink, range) => inOneOf(sha256, (store) => store.copy(sha256, sink, range)),
    lend: (sha256, work) => inOneOf(sha256, (store) => store.lend(sha256, work)),
    read: (sha256, spare) => inOneOf(sha256, (store) => store.read(sha256, spare)),
    stat: async (sha256) => {
      for (const store of [...order, ...order.slice(0, -1)]) {
        const facts = await store.stat(sha256);
        if (facts !== null) return facts;
      }
      return null;
    },
    remove: async (sha256) => {
      for (const store of order) await store.remove(sha256);
    },
    async *list() {
      for (const store of stores) yield* store.list();
    },
    sweepStaging: async (olderThanMs) => {
      let removed = 0;
      for (const store of stores) removed += await store.sweepStaging(olderThanMs);
      return removed;
    },
    check: async () => {
      await Promise.all(stores.map((store) => store.check()));
    },
  };
}

const rank = ({ location }: BlobStore): number => (location === 'LOCAL' ? 0 : 1);
