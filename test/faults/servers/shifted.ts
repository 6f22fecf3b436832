import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../support/root.js';
import type { ServerProcess } from '../../support/servers/server-process.js';
import { until } from '../../support/until.js';

const PRELOAD = pathToFileURL(join(ROOT, 'test', 'support', 'servers', 'shifted-clock.mjs')).href;
/** Tolerance when comparing with a server's clock, because requests take time; in milliseconds. */
const CLOSE_MS = 60_000;

/** A clock for servers that the test can set. */
export interface ShiftedClock {
  /** The environment of a server that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets it this far ahead of the true time, in milliseconds; resolves once the server uses it. */
  set(aheadMs: number, server?: ServerProcess): Promise<void>;
  remove(): Promise<void>;
}

/** Creates a clock that shows the true time. */
export async function openClock(): Promise<ShiftedClock> {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-clock-'));
  const file = join(folder, 'shift');
  await writeFile(file, '0');
  return {
    env: { NODE_OPTIONS: `--import ${PRELOAD}`, CLOCK_FILE: file },
    set: async (aheadMs, server) => {
      await writeFile(`${file}.new`, String(aheadMs));
      await rename(`${file}.new`, file);
      if (server === undefined) return;
      await until(async () => {
        const { timestamp } = (await (await fetch(`${server.origin}/status`)).json()) as {
          timestamp: string;
        };
        return Math.abs(Date.parse(timestamp) - Date.now() - aheadMs) < CLOSE_MS;
      });
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
