import type { Log } from './ports/log.js';
import { within } from './text/within.js';

/** How long a part of the service may take to answer before it counts as failing, in milliseconds. */
const ANSWER_MS = 2_000;
/** Unanswered questions after which no further one is asked: each may hold a thread or a connection. */
const MOST_UNANSWERED = 4;

type Health = 'ok' | 'failing';

/** What was learnt about a part since the start. */
interface ProbeFacts {
  /** How long the last answer took, in seconds; null if there was none in time. */
  readonly seconds: number | null;
  /** How often it did not work when it was asked. */
  readonly failures: number;
}

/** Asks a part of the service whether it works. */
export interface Probe {
  /**
   * Answers within two seconds, whatever the part does; never throws. What was found is given again for `maxAgeMs`
   * milliseconds, by default not at all.
   */
  ask(maxAgeMs?: number): Promise<Health>;
  facts(): ProbeFacts;
}

/** A probe of the part `name`, which works if `work` resolves in time. */
export function createProbe(name: string, work: () => Promise<unknown>, log: Log): Probe {
  let unanswered = 0;
  let facts: ProbeFacts = { seconds: null, failures: 0 };
  let last: { readonly health: Health; readonly at: number } | null = null;

  function found(health: Health): Health {
    last = { health, at: performance.now() };
    return health;
  }

  function failing(err: unknown): Health {
    facts = { seconds: null, failures: facts.failures + 1 };
    log.error({ err, part: name }, 'a health check failed');
    return found('failing');
  }

  return {
    facts: () => facts,
    ask: async (maxAgeMs = 0) => {
      if (last !== null && performance.now() - last.at < maxAgeMs) return last.health;
      if (unanswered >= MOST_UNANSWERED) return failing(new Error(`${name} does not answer`));
      const began = performance.now();
      unanswered += 1;
      const answer = work()
        .then(
          () => 'works' as const,
          (error: unknown) => ({ error }),
        )
        .finally(() => {
          unanswered -= 1;
        });
      const outcome = await within(ANSWER_MS, answer);
      if (outcome === undefined) return failing(new Error(`${name} did not answer within two seconds`));
      if (outcome !== 'works') return failing(outcome.error);
      facts = { ...facts, seconds: (performance.now() - began) / 1000 };
      return found('ok');
    },
  };
}
