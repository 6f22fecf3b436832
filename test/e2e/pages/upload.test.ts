/** The queue of the upload page: its options, and refused files. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { findBarriers, openPage, overflowOf, signIn } from '../../support/web/browser.js';
import { pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('uploads that are refused', { MAX_UPLOAD_BYTES: '2097152' });

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

check(
  'a visitor is told to sign in and led back, and can remove the failed row',
  async ({ server, browser }) => {
    const { page, close } = await openPage(browser, server, small);
    await page.goto('/web/image-upload');
    const arrow = await page
      .locator('.more > summary')
      .evaluate((summary) => Number.parseFloat(getComputedStyle(summary, '::after').width));
    assert.ok(arrow > 6, `the arrow of the options is squeezed to ${arrow} pixels`);
    await choose(page, 'stranger.png');
    const row = page.locator('.queue li.failed');
    await row.getByText('Sign in in a new tab, then try again').waitFor();
    const link = row.getByRole('link', { name: 'Sign in' });
    assert.is(await link.getAttribute('href'), '/web/login?next=%2Fweb%2Fimage-upload');
    assert.is(await link.getAttribute('target'), '_blank', 'the other files of the queue stay');
    assert.is(await overflowOf(page), 0);
    assert.equal(await findBarriers(page), []);
    await row.getByRole('button', { name: 'Remove' }).click();
    assert.is(await row.count(), 0);
    await close();
  },
);

check('a custom address for three files is used for the first only', async ({ server, browser }) => {
  const { page, faults, close } = await openPage(browser, server, small);
  await signIn(page, server.owner);
  await page.goto('/web/image-upload');
  await page.locator('.more > summary').click();
  await page.getByLabel('Custom ID').fill('summer');
  await choose(page, 'one.png', 'two.png', 'three.png');
  await page.locator('.queue li.done').nth(2).waitFor();
  const links = await page.locator('.queue [data-state]').allTextContents();
  assert.match(links[0] ?? '', /\/summer$/i);
  assert.is(links.filter((link) => /summer/i.test(link)).length, 1);
  assert.equal(faults, []);
  await close();
});

check('a queue that is temporarily refused resumes by itself', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, small);
  await signIn(page, server.owner);
  await page.goto('/web/image-upload');
  let refusals = 0;
  await page.route('**/v1/image/upload', (route) => {
    refusals += 1;
    const body = JSON.stringify({ error: true, uniqueId: null, message: 'Too many requests', count: 0 });
    const headers = { 'retry-after': '1', 'content-type': 'application/json' };
    return refusals <= 2 ? route.fulfill({ status: 429, headers, body }) : route.continue();
  });
  const said = page.getByText('Too many uploads at once. Continuing automatically in 1 s').first().waitFor();
  await choose(page, 'one.png', 'two.png', 'three.png');
  await said;
  await page.locator('.queue li.done').nth(2).waitFor();
  await close();
});

check(
  'a taken address is reported by its label, and another one can be tried',
  async ({ server, browser }) => {
    const { page, close } = await openPage(browser, server, small);
    await signIn(page, server.owner);
    await page.goto('/web/image-upload');
    await page.locator('.more > summary').click();
    await page.getByLabel('Custom ID').fill('taken');
    await choose(page, 'first.png');
    await page.locator('.queue li.done').waitFor();
    await page.getByLabel('Custom ID').fill('taken');
    await choose(page, 'second.png');
    const row = page.locator('.queue li').nth(1);
    await row.getByText('Custom ID: Already taken, choose another one').waitFor();
    assert.is(await page.getByLabel('Custom ID').inputValue(), 'taken');
    await page.getByLabel('Custom ID').fill('free');
    await row.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.queue li.done').nth(1).waitFor();
    assert.match((await row.locator('[data-state]').textContent()) ?? '', /\/free$/i);
    await close();
  },
);

check('nothing is sent while an option is invalid, and its field is shown', async ({ server, browser }) => {
  const { page, faults, close } = await openPage(browser, server, small);
  await signIn(page, server.owner);
  await page.goto('/web/image-upload');
  const options = page.locator('.more > summary');
  await options.click();
  await page.getByLabel('View limit').fill('0');
  await options.click();
  await choose(page, 'waits.png');
  await page.getByText('Please correct the options, then try again').waitFor();
  await page.getByLabel('View limit').fill('3');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.queue li.done').waitFor();
  assert.equal(faults, []);
  await close();
});

