/** Pages of limits, pauses, reports and blocks. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { fileForm } from '../../harness.js';
import { jpegPhoto } from '../../support/media/media-fixtures.js';
import { openPage, signIn, signInByForm } from '../../support/web/browser.js';
import { assertSound, eachShape, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('order');

check(
  'anybody reports an item; a moderator sees its picture and hides it',
  async ({ server, browser, account }) => {
    const form = fileForm(await jpegPhoto(1, 800, 600), 'holiday.jpg');
    const { uniqueId } = (await server.request('POST', '/image/upload', { key: account.key, form })).body;
    const visitor = await openPage(browser, server, { javaScriptEnabled: false });
    await visitor.page.goto(`/web/image-render/${uniqueId}`);
    await visitor.page.getByRole('link', { name: 'Report this file' }).click();
    await visitor.page.getByLabel('What is wrong with it?').selectOption('Copyright');
    await visitor.page.getByLabel('Details').fill('This is mine.');
    await visitor.page.getByRole('button', { name: 'Send report' }).click();
    await visitor.page.getByRole('heading', { name: 'Thank you' }).waitFor();
    assert.equal(visitor.faults, []);
    await visitor.close();

    const moderator = await server.account('MODERATOR');
    const desk = await openPage(browser, server, { javaScriptEnabled: false });
    await signInByForm(desk.page, moderator);
    await desk.page.getByRole('link', { name: 'Moderation' }).first().click();
    const row = desk.page.getByRole('row').filter({ hasText: 'holiday.jpg' });
    const width = await row.locator('.thumb img').evaluate((image: HTMLImageElement) => image.naturalWidth);
    assert.ok(width > 0, 'a real picture');
    const columns = () =>
      desk.page.locator('th').evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().x));
    const before = await columns();
    await row.getByText('Decide', { exact: true }).click();
    assert.equal(await columns(), before, 'what opens in a row moves no column');
    await row.getByLabel('Reason, which the owner sees').fill('Claimed by its maker');
    await row.getByRole('button', { name: 'Hide it' }).click();
    await desk.page.getByText('Saved.').waitFor();
    assert.equal(desk.faults, []);
    await desk.close();

    const owner = await openPage(browser, server, { javaScriptEnabled: false });
    await signIn(owner.page, account);
    await owner.page.goto(`/web/image-render/${uniqueId}`);
    await owner.page.getByText('Claimed by its maker').waitFor();
    await owner.close();
    assert.is((await server.request('GET', `//web/image-render/${uniqueId}`)).status, 404);
  },
);

check(
  'limits set on the page hold, and their account sees what is left',
  async ({ server, browser, account }) => {
    const desk = await openPage(browser, server, { javaScriptEnabled: false });
    await signIn(desk.page, server.owner);
    await desk.page.goto(`/web/admin/users/${account.id}`);
    await desk.page.getByRole('link', { name: 'Limits and pause' }).click();
    await desk.page.getByLabel('Files: Number per day').fill('3');
    await desk.page.getByLabel('Storage (MiB)').fill('1.5');
    await desk.page.getByRole('button', { name: 'Save' }).click();
    await desk.page.getByText('Saved.').waitFor();
    const { effective } = (await server.request('GET', '/limits/me', { key: account.key })).body.message;
    assert.equal([effective.IMAGE.dailyCount, effective.TOTAL.storageBytes], [3, 1.5 * 1024 * 1024]);
    await server.request('POST', '/image/upload', { key: account.key, form: fileForm('a', 'a.txt') });

    const own = await openPage(browser, server, { javaScriptEnabled: false });
    await signIn(own.page, account);
    await own.page.goto('/');
    await own.page.getByText('2 of 3 left').waitFor();
    await own.page.goto('/web/image-upload');
    await own.page.getByText('2 of 3 left').waitFor();

    await desk.page.getByRole('button', { name: 'Pause', exact: true }).click();
    await desk.page.getByText('Saved.').waitFor();
    await own.page.reload();
    await own.page.getByText('Your account is paused').waitFor();
    await desk.page.getByRole('button', { name: 'End the pause' }).click();
    await desk.page.getByRole('button', { name: 'End the pause' }).waitFor({ state: 'detached' });
    assert.equal([...desk.faults, ...own.faults], []);
    await desk.close();
    await own.close();
  },
);

check('limits are filled in with a click and hold once they are saved', async ({ server, browser }) => {
  const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled: false });
  await signIn(page, server.owner);
  const perDay = page.getByLabel('Files: Number per day');
  const stored = async () => {
    const { body } = await server.request('GET', '/admin/limits/roles', { key: server.owner.key });
    return body.message.find(({ role }: { role: string }) => role === 'TESTER').limits.IMAGE.dailyCount;
  };
  await page.goto('/web/admin/limits?role=TESTER');
  await page.getByRole('link', { name: 'Small', exact: true }).click();
  await page.getByText('not saved yet').waitFor();
  assert.is(await perDay.inputValue(), '50');
  assert.is(await stored(), null, 'a look changes nothing');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Saved.').waitFor();
  assert.is(await stored(), 50);
  await page.getByRole('link', { name: 'No limit', exact: true }).click();
  assert.is(await perDay.inputValue(), '');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Saved.').waitFor();
  assert.is(await stored(), null);
  assert.equal(faults, []);
  await close();
});

check('a network is blocked and freed on the page', async ({ server, browser }) => {
  const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled: false });
  await signIn(page, server.owner);
  await page.goto('/web/admin/blocks');
  await page.getByLabel('What', { exact: true }).selectOption('network');
  await page.getByLabel('SHA-256 or network').fill('not one');
  await page.getByRole('button', { name: 'Block' }).click();
  await page.getByText('use a network like').first().waitFor();
  await page.getByLabel('SHA-256 or network').fill('203.0.113.7/24');
  await page.getByRole('button', { name: 'Block' }).click();
  const row = page.getByRole('row').filter({ hasText: '203.0.113.0/24' });
  await row.getByRole('button', { name: 'End' }).click();
  await page.getByText('Nothing is blocked').waitFor();
  // The browser reports the refusal of the first form.
  assert.equal(
    faults.filter((fault) => !fault.includes('status of 400')),
    [],
  );
  await close();
});

check('these pages are accessible and fit, with many reports too', async ({ server, browser, account }) => {
  const upload = async (index: number) => {
    const form = fileForm(await jpegPhoto(1, 300 + index, 200), `${'a-long-name-'.repeat(8)}${index}.jpg`);
    const { uniqueId } = (await server.request('POST', '/image/upload', { key: account.key, form })).body;
    const json = {
      kind: 'image',
      uniqueId,
      reason: 'Spam',
      details: 'word '.repeat(80),
      email: 'a@example.com',
    };
    await server.request('POST', '/report', { json });
    return uniqueId;
  };
  let uniqueId = '';
  for (let index = 0; index < 12; index += 1) uniqueId = await upload(index);
  const key = server.owner.key;
  const rule = { dailyCount: 100, weeklyCount: 500, dailyBytes: 10 ** 9, weeklyBytes: 5 * 10 ** 9 };
  const limits = { TOTAL: { ...rule, storageBytes: 10 ** 10 }, IMAGE: rule, PASTE: rule };
  await server.request('PUT', `/admin/limits/users/${account.id}`, { key, json: { limits } });
  await server.request('POST', '/admin/blocks', { key, json: { kind: 'hash', value: 'a'.repeat(64) } });
  const visit = (paths: readonly string[]) => async (page: Page) => {
    for (const path of paths) {
      await page.goto(path);
      await assertSound(page);
    }
  };
  const where = { server, browser };
  await eachShape(
    where,
    server.owner,
    visit([
      '/web/moderation',
      '/web/admin/limits',
      `/web/admin/users/${account.id}/limits`,
      '/web/admin/blocks',
    ]),
  );
  await eachShape(where, account, visit(['/', '/web/image-upload']));
  await eachShape(where, null, visit([`/web/report/image/${uniqueId}`]));
});

run();
