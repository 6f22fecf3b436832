import { HoldallError } from '../error.js';
import { fingerprintOf } from '../fingerprint.js';
import { pause } from '../pause.js';
import { uploadFile } from '../upload.js';
import type { FailedFile, FolderEvents } from './events.js';
import { contentOf, type FolderPlan, type HashedFile } from './plan.js';
import { collectionOf, type FolderCollection, makeCollection, newestFiles } from './requests.js';
import { Shelf, type Stored } from './shelf.js';
import type { FolderTask } from './task.js';
import { waitOf } from './wait.js';

/** Files that are sent at once. */
const MAX_PARALLEL = 3;
/** How often a file is sent while the server is away or busy. */
const MAX_TRIES = 8;
/** Statuses that every further file would get, too. */
const FOR_ALL: ReadonlySet<number> = new Set([0, 401, 403, 429, 507]);

/**
 * A folder on its way into a collection. `run` can be aborted, which pauses it, and called again; so it can after it
 * threw, which happens for what stops every file. What a single file is refused for is in `failed`, and `retry` lets the
 * next `run` send those again.
 */
export class FolderWork {
  failed: FailedFile[] = [];
  collection: FolderCollection | null = null;
  readonly #waiting: HashedFile[];
  readonly #total: { readonly files: number; readonly bytes: number };
  readonly #sending = new Map<string, number>();
  /** Hashes of files whose answer may have been lost. */
  readonly #uncertain = new Set<string>();
  /** Ids of files of these contents that were there before: they may have an end, and are none of those that are sent. */
  readonly #earlier = new Set<string>();
  readonly #joining: readonly Stored[];
  #shelf: Shelf | null = null;
  readonly #content: string;
  #done = { files: 0, bytes: 0 };

