import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { fileForm } from '../../harness.js';
import { zip } from '../../support/media/archive-fixtures.js';
import { openPage, signIn } from '../../support/web/browser.js';
import { assertSound, eachShape, type Place, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('galleries');

const picture = (hue: number) =>
  sharp({ create: { width: 90, height: 60, channels: 3, background: `hsl(${hue} 50% 50%)` } })
    .png()
    .toBuffer();

async function upload({ server, account }: Place, name: string, fields = {}): Promise<string> {
  const form = fileForm(await picture(name.length * 30), name, fields);
  return (await server.request('POST', '/image/upload', { key: account.key, form })).body.uniqueId;
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  check(`a collection is created, filled from the library, ordered and viewed ${how}`, async (place) => {
    const { server, browser, account } = place;
    for (const name of ['a.png', 'bb.png', 'ccc.png']) await upload(place, name);
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, account);
    await page.goto('/web/playlists');
    assert.match(page.url(), /\/web\/collections$/, 'playlists are collections');
    await page.getByText('New collection').click();
    await page.getByLabel('Title').fill('The coast');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'The coast' }).waitFor();
    await page.goto('/web/library?sort=oldest');
    for (const name of ['a.png', 'ccc.png']) await page.getByLabel(`Select ${name}`).check();
    await page.getByLabel('Collection to add to').selectOption({ label: 'The coast' });
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('Saved.').waitFor();
    await page.goto('/web/collections');
    await page.getByRole('link', { name: 'The coast' }).click();
    const first = await page.locator('ol.shelf > li > a').first().textContent();
    await page.locator(`summary[aria-label="More about ${first}"]`).click();
    if (javaScriptEnabled) await assertSound(page);
    await page.getByRole('button', { name: 'Move down' }).filter({ visible: true }).click();
    await page.getByText('Saved.').waitFor();
    await page.waitForLoadState();
    assert.match(page.url(), /#item-[A-Z0-9]+$/);
    assert.is(await page.locator('ol.shelf > li > a').last().textContent(), first);
    await page.getByRole('link', { name: 'View', exact: true }).click();
    await page.waitForLoadState();
    assert.is(await page.locator('.tile').count(), 2);
    assert.equal(faults, []);
    await close();
  });

  check(`a collection is deleted after a confirmation, its files stay ${how}`, async (place) => {
    const { server, browser, account } = place;
    const item = await upload(place, 'kept.png');
    const made = await server.request('POST', '/image/playlist/create', {
      key: account.key,
      json: { title: 'The coast', imagesUids: [item] },
    });
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, account);
    await page.goto(`/web/playlists/${made.body.message.uniqueId}`);
    const sure = page.getByRole('button', { name: 'Yes, delete it' });
    assert.is(await sure.count(), 0, 'nothing is deleted with one press');
    await page.getByText('Delete the collection', { exact: true }).click();
    await page.getByText('The files stay in your library').waitFor();
    await sure.click();
    await page.getByText('No collections yet').waitFor();
    assert.is((await server.request('GET', `/image/info/${item}`)).status, 200);
    assert.equal(faults, []);
    await close();
  });

  check(`an archive becomes a collection ${how}`, async ({ server, browser, account }) => {
    const pictures = await Promise.all(
      [10, 90].map(async (hue) => ({ name: `${hue}.png`, data: await picture(hue) })),
    );
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, account);
    await page.goto('/web/image-upload');
    await page.locator('.more > summary').click();
    await page.getByLabel('Unpack archives').check();
    const file = { name: 'walk.zip', mimeType: 'application/zip', buffer: zip(pictures) };
    await page.locator('input[type=file]').setInputFiles(file);
    if (javaScriptEnabled) await page.locator('.queue li.done a[data-open]').click();
    else await page.getByRole('button', { name: 'Upload' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/web/collection/'));
    assert.is(await page.locator('.tile').count(), 2);
    assert.equal(faults, []);
    await close();
  });
}

check(
  'a visitor sees public items only, on an accessible page, and crawlers up to four pictures',
  async (place) => {
    const { server, browser, account } = place;
    const ids: string[] = [];
    for (let index = 0; index < 6; index += 1) ids.push(await upload(place, `${'x'.repeat(index + 1)}.png`));
    ids.push(await upload(place, 'private-one.png', { private: 'true' }));
    ids.push(await upload(place, 'locked-one.png', { password: 'open sesame' }));
    const made = await server.request('PUT', '/image/playlist/get/six/images', {
      key: account.key,
      json: { imagesUids: ids, title: 'Six' },
    });
    assert.is(made.status, 200, made.text);
    const html = (await server.request('GET', '//web/collection/SIX')).text;
    assert.is(html.match(/property="og:image"/g)?.length, 4);
    assert.not.match(html, 'private-one');
    assert.not.match(html, 'locked-one');
    await eachShape({ server, browser }, null, async (page) => {
      await page.goto('/web/playlist/six', { waitUntil: 'load' });
      assert.match(page.url(), /\/web\/collection\/six$/);
      assert.is(await page.locator('.tile').count(), 7);
      await assertSound(page);
    });
  },
);

check('only the owner can edit a collection', async (place) => {
  const { server, browser, account } = place;
  await server.request('POST', '/image/playlist/create', {
    key: account.key,
    json: { uniqueId: 'mine', title: 'Mine' },
  });
  const { page, close } = await openPage(browser, server);
  await signIn(page, await server.account());
  assert.is((await page.goto('/web/playlists/mine'))?.status(), 403);
  await close();
});

check('items are dragged to their places, and moved to the top without scripts', async (place) => {
  const { server, browser, account } = place;
  const images: string[] = [];
  for (const name of ['a.png', 'b.png', 'c.png', 'd.png']) images.push(await upload(place, name));
  const made = await server.request('POST', '/image/playlist/create', {
    key: account.key,
    json: { title: 'Ordered', imagesUids: images },
  });
  const id = made.body.uniqueId ?? made.body.message.identifier;
  const order = async () => {
    const { body } = await server.request('GET', `/image/playlist/get/${id}`, { key: account.key });
    return body.message.images.map((image: { originalName: string }) => image.originalName).join(' ');
  };
  const { page, faults, close } = await openPage(browser, server);
  await signIn(page, account);
  await page.goto(`/web/playlists/${id}`);
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('.thumb img')].every((image) => image.naturalWidth > 0),
  );
  const rows = page.locator('ol[data-order] > li');
  await rows.nth(3).dragTo(rows.nth(1), { targetPosition: { x: 5, y: 40 } });
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.is(await order(), 'a.png d.png b.png c.png');
  await assertSound(page);
  assert.equal(faults, []);
  await close();
  const plain = await openPage(browser, server, { javaScriptEnabled: false });
  await signIn(plain.page, account);
  await plain.page.goto(`/web/playlists/${id}`);
  await plain.page.locator('summary[aria-label="More about c.png"]').click();
  await plain.page.getByRole('button', { name: 'Move to the top' }).filter({ visible: true }).click();
  await plain.page.waitForLoadState();
  assert.is(await order(), 'c.png a.png d.png b.png');
  await plain.close();
});

run();
