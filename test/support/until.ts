import { setTimeout as delay } from 'node:timers/promises';
import type { ServerProcess } from './server-process.js';

/** How long something that must happen may take, in milliseconds. */
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 25;

/** Waits for what must happen; throws when it does not. */
export async function until(happened: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await happened())) {
    if (performance.now() > deadline) throw new Error(`it did not happen: ${happened}`);
    await delay(LOOK_AGAIN_MS);
  }
}

/** Resolves with the first match in what a server prints; throws when it ends without. */
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
