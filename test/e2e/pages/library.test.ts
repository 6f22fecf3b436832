import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { fileForm } from '../../harness.js';
import { depthOf, openPage, signIn } from '../../support/web/browser.js';
import { assertSound, eachShape, type Place, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('library');

async function upload({ server, account }: Place, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, name] of names.entries()) {
    const bytes = await sharp({
      create: { width: 80, height: 60, channels: 3, background: `hsl(${index * 60} 50% 50%)` },
    })
      .png()
      .toBuffer();
    const { body } = await server.request('POST', '/image/upload', {
      key: account.key,
      form: fileForm(bytes, name),
    });
    ids.push(body.uniqueId);
  }
  return ids;
}

check('names are sorted regardless of case, files without one by their id', async (place) => {
  const { server, browser, account } = place;
  await upload(place, ['Zebra.png', 'apple.png', 'Öl.png', 'banana.png']);
  const { uniqueId } = (
    await server.request('POST', '/image/upload', {
      key: account.key,
      body: 'a bare body',
      headers: { 'content-type': 'application/octet-stream' },
    })
  ).body.message;
  const { page, close } = await openPage(browser, server);
  await signIn(page, account);
  await page.goto('/web/library?sort=name');
  const names = await page.locator('.tile .words a').allTextContents();
  const folded = (name: string): Buffer =>
    Buffer.from(name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
  const all = ['apple.png', 'banana.png', 'Zebra.png', 'Öl.png', uniqueId];
  assert.equal(
    names,
    all.toSorted((a, b) => Buffer.compare(folded(a), folded(b))),
  );
  await close();
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  check(`the size of tiles is chosen and stays, their proportions too, ${how}`, async (place) => {
    const { server, browser, account } = place;
    await upload(place, ['a.png', 'b.png']);
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, account);
    const shape = async () => {
      await page.waitForLoadState();
      const box = await page.locator('.tile').last().boundingBox();
      return { height: box?.height ?? 0, proportions: (box?.width ?? 0) / (box?.height ?? 1) };
    };
    const heights: number[] = [];
    for (const size of ['Small', 'Medium', 'Large']) {
      await page.goto('/web/library?sort=name');
      await page.getByRole('button', { name: size }).click();
      await page.locator('[name=tiles][aria-pressed=true]', { hasText: size.slice(0, 1) }).waitFor();
      assert.match(page.url(), /\?sort=name$/, 'what was asked for stays');
      const { height, proportions } = await shape();
      assert.ok(Math.abs(proportions - 4 / 3) < 0.1, `${size}: ${proportions}`);
      heights.push(height);
    }
    assert.equal(
      heights,
      heights.toSorted((a, b) => a - b),
    );
    assert.is(new Set(heights).size, 3);
    await page.goto('/web/library');
    assert.is((await shape()).height, heights[2]);
    assert.equal(faults, []);
    await close();
  });

  check(`items are found, selected, made private and deleted ${how}`, async (place) => {
    const { server, browser, account } = place;
    await upload(place, ['my-red.png', 'my-green.png', 'blue.png']);
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, account);
    const shown = async () => {
      await page.waitForLoadState();
      return (await page.locator('.tile .words a').allTextContents()).sort();
    };
    await page.goto('/web/library?search=my-&sort=name');
    assert.equal(await shown(), ['my-green.png', 'my-red.png']);
    await page.getByLabel('Select my-red.png').check();
    await page.getByLabel('Select my-green.png').check();
    await page.getByRole('button', { name: 'Make private' }).click();
    await page.getByText('Saved.').waitFor();
    assert.equal(await shown(), ['my-green.png', 'my-red.png'], 'the search stays');
    assert.is(await page.getByLabel('Sort by').inputValue(), 'name', 'and the order');
    await page.goto('/web/library?access=private');
    assert.is(await page.locator('.tile').count(), 2);
    await page.getByLabel('Select my-red.png').check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Delete 1 item?' }).waitFor();
    assert.match(
      (await page.getByRole('link', { name: 'Keep it' }).getAttribute('href')) ?? '',
      /access=private/,
    );
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted.').waitFor();
    assert.equal(await shown(), ['my-green.png']);
    assert.equal(faults, []);
    await close();
  });
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  check(`all that a list has is chosen, on its other pages too, ${how}`, async (place) => {
    const { server, browser, account } = place;
    await upload(
      place,
      Array.from({ length: 63 }, (_, index) => `all-${index}.png`),
    );
    await upload(place, ['other.png']);
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, account);
    await page.goto('/web/library?search=all&page=1');
    const whole = page.getByLabel('Select all 63');
    if (javaScriptEnabled) {
      await page.getByLabel('Select all-0.png').check();
      assert.is(await whole.isVisible(), false, 'only with everything on the page');
      await page.getByRole('button', { name: 'Select all', exact: true }).click();
    }
    await whole.check();
    if (javaScriptEnabled) {
      await page.getByText('63 selected').waitFor();
      await page.getByLabel('Select all-0.png').uncheck();
      assert.is(await whole.isChecked(), false);
      await page.getByLabel('Select all-0.png').check();
      await whole.check();
      await assertSound(page);
    }
    await page.getByRole('button', { name: 'Make private' }).click();
    await page.getByText('Saved.').waitFor();
    await page.goto('/web/library?access=private');
    await page.getByText('63 files').waitFor();
    await page.goto('/web/library?search=all');
    if (javaScriptEnabled) await page.getByRole('button', { name: 'Select all', exact: true }).click();
    await page.getByLabel('Select all 63').check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Delete 63 items?' }).waitFor();
    await upload(place, ['all-came-later.png']);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted.').waitFor();
    await page.goto('/web/library?sort=name');
    assert.equal(await page.locator('.tile .words a').allTextContents(), ['all-came-later.png', 'other.png']);
    assert.equal(faults, []);
    await close();
  });
}

