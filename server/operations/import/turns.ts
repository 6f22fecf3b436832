import { lookupId } from '../../../db/content/content.js';
import type { Storable } from './store/item.js';

/** Items stored at the same time: their commits share an fsync. */
const AT_ONCE = 8;

/**
 * Stores several items at once, and yet decides what they have in common as if they came one after another: an item
 * begins when those before it are done that want the same id or address, so that the first one has it.
 */
export class Turns {
  readonly #running = new Map<Promise<void>, ReadonlySet<string>>();

  /** Starts the work of an item when it can, without waiting for its end. `work` must not fail. */
  async start(item: Storable, work: () => Promise<void>): Promise<void> {
    const wanted = new Set([
      ...(item.id === null ? [] : [`${item.kind} ${lookupId(item.id)}`]),
      ...[...item.addresses, ...item.pages].map((address) => `/${address}`),
    ]);
    const ahead = [...this.#running].filter(([, others]) => [...wanted].some((one) => others.has(one)));
    await Promise.all(ahead.map(([task]) => task));
    const task: Promise<void> = work().finally(() => this.#running.delete(task));
    this.#running.set(task, wanted);
    if (this.#running.size >= AT_ONCE) await Promise.race(this.#running.keys());
  }

  /** Waits for everything that was started. */
  async done(): Promise<void> {
    await Promise.all(this.#running.keys());
  }
}
