import type { SingleFlight } from '../../../routers/base/ports/sharing.js';

/**
 * Runs work once per key for all callers while it is running and for `keptMs` after it settles, with its result or
 * its error. With `keptMs` there must be only few keys.
 */
export function createSingleFlight(keptMs = 0): SingleFlight {
  const shared = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const others = shared.get(key) as Promise<T> | undefined;
    if (others !== undefined) return others;
    const mine = work().finally(() => {
      if (keptMs === 0) shared.delete(key);
      else setTimeout(() => shared.delete(key), keptMs).unref();
    });
    shared.set(key, mine);
    return mine;
  };
}
