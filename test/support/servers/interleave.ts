import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server, ServerResponse } from 'node:http';

/** The answer for which something is called; background work has none. */
const answering = new AsyncLocalStorage<ServerResponse>();

/** Lets `justBefore` distinguish requests to a server from background work. */
export function followRequests(server: Server): void {
  server.prependListener('request', (_req, res: ServerResponse) => answering.enterWith(res));
}

/**
 * Runs something just before the next call of a method by a request to a tracked server, to force an
 * interleaving that is rare by chance. The method itself is unchanged.
 */
export const justBefore = (target: object | null, method: string, happen: () => Promise<unknown>): void =>
  aroundNext(target, method, async (call) => {
    await happen();
    return call();
  });

/** Like `justBefore`, but after the call has returned and before its caller continues. */
export const justAfter = (target: object | null, method: string, happen: () => Promise<unknown>): void =>
  aroundNext(target, method, async (call) => {
    const result = await call();
    await happen();
    return result;
  });

function aroundNext(
  // biome-ignore lint/suspicious/noExplicitAny: methods of every shape
  target: any,
  method: string,
  around: (call: () => Promise<unknown>) => Promise<unknown>,
): void {
  const original = target[method];
  target[method] = async (...args: unknown[]) => {
    const call = () => original.apply(target, args);
    // A job that was queued before may call it at any time.
    const answer = answering.getStore();
    if (answer === undefined || answer.writableEnded) return call();
    target[method] = original;
    return around(call);
  };
}
