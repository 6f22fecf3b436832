/** Folders on the upload page: chosen or dropped, compared by hash, sent into one collection. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { fileForm, type TestAccount, type TestServer } from '../../harness.js';
import { findBarriers, openPage, overflowOf, signIn } from '../../support/web/browser.js';
import { pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('folders on the upload page', { MAX_UPLOAD_BYTES: '20971520' });
const small = { viewport: { width: 390, height: 740 }, colorScheme: 'dark' } as const;

async function withFolder(
  files: Readonly<Record<string, string | Buffer>>,
  work: (path: string) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'holdall-folder-'));
  try {
    for (const [path, bytes] of Object.entries(files)) {
      await mkdir(dirname(join(root, 'Summer trip', path)), { recursive: true });
      await writeFile(join(root, 'Summer trip', path), bytes);
    }
    await work(join(root, 'Summer trip'));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function choose(page: Page, path: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a folder' }).click();
  await (await chooser).setFiles(path);
}

async function collectionOf(page: Page, server: TestServer, { key }: TestAccount) {
  const address = await page.getByRole('link', { name: 'Open the collection' }).getAttribute('href');
  const id = new URL(address ?? '').pathname.split('/').at(-1) ?? '';
  const { body, text } = await server.request('GET', `/collection/${id}`, { key });
  assert.ok(body?.message?.items, text);
  return body.message as { title: string; isPublic: boolean; items: { path: string; uniqueId: string }[] };
}

const many = Object.fromEntries(
  Array.from({ length: 300 }, (_, index) => [`part ${index % 7}/file ${index}.txt`, `content ${index}`]),
);

check('hundreds of files become one collection with their paths', async ({ server, browser, account }) => {
  const { page, faults, close } = await openPage(browser, server, small);
  await signIn(page, account);
  await page.goto('/web/image-upload');
  await withFolder({ ...many, '.DS_Store': 'x' }, async (path) => {
    await choose(page, path);
    await page.getByText('300 files to upload').waitFor();
    assert.is(await overflowOf(page), 0);
    assert.equal(await findBarriers(page), []);
    await page.locator('.more > summary').click();
    await page.getByLabel('Only I can see it').check();
    await page.getByRole('button', { name: 'Upload the folder' }).click();
    await page.getByText('All files are in the collection').waitFor();
    const made = await collectionOf(page, server, account);
    assert.equal([made.title, made.isPublic], ['Summer trip', false]);
    assert.equal(made.items.map((item) => item.path).sort(), Object.keys(many).sort());
    assert.equal(faults, []);
  });
  await close();
});

check(
  'what the user has already, copies and what cannot be sent are named before anything is sent',
  async ({ server, browser, account }) => {
    const { page, close } = await openPage(browser, server, { viewport: { width: 1440, height: 900 } });
    const form = fileForm('here already', 'old.txt');
    const { body } = await server.request('POST', '/image/upload', { key: account.key, form });
    await signIn(page, account);
    await page.goto('/web/image-upload');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && /image\/upload|collection/.test(request.url()))
        sent.push(request.url());
    });
    const files = {
      'new.txt': 'new',
      'sub/old.txt': 'here already',
      'sub/twin.txt': 'new',
      'none.txt': '',
      'large.bin': Buffer.alloc(20_971_521),
    };
    await withFolder(files, async (path) => {
      await choose(page, path);
      await page.getByText('1 file to upload').waitFor();
      await page.getByText('4 files will not be sent').click();
      for (const line of [
        'sub/old.txt: you have it already',
        'sub/twin.txt: the same as new.txt, left out',
        'none.txt: empty, left out',
        'large.bin: too large, left out',
      ])
        await page.getByText(line).waitFor();
      assert.equal(sent, []);
      await page.getByRole('button', { name: 'Upload the folder' }).click();
      await page.getByText('All files are in the collection').waitFor();
      const { items } = await collectionOf(page, server, account);
      assert.equal(items.map((item) => item.path).sort(), ['new.txt', 'sub/old.txt']);
      assert.is(items.find((item) => item.path === 'sub/old.txt')?.uniqueId, body.uniqueId);
    });
    await close();
  },
);

check('a pause, a lost line and a refused file lose nothing', async ({ server, browser, account }) => {
  const { page, close } = await openPage(browser, server, small);
  await signIn(page, account);
  await page.goto('/web/image-upload');
  let seen = 0;
  await page.route('**/v1/image/upload', async (route) => {
    seen += 1;
    // The answer to one is lost after the server has stored it.
    if (seen === 4) {
      await route.fetch();
      return route.abort();
    }
    const refusal = { error: true, uniqueId: null, message: 'This content is blocked', count: 0 };
    if (seen === 10) return route.fulfill({ status: 400, json: refusal });
    if (seen === 20) await page.getByRole('button', { name: 'Pause' }).click();
    return route.continue();
  });
  const files = Object.fromEntries(Object.entries(many).slice(0, 50));
  await withFolder(files, async (path) => {
    await choose(page, path);
    await page.getByRole('button', { name: 'Upload the folder' }).click();
    await page.getByText('Paused').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Some files are missing').waitFor();
    await page.getByText('1 file could not be uploaded').waitFor();
    await page.getByText(/file \d+\.txt: This content is blocked/).waitFor();
    assert.equal(await findBarriers(page), []);
    seen = 100;
    await page.getByRole('button', { name: 'Try the missing ones again' }).click();
    await page.getByText('All files are in the collection').waitFor();
    const { items } = await collectionOf(page, server, account);
    assert.equal(items.map((item) => item.path).sort(), Object.keys(files).sort());
    const { body } = await server.request('GET', '/limits/me', { key: account.key });
    assert.is(body.message.usage.IMAGE.dailyCount, 50, 'nothing was stored twice');
  });
  await close();
});

check('a dropped folder is read whole; in a new page it goes on in the same collection', async (place) => {
  const { server, browser, account } = place;
  const { page, close } = await openPage(browser, server, small);
  await signIn(page, account);
  await withFolder(many, async (path) => {
    const line = await page.context().newCDPSession(page);
    const drop = async (): Promise<void> => {
      await page.goto('/web/image-upload');
      const data = { items: [], files: [path], dragOperationsMask: 1 };
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
        await line.send('Input.dispatchDragEvent', { type, x: 100, y: 200, data });
      await page.getByRole('button', { name: 'Upload the folder' }).waitFor();
    };
    await drop();
    await page.getByText('300 files to upload').waitFor();
    let sent = 0;
    await page.route('**/v1/image/upload', async (route) => {
      sent += 1;
      if (sent === 30) await page.getByRole('button', { name: 'Pause' }).click();
      return route.continue();
    });
    await page.getByRole('button', { name: 'Upload the folder' }).click();
    await page.getByText('Paused').waitFor();
    const begun = await page.getByRole('link', { name: 'Open the collection' }).getAttribute('href');
    await drop();
    assert.is(await page.getByText('300 files to upload').count(), 0, 'those that were sent are known');
    await page.getByRole('button', { name: 'Upload the folder' }).click();
    await page.getByText('All files are in the collection').waitFor();
    assert.is(await page.getByRole('link', { name: 'Open the collection' }).getAttribute('href'), begun);
    assert.is((await collectionOf(page, server, account)).items.length, 300);
  });
  await close();
});

run();
