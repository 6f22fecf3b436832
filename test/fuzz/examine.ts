import type { Operation } from './operations/operation.js';
import { type Plan, runOperations } from './run.js';
import { bytesInUse, checkAftermath } from './world/aftermath.js';
import { openFuzzedPlace } from './world/place.js';

/** From this number of requests per operation on, progress is reported. */
const LONG = 1_000;
/** Requests per operation that fill caches and compile code before memory is measured. */
const WARM_UP = 5;

/**
 * Tries every operation with this many requests on a separate server, then checks what they left behind.
 * Throws with every broken promise: what was wrong, the smallest failing request as a shell command, and how
 * to repeat it.
 */
export async function examine(
  operations: readonly Operation[],
  plan: Plan,
  say: (line: string) => void,
): Promise<void> {
  const { requests, seed } = plan;
  say(`# ${operations.length} operations, ${requests} requests each, seed ${seed}`);
  const place = await openFuzzedPlace();
  try {
    const warmUp = { requests: Math.min(WARM_UP, requests), seed: seed + 1 };
    const reports = await runOperations(place.server, operations, warmUp);
    place.forget();
    const before = bytesInUse(place.server);
    let done = 0;
    const tried = ({ name }: Operation): void => {
      done += 1;
      // A short run needs no progress report.
      if (requests >= LONG) say(`${done}/${operations.length} ${name}`);
    };
    reports.push(...(await runOperations(place.server, operations, plan, tried)));
    place.forget();
    if (reports.length > 0)
      throw new Error(`${reports.length} promises are broken\n\n${reports.join('\n\n')}`);
    await checkAftermath(place.server, before);
  } finally {
    await place.close();
  }
}
