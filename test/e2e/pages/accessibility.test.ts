/** Accessibility of pages: narrow, dark, by keyboard, with a screen reader. */
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import type { TestServer } from '../../harness.js';
import { findBarriers, openPage, overflowOf, signIn, signInByForm } from '../../support/web/browser.js';
import { pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('everyone');

const open = [
  '/',
  '/web/login',
  '/web/register',
  '/web/image-upload',
  '/web/paste-create',
  '/web/url-create',
  '/web/image-render',
  '/web/error404',
  '/web/apidocs',
];
const own = ['/', '/web/image-upload', '/web/paste-create'];

/** One item of each kind, with words long enough to break a narrow page. */
async function makeItems({ request, owner }: TestServer): Promise<string[]> {
  const long = 'a-very-long-name-without-any-break-'.repeat(4);
  const bytes = await sharp({ create: { width: 1400, height: 300, channels: 3, background: '#486' } })
    .png()
    .toBuffer();
  const upload = async (fields: Record<string, string>) => {
    const form = new FormData();
    form.set('file', new File([new Uint8Array(bytes)], `${long}.png`));
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const { body } = await request('POST', '/image/upload', { key: owner.key, form });
    return `/web/image-render/${body.uniqueId}`;
  };
  const paste = async (fields: object) => {
    const { body } = await request('POST', '/paste/create', {
      key: owner.key,
      json: { text: `${'x'.repeat(400)}\nif (true) { return "text"; }`, title: long, ...fields },
    });
    return `/web/paste-render/${body.uniqueId}`;
  };
  const { body } = await request('POST', '/url/create', {
    key: owner.key,
    json: { url: `https://example.org/${long}` },
  });
  return [
    await upload({}),
    await upload({ password: 'open sesame' }),
    await upload({ private: 'true' }),
    await paste({ language: 'javascript' }),
    await paste({ burn: true }),
    `/web/url-render/${body.uniqueId}`,
  ];
}

/** Paths of pages with content, shared by all tests. */
let items: Promise<string[]> | null = null;
const itemsOf = (server: TestServer): Promise<string[]> => {
  items ??= makeItems(server);
  return items;
};

for (const colorScheme of ['light', 'dark'] as const) {
  check(
    `no page has a serious accessibility violation or an error, 360 pixels wide, ${colorScheme}`,
    async ({ server, browser }) => {
      const items = await itemsOf(server);
      const { page, faults, close } = await openPage(browser, server, {
        viewport: { width: 360, height: 740 },
        colorScheme,
      });
      const visit = async (path: string) => {
        await page.goto(path);
        // In dark mode only the colours differ.
        const rules = colorScheme === 'dark' ? ['color-contrast'] : null;
        assert.equal(await findBarriers(page, rules), [], path);
        assert.is(await overflowOf(page), 0, `${path} is wider than the screen`);
      };
      for (const path of [...open, ...items]) await visit(path);
      await signIn(page, server.owner);
      for (const path of [...own, ...items]) await visit(path);
      assert.equal(
        faults.filter((fault) => !fault.includes('404')),
        [],
      );
      await close();
    },
  );
}

check(
  'nothing on a page shifts while it loads, and its scripts are less than 60 KB',
  async ({ server, browser }) => {
    const { page, close } = await openPage(browser, server);
    for (const path of [...open, ...(await itemsOf(server))]) {
      await page.goto(path, { waitUntil: 'load' });
      const [shift, scripts] = await page.evaluate(
        () =>
          new Promise<[number, number]>((resolve) => {
            let moved = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) moved += (entry as unknown as { value: number }).value;
            }).observe({ type: 'layout-shift', buffered: true });
            const bytes = performance
              .getEntriesByType('resource')
              .filter(({ name }) => name.endsWith('.js'))
              .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0);
            requestAnimationFrame(() => requestAnimationFrame(() => resolve([moved, bytes])));
          }),
      );
      assert.ok(shift < 0.02, `${path} shifts by ${shift}`);
      assert.ok(scripts < 60_000, `${path} loads ${scripts} bytes of script`);
    }
    await close();
  },
);

check('a link is created by keyboard alone, and the focus is always visible', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server);
  await signInByForm(page, server.owner);
  await page.goto('/');
  await page.keyboard.press('Tab');
  assert.is(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'Skip to content');
  await page.goto('/web/url-create');
  // The browser moves the focus a little after the page has loaded.
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('example.org/by/keyboard');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
  assert.is(outline, 'solid');
  await page.keyboard.press('Enter');
  await page.getByText('https://example.org/').first().waitFor();
  await close();
});

check('the menu opens and closes by keyboard', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server);
  await signInByForm(page, server.owner);
  await page.getByLabel('Account menu').focus();
  await page.keyboard.press('Enter');
  await page.locator('details[data-menu][open]').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  assert.is(await page.locator('details[data-menu][open]').count(), 0);
  const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  assert.is(focused, `Account menu of ${server.owner.username}`, 'the focus is where the menu was opened');
  await close();
});

run();
