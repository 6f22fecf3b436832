/** The main flows in a real browser, with scripts and without. */
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { serve } from '../../standins/http.js';
import { until } from '../../support/until.js';
import { openPage, signIn } from '../../support/web/browser.js';
import { both, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('flows');

const picture = (colour: string) =>
  sharp({ create: { width: 320, height: 200, channels: 3, background: colour } })
    .png()
    .toBuffer();
const unique = () => `t${randomBytes(5).toString('hex')}`;

for (const [how, javaScriptEnabled] of both) {
  check(`signing in and out works ${how}`, async ({ server, browser }) => {
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, server.owner);
    await page.goto('/web/url-create');
    assert.is(await page.getByLabel('API key').count(), 0);
    await page.getByLabel('Account menu').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    assert.equal(faults, []);
    await close();
  });

  check(
    `a wrong password is reported on the form, which keeps the address, ${how}`,
    async ({ server, browser }) => {
      const { page, close } = await openPage(browser, server, { javaScriptEnabled });
      await page.goto('/web/login');
      await page.getByLabel('E-mail address').fill('nobody@example.com');
      await page.getByLabel('Password').fill('wrong wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      assert.is(await page.getByLabel('E-mail address').inputValue(), 'nobody@example.com');
      assert.is(await page.getByLabel('Password').inputValue(), '');
      await close();
    },
  );

  check(`a paste is created and read ${how}`, async ({ server, browser }) => {
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, server.owner);
    await page.goto('/web/paste-create');
    await page.getByLabel('Title').fill('A <b>title</b>');
    await page.getByLabel('Text', { exact: true }).fill('const answer = 42;\nconsole.log(answer);\n');
    await page.locator('#language').selectOption('typescript');
    await page.getByRole('button', { name: 'Create paste' }).click();
    await page.getByRole('heading', { level: 1, name: 'A <b>title</b>' }).waitFor();
    // If colouring takes too long the text is shown plain, and coloured on the next view.
    await until(async () => {
      await page.waitForLoadState();
      if ((await page.locator('.code .hljs-keyword').count()) === 1) return true;
      await page.reload();
      return false;
    });
    assert.is(await page.locator('.line').count(), 2);
    assert.equal(faults, []);
    await close();
  });

  check(
    `a text is kept exactly as typed, also if the form is shown again ${how}`,
    async ({ server, browser }) => {
      const { page, close } = await openPage(browser, server, { javaScriptEnabled });
      await signIn(page, server.owner);
      await page.goto('/web/paste-create');
      const text = '\n#!/bin/sh\n\necho done\n';
      await page.getByLabel('Text', { exact: true }).fill(text);
      await page.getByLabel('Title').evaluate((field) => field.removeAttribute('maxlength'));
      await page.getByLabel('Title').fill('x'.repeat(5_000));
      await page.getByRole('button', { name: 'Create paste' }).click();
      await page.getByText('Please correct the marked field').waitFor();
      assert.is(await page.getByLabel('Text', { exact: true }).inputValue(), text);
      await page.getByLabel('Title').fill(`as typed ${how}`);
      await page.getByRole('button', { name: 'Create paste' }).click();
      await page.getByRole('heading', { level: 1, name: 'as typed' }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1);
      assert.is((await server.request('GET', `/paste/get/${id}?raw=true`)).text, text);
      await close();
    },
  );

  check(
    `a burn-after-reading paste is shown once, after a confirmation, ${how}`,
    async ({ server, browser }) => {
      const made = await server.request('POST', '/paste/create', {
        key: server.owner.key,
        json: { text: 'read me once', burn: true },
      });
      const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
      await page.goto(`/web/paste-render/${made.body.uniqueId}`);
      assert.not.match(await page.content(), 'read me once');
      await page.getByRole('button', { name: 'Read it now' }).click();
      await page.getByText('read me once').waitFor();
      const again = await server.request('GET', `//web/paste-render/${made.body.uniqueId}`);
      assert.is(again.status, 404);
      assert.equal(faults, []);
      await close();
    },
  );

  check(
    `the creator of a burn-after-reading paste is told so and gets no raw address ${how}`,
    async (place) => {
      const { server, browser } = place;
      const maker = await server.account();
      const path = '/user/get/@me/settings/url';
      const chosen = await server.request('PATCH', path, { key: maker.key, json: { paste: 'RAW' } });
      assert.is(chosen.status, 204, chosen.text);
      const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
      await signIn(page, maker);
      await page.goto('/web/paste-create');
      await page.getByLabel('Text', { exact: true }).fill('for one pair of eyes');
      await page.getByText('Options').click();
      await page.getByLabel('Burn after reading').check();
      await page.getByRole('button', { name: 'Create paste' }).click();
      await page.getByText('This paste can only be read once').waitFor();
      assert.is(await page.getByRole('link', { name: 'Raw' }).count(), 0);
      assert.not.match(await page.content(), 'raw=true');
      const link = await page.getByLabel('Link', { exact: true }).inputValue();
      const reader = await openPage(browser, server, { javaScriptEnabled });
      await reader.page.goto(link);
      await reader.page.getByRole('button', { name: 'Read it now' }).click();
      await reader.page.getByText('for one pair of eyes').waitFor();
      assert.equal([...faults, ...reader.faults], []);
      await reader.close();
      await close();
    },
  );

  check(`a link is shortened, opened and followed ${how}`, async ({ server, browser }) => {
    // The browser requests the target of a redirect itself: a route would not see it.
    const target = await serve((_received, response) => void response.end('there'));
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, server.owner);
    await page.goto('/web/url-create');
    await page.getByLabel('URL', { exact: true }).fill(`${target.url}/a?b=c`);
    await page.getByText('Options').click();
    const id = unique();
    await page.getByLabel('Custom ID').fill(id);
    await page.getByRole('button', { name: 'Shorten' }).click();
    await page.getByRole('heading', { name: id }).waitFor();
    await page.goto(`/web/url-render/${id}`);
    await page.getByRole('heading', { name: `A link to ${new URL(target.url).host}` }).waitFor();
    await page.getByRole('link', { name: 'Open link' }).click();
    await page.waitForURL(`${target.url}/a?b=c`);
    const record = await server.request('GET', `/url/get/${id}`);
    assert.is(record.body.message.visits, 1);
    assert.equal(faults, []);
    await close();
    await target.close();
  });

  check(
    `a link with a password asks for it, counts once and redirects, ${how}`,
    async ({ server, browser }) => {
      const made = await server.request('POST', '/url/create', {
        key: server.owner.key,
        json: { url: 'https://example.org/secret', password: 'open sesame' },
      });
      const { page, close } = await openPage(browser, server, { javaScriptEnabled });
      await page.route('https://example.org/**', (route) => route.fulfill({ body: 'there' }));
      await page.goto(`/r/${made.body.uniqueId}`);
      assert.not.match(await page.content(), 'example.org/secret');
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByText('The password is wrong').waitFor();
      await page.getByLabel('Password').fill('open sesame');
      await page.getByRole('button', { name: 'Open' }).click();
      await page.waitForURL('https://example.org/secret');
      const record = await server.request('GET', `/url/get/${made.body.uniqueId}`, { key: server.owner.key });
      assert.is(record.body.message.visits, 1);
      await close();
    },
  );

  check(`an image with a password is shown after the correct one ${how}`, async ({ server, browser }) => {
    const form = new FormData();
    form.set('file', new File([new Uint8Array(await picture('#357'))], 'hidden name.png'));
    form.set('password', 'open sesame');
    const made = await server.request('POST', '/image/upload', { key: server.owner.key, form });
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await page.goto(`/web/image-render/${made.body.uniqueId}`);
    assert.not.match(await page.content(), 'hidden name');
    assert.not.match(await page.content(), server.owner.username);
    await page.getByLabel('Password').fill('open sesame');
    await page.getByRole('button', { name: 'Open' }).click();
    const shot = page.locator('img.shot');
    await shot.waitFor();
    assert.is(
      await shot.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
      320,
    );
    assert.equal(faults, []);
    await close();
  });

  check(
    `an item with limited views is shown on request, which uses up one, ${how}`,
    async ({ server, browser }) => {
      const form = new FormData();
      form.set('file', new File([new Uint8Array(await picture('#753'))], 'counted.png'));
      form.set('maxViews', '2');
      const made = await server.request('POST', '/image/upload', { key: server.owner.key, form });
      const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
      await page.goto(`/web/image-render/${made.body.uniqueId}`, { waitUntil: 'load' });
      assert.is(await page.locator('img.shot').count(), 0);
      await page.getByRole('button', { name: 'Show it' }).click();
      const shot = page.locator('img.shot');
      await shot.waitFor();
      await shot.evaluate((image: HTMLImageElement) => image.decode());
      const record = await server.request('GET', `/image/info/${made.body.uniqueId}`);
      assert.is(record.body.message.views, 1);
      assert.equal(faults, []);
      await close();
    },
  );

  check(`an item is deleted after a confirmation ${how}`, async ({ server, browser }) => {
    const made = await server.request('POST', '/paste/create', {
      key: server.owner.key,
      json: { text: 'old', title: 'An old note', burn: true },
    });
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, server.owner);
    await page.goto('/web/pastes');
    const row = page.getByRole('listitem').filter({ hasText: 'An old note' });
    await row.getByLabel('More about').click();
    await row.locator(`a[href="/web/delete/paste/${made.body.uniqueId}"]`).click();
    await page.getByText('An old note').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted.').waitFor();
    assert.is(new URL(page.url()).pathname, '/web/pastes');
    assert.is((await server.request('GET', `/paste/get/${made.body.uniqueId}`)).status, 404);
    assert.equal(faults, []);
    await close();
  });
}

