/** Overhead of an entry in addition to its bytes; without it, a budget would allow any number of tiny blobs. */
const ENTRY_BYTES = 512;

/** Limits of a hot cache, in bytes. */
export interface HotCacheOptions {
  /** Maximum bytes in total. */
  readonly maxBytes: number;
  /** Larger blobs are loaded for the caller but not kept. */
  readonly maxBlobBytes: number;
}

/** Small blobs in memory, so that frequently requested content is sent from a buffer. */
export interface HotCache {
  /** The `size` bytes, from memory or from `load`, which runs once for concurrent callers; they share its error. */
  get(sha256: string, size: number, load: () => Promise<Buffer>): Promise<Buffer>;
  /** The bytes if they are in memory, synchronously. */
  peek(sha256: string): Buffer | null;
  /**
   * Whether to admit a blob: there is room, or it was requested more recently than the least recently used entry that
   * would be evicted for it. Records the request, so that a scan of everything cannot evict popular blobs. Admits
   * nothing while loading blobs and evicted blobs that are still being read use up the budget.
   */
  wants(sha256: string, size: number): boolean;
  /** Counts a reader of a blob until the returned function is called, so that its memory stays accounted for. */
  lend(sha256: string, blob: Buffer): () => void;
  /** Removes a deleted blob, even while it is loading. */
  delete(sha256: string): void;
  /** Forgets what has not been used since the last call. */
  trim(): void;
  /** Bytes currently kept, including the overhead of entries. */
  readonly bytes: number;
}

/**
 * Keeps blobs up to a budget and evicts the least recently used. Keys are content hashes, so an entry is never stale.
 * Callers must not write into the buffers.
 */
export function createHotCache({ maxBytes, maxBlobBytes }: HotCacheOptions): HotCache {
  /** In order of last use, oldest first. */
  const kept = new Map<string, { readonly blob: Buffer; usedAt: number }>();
  const loading = new Map<string, Promise<Buffer>>();
  /** Number of readers per blob. */
  const readers = new Map<Buffer, number>();
  /** Bytes being loaded. */
  let underWay = 0;
  /** Bytes that are still being read but not kept. */
  let stranded = 0;
  /** Sizes of blobs requested but not kept, oldest request first; limited to twice the budget. */
  const asked = new Map<string, { readonly size: number; readonly at: number }>();
  /** A counter of uses, for comparing which was later. */
  let uses = 0;
  /** The last use before the last call of `trim`. */
  let trimmedAt = 0;
  let bytes = 0;
  let askedBytes = 0;

  function peek(sha256: string): Buffer | null {
    const found = kept.get(sha256);
    if (found === undefined) return null;
    kept.delete(sha256);
    uses += 1;
    found.usedAt = uses;
    kept.set(sha256, found);
    return found.blob;
  }

  function wants(sha256: string, size: number): boolean {
    if (size > maxBlobBytes) return false;
    const left = maxBytes - underWay - stranded - size - ENTRY_BYTES;
    const before = asked.get(sha256)?.at ?? 0;
    forgetAsked(sha256);
    if (loading.has(sha256) || bytes <= left || (left >= 0 && before > leastRecentUse())) return true;
    uses += 1;
    asked.set(sha256, { size: size + ENTRY_BYTES, at: uses });
    askedBytes += size + ENTRY_BYTES;
    for (const oldest of asked.keys()) {
      if (askedBytes <= 2 * maxBytes) break;
      forgetAsked(oldest);
    }
    return false;
  }

  /** When the next entry to evict was last used. */
  function leastRecentUse(): number {
    for (const { usedAt } of kept.values()) return usedAt;
    return 0;
  }

  function forgetAsked(sha256: string): void {
    askedBytes -= asked.get(sha256)?.size ?? 0;
    asked.delete(sha256);
  }

  function forget(sha256: string): void {
    const found = kept.get(sha256);
    if (found === undefined) return;
    bytes -= found.blob.length + ENTRY_BYTES;
    if (readers.has(found.blob)) stranded += found.blob.length;
    kept.delete(sha256);
  }

  function lend(sha256: string, blob: Buffer): () => void {
    const isKept = () => kept.get(sha256)?.blob === blob;
    const before = readers.get(blob) ?? 0;
    if (before === 0 && !isKept()) stranded += blob.length;
    readers.set(blob, before + 1);
    return () => {
      const left = (readers.get(blob) ?? 0) - 1;
      if (left > 0) return void readers.set(blob, left);
      readers.delete(blob);
      if (!isKept()) stranded -= blob.length;
    };
  }

  function keep(sha256: string, blob: Buffer): void {
    if (blob.length > maxBlobBytes || blob.length + ENTRY_BYTES > maxBytes) return;
    forget(sha256);
    uses += 1;
    kept.set(sha256, { blob, usedAt: uses });
    bytes += blob.length + ENTRY_BYTES;
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) return;
      forget(oldest);
    }
  }

  async function loadOnce(sha256: string, size: number, load: () => Promise<Buffer>): Promise<Buffer> {
    const mine = load();
    loading.set(sha256, mine);
    underWay += size;
    try {
      const blob = await mine;
      if (loading.get(sha256) === mine) keep(sha256, blob);
      return blob;
    } finally {
      underWay -= size;
      if (loading.get(sha256) === mine) loading.delete(sha256);
    }
  }

  return {
    get: async (sha256, size, load) => peek(sha256) ?? loading.get(sha256) ?? loadOnce(sha256, size, load),
    peek,
    wants,
    lend,
    delete(sha256) {
      loading.delete(sha256);
      forget(sha256);
    },
    trim() {
      for (const [sha256, { usedAt }] of kept) {
        if (usedAt > trimmedAt) break;
        forget(sha256);
      }
      trimmedAt = uses;
    },
    get bytes() {
      return bytes;
    },
  };
}
