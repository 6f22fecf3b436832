/** Large files on the upload page: pause, resume, and the same file after the page was closed. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { findBarriers, openPage, overflowOf, signIn } from '../../support/web/browser.js';
import { pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('large files on the upload page');
const small = { viewport: { width: 390, height: 740 }, colorScheme: 'dark' } as const;
/** Slow enough to be paused on the way, in bytes per second. */
const SLOW = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 3 * 1024 * 1024 };
const FAST = { ...SLOW, uploadThroughput: -1 };
const LONG = { timeout: 120_000 };

check('a paused file continues, also when it is chosen again in a new page', async ({ server, browser }) => {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-large-'));
  const { page, close } = await openPage(browser, server, small);
  try {
    const file = join(folder, 'film.bin');
    await writeFile(file, randomBytes(40 * 1024 * 1024));
    await signIn(page, server.owner);
    const begun: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/image/upload/resumable'))
        begun.push(request.url());
    });
    await page.goto('/web/image-upload');
    const line = await page.context().newCDPSession(page);
    await line.send('Network.emulateNetworkConditions', SLOW);
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Pause' }).click(LONG);
    await page.getByText('Paused').waitFor(LONG);
    assert.is(await overflowOf(page), 0);
    assert.equal(await findBarriers(page), []);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).click(LONG);
    await page.getByText('Paused').waitFor(LONG);
    await page.goto('/web/image-upload');
    await line.send('Network.emulateNetworkConditions', FAST);
    await page.locator('input[type=file]').setInputFiles(file);
    await page.locator('.queue li.done').waitFor(LONG);
    assert.is(begun.length, 1, 'the second page continues the upload of the first');
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
});

run();
