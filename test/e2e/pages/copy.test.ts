/** Copy buttons of a server on a local network, over plain http. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer } from '../../harness.js';
import { findChromium, openBrowser, openPage } from '../../support/web/browser.js';

const chromium = findChromium();

(chromium === null ? test.skip : test)('a copy button copies over plain http', async () => {
  const server = await startServer();
  const browser = await openBrowser(chromium ?? '');
  const made = await server.request('POST', '/paste/create', {
    key: server.owner.key,
    json: { text: 'line one\nline two' },
  });
  const { page, close } = await openPage(browser, server, { baseURL: 'http://holdall.lan' });
  await page.route('http://holdall.lan/**', async (route) => {
    const url = route.request().url().replace('http://holdall.lan', server.origin);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await page.goto(`/web/paste-render/${made.body.uniqueId}`);
  assert.is(await page.evaluate(() => isSecureContext), false);
  const button = page.getByRole('button', { name: 'Copy text' });
  // The message is shown only for a moment.
  await Promise.all([page.getByText('Copied').waitFor(), button.click()]);
  assert.ok(await button.evaluate((element) => element === document.activeElement));
  await page.goto('/web/paste-create');
  await page.getByLabel('Text', { exact: true }).press('Control+V');
  assert.is(await page.getByLabel('Text', { exact: true }).inputValue(), 'line one\nline two');
  await close();
  await browser.close();
  await server.close();
});

test.run();