check('a long library is gone through by its months, and narrowed by its tags', async (place) => {
  const { server, browser, account } = place;
  const ids = await upload(
    place,
    Array.from({ length: 64 }, (_, index) => `${index}.png`),
  );
  const { db } = server.app.services;
  const day = (iso: string) => Math.floor(Date.parse(iso) / 86_400_000);
  await db.write(async (trx) => {
    const of = { owner_id: account.id };
    await trx('images')
      .where(of)
      .whereIn('unique_id', ids.slice(0, 62))
      .update({ created_at: Date.parse('2024-05-03') });
    await trx('images')
      .where(of)
      .whereIn('unique_id', ids.slice(0, 2))
      .update({ created_at: Date.parse('2023-02-03') });
    const [counted] = await trx('content_days').where(of);
    await trx('content_days').where(of).update({ items: 2 });
    await trx('content_days').insert([
      { ...counted, day: day('2024-05-03'), items: 60 },
      { ...counted, day: day('2023-02-03'), items: 2 },
    ]);
  });
  for (const id of ids.slice(0, 3))
    await server.request('PATCH', `/image/get/${id}`, { key: account.key, json: { tags: ['beach'] } });
  const { page, faults, close } = await openPage(browser, server);
  await signIn(page, account);
  await page.goto('/web/library');
  await page.getByRole('link', { name: 'Feb 2023' }).click();
  await page.waitForURL(/page=1#m2023-02$/);
  const headings = page.locator('.part h2');
  assert.equal(await headings.allTextContents(), ['May 2024', 'February 2023']);
  assert.is(await page.locator('.months [aria-current]').textContent(), 'May 2024');
  await assertSound(page);
  await page.setViewportSize({ width: 200, height: 700 });
  assert.ok(await page.locator('.months').evaluate((all) => all.scrollWidth > all.clientWidth), 'scrolls');
  assert.is(await page.evaluate(() => document.documentElement.scrollWidth), 200, 'the page does not');
  await page.getByRole('link', { name: 'beach' }).click();
  await page.getByText('3 files').waitFor();
  assert.is(await page.locator('.months').count(), 0);
  await page.locator('.tile a').first().click();
  await page.getByText('1 of 3').waitFor();
  assert.equal(faults, []);
  await close();
});

check('on a phone, a checkbox focused by keyboard is not covered by the selection bar', async (place) => {
  await upload(
    place,
    Array.from({ length: 14 }, (_, index) => `${index}.png`),
  );
  await place.server.request('POST', '/image/playlist/create', {
    key: place.account.key,
    json: { title: 'A playlist, so that the bar has all it may have' },
  });
  const { page, close } = await openPage(place.browser, place.server, {
    viewport: { width: 360, height: 740 },
  });
  await signIn(page, place.account);
  await page.goto('/web/library', { waitUntil: 'load' });
  const boxes = page.locator('.pick input');
  await boxes.first().check();
  for (let index = 1; index < 14; index += 1) {
    await boxes.nth(index - 1).focus();
    await page.keyboard.press('Tab');
    if (!(await boxes.nth(index).evaluate((box) => box === document.activeElement))) {
      await page.keyboard.press('Tab');
    }
    const [end, bar] = await page.evaluate(() => [
      document.activeElement?.getBoundingClientRect().bottom ?? 0,
      document.querySelector('.bulk')?.getBoundingClientRect().top ?? 0,
    ]);
    assert.ok((end ?? 0) <= (bar ?? 0), `box ${index} ends at ${end}, the bar begins at ${bar}`);
  }
  await close();
});

check('the library shows only items of the signed-in account, and changes only those', async (place) => {
  const { server, browser, account } = place;
  const [foreign] = await upload(place, ['mine.png']);
  const other = await server.account();
  const { page, close } = await openPage(browser, server);
  await signIn(page, other);
  await page.goto('/web/library');
  assert.is(await page.locator('.tile').count(), 0);
  const status = await page.evaluate(async (id) => {
    const form = new FormData();
    form.append('ids', id ?? '');
    form.append('action', 'delete');
    form.append('confirmed', 'true');
    return (await fetch('/web/library', { method: 'POST', body: form })).status;
  }, foreign);
  assert.is(status, 403);
  assert.is((await server.request('GET', `/image/info/${foreign}`, { key: account.key })).status, 200);
  await close();
});

check('who deletes a picture sees which', async (place) => {
  const { server, browser, account } = place;
  const [id] = await upload(place, ['which.png']);
  const { page, faults, close } = await openPage(browser, server);
  await signIn(page, account);
  await page.goto(`/web/delete/image/${id}`, { waitUntil: 'load' });
  const shown = page.locator('.gate-page img');
  assert.ok(await shown.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0));
  await assertSound(page);
  assert.equal(faults, []);
  await close();
});

