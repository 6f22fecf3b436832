import { executionAsyncResource } from 'node:async_hooks';

const kept = new Set<object>();

/**
 * Keeps one of the objects that Node creates for calls of `process.nextTick`, and with it their hidden class. V8
 * frees a hidden class without instances after a few garbage collections, as happens in a server that is idle after its
 * start; from then on every call would define the properties of its object with calls into V8's runtime, until the
 * process ends. That makes a request from memory half as expensive again (docs/performance.md).
 */
export function keepTickObject(): void {
  if (kept.size === 0) process.nextTick(() => kept.add(executionAsyncResource()));
}
