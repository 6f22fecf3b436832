/** Lists of pastes and links: their rows, and changes of several of them at once. */
import * as assert from 'uvu/assert';
import { openPage, signIn } from '../../support/web/browser.js';
import { assertSound, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('several items');

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  check(`pastes and links are selected, tagged, made private and deleted ${how}`, async (place) => {
    const { server, browser, account } = place;
    const { key } = account;
    const made = async (path: string, json: object) =>
      (await server.request('POST', path, { key, json })).body;
    for (const title of ['One', 'Two', 'Kept']) await made('/paste/create', { title, content: 'x' });
    const links = [];
    for (const name of ['a', 'b'])
      links.push((await made('/url/create', { url: `https://example.com/${name}` })).uniqueId);
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, account);
    await page.goto('/web/pastes');
    const pick = async () => {
      for (const title of ['One', 'Two']) await page.getByLabel(`Select ${title}`).check();
    };
    await pick();
    await page.getByLabel('Tag to add').fill('work');
    await page.getByRole('button', { name: 'Tag', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await pick();
    await page.getByRole('button', { name: 'Make private' }).click();
    await page.getByText('Saved.').waitFor();
    assert.is(await page.getByRole('img', { name: 'Private' }).count(), 2);
    const { body } = await server.request('GET', '/user/get/@me/items?tag=work', { key });
    assert.equal(body.message.content.map((item: { title: string }) => item.title).sort(), ['One', 'Two']);
    await pick();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Delete 2 items?' }).waitFor();
    assert.match((await page.textContent('main')) ?? '', /One.*Two|Two.*One/s);
    // The checker waits for timers, which stand still without scripts.
    if (javaScriptEnabled) await assertSound(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleted.').waitFor();
    assert.equal(await page.locator('.things a[title]').allTextContents(), ['Kept']);
    await page.goto('/web/links');
    await page.getByLabel(`Select ${links[0]}`).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleted.').waitFor();
    assert.is(await page.locator('.things .line span[title]').textContent(), 'example.com/b');
    assert.equal(faults, []);
    await close();
  });
}

check('rows stay low and whole with long targets, on screens of every width', async (place) => {
  const { server, browser, account } = place;
  const { key } = account;
  for (let index = 0; index < 4; index += 1) {
    const url = `https://example.com/${'a-long-path/'.repeat(20)}${index}`;
    await server.request('POST', '/url/create', {
      key,
      json: { url, uniqueId: `a-custom-id-number${index}` },
    });
    const title = `Notes ${'of something long '.repeat(8)}${index}`;
    await server.request('POST', '/paste/create', { key, json: { title, content: 'x' } });
  }
  for (const width of [1024, 1280, 1920, 390]) {
    const { page, close } = await openPage(browser, server, { viewport: { width, height: 900 } });
    await signIn(page, account);
    for (const path of ['/web/links', '/web/pastes']) {
      await page.goto(path);
      await assertSound(page, `${path} at ${width}`);
      const heights = await page
        .locator('.things > li')
        .evaluateAll((rows) => rows.map((row) => row.clientHeight));
      assert.ok(
        heights.every((height) => height <= 80),
        `${path} at ${width}: ${heights}`,
      );
      const titles = await page
        .locator('.things [title]')
        .evaluateAll((all) => all.map((one) => (one.getAttribute('title') ?? '').length));
      assert.ok(Math.max(...titles) > 100, 'what is cut off is said to who points at it');
    }
    await close();
  }
});

run();
