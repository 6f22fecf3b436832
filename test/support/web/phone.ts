/** A browser of its own, with its own storage, that can be killed and started again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Browser, chromium, type Page } from 'playwright-core';
import { PATIENCE_MS } from '../until.js';

/** A started browser, with a page of the size of a phone. */
export interface Phone {
  readonly page: Page;
  /** Kills it as the system of a phone does, and resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts the browser at this path with the storage in `folder`. */
export async function startPhone(executablePath: string, folder: string): Promise<Phone> {
  const child = spawn(
    executablePath,
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'],
      ...['--disable-background-networking', '--remote-debugging-port=0', `--user-data-dir=${folder}`],
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  const gone = once(child, 'close');
  const kill = async (): Promise<void> => {
    // With all its processes: the group is its own.
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
    await gone;
  };
  try {
    const browser = await chromium.connectOverCDP(await addressOf(child.stderr));
    return { page: await pageOf(browser), kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

async function addressOf(stderr: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: stderr });
  for await (const line of lines) {
    const [, address] = /^DevTools listening on (ws:\/\/\S+)/.exec(line) ?? [];
    // What it prints later is of no interest, but must be read.
    if (address !== undefined) {
      stderr.resume();
      return address;
    }
  }
  throw new Error('the browser has not started');
}

async function pageOf(browser: Browser): Promise<Page> {
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('the browser has no context');
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.setViewportSize({ width: 390, height: 740 });
  return page;
}
