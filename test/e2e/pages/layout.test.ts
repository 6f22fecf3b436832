/** Pages give what they hold the room that it needs: long words, long lists, small screens. */
import * as assert from 'uvu/assert';
import { fileForm } from '../../harness.js';
import { openPage, overflowOf, signIn } from '../../support/web/browser.js';
import { assertSound, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('room');

check('a visitor on a phone reads the whole name of the house', async ({ server, browser }) => {
  for (const locale of ['en', 'de', 'ru']) {
    const { page, close } = await openPage(browser, server, {
      viewport: { width: 320, height: 640 },
      locale,
    });
    await page.goto('/web/login');
    const name = page.locator('.brand span');
    assert.ok(await name.evaluate((span) => span.scrollWidth <= span.clientWidth), locale);
    await close();
  }
});

check('an administrator has the whole menu and all sections in sight', async ({ server, browser }) => {
  const { page, faults, close } = await openPage(browser, server, { viewport: { width: 1024, height: 600 } });
  await signIn(page, server.owner);
  await page.goto('/web/admin/system');
  const side = page.locator('nav.side');
  assert.ok(await side.evaluate((nav) => nav.scrollHeight <= nav.clientHeight), 'the navigation fits');
  assert.is(await side.locator('[aria-current=true]').textContent(), 'Administration');
  await page.getByLabel(`Account menu of ${server.owner.username}`).click();
  const out = await page.getByRole('button', { name: 'Sign out' }).boundingBox();
  assert.ok(out !== null && out.y + out.height <= 600, `sign out ends at ${out?.y}`);
  const tabs = page.getByRole('navigation', { name: 'Administration' }).getByRole('link');
  assert.is(await tabs.count(), 12);
  assert.is(await page.locator('.section [aria-current]').textContent(), 'System');
  // Where the navigation has room for them, they are in it.
  await page.setViewportSize({ width: 1024, height: 848 });
  assert.ok(await side.evaluate((nav) => nav.scrollHeight <= nav.clientHeight), 'the navigation fits');
  assert.is(await side.locator('.within a:visible').count(), 12);
  assert.is(await side.locator('[aria-current=page]').textContent(), 'System');
  assert.is(await page.locator('.section').isVisible(), false);
  assert.equal(faults, []);
  await close();
});

check('signed in, the heading of every page is at one place', async ({ server, browser, account }) => {
  const { key } = account;
  const { body: paste } = await server.request('POST', '/paste/create', { key, json: { text: 'a' } });
  const { body: link } = await server.request('POST', '/url/create', {
    key,
    json: { url: 'https://a.example/' },
  });
  const { page, close } = await openPage(browser, server, { viewport: { width: 1440, height: 900 } });
  await signIn(page, account);
  const edges = new Set<number>();
  for (const path of [
    '/',
    '/web/library',
    '/web/collections',
    '/web/links',
    '/web/trash',
    '/web/image-upload',
    '/web/url-create',
    '/web/settings/security',
    `/web/paste-render/${paste.uniqueId}`,
    `/web/url-render/${link.uniqueId}`,
    `/web/edit/url/${link.uniqueId}`,
    `/web/delete/paste/${paste.uniqueId}`,
  ]) {
    await page.goto(path);
    assert.ok(await page.locator('nav.side').isVisible(), path);
    edges.add(await page.locator('h1').evaluate((heading) => heading.getBoundingClientRect().x));
  }
  assert.is(edges.size, 1, [...edges].join(', '));
  await close();
});

check('on a phone the last tab opens the whole navigation, without scripts', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, {
    viewport: { width: 360, height: 740 },
    javaScriptEnabled: false,
  });
  await signIn(page, server.owner);
  await page.goto('/web/pastes');
  assert.is(await page.locator('nav.side').isVisible(), false);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('link', { name: 'Administration' }).click();
  await page.getByRole('heading', { name: 'People', exact: true }).waitFor();
  await close();
});