check('description, privacy and password can be changed on the page of an item', async (place) => {
  const { server, browser, account } = place;
  const [id] = await upload(place, ['item.png']);
  const { page, faults, close } = await openPage(browser, server);
  await signIn(page, account);
  await page.goto(`/web/image-render/${id}`);
  await page.getByText('Description and access').click();
  await page.getByLabel('Description').fill('What it shows');
  await page.getByLabel('Only I can see it').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByText('Description and access').click();
  await page.getByLabel('Password').fill('open sesame');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Description and access').click();
  await page.getByRole('button', { name: 'Remove password' }).waitFor();
  const { body } = await server.request('GET', `/image/info/${id}`, { key: account.key });
  assert.is(body.message.description, 'What it shows');
  assert.is(body.message.isPublic, false);
  assert.is(body.message.requiresPassword, true);
  assert.equal(faults, []);
  await close();
});

check('the visits of a link are counted by day, with bots separate', async (place) => {
  const { server, browser, account } = place;
  const { body } = await server.request('POST', '/url/create', {
    key: account.key,
    json: { url: 'https://example.org/' },
  });
  for (const agent of [
    'Mozilla/5.0 (X11; Linux x86_64) Chrome/149.0',
    'Mozilla/5.0 (compatible; Discordbot/2.0)',
  ]) {
    await server.request('GET', `/url/r/${body.uniqueId}`, { headers: { 'user-agent': agent } });
  }
  const { page, faults, close } = await openPage(browser, server);
  await signIn(page, account);
  await page.goto('/web/links');
  await page.getByRole('link', { name: body.uniqueId }).click();
  await page.waitForLoadState();
  assert.is(
    await page
      .locator('.figure', { hasText: /^Total visits/ })
      .locator('strong')
      .textContent(),
    '2',
  );
  assert.is(await page.locator('.figure', { hasText: 'Bots' }).locator('strong').textContent(), '1');
  assert.is(await page.getByRole('radio').count(), 30);
  await page.locator('summary', { hasText: 'Latest visits' }).click();
  await page.getByText('Discordbot/2.0').waitFor({ state: 'hidden' });
  await page.locator('summary', { hasText: 'Discord' }).click();
  await page.getByText('Discordbot/2.0').waitFor();
  // What a bar says is there for the keyboard, too.
  await page.getByRole('radio').last().focus();
  const told = page.locator('.tip', { hasText: '1 by people, 1 by bots' });
  assert.is(await told.evaluate((tip) => getComputedStyle(tip).opacity), '1');
  await page.keyboard.press('ArrowLeft');
  assert.is(await told.evaluate((tip) => getComputedStyle(tip).opacity), '0');
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'All visits as CSV' }).click();
  assert.is((await saved).suggestedFilename(), `holdall-visits-${body.uniqueId}.csv`);
  await page.getByRole('link', { name: '12 months' }).click();
  await page.locator('a[aria-current=page]', { hasText: '12 months' }).waitFor();
  assert.is(await page.getByRole('radio').count(), 53);
  await page.getByText('Other days').click();
  await page.getByLabel('From', { exact: true }).fill('2020-02-28');
  await page.getByLabel('To', { exact: true }).fill('2020-03-01');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('Visits, none').waitFor();
  assert.equal(
    await page.locator('.tip').allTextContents(),
    ['28 Feb', '29 Feb', '1 Mar'].map((day) => `${day} 2020: 0 by people, 0 by bots`),
  );
  assert.equal(faults, []);
  await close();
});

