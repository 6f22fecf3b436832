/** A form sent after the session has ended: what was typed is not lost by signing in again. */
import type { BrowserContext, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { openPage, signIn } from '../../support/web/browser.js';
import { both, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('signed out');

/** Signs in in the tab that the link of this page opens, and returns. */
async function signInBeside(page: Page, account: Parameters<typeof signIn>[1], next: string): Promise<void> {
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('main').getByRole('link', { name: 'Sign in' }).click(),
  ]);
  await tab.getByLabel('E-mail address').fill(account.email);
  await tab.getByLabel('Password').fill(account.password);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.waitForURL((url) => url.pathname === next);
  await tab.close();
}

const endSession = (context: BrowserContext) => context.clearCookies({ name: 'session_token' });

for (const [how, javaScriptEnabled] of both) {
  check(`a new link is typed once, and sent again after signing in in another tab, ${how}`, async (place) => {
    const { page, close } = await openPage(place.browser, place.server, { javaScriptEnabled });
    await signIn(page, place.account);
    await page.goto('/web/url-create');
    await page.getByLabel('URL', { exact: true }).fill('https://example.org/typed/once');
    await endSession(page.context());
    await page.getByRole('button', { name: 'Shorten' }).click();
    await page.getByRole('alert').waitFor();
    assert.not.match(await page.content(), 'X-API-Key');
    await page.getByText('in a new tab, then send this form again').waitFor();
    await signInBeside(page, place.account, '/web/url-create');
    await page.getByRole('button', { name: 'Shorten' }).click();
    await page.getByText('https://example.org/typed/once').first().waitFor();
    await close();
  });

  check(`a settings page is sent again by reloading it, ${how}`, async (place) => {
    const { page, close } = await openPage(place.browser, place.server, { javaScriptEnabled });
    await signIn(page, place.account);
    await page.goto('/web/settings');
    await page.getByText('Edit', { exact: true }).click();
    await page.getByLabel('GitHub').fill('octo');
    await endSession(page.context());
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Please sign in' }).waitFor();
    assert.not.match(await page.content(), 'X-API-Key');
    await signInBeside(page, place.account, '/web/settings');
    await page.reload();
    await page.getByText('Saved.').waitFor();
    assert.is(await page.getByLabel('GitHub').inputValue(), 'octo');
    await close();
  });
}

check('after a form without a page of its own the user is led to the start page', async ({ server }) => {
  for (const [path, next] of [
    ['/web/settings/webhook/test', '/'],
    ['/web/settings/security/key', '/'],
    ['/web/image/NOSUCHID', '/'],
    ['/web/library?search=my', '/web/library?search=my'],
  ]) {
    const form = new URLSearchParams({ action: 'save', ids: 'x', description: 'y' });
    const answer = await server.request('POST', `/${path}`, { form });
    const links = [...answer.text.matchAll(/href="(\/web\/login[^"]*)"/g)].map(([, href]) => href);
    assert.equal([...new Set(links)], [`/web/login?next=${encodeURIComponent(next ?? '')}`], path);
  }
});

run();
