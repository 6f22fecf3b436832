/** Pages for everyone: narrow, dark, by keyboard, with a screen reader. */
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../harness.js';
import { findBarriers, findChromium, openBrowser, openPage, overflowOf, signIn } from '../support/browser.js';

const chromium = findChromium();

interface Place {
  server: TestServer;
  browser: Browser;
  /** Paths of pages with content in them. */
  items: string[];
}

const everyone = suite<Place>('pages: everyone');

everyone.before(async (place) => {
  place.server = await startServer();
  if (chromium !== null) place.browser = await openBrowser(chromium);
  place.items = await makeItems(place.server);
});
everyone.after(async ({ browser, server }) => {
  await browser?.close();
  await server.close();
});

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

/** Registers a test that needs the browser. */
function check(name: string, run: (place: Place) => Promise<void>): void {
  if (chromium === null) everyone.skip(name, run);
  else everyone(name, run);
}

for (const colorScheme of ['light', 'dark'] as const) {
  check(
    `no page has a serious barrier or an error, 360 pixels wide, ${colorScheme}`,
    async ({ server, browser, items }) => {
      const { page, faults, close } = await openPage(browser, server, {
        viewport: { width: 360, height: 740 },
        colorScheme,
      });
      const visit = async (path: string) => {
        await page.goto(path);
        // In the dark nothing but the colours is another.
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

check('nothing moves while a page loads', async ({ server, browser, items }) => {
  const { page, close } = await openPage(browser, server);
  for (const path of [...open, ...items]) {
    await page.goto(path, { waitUntil: 'load' });
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
          }).observe({ type: 'layout-shift', buffered: true });
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
        }),
    );
    assert.ok(shift < 0.02, `${path} shifts by ${shift}`);
  }
  await close();
});

check('a link is made by keyboard alone, and the focus is always seen', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server);
  await signIn(page, server.owner);
  await page.goto('/web/url-create');
  await page.keyboard.press('Tab');
  assert.is(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('example.org/by/keyboard');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
  assert.is(outline, 'solid');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'A link to example.org' }).waitFor();
  await close();
});

check('the menu opens and closes by keyboard', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server);
  await signIn(page, server.owner);
  await page.locator('details[data-menu] summary').focus();
  await page.keyboard.press('Enter');
  await page.locator('details[data-menu][open]').waitFor();
  await page.keyboard.press('Escape');
  assert.is(await page.locator('details[data-menu][open]').count(), 0);
  await close();
});

check('a public page loads less than 60 KB of script', async ({ server, browser, items }) => {
  const { page, close } = await openPage(browser, server);
  for (const path of [...open, ...items]) {
    await page.goto(path, { waitUntil: 'load' });
    const size = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    );
    assert.ok(size < 60_000, `${path} loads ${size} bytes of script`);
  }
  await close();
});

everyone.run();