check('invites and people fit in Russian, from a phone to a wide screen', async ({ server, browser }) => {
  const pending = await server.account('USER', { status: 'PENDING' });
  await server.request('POST', '/admin/invite/create', { key: server.owner.key, json: { amount: 2 } });
  for (const width of [320, 390, 1024, 1440]) {
    const { page, close } = await openPage(browser, server, {
      viewport: { width, height: 800 },
      locale: 'ru',
    });
    await signInWithoutWords(page, server.owner);
    for (const path of ['/web/admin/invites', '/web/admin/users']) {
      await page.goto(path);
      assert.is(await overflowOf(page), 0, `${path} at ${width}`);
      assert.ok(
        await page
          .locator('.card:has(table, .things)')
          .evaluate((card) => card.scrollWidth <= card.clientWidth),
        `the list of ${path} is wider than its card at ${width}`,
      );
    }
    if (width > 1000) {
      await page.goto('/web/admin/invites');
      const heights = await page
        .locator('.things > li')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
      assert.ok(Math.max(...heights) <= 72, `rows of ${heights} px: a code breaks`);
    }
    await close();
  }
  assert.ok(pending.id);
});

check('what buttons and columns say in long languages fits', async ({ server, browser }) => {
  const { key } = server.owner;
  const { body } = await server.request('POST', '/request/create', { key, json: { title: 'Papers' } });
  await server.request('POST', '/url/create', { key, json: { url: 'https://example.org/', uniqueId: 'x1' } });
  await server.request('POST', '/image/upload', { key, form: fileForm('text', 'a-name-of-some-length.txt') });
  for (const [locale, width, paths] of [
    ['cs', 320, ['/web/links/x1']],
    ['uk', 320, [`/web/requests/${body.uniqueId}`, '/web/settings/account']],
    ['pl', 1024, ['/web/admin/content']],
  ] as const) {
    const viewport = { width, height: 800 };
    const { page, close } = await openPage(browser, server, { viewport, locale });
    await signInWithoutWords(page, server.owner);
    for (const path of paths) {
      await page.goto(path);
      assert.is(await overflowOf(page), 0, `${path} in ${locale}`);
      for (const card of await page.locator('.card').all())
        assert.ok(
          await card.evaluate((box) => box.scrollWidth <= box.clientWidth + 1),
          `${path} in ${locale}`,
        );
    }
    await close();
  }
});

async function signInWithoutWords(
  page: import('playwright-core').Page,
  account: { email: string; password: string },
) {
  await page.goto('/web/login');
  await page.locator('[name=email]').fill(account.email);
  await page.locator('[name=password]').fill(account.password);
  await page.locator('main form button').first().click();
  await page.waitForURL((url) => url.pathname !== '/web/login');
}

check('the text of a paste is edited in the room of a whole page', async ({ server, browser, account }) => {
  const { body } = await server.request('POST', '/paste/create', {
    key: account.key,
    json: { text: 'one', title: 'Two' },
  });
  const { page, close } = await openPage(browser, server, { viewport: { width: 1440, height: 900 } });
  await signIn(page, account);
  await page.goto(`/web/edit/paste/${body.uniqueId}`);
  const box = await page.locator('textarea[name=text]').boundingBox();
  assert.ok(box !== null && box.width > 800, `${box?.width} px`);
  await assertSound(page);
  await close();
});

check('what pages cannot show has one button to download it', async ({ server, browser, account }) => {
  const { body } = await server.request('POST', '/image/upload', {
    key: account.key,
    form: fileForm(new Uint8Array([1, 2, 3, 250, 0, 7]), 'firmware.bin'),
  });
  const { page, close } = await openPage(browser, server);
  await page.goto(`/web/image-render/${body.uniqueId}`);
  const links = await page.getByRole('main').getByRole('link').allInnerTexts();
  assert.equal(links.filter((text) => /Download|Original/.test(text)).length, 1, links.join(' · '));
  await close();
});

check('in a long list any page is a few clicks away', async ({ server, browser, account }) => {
  for (let index = 0; index < 100; index += 1)
    await server.request('POST', '/paste/create', { key: account.key, json: { text: `text ${index}` } });
  const { page, close } = await openPage(browser, server, {
    viewport: { width: 390, height: 800 },
    javaScriptEnabled: false,
  });
  await signIn(page, account);
  await page.goto('/web/pastes?search=text');
  const pages = page.getByRole('navigation', { name: 'Pages' });
  assert.equal(await pages.getByRole('listitem').allInnerTexts(), ['1', '2', '5']);
  await pages.getByRole('link', { name: 'Page 5' }).click();
  await page.getByText('97–100 of 100').waitFor();
  assert.is(new URL(page.url()).searchParams.get('search'), 'text');
  assert.is(await pages.locator('[aria-current=page]').textContent(), '5');
  await close();
});

run();
