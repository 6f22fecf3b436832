/** A real browser for tests of pages, which reports everything that a page must not do. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { TestAccount, TestServer } from '../../harness.js';
import { ROOT } from '../root.js';
import { skipping } from '../skip.js';
import { PATIENCE_MS } from '../until.js';

const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
/** Path of an installed Chromium; null, with a note, if there is none. */
export function findChromium(): string | null {
  const folders = (process.env.PATH ?? '').split(':');
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) =>
    existsSync(path),
  );
  if (found === undefined)
    skipping('no chromium on this machine (Debian: apt-get install chromium-headless-shell)');
  return found ?? null;
}

/** Starts the browser at this path. The caller closes it. */
export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-dev-shm-usage', '--disable-gpu'],
  });
}

/** A page, and its problems so far: console errors, uncaught exceptions, dialogs, policy reports. */
export interface WatchedPage {
  readonly page: Page;
  readonly faults: string[];
  close(): Promise<void>;
}

/** Opens a page in a new browser context. */
export async function openPage(
  browser: Browser,
  server: TestServer,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL: server.origin, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, faults, close: () => context.close() };
}

/** Signs the browser in. It opens no page, as the form does, which would take longer than most of what is tested then. */
export async function signIn(page: Page, { email, password }: TestAccount): Promise<void> {
  const answer = await page.context().request.post('/v1/auth/login', { data: { email, password } });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
}

/** Signs in through the form. */
export async function signInByForm(page: Page, account: TestAccount): Promise<void> {
  await page.goto('/web/login');
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/web/login');
}

/** Gives the browser of a page an authenticator for passkeys that answers by itself, its user verified. */
export async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

/**
 * Serious and critical findings of axe-core on the loaded page, one line each; for all its rules or for some.
 */
export async function findBarriers(page: Page, rules: readonly string[] | null = null): Promise<string[]> {
  await page.waitForLoadState();
  // Evaluated through the debugger, which leaves the content policy of the page intact.
  await page.evaluate(AXE);
  const violations = await page.evaluate(findViolations, { rules, impacts: ['serious', 'critical'] });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

const AXE = readFileSync(join(ROOT, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

interface Axe {
  /** Its rules, and the tags of those that do not run unless they are asked for. */
  readonly _audit: {
    readonly rules: readonly { id: string; enabled: boolean; impact: string; tags: string[] }[];
    readonly tagExclude: readonly string[];
  };
  run(
    root: Document,
    options: object,
  ): Promise<{ violations: { id: string; impact: string; nodes: { target: string[] }[] }[] }>;
}

/** Runs in the page. Rules with other impacts are left out: they take as long as all the others. */
async function findViolations(wanted: { rules: readonly string[] | null; impacts: readonly string[] }) {
  const { axe } = globalThis as unknown as { axe: Axe };
  const { rules, tagExclude } = axe._audit;
  const grave = rules.filter(
    ({ enabled, impact, tags }) =>
      enabled && wanted.impacts.includes(impact) && !tags.some((tag) => tagExclude.includes(tag)),
  );
  // None of them reads style sheets or media beforehand.
  const options = { runOnly: wanted.rules ?? grave.map(({ id }) => id), preload: false };
  const { violations } = await axe.run(document, { ...options, resultTypes: ['violations'] });
  return violations.filter(({ impact }) => wanted.impacts.includes(impact));
}

/** By how many pixels the loaded page is wider than its window. */
export async function overflowOf(page: Page): Promise<number> {
  await page.waitForLoadState();
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** How many pixels one can scroll below the footer, which must be the end of the page. */
export function depthOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    const end = document.body.getBoundingClientRect().bottom + scrollY;
    return Math.max(0, Math.floor(scrollHeight - Math.max(end, clientHeight)));
  });
}
