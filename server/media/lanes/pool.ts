import { MediaBusy } from '../../../routers/ports.js';
import { Lane } from './lane.js';
import type { TaskName, TaskRequest, Tasks } from './tasks.js';

/** How much work a pool takes on. */
export interface PoolLimits {
  /** Tasks at once. */
  readonly lanes: number;
  /** Tasks that may wait. */
  readonly waiting: number;
  /** How long one may wait, in milliseconds. */
  readonly patienceMs: number;
  /** The priority of the children, as `nice` counts it; the usual one where it is left out. */
  readonly priority?: number;
}

/** Lanes end when they had nothing to do for this long. */
const IDLE_MS = 15_000;

/** A bounded queue in front of a few lanes. */
export class LanePool {
  readonly #free: Lane[];
  readonly #waiting: ((lane: Lane) => void)[] = [];

  constructor(private readonly limits: PoolLimits) {
    this.#free = Array.from({ length: limits.lanes }, () => new Lane(IDLE_MS, limits.priority));
  }

  /**
   * Runs a task in the next free lane. Throws `MediaUnsupported` when the file cannot be decoded within its
   * bounds, and `MediaBusy` when too many tasks wait already or the wait becomes too long.
   */
  async run<Name extends TaskName>(
    name: Name,
    input: Tasks[Name]['input'],
    timeoutMs: number,
  ): Promise<Tasks[Name]['output']> {
    const lane = this.#free.pop() ?? (await this.#wait());
    try {
      return (await lane.run({ name, input } as TaskRequest, timeoutMs)) as Tasks[Name]['output'];
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(lane);
      else next(lane);
    }
  }

  #wait(): Promise<Lane> {
    if (this.#waiting.length >= this.limits.waiting) return Promise.reject(new MediaBusy());
    return new Promise((resolve, reject) => {
      const take = (lane: Lane) => {
        clearTimeout(timer);
        resolve(lane);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(new MediaBusy());
      }, this.limits.patienceMs);
      this.#waiting.push(take);
    });
  }
}
