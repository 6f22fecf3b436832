import { MediaBusy } from '../../../../routers/base/ports/media/media.js';
import type { ConcurrencyLimit } from '../../../../routers/base/ports/sharing.js';
import { createConcurrencyLimit } from '../../../../routers/base/turns.js';
import type { TaskName, TaskRequest, Tasks } from './tasks.js';
import { type TaskTime, type WorkerMemory, WorkerProcess } from './worker-process.js';

interface PoolLimits {
  /** Concurrent tasks. */
  readonly workers: number;
  /** Maximum number of queued tasks. */
  readonly waiting: number;
  /** How long a task may be queued, in milliseconds. */
  readonly patienceMs: number;
  /** The `nice` value of the child processes; the default priority if omitted. */
  readonly priority?: number;
  /** What each child process may use of memory; that of decoders if omitted. */
  readonly memory?: WorkerMemory;
}

/** Idle workers exit after this time. */
const IDLE_MS = 15_000;

/** A bounded queue in front of a few workers. */
export class WorkerPool {
  readonly #idle: WorkerProcess[] = [];
  readonly #limit: ConcurrencyLimit;

  constructor(private readonly limits: PoolLimits) {
    this.#limit = createConcurrencyLimit({
      ...limits,
      atOnce: limits.workers,
      busy: () => new MediaBusy(),
    });
  }

  /**
   * Runs a task in the next free worker, within this time. Throws `MediaUnsupported` if the file cannot be decoded within its limits,
   * and `MediaBusy` if too many tasks are queued or the wait is too long.
   */
  run<Name extends TaskName>(
    name: Name,
    input: Tasks[Name]['input'],
    time: TaskTime | number,
  ): Promise<Tasks[Name]['output']> {
    return this.#limit(async () => {
      const worker = this.#idle.pop() ?? new WorkerProcess(IDLE_MS, this.limits.priority, this.limits.memory);
      try {
        return (await worker.run({ name, input } as TaskRequest, time)) as Tasks[Name]['output'];
      } finally {
        this.#idle.push(worker);
      }
    });
  }
}
