/** What makes the pages reachable: shared files, dropped files, keys, and what programs look for. */
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { until } from '../../support/until.js';
import { openPage, signIn } from '../../support/web/browser.js';
import { assertSound, eachShape, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('reach');

check(
  'files dropped on any page are uploaded at once, on that of a collection into it, and become one together',
  async ({ server, browser, account }) => {
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, account);
    await page.goto('/web/pastes');
    await page.evaluate(() => {
      const files = new DataTransfer();
      for (const name of ['one.txt', 'two.txt', 'three.txt']) files.items.add(new File([name], name));
      document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }),
      );
    });
    await page.waitForURL('**/web/image-upload');
    await page.getByText('3 of 3 uploaded').first().waitFor();
    assert.is(await page.locator('.queue [role=status]').count(), 0, 'only the sum is read out');
    assert.is(await page.title(), 'Upload · Holdall', 'the title counts no longer');
    const all = await page.getByRole('button', { name: 'Copy all links' }).getAttribute('data-copy');
    assert.is(all?.split('\n').length, 3);
    await assertSound(page);
    await page.reload();
    assert.is(await page.locator('.queue li').count(), 0, 'a reload sends nothing again');
    await page.goBack().catch(() => undefined);
    await page.goto('/web/image-upload');
    const files = ['a.txt', 'b.txt'].map((name) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(name),
    }));
    await page.locator('input[type=file]').setInputFiles(files);
    await page.getByRole('button', { name: 'Make a collection' }).click();
    await page.waitForURL('**/web/collections/*');
    assert.is(await page.locator('ol[data-order] > li').count(), 2);
    assert.match((await page.locator('body').getAttribute('data-drop')) ?? '', /^Drop to add to “.+”$/);
    await page.evaluate(() => {
      const files = new DataTransfer();
      files.items.add(new File(['more'], 'more.txt'));
      document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }),
      );
    });
    await page.getByText('1 of 1 uploaded').first().waitFor();
    assert.is(await page.getByLabel('Collection').locator(':checked').textContent(), 'New collection');
    await assertSound(page);
    const collections = await server.request('GET', '/collection', { key: account.key });
    const id = collections.body.message.content[0].uniqueId;
    await until(
      async () =>
        (await server.request('GET', `/collection/${id}`, { key: account.key })).body.message.items.length ===
        3,
    );
    assert.equal(faults, []);
    await close();
  },
);

check(
  'keys lead to pages and to the search, but never while one types or with a modifier',
  async ({ server, browser, account }) => {
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, account);
    await page.goto('/web/pastes');
    await page.keyboard.press('/');
    const typed = () => page.evaluate(() => (document.activeElement as HTMLInputElement).value);
    await page.keyboard.type('u?gl');
    assert.is(await page.inputValue('main [name=search]'), 'u?gl', 'the search of the page');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('all');
    assert.is(await typed(), 'all', 'the search for everything');
    await page.goto('/');
    await page.keyboard.press('/');
    await page.keyboard.type('here');
    assert.is(await typed(), 'here', 'where the page has no search of its own');
    await page.goto('/web/pastes');
    await page.locator('h1').click();
    await page.keyboard.press('Control+u');
    await page.keyboard.press('?');
    assert.ok(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).isVisible());
    await assertSound(page);
    await page.keyboard.press('u');
    assert.match(page.url(), '/web/pastes');
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.waitForURL('**/web/library');
    await page.keyboard.press('u');
    await page.waitForURL('**/web/image-upload');
    assert.equal(faults, []);
    await close();
  },
);

check('the start page shows what it is, and to its reader what was visited', async (place) => {
  const { server, account } = place;
  const url = 'https://example.com/visited';
  const { body } = await server.request('POST', '/url/create', { key: account.key, json: { url } });
  // Bots alone make nothing one of the most visited.
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  await fetch(`${server.origin}/r/${body.uniqueId}`, { redirect: 'manual', headers });
  await eachShape(place, null, async (page) => {
    await page.goto('/');
    assert.ok(await page.isVisible('.hero-picture'));
    await assertSound(page);
  });
  await eachShape(place, account, async (page) => {
    await page.goto('/');
    assert.match((await page.textContent('table')) ?? '', /visited.*1/);
    await assertSound(page);
  });
});

/** An answer as it is sent. */
const raw = (address: string, headers: Record<string, string>) =>
  new Promise<{ encoding: string | undefined; vary: string | undefined; bytes: Buffer }>(
    (resolve, reject) => {
      request(address, { headers }, (answer) => {
        const { 'content-encoding': encoding, vary } = answer.headers;
        buffer(answer).then((bytes) => resolve({ encoding, vary, bytes }), reject);
      })
        .once('error', reject)
        .end();
    },
  );

check('pages are compressed for readers without cookies only', async ({ server, account }) => {
  const content = 'a line of a long text\n'.repeat(500);
  const { body } = await server.request('POST', '/paste/create', { key: account.key, json: { content } });
  const address = `${server.origin}/web/paste-render/${body.message.uniqueId}`;
  const accepting = { accept: 'text/html', 'accept-encoding': 'gzip, br' };
  const small = await raw(address, accepting);
  assert.is(small.encoding, 'br');
  assert.match(small.vary ?? '', /accept-encoding/i);
  const whole = await raw(address, { ...accepting, cookie: 'theme=dark' });
  assert.is(whole.encoding, undefined);
  assert.match(brotliDecompressSync(small.bytes).toString(), 'a line of a long text');
  assert.ok(small.bytes.length * 4 < whole.bytes.length);
  assert.is((await raw(address, { accept: 'text/html' })).encoding, undefined);
});

check('phones and robots find what they look for', async ({ server, browser }) => {
  const manifest = (await (await fetch(`${server.origin}/web/manifest.webmanifest`)).json()) as {
    share_target: { action: string; method: string; params: { files: { name: string }[] } };
  };
  assert.is(manifest.share_target.method, 'POST');
  const { page, close } = await openPage(browser, server, { colorScheme: 'dark' });
  await page.goto('/web/login');
  assert.is(await page.locator('meta[name="theme-color"]').count(), 2);
  await close();
  const robots = await fetch(`${server.origin}/robots.txt`);
  assert.is(robots.status, 200);
  assert.match(robots.headers.get('content-type') ?? '', 'text/plain');
  assert.match(await robots.text(), 'User-agent: *');
});

check('what a phone shares is taken by the form without scripts', async ({ server, browser, account }) => {
  const { page, close } = await openPage(browser, server, { javaScriptEnabled: false });
  await signIn(page, account);
  await page.goto('/web/image-upload');
  const buffer = Buffer.from('shared');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'shared.txt', mimeType: 'text/plain', buffer });
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('heading', { name: 'Uploaded' }).waitFor();
  await close();
});

run();
