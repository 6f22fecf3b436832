/** After each action people are where they were, and see what to do next. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { fileForm } from '../../harness.js';
import { openPage, signIn } from '../../support/web/browser.js';
import { assertSound, both, type Place, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('place', { TRASH_DAYS: '7' });

const focused = (page: Page, name: string): Promise<boolean> =>
  page.locator(`[name=${name}]`).evaluate((field) => field === document.activeElement);

async function filesOf({ server, account }: Place, amount: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < amount; index += 1) {
    const form = fileForm(`file ${index}`, `file-${index}.txt`);
    ids.push((await server.request('POST', '/image/upload', { key: account.key, form })).body.uniqueId);
  }
  return ids;
}

for (const [how, javaScriptEnabled] of both)
  check(`the wrong field of a refused form has the focus and says why, ${how}`, async (place) => {
    const { server, browser, account } = place;
    const { body } = await server.request('POST', '/collection', {
      key: account.key,
      json: { title: 'Papers', items: (await filesOf(place, 1)).map((uniqueId) => ({ uniqueId })) },
    });
    const { page, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, account);
    await page.goto(`/web/share-links/collection/${body.uniqueId}`);
    await page.getByLabel('Last day').fill('2020-01-31');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('must be in the future').waitFor();
    assert.is(await page.getByLabel('Last day').getAttribute('aria-invalid'), 'true');
    assert.is(await page.getByLabel('Last day').inputValue(), '2020-01-31', 'what was typed stays');
    if (javaScriptEnabled) {
      assert.ok(await focused(page, 'linkExpiresAt'));
      await assertSound(page);
    }
    await page.getByLabel('Last day').fill('2031-01-31');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('until 31 Jan 2031').waitFor();
    await close();
  });

check('after a conflict each field says what is saved now', async ({ server, browser, account }) => {
  const { key } = account;
  const { body } = await server.request('POST', '/paste/create', {
    key,
    json: { text: 'one', title: 'Old' },
  });
  const { page, close } = await openPage(browser, server);
  await signIn(page, account);
  await page.goto(`/web/edit/paste/${body.uniqueId}`);
  await server.request('PATCH', `/paste/get/${body.uniqueId}`, {
    key,
    json: { text: 'two', title: 'Theirs' },
  });
  await page.getByLabel('Title').fill('Mine');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('It was changed in the meantime').waitFor();
  await page.getByText('Saved now: Theirs').waitFor();
  await page.getByText('Saved now: two').waitFor();
  assert.is(await page.getByLabel('Title').inputValue(), 'Mine');
  await assertSound(page);
  await close();
});

check('what was deleted comes back from the notice that says so', async (place) => {
  const { server, browser, account } = place;
  const [id] = await filesOf(place, 1);
  const { page, close } = await openPage(browser, server);
  await signIn(page, account);
  await page.goto(`/web/delete/image/${id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Restored.').waitFor();
  await close();
});

check('who removes an item from a long list stays where it was', async (place) => {
  const { server, browser, account } = place;
  const ids = await filesOf(place, 20);
  const { body } = await server.request('POST', '/image/playlist/create', {
    key: account.key,
    json: { title: 'Songs', imagesUids: ids },
  });
  const { page, close } = await openPage(browser, server, { viewport: { width: 1280, height: 500 } });
  await signIn(page, account);
  await page.goto(`/web/collections/${body.uniqueId}`);
  const rows = page.locator('li[id^=item-]');
  const before = await rows.count();
  const id = await rows.nth(13).getAttribute('id');
  await rows.nth(12).locator('summary').click();
  await rows.nth(12).getByRole('button', { name: 'Remove' }).click();
  await page.waitForFunction((count) => document.querySelectorAll('li[id^=item-]').length < count, before);
  const box = await page.locator(`#${id}`).boundingBox();
  assert.ok(box !== null && box.y >= 0 && box.y < 500, `its neighbour is at ${box?.y}`);
  await close();
});

check('a moderator goes on with the report below', async (place) => {
  const { server, browser } = place;
  for (const uniqueId of await filesOf(place, 15))
    await server.request('POST', '/report', { json: { kind: 'image', uniqueId, reason: 'Spam' } });
  const { page, close } = await openPage(browser, server, { viewport: { width: 1280, height: 500 } });
  await signIn(page, server.owner);
  await page.goto('/web/moderation');
  const rows = page.locator('tbody tr');
  const next = await rows.nth(11).locator('[id^=report-]').getAttribute('id');
  await rows.nth(10).getByText('Decide').click();
  await rows.nth(10).getByRole('button', { name: 'Leave it' }).click();
  await page.getByText('14 reports').waitFor();
  const box = await page.locator(`#${next}`).boundingBox();
  assert.ok(box !== null && box.y >= 0 && box.y < 500, `the next one is at ${box?.y}`);
  await close();
});

check('sessions are named in words', async ({ server, browser, account }) => {
  const userAgent =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
  const { page, close } = await openPage(browser, server, { userAgent });
  await signIn(page, account);
  await page.goto('/web/settings/security');
  const session = page.getByRole('listitem').filter({ hasText: 'This session' });
  assert.match((await session.locator('summary').textContent()) ?? '', 'Chrome, Windows');
  assert.is(await session.getByText(userAgent).isVisible(), false);
  await session.locator('summary').click();
  assert.ok(await session.getByText(userAgent).isVisible());
  await assertSound(page);
  await close();
});

check('a visitor with a wrong API key learns that, at its field', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server);
  await page.goto('/web/image-upload');
  await page.getByLabel('API key').fill('not-a-key-of-anybody');
  await page.setInputFiles('input[type=file]', {
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('text'),
  });
  await page.getByText('This API key is unknown, or no longer valid').waitFor();
  assert.ok(await focused(page, 'key'));
  await close();
});

check('on a touch screen nobody reads of dropping and of keys', async ({ server, browser, account }) => {
  const hint = /drop files and folders|Tab indents/;
  for (const [isMobile, shown] of [
    [true, 0],
    [false, 1],
  ] as const) {
    const { page, close } = await openPage(browser, server, { isMobile, hasTouch: isMobile });
    await signIn(page, account);
    for (const path of ['/web/image-upload', '/web/paste-create']) {
      await page.goto(path);
      assert.is(await page.getByText(hint).filter({ visible: true }).count(), shown, path);
    }
    await close();
  }
});

run();
