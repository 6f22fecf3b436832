/** Many links at once by the page: checked first, stored whole or not at all, and an export as it is. */
import { readFile } from 'node:fs/promises';
import * as assert from 'uvu/assert';
import { openPage, signIn } from '../../support/web/browser.js';
import { assertSound, eachShape, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('links by the page of an import');
const CSV = 'uniqueId,url,tags\nby-page,https://example.org/a,"work, help"\n,https://example.org/b,\n';

for (const javaScriptEnabled of [true, false])
  check(
    `a list is checked, corrected and stored ${javaScriptEnabled ? '' : 'without scripts'}`,
    async (place) => {
      const { server, browser } = place;
      const account = await server.account();
      const links = async () =>
        (await server.request('GET', '/url/export?format=json', { key: account.key })).body;
      const { page, faults, close } = await openPage(browser, server, {
        javaScriptEnabled,
        acceptDownloads: true,
      });
      await signIn(page, account);
      await page.goto('/web/links');
      const more = page.locator('.heading .menu summary');
      await more.click();
      await page.getByRole('link', { name: 'Import' }).click();
      const text = page.getByLabel('CSV or JSON');
      const id = javaScriptEnabled ? 'by-page' : 'without';
      await text.fill(CSV.replace('https://example.org/b', 'nowhere').replace('by-page', id));
      await page.getByRole('button', { name: 'Import' }).click();
      await page.getByText('line 3').waitFor();
      assert.is((await links()).count, 0, 'all of them or none');
      await text.fill(CSV.replace('by-page', id));
      await page.getByRole('button', { name: 'Check only' }).click();
      await page.getByText('Nothing is stored yet.').waitFor();
      await page.getByRole('cell', { name: id }).waitFor();
      assert.is((await links()).count, 0);
      await page.getByRole('button', { name: 'Import' }).click();
      await page.getByText('The links were imported.').waitFor();
      assert.is((await links()).count, 2);
      await more.click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Export' }).click(),
      ]);
      const exported = await readFile(await download.path(), 'utf8');
      assert.match(exported, `${id},https://example.org/a`);
      const unexpected = faults.filter((fault) => !fault.includes('status of 400'));
      assert.equal(unexpected, [], 'only the refusal is told on the console');
      await close();
    },
  );

check('the page is sound in every shape', async (place) => {
  const rows = Array.from(
    { length: 120 },
    (_, row) => `https://example.org/${'long-path-'.repeat(20)}${row}`,
  );
  await eachShape(place, place.account, async (page) => {
    await page.goto('/web/url-import');
    await assertSound(page);
    await page.getByLabel('CSV or JSON').fill(['url', ...rows].join('\n'));
    await page.getByRole('button', { name: 'Check only' }).click();
    await page.getByText('and 20 more').waitFor();
    await assertSound(page);
  });
});

run();
