import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { fileForm } from '../../harness.js';
import { openPage, signIn } from '../../support/web/browser.js';
import { assertSound, eachShape, type Place, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('collections and requests');

const picture = (hue: number) =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: `hsl(${hue} 50% 50%)` } })
    .jpeg()
    .toBuffer();

async function shared({ server, account }: Place) {
  const items = [];
  for (let index = 0; index < 40; index += 1) {
    const name = index % 4 === 0 ? `A long name of a document, number ${index}.txt` : `${index}.jpg`;
    const bytes = index % 4 === 0 ? `text ${index}` : await picture(index * 9);
    const form = fileForm(bytes, name, { private: 'true' });
    const { body } = await server.request('POST', '/image/upload', { key: account.key, form });
    items.push({ uniqueId: body.uniqueId, path: `${index % 2 === 0 ? 'Holiday/Day one/' : ''}${name}` });
  }
  const json = { title: 'Our holiday', description: 'By the sea', isPublic: false, items };
  const { body } = await server.request('POST', '/collection', { key: account.key, json });
  const link = await server.request('POST', `/collection/${body.uniqueId}/links`, {
    key: account.key,
    json: { note: 'for Ada' },
  });
  return { uniqueId: body.uniqueId as string, path: new URL(link.body.message.url).pathname };
}

check('what a share link shows, and the pages of its owner, are sound in every shape', async (place) => {
  const { uniqueId, path } = await shared(place);
  await eachShape(place, null, async (page) => {
    await page.goto(path);
    await page.locator('.tile').first().waitFor();
    await assertSound(page);
    await page.getByRole('heading', { name: 'Holiday / Day one' }).waitFor();
    await page.locator('.tile a').nth(1).click();
    await page.locator('.viewer').waitFor();
    await assertSound(page);
  });
  await eachShape(place, place.account, async (page) => {
    for (const address of ['/web/collections', `/web/collections/${uniqueId}`]) {
      await page.goto(address);
      await assertSound(page);
    }
  });
});

check(
  'an owner invites a member, who finds the collection, adds to it and becomes its owner',
  async (place) => {
    const { server, browser, account } = place;
    const { uniqueId } = await shared(place);
    const member = await server.account();
    const { page, close } = await openPage(browser, server);
    await signIn(page, account);
    await page.goto(`/web/collections/${uniqueId}`);
    const members = page.locator('#members');
    await members.getByLabel('Username').fill('nobody-of-that-name');
    await members.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('alert').first().waitFor();
    await members.getByLabel('Username').fill(member.username);
    await members.getByLabel('What they may do').selectOption('adder');
    await members.getByRole('button', { name: 'Invite' }).click();
    await members.getByText('adds own files').first().waitFor();
    await assertSound(page);
    await members.getByLabel('Username').fill(member.username);
    await members.getByRole('button', { name: 'Offer them the collection' }).click();
    await members.getByText('is offered it').waitFor();
    await close();
    await eachShape(place, member, async (page) => {
      for (const address of ['/web/shared-with-me', `/web/collections/${uniqueId}`]) {
        await page.goto(address);
        await assertSound(page);
      }
      assert.is(await page.getByRole('button', { name: /^Move/ }).count(), 0);
    });
    const { page: theirs, close: end } = await openPage(browser, server);
    await signIn(theirs, member);
    await theirs.goto('/web/collections');
    await theirs.getByRole('link', { name: 'Shared with me' }).click();
    await theirs.getByRole('link', { name: 'Our holiday' }).click();
    await theirs.getByRole('heading', { name: 'Members' }).waitFor();
    await theirs.goto('/web/shared-with-me');
    await theirs.getByRole('button', { name: 'Become its owner' }).click();
    await theirs.getByRole('button', { name: 'Invite' }).waitFor();
    await end();
  },
);