check('a file is uploaded with a plain form', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, { javaScriptEnabled: false });
  await signIn(page, server.owner);
  await page.goto('/web/image-upload');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'naïve "résumé".png', mimeType: 'image/png', buffer: await picture('#a33') });
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByRole('heading', { name: 'Uploaded' }).waitFor();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  await page.goto(link);
  await page.getByRole('heading', { name: 'naïve "résumé".png' }).waitFor();
  await close();
});

check('after sending a file that is not text, Back restores the typed input', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server);
  await signIn(page, server.owner);
  await page.goto('/web/paste-create');
  await page.getByLabel('Title').fill('Notes');
  await page.getByText('Options').click();
  const buffer = await picture('teal');
  await page.locator('input[type=file]').setInputFiles([{ name: 'a.txt', mimeType: 'text/plain', buffer }]);
  await page.getByRole('button', { name: 'Create paste' }).click();
  await page.getByText('The file is not text in UTF-8 or UTF-16').waitFor();
  await page.getByText('Go back in your browser').waitFor();
  await page.goBack();
  assert.is(await page.getByLabel('Title').inputValue(), 'Notes');
  await close();
});

check(
  'several files are chosen, each with its own progress, result and link',
  async ({ server, browser }) => {
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, server.owner);
    await page.goto('/web/image-upload');
    const files = await Promise.all(
      ['#a33', '#3a3', '#33a'].map(async (colour, index) => ({
        name: `many-${index}.png`,
        mimeType: 'image/png',
        buffer: await picture(colour),
      })),
    );
    await page
      .locator('input[type=file]')
      .setInputFiles([...files, { name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0) }]);
    await page.locator('.queue li.done').nth(2).waitFor();
    await page.locator('.queue li.failed').waitFor();
    assert.is(await page.locator('.queue li.done a[data-open]').count(), 3);
    assert.ok(await page.locator('.queue li.failed [data-retry]').isVisible());
    await page.locator('.queue li.done a[data-open]').first().click();
    await page.locator('img.shot').waitFor();
    // The refused file is the only error that the browser reports.
    assert.equal(
      faults.filter((fault) => !fault.includes('400')),
      [],
    );
    await close();
  },
);