check('every list is accessible and ends with its footer, narrow and wide', async (place) => {
  const { server, browser, account } = place;
  await upload(place, ['one.png', `${'long-'.repeat(30)}.png`]);
  await server.request('POST', '/paste/create', {
    key: account.key,
    json: { text: 'text', title: 'long-'.repeat(30) },
  });
  const { body } = await server.request('POST', '/url/create', {
    key: account.key,
    json: { url: `https://example.org/${'long-'.repeat(60)}` },
  });
  await server.request('GET', `/url/r/${body.uniqueId}`);
  await eachShape({ server, browser }, account, async (page) => {
    for (const path of ['/', '/web/library', '/web/pastes', '/web/links', `/web/links/${body.uniqueId}`]) {
      await page.goto(path, { waitUntil: 'load' });
      await assertSound(page);
      assert.is(await depthOf(page), 0, `${path} goes on below its footer`);
    }
  });
});

check('right-to-left names are shown in their own direction', async (place) => {
  const { server, browser, account } = place;
  const name = 'תמונה (12).png';
  const [id] = await upload(place, [name]);
  const key = account.key;
  const paste = await server.request('POST', '/paste/create', { key, json: { text: name, title: name } });
  const { body } = await server.request('POST', '/image/playlist/create', { key, json: { title: name } });
  const { page, close } = await openPage(browser, server);
  await signIn(page, account);
  for (const path of [
    '/web/library',
    `/web/image-render/${id}`,
    '/web/pastes',
    `/web/paste-render/${paste.body.uniqueId}`,
    '/web/collections',
    `/web/collection/${body.uniqueId}`,
  ]) {
    await page.goto(path);
    const directions = await page.evaluate(() =>
      Array.from(document.querySelectorAll('main *'))
        .filter(({ childNodes }) =>
          Array.from(childNodes).some((node) => node instanceof Text && /[א-ת]/.test(node.data)),
        )
        .map((element) => getComputedStyle(element).direction),
    );
    assert.equal(new Set(directions), new Set(['rtl']), path);
  }
  await close();
});

check('past the end of a list its last page is offered', async (place) => {
  const { server, browser, account } = place;
  const { body } = await server.request('POST', '/url/create', {
    key: account.key,
    json: { url: 'https://example.org/' },
  });
  const { page, faults, close } = await openPage(browser, server);
  await signIn(page, account);
  await page.goto('/web/links?page=9');
  assert.is(await page.getByText('No links yet').count(), 0);
  await page.getByRole('link', { name: 'Last page' }).click();
  await page.getByRole('link', { name: body.uniqueId }).waitFor();
  assert.equal(faults, []);
  await close();
});

check('a personal page redirects a visitor to the login, and back', async ({ server, browser, account }) => {
  const { page, close } = await openPage(browser, server, { javaScriptEnabled: false });
  await page.goto('/web/links?search=x');
  assert.is(new URL(page.url()).pathname, '/web/login');
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname === '/web/links');
  await close();
});

run();
