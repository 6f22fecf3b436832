/** Suites of pages in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { until } from '../until.js';
import { findBarriers, findChromium, openBrowser, openPage, overflowOf, signIn } from './browser.js';

/** The environment of a page test: a server and a browser for the suite, and an account for the test. */
export interface Place {
  readonly server: TestServer;
  readonly browser: Browser;
  readonly account: TestAccount;
}

/** Pages must work with and without scripts: the title of each variant, and the browser option. */
export const both = [
  ['with scripts', true],
  ['without scripts', false],
] as const;

/**
 * Lets `visit` go through pages, narrow and dark, then wide and light, signed in if there is an account; none
 * may have faults.
 */
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

/**
 * Waits until the opened page has a part that another process makes: where that is busy for too long, the page comes without it,
 * and with it on another view.
 */
export const untilShown = (page: Page, part: string): Promise<void> =>
  until(async () => {
    await page.waitForLoadState();
    if ((await page.locator(part).count()) > 0) return true;
    await page.reload();
    return false;
  });

/** Checks that a page is accessible and no wider than its window; `what` names it in failures. */
export async function assertSound(page: Page, what = page.url()): Promise<void> {
  assert.equal(await findBarriers(page), [], what);
  assert.is(await overflowOf(page), 0, `${what} is wider than the screen`);
}

/** The browser of all suites in this process; opened for the first of them, and closed after the last. */
let shared: Promise<Browser> | null = null;
let suites = 0;

/**
 * A suite with a server that has these variables. `check` registers a test, skipped if there is no browser;
 * `after` runs when the suite ends.
 */
export function pageSuite(name: string, variables: Record<string, string> = {}) {
  const chromium = findChromium();
  const tests = suite<{ -readonly [Part in keyof Place]: Place[Part] }>(`pages: ${name}`);
  suites += 1;
  tests.before(async (place) => {
    place.server = await startServer(variables);
    if (chromium === null) return;
    // One that has crashed fails the suite that used it, and no other.
    if (shared === null || !(await shared).isConnected()) shared = openBrowser(chromium);
    place.browser = await shared;
  });
  tests.before.each(async (place) => {
    place.account = await place.server.account();
  });
  tests.after(async ({ browser, server }) => {
    suites -= 1;
    if (suites === 0) await browser?.close();
    await server.close();
  });
  const check = (title: string, run: (place: Place) => Promise<void>): void =>
    (chromium === null ? tests.skip : tests)(title, run);
  return { check, after: (end: () => Promise<void>) => tests.after(end), run: () => tests.run() };
}
