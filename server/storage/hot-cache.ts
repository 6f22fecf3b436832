/** What an entry takes besides its bytes; without it a budget of tiny blobs would have no bound. */
const ENTRY_BYTES = 512;

/** Bounds of a hot cache, in bytes. */
export interface HotCacheOptions {
  /** Bytes kept in all. */
  readonly maxBytes: number;
  /** Blobs larger than this are loaded for the caller and not kept. */
  readonly maxBlobBytes: number;
}

/** Small blobs in memory, so that what is asked for often is sent from a buffer. */
export interface HotCache {
  /**
   * The bytes (`size` of them), from memory or from `load`, which runs once for callers at the same time; its error is
   * theirs.
   */
  get(sha256: string, size: number, load: () => Promise<Buffer>): Promise<Buffer>;
  /** The bytes if they are in memory, without waiting. */
  peek(sha256: string): Buffer | null;
  /**
   * Whether to admit a blob: there is room, or it was requested more recently than the least recently used entry that
   * would have to go for it. Records the request, so that a scan through everything cannot evict what is popular. Takes
   * in nothing while as much as the budget is under way to memory, or let go of and still lent.
   */
  wants(sha256: string, size: number): boolean;
  /** Counts somebody who reads a blob for long, until the returned function is called: its memory is taken as long. */
  lend(sha256: string, blob: Buffer): () => void;
  /** Forgets a removed blob, a load under way included. */
  delete(sha256: string): void;
  /** Bytes kept now, with what their entries take. */
  readonly bytes: number;
}

/**
 * Keeps blobs up to a budget and lets go of the least recently used. Bytes are named by their hash, so an
 * entry is never stale. Callers must not write into the buffers.
 */
export function createHotCache({ maxBytes, maxBlobBytes }: HotCacheOptions): HotCache {
  /** In order of last use, the oldest first. */
  const kept = new Map<string, { readonly blob: Buffer; usedAt: number }>();
  const loading = new Map<string, Promise<Buffer>>();
  /** How many read a blob. */
  const readers = new Map<Buffer, number>();
  /** Bytes that are being loaded. */
  let underWay = 0;
  /** Bytes that somebody reads and that are not kept. */
  let stranded = 0;
  /** Sizes of what was asked for and not kept, the longest ago first: twice as much as the budget holds. */
  const asked = new Map<string, { readonly size: number; readonly at: number }>();
  /** Counts up with each use, and so tells which of two came later. */
  let uses = 0;
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

  /** When the first that would have to go was used last. */
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
    get bytes() {
      return bytes;
    },
  };
}
