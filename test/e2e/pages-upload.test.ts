/** What the queue of the upload page says and does with its options and when a file is refused. */
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../harness.js';
import { findBarriers, findChromium, openBrowser, openPage, overflowOf, signIn } from '../support/browser.js';

const chromium = findChromium();

interface Place {
  server: TestServer;
  browser: Browser;
}

const uploads = suite<Place>('pages: uploads that are refused');

uploads.before(async (place) => {
  place.server = await startServer({ MAX_UPLOAD_BYTES: '2097152' });
  if (chromium !== null) place.browser = await openBrowser(chromium);
});
uploads.after(async ({ browser, server }) => {
  await browser?.close();
  await server.close();
});

const shown = chromium === null ? uploads.skip : uploads;
const small = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const;

async function choose(page: Page, ...names: readonly string[]): Promise<void> {
  const background = { r: names.length, g: 90, b: 120 };
  const buffer = await sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .png()
    .toBuffer();
  await page
    .locator('input[type=file]')
    .setInputFiles(names.map((name) => ({ name, mimeType: 'image/png', buffer })));
}

shown(
  'a visitor is told to sign in and led back, and takes the failed row away',
  async ({ server, browser }) => {
    const { page, close } = await openPage(browser, server, small);
    await page.goto('/web/image-upload');
    await page.getByText('Choose these first: a file is sent as soon as it is chosen.').waitFor();
    await choose(page, 'stranger.png');
    const row = page.locator('.queue li.failed');
    await row.getByText('Sign in to upload').waitFor();
    const link = row.getByRole('link', { name: 'Sign in' });
    assert.is(await link.getAttribute('href'), '/web/login?next=%2Fweb%2Fimage-upload');
    assert.is(await overflowOf(page), 0);
    assert.equal(await findBarriers(page), []);
    await row.getByRole('button', { name: 'Remove' }).click();
    assert.is(await row.count(), 0);
    await close();
  },
);

shown(
  'one own address for three files goes to the first, the others get none',
  async ({ server, browser }) => {
    const { page, faults, close } = await openPage(browser, server, small);
    await signIn(page, server.owner);
    await page.goto('/web/image-upload');
    await page.getByText('Options').click();
    await page.getByLabel('Own address').fill('summer');
    await choose(page, 'one.png', 'two.png', 'three.png');
    await page.locator('.queue li.done').nth(2).waitFor();
    const links = await page.locator('.queue [data-state]').allTextContents();
    assert.match(links[0] ?? '', /\/summer$/i);
    assert.is(links.filter((link) => /summer/i.test(link)).length, 1);
    assert.equal(faults, []);
    await close();
  },
);

shown('a taken address is said by its label, and another one can be tried', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, small);
  await signIn(page, server.owner);
  await page.goto('/web/image-upload');
  await page.getByText('Options').click();
  await page.getByLabel('Own address').fill('taken');
  await choose(page, 'first.png');
  await page.locator('.queue li.done').waitFor();
  await page.getByLabel('Own address').fill('taken');
  await choose(page, 'second.png');
  const row = page.locator('.queue li').nth(1);
  await row.getByText('Own address: Taken already, choose another one').waitFor();
  assert.is(await page.getByLabel('Own address').inputValue(), 'taken');
  await page.getByLabel('Own address').fill('free');
  await row.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.queue li.done').nth(1).waitFor();
  assert.match((await row.locator('[data-state]').textContent()) ?? '', /\/free$/i);
  await close();
});

shown('nothing is sent while an option is not valid, and its field is shown', async ({ server, browser }) => {
  const { page, faults, close } = await openPage(browser, server, small);
  await signIn(page, server.owner);
  await page.goto('/web/image-upload');
  const options = page.getByText('Options');
  await options.click();
  await page.getByLabel('Views until it is gone').fill('0');
  await options.click();
  await choose(page, 'waits.png');
  await page.getByText('Please correct the options, then try again').waitFor();
  await page.getByLabel('Views until it is gone').fill('3');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.queue li.done').waitFor();
  assert.equal(faults, []);
  await close();
});

shown('a file too large is refused with the size as the page says it', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, small);
  await signIn(page, server.owner);
  await page.goto('/web/image-upload');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'large.bin', mimeType: 'text/plain', buffer: Buffer.alloc(2_097_153, 'a') });
  await page.getByText('A file has at most 2 MB').waitFor();
  await close();
});

uploads.run();
