import { setTimeout as delay } from 'node:timers/promises';
import type { ServerProcess } from './servers/server-process.js';

/**
 * How long something that must happen may take, in milliseconds: longer than several starts of a server on a machine that is
 * busy or stands still for a while, and within the limit of a test file.
 */
export const PATIENCE_MS = 180_000;
const LOOK_AGAIN_MS = 25;

/** Waits for a condition; throws if it is not met in time. */
export async function until(happened: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await happened())) {
    if (performance.now() > deadline) throw new Error(`it did not happen: ${happened}`);
    await delay(LOOK_AGAIN_MS);
  }
}

/** Resolves with the first match in the output of a server; throws if the server ends without one. */
export async function printed(server: ServerProcess, pattern: RegExp): Promise<string> {
  let over = false;
  server.ended.then(() => {
    over = true;
  });
  await until(() => over || pattern.test(server.output()));
  const found = pattern.exec(server.output());
  if (found === null) throw new Error(`${pattern} was not printed:\n${server.output()}`);
  return found[0];
}
