import { DomainError } from './errors.js';
import type { ConcurrencyLimit, Turns } from './ports/sharing.js';

/** How many tasks run at once, and how many wait for their turn. */
interface LineRules {
  readonly atOnce: number;
  readonly waiting: number;
}

/** What a line may have besides. */
interface LineOptions extends LineRules {
  /** How long a task waits, in milliseconds; null for any time. */
  readonly patienceMs?: number | null;
  /** What it is refused with that cannot wait, or has waited too long. */
  readonly busy?: () => Error;
  /** Begins tasks that waited, in a turn of the event loop of their own if others must be served between them. */
  readonly begin?: (task: () => void) => void;
}

const unavailable = () => new DomainError('UNAVAILABLE', { retryAfter: 1 });
const tooMany = () => new DomainError('TOO_MANY_REQUESTS', { retryAfter: 1 });

/** Runs `atOnce` tasks at once, lets others wait in their order, and refuses the rest with `busy`. */
export function createConcurrencyLimit({
  atOnce,
  waiting,
  patienceMs = null,
  busy = unavailable,
  begin = (task) => task(),
}: LineOptions): ConcurrencyLimit {
  let running = 0;
  const line: (() => void)[] = [];

  const turn = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const next = () => {
        clearTimeout(timer);
        resolve();
      };
      line.push(next);
      if (patienceMs === null) return;
      timer = setTimeout(() => {
        line.splice(line.indexOf(next), 1);
        reject(busy());
      }, patienceMs);
    });

  return async (work) => {
    if (running >= atOnce) {
      if (line.length >= waiting) throw busy();
      // The finished task hands its slot over, so `running` does not change here.
      await turn();
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next === undefined) running -= 1;
      else begin(next);
    }
  };
}

/** Runs tasks by `run`, with what is made for a holder with its first task, and forgotten with its last. */
function forHolders<H>(
  make: () => H,
  run: <T>(held: H, tasks: number, work: () => Promise<T>) => Promise<T>,
): Turns {
  const holders = new Map<string, { readonly held: H; tasks: number }>();
  return async (holder, work) => {
    const entry = holders.get(holder) ?? { held: make(), tasks: 0 };
    holders.set(holder, entry);
    entry.tasks += 1;
    try {
      return await run(entry.held, entry.tasks, work);
    } finally {
      entry.tasks -= 1;
      if (entry.tasks === 0) holders.delete(holder);
    }
  };
}

/**
 * A concurrency limit that nobody can fill alone: a holder with `perHolder` running and waiting turns is refused with
 * TOO_MANY_REQUESTS, while others are served. When all turns are taken, everybody is refused.
 */
export function createTurns({ perHolder, ...rules }: LineOptions & { readonly perHolder: number }): Turns {
  const limit = createConcurrencyLimit({ busy: tooMany, ...rules });
  return forHolders(
    () => null,
    async (_, tasks, work) => {
      if (tasks > perHolder) throw tooMany();
      return limit(work);
    },
  );
}

/**
 * Runs only some tasks of a holder at once, the others in their order: nobody else waits for them. With too many
 * waiting, TOO_MANY_REQUESTS. A task that waited begins in a turn of the event loop of its own, so that a long line
 * of short tasks does not keep everybody else from being served either.
 */
export const createQueuePerHolder = (rules: LineRules): Turns =>
  forHolders(
    () => createConcurrencyLimit({ ...rules, busy: tooMany, begin: setImmediate }),
    (line, _, work) => line(work),
  );