check(
  'a file that is too large is refused with the size limit in readable form',
  async ({ server, browser }) => {
    const { page, close } = await openPage(browser, server, small);
    await signIn(page, server.owner);
    await page.goto('/web/image-upload');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'large.bin', mimeType: 'text/plain', buffer: Buffer.alloc(2_097_153, 'a') });
    await page.getByText('A file can be at most 2 MB').waitFor();
    await close();
  },
);

check('the queue has icons for what is no picture, and notes of metadata', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, small);
  await signIn(page, server.owner);
  await page.goto('/web/image-upload');
  const broken = { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
  await page.locator('input[type=file]').setInputFiles([broken]);
  await choose(page, 'sound.png');
  await page.locator('.queue li:has-text("broken.png") [data-thumb] svg').waitFor();
  await page.locator('.queue li:has-text("sound.png") [data-thumb] img').waitFor();
  assert.is(await page.locator('.queue li:has-text("broken.png") [data-thumb] img').count(), 0);

  const buffer = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>');
  const drawing = { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer };
  await page.locator('input[type=file]').setInputFiles([drawing]);
  const row = page.locator('.queue li.done:has-text("drawing.svg")');
  await row.getByText('Location and camera data may remain in this file').waitFor();
  assert.is(await page.locator('.queue li:has-text("sound.png") [data-note]').isVisible(), false);
  await page.goto((await row.getByRole('link', { name: 'Open' }).getAttribute('href')) ?? '');
  await page.getByText('they cannot be removed from SVG files').waitFor();
  await close();
});

check('without scripts a refused form fits a phone too', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, { ...small, javaScriptEnabled: false });
  await signIn(page, server.owner);
  await page.goto('/web/image-upload');
  assert.is(await overflowOf(page), 0);
  const empty = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('') };
  await page.locator('input[type=file]').setInputFiles([empty]);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByText('Choose the file again').waitFor();
  assert.is(await overflowOf(page), 0);
  await close();
});

check(
  'what is pasted into a field stays there, a file pasted elsewhere is uploaded',
  async ({ server, browser }) => {
    const { page, close } = await openPage(browser, server);
    await signIn(page, server.owner);
    await page.goto('/web/image-upload');
    await page.locator('.more > summary').click();
    const paste = (selector: string) =>
      page.locator(selector).evaluate((target) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File(['of a sheet'], 'image.png', { type: 'image/png' }));
        target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      });
    await paste('[name="desc"]');
    assert.is(await page.locator('.queue li').count(), 0);
    await paste('main');
    assert.is(await page.locator('.queue li').count(), 1);
    await close();
  },
);

for (const javaScriptEnabled of [true, false])
  check(
    `one line says what holds for files, as the options are, scripts: ${javaScriptEnabled}`,
    async ({ server, browser }) => {
      const { page, faults, close } = await openPage(browser, server, { ...small, javaScriptEnabled });
      await signIn(page, server.owner);
      await page.goto('/web/image-upload');
      const line = page.locator('.more > summary');
      const says = () => line.locator('.holds span > span:visible').allTextContents();
      assert.equal(await says(), ['Anyone with the link', 'never expires']);
      await line.click();
      await page.getByLabel('Only I can see it').check();
      await page.getByLabel('Expires after').selectOption({ label: '1 week' });
      await line.click();
      assert.equal(await says(), ['Private', 'expires after 1 week']);
      await line.click();
      await page.getByLabel('Password', { exact: true }).fill('secret');
      assert.equal(await says(), ['Password-protected', 'expires after 1 week']);
      assert.equal(faults, []);
      await close();
    },
  );

check('a file that was sent leads to where its options are changed', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, small);
  await signIn(page, server.owner);
  await page.goto('/web/image-upload');
  await choose(page, 'first.png');
  await page.locator('.queue li.done').getByRole('link', { name: 'Change' }).click();
  await page.getByRole('heading', { name: 'Edit file' }).waitFor();
  await close();
});

run();
