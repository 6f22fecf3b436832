/** What visitors of a demo see: the accounts they may use, when it begins anew, and things to look at. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DEMO_ACCOUNTS } from '../../../server/shared/demo.js';
import { startServer } from '../../harness.js';
import { findBarriers, findChromium, openBrowser, openPage, overflowOf } from '../../support/web/browser.js';

const chromium = findChromium();
const test = suite('pages: a demo');

if (chromium !== null)
  for (const javaScriptEnabled of [true, false])
    test(`is entered with one click ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const server = await startServer({ DEMO: 'true' });
      const browser = await openBrowser(chromium);
      try {
        const { page, faults } = await openPage(browser, server, {
          javaScriptEnabled,
          viewport: { width: 390, height: 844 },
          colorScheme: 'dark',
        });
        for (const path of ['/', '/web/login']) {
          await page.goto(path);
          assert.is(await overflowOf(page), 0, path);
          if (javaScriptEnabled) assert.equal(await findBarriers(page), [], path);
        }
        await page
          .getByText(/\d\d:\d\d UTC/)
          .first()
          .waitFor();
        const [{ username }] = DEMO_ACCOUNTS;
        await page.getByRole('button', { name: username }).first().click();
        await page.waitForURL((url) => url.pathname !== '/web/login');
        await page.goto('/web/library');
        assert.ok((await page.locator('main img').count()) > 0, 'pictures to look at');
        if (javaScriptEnabled) assert.equal(await findBarriers(page), []);
        assert.equal(faults, []);
      } finally {
        await browser.close();
        await server.close();
      }
    });

test.run();
