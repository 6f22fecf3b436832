import { MediaBusy } from '../../../routers/ports/media.js';
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
  readonly #free: WorkerProcess[];
  readonly #waiting: ((worker: WorkerProcess) => void)[] = [];

  constructor(private readonly limits: PoolLimits) {
    this.#free = Array.from({ length: limits.workers }, () => new WorkerProcess(IDLE_MS, limits.priority));
  }

  /**
   * Runs a task in the next free worker. Throws `MediaUnsupported` when the file cannot be decoded within its
   * bounds, and `MediaBusy` when too many tasks wait already or the wait becomes too long.
   */
  async run<Name extends TaskName>(
    name: Name,
    input: Tasks[Name]['input'],
    timeoutMs: number,
  ): Promise<Tasks[Name]['output']> {
    const worker = this.#free.pop() ?? (await this.#wait());
    try {
      return (await worker.run({ name, input } as TaskRequest, timeoutMs)) as Tasks[Name]['output'];
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(worker);
      else next(worker);
    }
  }

  #wait(): Promise<WorkerProcess> {
    if (this.#waiting.length >= this.limits.waiting) return Promise.reject(new MediaBusy());
    return new Promise((resolve, reject) => {
      const take = (worker: WorkerProcess) => {
        clearTimeout(timer);
        resolve(worker);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(new MediaBusy());
      }, this.limits.patienceMs);
      this.#waiting.push(take);
    });
  }
}
