/** Suites of pages in a real browser. */
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { findChromium, openBrowser } from './browser.js';

/** Where a test of pages takes place: a server and a browser for the suite, an account that is its own. */
export interface Place {
  readonly server: TestServer;
  readonly browser: Browser;
  readonly account: TestAccount;
}

/** A page works with its scripts and without: how a test says so, and what the browser is told. */
export const both = [
  ['with scripts', true],
  ['without scripts', false],
] as const;

/** A suite over a server with these variables. `check` registers a test, skipped where there is no browser, `after` what ends with the suite. */
export function pageSuite(name: string, variables: Record<string, string> = {}) {
  const chromium = findChromium();
  const tests = suite<{ -readonly [Part in keyof Place]: Place[Part] }>(`pages: ${name}`);
  tests.before(async (place) => {
    place.server = await startServer(variables);
    if (chromium !== null) place.browser = await openBrowser(chromium);
  });
  tests.before.each(async (place) => {
    place.account = await place.server.account();
  });
  tests.after(async ({ browser, server }) => {
    await browser?.close();
    await server.close();
  });
  const check = (title: string, run: (place: Place) => Promise<void>): void =>
    (chromium === null ? tests.skip : tests)(title, run);
  return { check, after: (end: () => Promise<void>) => tests.after(end), run: () => tests.run() };
}
