import type { Once } from '../routers/context.js';

/** Work under way by key; a key is free again as soon as its work has ended, well or badly. */
export function createOnce(): Once {
  const running = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const shared = running.get(key) as Promise<T> | undefined;
    if (shared !== undefined) return shared;
    const mine = work().finally(() => running.delete(key));
    running.set(key, mine);
    return mine;
  };
}
