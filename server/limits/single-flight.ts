import type { SingleFlight } from '../../routers/ports/sharing.js';

/**
 * Work by key, done once for all who ask while it is under way and for `keptMs` after it has ended, well or badly. Of
 * what is kept there must be few keys.
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
