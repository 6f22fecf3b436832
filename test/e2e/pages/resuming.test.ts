/** Large files on the upload page and a request page: pause, resume, and the same file after the page was closed. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { findBarriers, openPage, overflowOf, signIn } from '../../support/web/browser.js';
import { pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('large files on the upload page');
const small = { viewport: { width: 390, height: 740 }, colorScheme: 'dark' } as const;
/** Slow enough to be paused on the way even if that takes half a minute, in bytes per second. */
const SLOW = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1024 * 1024 };
const FAST = { ...SLOW, uploadThroughput: -1 };

/** Sends a file with two pauses, the last of them across a reload; says how many uploads were begun for it. */
async function sendWithPauses(page: Page, address: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-large-'));
  try {
    const file = join(folder, 'film.bin');
    await writeFile(file, randomBytes(40 * 1024 * 1024));
    let begun = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/image/upload/resumable')) begun += 1;
    });
    await page.goto(address);
    const line = await page.context().newCDPSession(page);
    await line.send('Network.emulateNetworkConditions', SLOW);
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    assert.is(await overflowOf(page), 0);
    assert.equal(await findBarriers(page), []);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    await page.goto(address);
    await line.send('Network.emulateNetworkConditions', FAST);
    await page.locator('input[type=file]').setInputFiles(file);
    await page.locator('.queue li.done').waitFor();
    return begun;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

check('a paused file continues, also when it is chosen again in a new page', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, small);
  await signIn(page, server.owner);
  assert.is(await sendWithPauses(page, '/web/image-upload'), 1, 'the second page continues the upload');
  await close();
});

check('a stranger pauses and continues a large file for a request link', async (place) => {
  const { server, browser, account } = place;
  const json = { title: 'The film', password: 'sesame' };
  const made = await server.request('POST', '/request/create', { key: account.key, json });
  const id = made.body.message.uniqueId;
  const unlocked = await server.request('POST', `/request/open/${id}`, { json: { password: 'sesame' } });
  const { page, close } = await openPage(browser, server, small);
  const address = `/web/request/${id}?ticket=${unlocked.body.message.ticket}`;
  assert.is(await sendWithPauses(page, address), 1);
  await page.getByText('Received: film.bin').waitFor();
  const files = await server.request('GET', `/request/get/${id}/files`, { key: account.key });
  assert.equal(
    files.body.message.content.map(({ name, size }: { name: string; size: number }) => [name, size]),
    [['film.bin', 40 * 1024 * 1024]],
  );
  await server.request('PATCH', `/request/get/${id}`, { key: account.key, json: { closed: true } });
  const late = {
    name: 'late.bin',
    mimeType: 'application/octet-stream',
    buffer: randomBytes(9 * 1024 * 1024),
  };
  await page.locator('input[type=file]').setInputFiles(late);
  await page.getByText('This link takes no more files').waitFor();
  await close();
});

run();