  constructor(
    private readonly task: FolderTask,
    plan: FolderPlan,
    /** Whether what the caller has already is sent once more, and copies within the folder, too. */
    sendsAll = false,
  ) {
    this.#content = contentOf(plan);
    this.#waiting = sendsAll ? [...plan.fresh, ...plan.known, ...plan.copies] : [...plan.fresh];
    this.#joining = sendsAll ? [] : plan.known.map((file) => ({ file, uniqueId: file.uniqueId }));
    this.#total = {
      files: this.#waiting.length,
      bytes: this.#waiting.reduce((sum, { size }) => sum + size, 0),
    };
  }

  /** Sends what is left. Returns when every file is stored or has failed. */
  async run(events: FolderEvents = {}, signal: AbortSignal = new AbortController().signal): Promise<void> {
    this.#shelf ??= await this.#open(signal);
    await this.#findLost(signal);
    const stop = new AbortController();
    const end = (): void => stop.abort(signal.reason);
    signal.addEventListener('abort', end);
    try {
      const lanes = Array.from({ length: MAX_PARALLEL }, () => this.#lane(events, stop));
      const ends = await Promise.allSettled(lanes);
      const broken = ends.find((lane) => lane.status === 'rejected');
      // What has arrived gets its place, whatever ended the rest.
      await this.#flush();
      if (broken !== undefined) throw broken.reason;
      if (this.failed.length === 0) await this.task.memory?.delete(this.#fingerprint());
    } finally {
      signal.removeEventListener('abort', end);
      this.#sending.clear();
    }
  }

  /** Lets the next `run` send again what has failed. */
  retry(): void {
    this.#waiting.push(...this.failed.map(({ file }) => file));
    this.failed = [];
  }

  /** The collection that an earlier attempt began, or a new one, with the files that need not be sent. */
  async #open(signal: AbortSignal): Promise<Shelf> {
    const { task } = this;
    const known = (await task.memory?.get(this.#fingerprint())) ?? null;
    const begun = known === null ? null : await collectionOf(task.target, known, signal).catch(notOwn);
    await this.#lookUp(begun?.items ?? [], signal);
    this.collection = begun ?? (await makeCollection(task, signal));
    if (begun === null) await task.memory?.set(this.#fingerprint(), this.collection.uniqueId);
    const shelf = new Shelf(task.target, this.collection);
    for (const stored of this.#joining) shelf.add(stored);
    return shelf;
  }

  /** Files that an earlier attempt has placed need not be sent again, although those with an end are never known. */
  async #lookUp(items: FolderCollection['items'], signal: AbortSignal): Promise<void> {
    const placed = new Set(items.map(({ uniqueId }) => uniqueId));
    const joining = new Set(this.#joining.map(({ uniqueId }) => uniqueId));
    const files = [...this.#waiting, ...this.#joining.map(({ file }) => file)];
    const hashes = [...new Set(files.map(({ sha256 }) => sha256))];
    for (const [sha256, uniqueId] of await newestFiles(this.task.target, hashes, signal))
      if (placed.has(uniqueId)) this.#uncertain.add(sha256);
      else if (!joining.has(uniqueId)) this.#earlier.add(uniqueId);
  }

  /** The files that were sent, of these contents. */
  async #sent(hashes: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const files = await newestFiles(this.task.target, hashes, signal);
    return new Map([...files].filter(([, uniqueId]) => !this.#earlier.has(uniqueId)));
  }

  /** What the collection is remembered by: folders have the same name easily, but not the same files as well. */
  #fingerprint(): string {
    const { target, title, fields, uniqueId } = this.task;
    const options = Object.entries({ ...fields, collectionId: uniqueId }).map(
      ([name, value]) => [name, String(value)] as const,
    );
    return fingerprintOf({
      ...{ target, file: new Blob(), fields: options },
      name: `folder ${this.#content} ${title}`,
    });
  }

  /** A file whose answer was lost may have been stored: then it only needs its place. */
  async #findLost(signal: AbortSignal): Promise<void> {
    if (this.#uncertain.size === 0) return;
    const stored = await this.#sent([...this.#uncertain], signal);
    for (let at = this.#waiting.length - 1; at >= 0; at -= 1) {
      const file = this.#waiting[at];
      const uniqueId = file && this.#uncertain.has(file.sha256) ? stored.get(file.sha256) : undefined;
      if (file === undefined || uniqueId === undefined) continue;
      this.#waiting.splice(at, 1);
      this.#store(file, uniqueId);
    }
    this.#uncertain.clear();
  }

  async #lane(events: FolderEvents, stop: AbortController): Promise<void> {
    for (let file = this.#waiting.shift(); file !== undefined; file = this.#waiting.shift()) {
      try {
        stop.signal.throwIfAborted();
        this.#store(file, await this.#send(file, events, stop.signal));
        if (this.#shelf?.isFull) await this.#flush();
      } catch (error) {
        const own = error instanceof HoldallError && !FOR_ALL.has(error.status) ? error : null;
        if (own === null) {
          this.#waiting.unshift(file);
          stop.abort(error);
          throw error;
        }
        this.failed.push({ file, why: own.message, error: own });
      } finally {
        this.#sending.delete(file.path);
        this.#tell(events);
      }
    }
  }

  /** Sends one file, and again while the server is away or asks to wait; returns its id. */
  async #send(file: HashedFile, events: FolderEvents, signal: AbortSignal): Promise<string> {
    const { target, fields, memory } = this.task;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const record = await uploadFile(target, await opened(file), {
          ...fields,
          name: file.path.slice(file.path.lastIndexOf('/') + 1),
          memory,
          signal,
          onProgress: ({ sent, total }) => {
            this.#sending.set(file.path, total === 0 ? 0 : (sent / total) * file.size);
            this.#tell(events);
          },
        });
        return record.uniqueId;
      } catch (error) {
        // The server may have it all the same.
        if (!(error instanceof HoldallError) || error.status === 0) this.#uncertain.add(file.sha256);
        signal.throwIfAborted();
        const ms = attempt < MAX_TRIES ? waitOf(error, attempt) : null;
        if (ms === null) throw error;
        events.onWait?.(ms, (error as Error).message, error);
        await pause(ms, signal);
        const stored = await this.#stored(file, signal);
        if (stored !== null) return stored;
      }
    }
  }

  /** The id of a file that an attempt has stored although its answer was lost. */
  async #stored({ sha256 }: HashedFile, signal: AbortSignal): Promise<string | null> {
    if (!this.#uncertain.has(sha256)) return null;
    const uniqueId = await this.#sent([sha256], signal).then(
      (found) => found.get(sha256) ?? null,
      () => undefined,
    );
    if (uniqueId === undefined) return null;
    this.#uncertain.delete(sha256);
    return uniqueId;
  }

  #store(file: HashedFile, uniqueId: string): void {
    this.#shelf?.add({ file, uniqueId });
    this.#done = { files: this.#done.files + 1, bytes: this.#done.bytes + file.size };
  }

  async #flush(): Promise<void> {
    await this.#shelf?.flush();
    for (const refused of this.#shelf?.refused.splice(0) ?? []) {
      this.failed.push(refused);
      // The file itself may be there all the same.
      this.#uncertain.add(refused.file.sha256);
    }
  }

  #tell({ onProgress }: FolderEvents): void {
    const underWay = [...this.#sending.values()].reduce((sum, bytes) => sum + bytes, 0);
    onProgress?.({
      sentBytes: Math.min(this.#total.bytes, this.#done.bytes + underWay),
      totalBytes: this.#total.bytes,
      doneFiles: this.#done.files,
      totalFiles: this.#total.files,
    });
  }
}

/** Another account may be signed in by now. */
function notOwn(error: unknown): null {
  if (error instanceof HoldallError && error.status === 401) return null;
  throw error;
}

/** The bytes of a file; a refusal of this file if they cannot be read. */
async function opened(file: HashedFile): Promise<Blob> {
  try {
    return await file.open();
  } catch (cause) {
    throw new HoldallError('The file cannot be read', { status: 400, reason: 'INVALID', cause });
  }
}
