import { MediaBusy } from '../../../routers/ports/media.js';
import type { ConcurrencyLimit } from '../../../routers/ports/sharing.js';
import { createConcurrencyLimit } from '../../limits/concurrency-limit.js';
import type { TaskName, TaskRequest, Tasks } from './tasks.js';
import { WorkerProcess } from './worker-process.js';

/** How much work a pool takes on. */
export interface PoolLimits {
  /** Tasks at once. */
  readonly workers: number;
  /** Tasks that may wait. */
  readonly waiting: number;
  /** How long one may wait, in milliseconds. */
  readonly patienceMs: number;
  /** The priority of the children, as `nice` counts it; the usual one where it is left out. */
  readonly priority?: number;
}

/** Workers end when they had nothing to do for this long. */
const IDLE_MS = 15_000;

/** A bounded queue in front of a few workers. */
export class WorkerPool {
  readonly #idle: WorkerProcess[] = [];
  readonly #limit: ConcurrencyLimit;

  constructor(private readonly limits: PoolLimits) {
    this.#limit = createConcurrencyLimit(
      limits.workers,
      limits.waiting,
      limits.patienceMs,
      () => new MediaBusy(),
    );
  }

  /**
   * Runs a task in the next free worker. Throws `MediaUnsupported` when the file cannot be decoded within its
   * bounds, and `MediaBusy` when too many tasks wait already or the wait becomes too long.
   */
  run<Name extends TaskName>(
    name: Name,
    input: Tasks[Name]['input'],
    timeoutMs: number,
  ): Promise<Tasks[Name]['output']> {
    return this.#limit(async () => {
      const worker = this.#idle.pop() ?? new WorkerProcess(IDLE_MS, this.limits.priority);
      try {
        return (await worker.run({ name, input } as TaskRequest, timeoutMs)) as Tasks[Name]['output'];
      } finally {
        this.#idle.push(worker);
      }
    });
  }
}
