import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { setLocation } from '../../../db/content/file/image-derived.js';
import { releaseLease, takeLease } from '../../../db/system/lease.js';
import { BlobMissing, type BlobStore } from '../../base/ports/storage.js';
import type { Services } from '../context.js';

/** How long the right to move a blob is taken for; it is taken again before the old copy is removed. */
const LEASE_MS = 120_000;
const RENEW_MS = LEASE_MS / 4;

/** What became of a blob that was to be moved. */
type Moved =
  | 'moved'
  /** It is not in the store that it was to leave. */
  | 'absent'
  /** Its bytes do not match its name. They were left where they are. */
  | 'damaged'
  /** Another process is moving it. */
  | 'busy';

/**
 * Moves a blob from one store to another: copies and checks it, then records the place in the rows, and only then
 * removes the old copy. Interrupted at any point, it can be repeated, and readers find the blob all the time
 * (docs/adr/0021). Only one process moves a blob at a time: two that move it in opposite ways would lose it.
 */
export async function moveBlob(
  { db }: Pick<Services, 'db'>,
  sha256: string,
  from: BlobStore,
  to: BlobStore,
): Promise<Moved> {
  const lease = { name: `move ${sha256}`, holder: randomUUID() };
  const take = () => db.write((trx) => takeLease(trx, lease, Date.now(), Date.now() + LEASE_MS));
  if (!(await take())) return 'busy';
  const ended = new AbortController();
  const renewal = renewEvery(take, ended.signal);
  try {
    const copied = await copyBlob(sha256, from, to);
    if (copied !== 'moved') return copied;
    await db.write((trx) => setLocation(trx, sha256, to.location));
    // A process that was stopped for longer may no longer remove anything.
    if (!(await take())) return 'busy';
    await from.remove(sha256);
    return 'moved';
  } finally {
    ended.abort();
    await renewal;
    await db.write((trx) => releaseLease(trx, lease));
  }
}

async function renewEvery(take: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await delay(RENEW_MS, undefined, { signal, ref: false });
      await take();
    }
  } catch {
    // It is over, or cannot be renewed: the check before the removal decides.
  }
}

async function copyBlob(sha256: string, from: BlobStore, to: BlobStore): Promise<Moved> {
  try {
    const source = await from.open(sha256);
    const staged = await to
      .stage(source, { maxBytes: Number.MAX_SAFE_INTEGER })
      .finally(() => source.destroy());
    try {
      if (staged.sha256 !== sha256) return 'damaged';
      // A commit takes a blob of the right size for stored, without reading it.
      if ((await to.stat(sha256)) !== null && !(await isIntact(sha256, to))) await to.remove(sha256);
      await staged.commit();
      return (await to.stat(sha256))?.size === staged.size ? 'moved' : 'busy';
    } finally {
      await staged.discard();
    }
  } catch (error) {
    if (error instanceof BlobMissing) return 'absent';
    throw error;
  }
}

async function isIntact(sha256: string, store: BlobStore): Promise<boolean> {
  const hash = createHash('sha256');
  await store.copy(sha256, async (piece) => {
    hash.update(piece);
  });
  return hash.digest('hex') === sha256;
}
