import * as assert from 'uvu/assert';
import { fileForm } from '../../harness.js';
import { appPng } from '../../support/media/media-fixtures.js';
import { assertSound, eachShape, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('find');

check(
  'own items of every kind are found by words, marked in their texts, and listed by tag',
  async (place) => {
    const { server, account } = place;
    const { key } = account;
    for (let made = 0; made < 30; made += 1)
      await server.request('POST', '/paste/create', {
        key,
        json: {
          title: `Minutes of meeting ${made}`,
          text: `${'Nothing was decided. '.repeat(made)}Then the harvest was planned: apples, pears and ${'x'.repeat(90)}.`,
          tags: ['minutes', ...(made % 3 === 0 ? ['A long tag that says what it is about'] : [])],
        },
      });
    await server.request('POST', '/url/create', {
      key,
      json: { url: 'https://example.com/harvest', note: 'where the harvest is', tags: ['farm'] },
    });
    await server.request('POST', '/collection', { key, json: { title: 'Harvest of 2026' } });
    for (const [file, name] of [
      [appPng(), 'harvest.png'],
      [Buffer.from('apples,3\n'), 'harvest.csv'],
    ] as const)
      await server.request('POST', '/image/upload', { key, form: fileForm(file, name) });
    await server.app.services.jobs.settle();
    await eachShape(place, account, async (page) => {
      await page.goto('/web/find?search=harvest');
      assert.equal(await page.locator('h2').allTextContents(), [
        'Files 2',
        'Pastes 30',
        'Links 1',
        'Collections 1',
      ]);
      assert.equal(await page.locator('.tile a').allTextContents(), ['harvest.png']);
      assert.is(await page.locator('.things > li').count(), 1 + 5 + 1 + 1);
      await assertSound(page);
      await page.goto('/web/find?search=pass');
      await page.getByRole('link', { name: 'Passkeys' }).click();
      await page.waitForURL(/settings/);
      await page.goto('/web/find');
      await page.getByRole('searchbox').fill('HARV apples');
      await page.keyboard.press('Enter');
      await page.waitForURL(/search=HARV/);
      await page.getByRole('link', { name: 'Show all' }).click();
      await page.waitForURL(/kind=paste/);
      assert.is(await page.locator('.things > li').count(), 25);
      assert.equal(await page.locator('.things > li:first-child mark').allTextContents(), [
        'harvest',
        'apples',
      ]);
      await assertSound(page);
      await page.getByRole('navigation', { name: 'Tags' }).getByRole('link', { name: 'farm' }).click();
      await page.waitForURL(/tag=farm/);
      assert.is(await page.locator('h1').textContent(), 'Tag: farm');
      assert.is(await page.locator('.things > li').count(), 1);
      await assertSound(page);
      await page.goto('/web/find?search=%22apples%20harvest%22');
      assert.is(await page.getByText('Nothing matches').count(), 1);
      await assertSound(page);
    });
  },
);

run();
