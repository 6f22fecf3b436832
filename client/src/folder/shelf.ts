import { HoldallError } from '../error.js';
import type { UploadTarget } from '../target.js';
import type { FailedFile } from './events.js';
import { collectionOf, type FolderCollection, place } from './requests.js';

/** How many files are placed with one request; its answer names all files of the collection. */
const BATCH = 500;

/** A stored file that belongs into the collection. */
export interface Stored {
  readonly file: FailedFile['file'];
  readonly uniqueId: string;
}

/** Puts stored files into their collection, many with one request, and each once. */
export class Shelf {
  /** What the collection did not take, and why. */
  readonly refused: FailedFile[] = [];
  readonly #waiting: Stored[] = [];
  readonly #placed: Set<string>;
  #busy: Promise<void> = Promise.resolve();

  constructor(
    private readonly target: UploadTarget,
    private readonly collection: FolderCollection,
  ) {
    this.#placed = new Set(collection.items.map(({ uniqueId }) => uniqueId));
  }

  add(stored: Stored): void {
    if (!this.#placed.has(stored.uniqueId)) this.#waiting.push(stored);
  }

  /** Whether enough files wait for a request. */
  get isFull(): boolean {
    return this.#waiting.length >= BATCH;
  }

  /** Places what waits. What could not be placed waits on; throws why. */
  flush(): Promise<void> {
    this.#busy = this.#busy.catch(() => undefined).then(() => this.#placeAll());
    return this.#busy;
  }

  async #placeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH);
      await this.#placeBatch(batch.filter(({ uniqueId }) => !this.#placed.has(uniqueId)));
      for (const { uniqueId } of batch) this.#placed.add(uniqueId);
      this.#waiting.splice(0, batch.length);
    }
  }

  /**
   * Places a batch. One that is refused as a whole, because a file of it is there already or was deleted meanwhile, is
   * placed file by file.
   */
  async #placeBatch(batch: readonly Stored[]): Promise<void> {
    if (batch.length === 0) return;
    const { uniqueId } = this.collection;
    try {
      const items = batch.map(({ file, uniqueId }) => ({ uniqueId, path: file.path }));
      await place(this.target, uniqueId, items);
    } catch (error) {
      if (!(error instanceof HoldallError) || error.status !== 400) throw error;
      const there = new Set((await collectionOf(this.target, uniqueId))?.items.map((item) => item.uniqueId));
      const missing = batch.filter((stored) => !there.has(stored.uniqueId));
      const [only] = missing;
      if (only !== undefined && batch.length === 1)
        this.refused.push({ file: only.file, why: error.message, error });
      else for (const stored of missing) await this.#placeBatch([stored]);
    }
  }
}
