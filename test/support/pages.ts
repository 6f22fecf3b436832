/** Suites of pages in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { findBarriers, findChromium, openBrowser, openPage, overflowOf, signIn } from './browser.js';

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

/** Lets `visit` go through pages, narrow and dark, then wide and light, signed in where there is an account; none may have faults. */
export async function eachShape(
  { browser, server }: Pick<Place, 'browser' | 'server'>,
  account: TestAccount | null,
  visit: (page: Page) => Promise<void>,
): Promise<void> {
  for (const [width, colorScheme] of [
    [360, 'dark'],
    [1280, 'light'],
  ] as const) {
    const viewport = { width, height: 800 };
    const { page, faults, close } = await openPage(browser, server, { viewport, colorScheme });
    if (account !== null) await signIn(page, account);
    await visit(page);
    assert.equal(faults, []);
    await close();
  }
}

/** Holds a page to be without barriers and no wider than its window; `what` names it where it is not. */
export async function assertSound(page: Page, what = page.url()): Promise<void> {
  assert.equal(await findBarriers(page), [], what);
  assert.is(await overflowOf(page), 0, `${what} is wider than the screen`);
}

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