for (const counted of [false, true])
  check(
    `a tile of a ${counted ? 'counted ' : ''}share link leads to a viewer with the way on and back`,
    async (place) => {
      const { server, browser, account } = place;
      const { uniqueId, path: free } = await shared(place);
      const limit = { key: account.key, json: { maxViews: 1, password: 'open sesame' } };
      const { body } = await server.request('POST', `/collection/${uniqueId}/links`, limit);
      const path = counted ? new URL(body.message.url).pathname : free;
      const views = async () => {
        const links = await server.request('GET', `/collection/${uniqueId}/links`, { key: account.key });
        return links.body.message.content.find(({ url }: { url: string }) => url.endsWith(path)).views;
      };
      const { page, faults, close } = await openPage(browser, server);
      await page.goto(path);
      if (counted) {
        await page.getByLabel('Password').fill('open sesame');
        await page.getByRole('button', { name: 'Open' }).click();
      }
      const tiles = page.locator('.tile a');
      const second = await tiles.nth(1).textContent();
      await tiles.nth(0).click();
      await page.getByText('of 40').waitFor();
      await page.keyboard.press('ArrowRight');
      await page.getByText(/^2 of 40|^3 of 40/).waitFor();
      assert.ok(second !== null);
      const picture = page.locator('img.shot');
      if ((await picture.count()) > 0)
        assert.ok(
          await picture.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth)),
        );
      await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
      assert.is(await views(), 1, 'the way through it counts nothing');
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { name: 'Our holiday' }).waitFor();
      assert.equal(
        faults.filter((fault) => !fault.includes('403')),
        [],
      );
      const view = (await tiles.nth(0).getAttribute('href')) ?? '';
      await close();
      // Without its ticket the address of a file shows nothing.
      if (counted) {
        assert.is((await fetch(`${server.origin}${view.split('?')[0]}`, { redirect: 'manual' })).status, 404);
      }
    },
  );

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  check(`a collection is filled from the library, and a request leads into it ${how}`, async (place) => {
    const { server, browser, account } = place;
    const uploaded: string[] = [];
    for (const name of ['one.txt', 'two.txt', 'three.txt']) {
      const form = fileForm(`in ${name}`, name, {});
      uploaded.push(
        (await server.request('POST', '/image/upload', { key: account.key, form })).body.uniqueId,
      );
    }
    const made = await server.request('POST', '/collection', {
      key: account.key,
      json: { title: 'Papers', items: [{ uniqueId: uploaded[0] }] },
    });
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, account);
    await page.goto(`/web/collections/${made.body.uniqueId}`);
    await page.getByRole('link', { name: 'Choose from the library' }).click();
    await page.getByText('Select what to add to “Papers”').waitFor();
    // What is in it already is no fault.
    for (const name of ['one.txt', 'three.txt']) await page.getByLabel(`Select ${name}`).check();
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('Saved.').waitFor();
    assert.match(page.url(), `/web/collections/${made.body.uniqueId}`);
    assert.equal(await page.locator('ol.shelf > li > a').allTextContents(), ['one.txt', 'three.txt']);
    await page.goto('/web/requests');
    await page.getByLabel('What do you ask for?').fill('Bills');
    await page.getByLabel('Save to').selectOption({ label: 'Papers' });
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('Saved.').waitFor();
    assert.is(await page.getByLabel('Save to').inputValue(), made.body.uniqueId);
    assert.equal(faults, []);
    await close();
  });

  check(`a stranger sends files by a request link and reads a receipt ${how}`, async (place) => {
    const { server, browser, account } = place;
    const json = {
      title: 'Photos of the party',
      note: 'Thank you!',
      askName: true,
      blind: false,
      maxFiles: 9,
    };
    const made = await server.request('POST', '/request/create', { key: account.key, json });
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await page.goto(`/web/request/${made.body.uniqueId}`);
    await page.getByLabel('Your name').fill('Ada');
    const files = [1, 2].map((number) => ({
      name: `${number}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from(`text ${number}`),
    }));
    await page.locator('input[type=file]').setInputFiles(javaScriptEnabled ? files : files.slice(0, 1));
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(javaScriptEnabled ? '2 files were received' : 'Received: 1.txt').waitFor();
    assert.equal(faults, []);
    await close();
    await eachShape(place, null, async (page) => {
      await page.goto(`/web/request/${made.body.uniqueId}`);
      await assertSound(page);
    });
    await eachShape(place, account, async (page) => {
      for (const address of ['/web/requests', `/web/requests/${made.body.uniqueId}`]) {
        await page.goto(address);
        await assertSound(page);
      }
    });
  });
}

run();
