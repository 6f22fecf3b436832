/** How the export of an account reads lists and opens files. */
import type { Readable } from 'node:stream';
import type { OpenEntry } from '../../../rest-adapter/reply/zip-stream.js';
import { BlobMissing, type BlobStore } from '../../../routers/base/ports/storage.js';
import { createCaller } from '../../../routers/index.js';
import type { PageRequest } from '../request.js';

type Call = PageRequest['call'];

/** Items per request. */
export const PAGE_SIZE = 100;
/** IDs that are remembered, so that no item is listed twice unless more than this many are deleted. */
const REMEMBERED_IDS = 20 * PAGE_SIZE;

/** What an entry of every list has. */
export interface Item {
  readonly uniqueId: string;
  /** Of a link: its own on all hosts. */
  readonly fullId?: string;
}

const idOf = ({ uniqueId, fullId = uniqueId }: Item): string => fullId;

/** One page of a list, as returned by the library procedures. */
export type ListPage<T> = (page: number) => Promise<{ readonly items: readonly T[]; readonly total: number }>;

/** Calls that may be large, each counted as memory in use until `release`. */
export function callsBetween(ctx: PageRequest['ctx']): { readonly call: Call; readonly release: () => void } {
  const held: (() => void)[] = [];
  return {
    call: createCaller({ ...ctx, opens: false, onFinished: (done) => held.push(done) }),
    release: () => {
      for (const done of held.splice(0)) done();
    },
  };
}

/** The entry of a file; none if it has no bytes or was deleted in the meantime. */
export async function* fileEntry(
  name: string,
  mtime: Date,
  blobs: BlobStore,
  sha256: string | null,
): AsyncGenerator<OpenEntry> {
  const content = sha256 === null ? null : await blobOrNull(blobs.open(sha256));
  if (content !== null) yield { name, mtime, content };
}

const blobOrNull = (blob: Promise<Readable>): Promise<Readable | null> =>
  blob.catch((error: unknown) => {
    if (error instanceof BlobMissing) return null;
    throw error;
  });

/** Every item of a list in newest-first order, even if some are deleted in the meantime. */
export async function* all<T extends Item>(list: ListPage<T>): AsyncGenerator<T> {
  const seen = new Set<string>();
  let known = 0;
  for (let page = 0; ; page += 1) {
    const { items, total } = await list(page);
    const fewer = known - total;
    known = total;
    if (fewer > 0) {
      // Items after the deleted ones have moved to pages that were already read.
      page = Math.max(0, page - Math.ceil(fewer / PAGE_SIZE)) - 1;
      continue;
    }
    yield* items.filter((item) => !seen.has(idOf(item)));
    for (const item of items) seen.add(idOf(item));
    for (const oldest of seen) {
      if (seen.size <= REMEMBERED_IDS) break;
      seen.delete(oldest);
    }
    if (items.length < PAGE_SIZE && page * PAGE_SIZE + items.length >= total) return;
  }
}

/** Entries as lines of text. */
export async function* textLines(entries: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${entry}\n`;
}
