import { setImmediate } from 'node:timers/promises';

/** What became of one of a group: its value, or its error. */
export type Outcome<T> = PromiseSettledResult<T>;

/** How much goes into one group. */
interface Bounds<In> {
  /** Maximum inputs. */
  readonly count: number;
  /** Maximum sum of weights; an input that exceeds it alone makes a group of its own. */
  readonly weight?: { readonly max: number; of(input: In): number };
}

interface Waiting<In, Out> {
  readonly input: In;
  readonly resolve: (value: Out) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum event loop turns that a group waits for clients that the previous one has answered. */
const TURNS = 20;

/**
 * What arrives while a group is being stored makes the next one, so that all of them share its statements and its commit
 * (docs/adr/0004). `run` gives the outcome of each input, in their order; if it fails, all of the group fail.
 */
export function grouped<In, Out>(
  bounds: Bounds<In>,
  run: (group: readonly In[]) => Promise<readonly Outcome<Out>[]>,
): (input: In) => Promise<Out> {
  let open: Waiting<In, Out>[] = [];
  let running = false;
  let last = 0;

  /**
   * Under load, most clients return within microseconds after their answer, and a commit for the first few costs as
   * much as one for all. If the last group was small, nothing waits.
   */
  async function gather(): Promise<void> {
    for (let turn = 0; turn < TURNS && open.length < last; turn += 1) await setImmediate();
    last = Math.min(open.length, bounds.count);
  }

  /** How many of those that wait go into the next group. */
  function sizeOfNext(): number {
    const { count, weight } = bounds;
    if (weight === undefined) return Math.min(open.length, count);
    let sum = 0;
    let size = 0;
    for (const { input } of open) {
      sum += weight.of(input);
      if (size === count || (size > 0 && sum > weight.max)) break;
      size += 1;
    }
    return size;
  }

  async function drain(): Promise<void> {
    while (open.length > 0) {
      await gather();
      const size = sizeOfNext();
      const group = open.slice(0, size);
      open = open.slice(size);
      try {
        const outcomes = await run(group.map(({ input }) => input));
        group.forEach((waiting, index) => {
          const outcome = outcomes[index];
          if (outcome?.status === 'fulfilled') waiting.resolve(outcome.value);
          else waiting.reject(outcome?.reason);
        });
      } catch (error) {
        for (const waiting of group) waiting.reject(error);
      }
    }
    running = false;
  }

  return (input) =>
    new Promise((resolve, reject) => {
      open.push({ input, resolve, reject });
      if (running) return;
      running = true;
      // What arrives in the same event loop turn joins the first group.
      void setImmediate().then(drain);
    });
}
