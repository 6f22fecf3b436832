/** Forms on a slow connection, where users press again before the answer comes. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { openPage, signIn } from '../../support/web/browser.js';
import { pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('forms on a slow line');

/** Posts reach the server at once, but their answers are held until they are released. */
async function holdAnswers(page: Page, path: string) {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let posts = 0;
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    posts += 1;
    const response = await route.fetch({ maxRedirects: 0 });
    await held;
    // A page that is closed by now takes no answer.
    await route.fulfill({ response }).catch(() => undefined);
  });
  return { letGo, posts: () => posts };
}

/** Clicks at the position of the button: locators would wait for the answer before they look. */
async function placeOf(page: Page, name: string): Promise<() => Promise<void>> {
  const button = page.getByRole('button', { name, exact: true });
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  assert.ok(box);
  return () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/**
 * Makes the page report changes of its buttons and its live messages: between a press and its answer nobody
 * can look into it.
 */
async function listen(page: Page) {
  await page.evaluate(() => {
    new MutationObserver((changes) => {
      for (const { type, target } of changes) {
        if (type === 'childList') console.log('said');
        else console.log((target as Element).hasAttribute('aria-disabled') ? 'quiet' : 'free');
      }
    }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['aria-disabled'] });
  });
  return (word: 'said' | 'quiet' | 'free') =>
    page.waitForEvent('console', (message) => message.text() === word);
}

const forms = [
  ['paste', '/web/paste-create', 'Text', 'twice.example', 'Create paste', '/web/pastes'],
  ['link', '/web/url-create', 'URL', 'https://twice.example/', 'Shorten', '/web/links'],
  ['collection', '/web/collections', 'Title', 'twice.example', 'Create', '/web/collections'],
] as const;

for (const [what, path, label, value, button, list] of forms) {
  check(`a second press before the answer creates no second ${what}`, async ({ server, browser }) => {
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, server.owner);
    const line = await holdAnswers(page, path);
    await page.goto(path);
    if (what === 'collection') await page.getByText('New collection').click();
    await page.getByLabel(label, { exact: true }).fill(value);
    const press = await placeOf(page, button);
    const hears = await listen(page);
    await Promise.all([hears('quiet'), press()]);
    await Promise.all([hears('said'), press()]);
    line.letGo();
    await page.waitForURL((url) => url.pathname !== path || url.search !== '');
    assert.is(line.posts(), 1);
    await page.goto(list);
    assert.is(await page.locator('main :is(tbody tr, .rows > li, :is(.things, .albums) > li)').count(), 1);
    assert.equal(faults, []);
    await close();
  });
}

check('the value of the pressed button is sent with its form', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, { colorScheme: 'light' });
  await page.goto('/web/paste-create');
  await page.getByRole('button', { name: 'Dark' }).dblclick();
  await page.locator('html[data-theme="dark"]').waitFor();
  await close();
});

check('a page restored from the back/forward cache has its buttons back', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server);
  await signIn(page, server.owner);
  const line = await holdAnswers(page, '/web/url-create');
  await page.goto('/web/url-create');
  await page.getByLabel('URL', { exact: true }).fill('https://example.org/again');
  const press = await placeOf(page, 'Shorten');
  const hears = await listen(page);
  await page.evaluate(() =>
    addEventListener('keydown', () =>
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
    ),
  );
  await Promise.all([hears('quiet'), press()]);
  await Promise.all([hears('free'), page.keyboard.press('F8')]);
  line.letGo();
  await page.getByText('https://example.org/').first().waitFor();
  await close();
});

check('typed text is not lost when a file is chosen', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, { javaScriptEnabled: false });
  await signIn(page, server.owner);
  const file = (content: string) => ({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from(content) });
  await page.goto('/web/paste-create');
  await page.getByLabel('Text', { exact: true }).fill('typed');
  await page.locator('input[type=file]').setInputFiles(file('chosen'));
  await page.getByRole('button', { name: 'Create paste' }).click();
  await page.getByText('Enter text or choose a file, not both').waitFor();
  assert.is(await page.getByLabel('Text', { exact: true }).inputValue(), 'typed');
  await page.locator('input[type=file]').setInputFiles(file(''));
  await page.getByRole('button', { name: 'Create paste' }).click();
  await page.locator('pre', { hasText: 'typed' }).waitFor();
  await close();
});

run();