check('a file is dropped on the page, another pasted from the clipboard', async ({ server, browser }) => {
  const { page, faults, close } = await openPage(browser, server);
  await signIn(page, server.owner);
  await page.goto('/web/image-upload');
  const bytes = (await picture('#999')).toString('base64');
  for (const kind of ['drop', 'paste'] as const) {
    await page.evaluate(
      ([type, base64]) => {
        const data = new DataTransfer();
        const content = Uint8Array.from(atob(base64 ?? ''), (char) => char.charCodeAt(0));
        data.items.add(new File([content], `${type}.png`, { type: 'image/png' }));
        const event =
          type === 'drop'
            ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
            : new ClipboardEvent('paste', { clipboardData: data, bubbles: true });
        document.body.dispatchEvent(event);
      },
      [kind, bytes] as const,
    );
  }
  await page.locator('.queue li.done').nth(1).waitFor();
  assert.equal(await page.locator('.queue [data-name]').allTextContents(), ['drop.png', 'paste.png']);
  assert.equal(faults, []);
  await close();
});

check('a running upload is cancelled, leaves nothing behind, and is retried', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server);
  await signIn(page, server.owner);
  await page.goto('/web/image-upload');
  let hold = true;
  await page.route('**/v1/image/upload', async (route) => {
    if (hold) await new Promise<void>((resolve) => page.once('requestfailed', () => resolve()));
    if (hold) await route.abort().catch(() => undefined);
    else await route.continue();
  });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'slow.png', mimeType: 'image/png', buffer: await picture('#123') });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled').waitFor();
  hold = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.queue li.done').waitFor();
  await close();
});

check('lines wrap on request and a copy button copies', async ({ server, browser }) => {
  const made = await server.request('POST', '/paste/create', {
    key: server.owner.key,
    json: { text: 'x'.repeat(2000) },
  });
  const { page, faults, close } = await openPage(browser, server, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.goto(`/web/paste-render/${made.body.uniqueId}`);
  await page.getByRole('button', { name: 'Wrap lines' }).click();
  assert.is(await page.locator('.code').evaluate((code) => code.scrollWidth <= code.clientWidth), true);
  // The message is shown only for a moment.
  await Promise.all([
    page.getByText('Copied').waitFor(),
    page.getByRole('button', { name: 'Copy text' }).click(),
  ]);
  assert.is(await page.evaluate(() => navigator.clipboard.readText()), 'x'.repeat(2000));
  assert.equal(faults, []);
  await close();
});

check('a picture opens at full size and closes again by keyboard', async ({ server, browser }) => {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(await picture('#573'))], 'zoom.png'));
  const made = await server.request('POST', '/image/upload', { key: server.owner.key, form });
  const { page, faults, close } = await openPage(browser, server);
  await page.goto(`/web/image-render/${made.body.uniqueId}`);
  await page.locator('a[data-zoom]').focus();
  await page.keyboard.press('Enter');
  await page.locator('dialog.zoom[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog.zoom').waitFor({ state: 'detached' });
  assert.equal(faults, []);
  await close();
});

run();
