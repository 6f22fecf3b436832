import type { FailedFile, FolderEvents } from './folder/events.js';
import { type FolderPlan, planFolder } from './folder/plan.js';
import type { FolderFields, FolderTask } from './folder/task.js';
import { FolderWork } from './folder/work.js';
import type { UploadMemory } from './memory.js';

/** How a folder is uploaded; all are optional. */
export interface FolderOptions extends FolderFields, FolderEvents {
  /** The custom ID of the collection. */
  readonly uniqueId?: string;
  /** Computes the SHA-256 of a file as 64 hexadecimal digits, faster than the built-in way. */
  readonly hash?: NonNullable<FolderTask['hash']>;
  /** Told before anything is sent what will be, and what the caller has already. */
  readonly onPlan?: (plan: FolderPlan) => void;
  /** Sends what the caller has already once more, and copies within the folder, too. */
  readonly sendsAll?: boolean;
  readonly signal?: AbortSignal;
  /** Where it remembers how to continue after the program has ended, as for a single file. */
  readonly memory?: UploadMemory | null;
}

/** What became of a folder. */
export interface FolderResult {
  readonly collection: { readonly uniqueId: string; readonly url: string };
  readonly plan: FolderPlan;
  readonly failed: readonly FailedFile[];
}

/**
 * Stores the files of a folder in one collection. What the caller has already is found by its hash and joins the
 * collection without being sent. A file that is refused does not stop the others; what stops all is thrown, and the
 * same call continues later.
 */
export async function uploadFolder(
  task: Omit<FolderTask, 'fields'>,
  options: Omit<FolderOptions, 'memory'>,
): Promise<FolderResult> {
  const { uniqueId, hash, onPlan, sendsAll, signal, onProgress, onWait, ...fields } = options;
  const whole: FolderTask = {
    ...task,
    fields,
    ...(uniqueId === undefined ? {} : { uniqueId }),
    ...(hash === undefined ? {} : { hash }),
  };
  const plan = await planFolder(whole, signal === undefined ? {} : { signal });
  onPlan?.(plan);
  const work = new FolderWork(whole, plan, sendsAll);
  const events = {
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(onWait === undefined ? {} : { onWait }),
  };
  await work.run(events, signal);
  const { collection } = work;
  if (collection === null) throw new Error('a folder was sent without a collection');
  return { collection: { uniqueId: collection.uniqueId, url: collection.url }, plan, failed: work.failed };
}
