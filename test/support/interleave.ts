import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server, ServerResponse } from 'node:http';

/** The answer on whose behalf something is called; what runs in the background has none. */
const answering = new AsyncLocalStorage<ServerResponse>();

/** Lets `justBefore` tell the requests to a server from what runs in the background. */
export function followRequests(server: Server): void {
  server.prependListener('request', (_req, res: ServerResponse) => answering.enterWith(res));
}

/**
 * Lets something happen just before the next call of a method by a request under way to a server that is followed,
 * and so brings about an order of things that chance brings about rarely. The method itself stays what it is.
 */
export const justBefore = (target: object | null, method: string, happen: () => Promise<unknown>): void =>
  aroundNext(target, method, async (call) => {
    await happen();
    return call();
  });

/** As `justBefore`, once the call has returned and before its caller goes on. */
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
