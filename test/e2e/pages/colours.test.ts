import type { RequestListener, Server } from 'node:http';
import * as assert from 'uvu/assert';
import { startServer } from '../../harness.js';
import { until } from '../../support/until.js';
import { openPage } from '../../support/web/browser.js';
import { both, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('colours');

check('the colours chosen in the footer are kept', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, { colorScheme: 'light', javaScriptEnabled: false });
  await page.goto('/web/paste-create');
  await page.getByRole('button', { name: 'Dark' }).click();
  assert.is(new URL(page.url()).pathname, '/web/paste-create');
  await page.goto('/web/login');
  assert.is(await page.locator('html').getAttribute('data-theme'), 'dark');
  await close();
});

check('the cookie of the colours has the usual attributes, and is kept for a year', async () => {
  const server = await startServer({
    COOKIE_DOMAIN: 'example.org',
    COOKIE_SAMESITE: 'none',
    COOKIE_SECURE: 'true',
  });
  try {
    for (const [theme, kept] of [
      ['dark', 'theme=dark; Path=/; HttpOnly; SameSite=None; Max-Age=31536000'],
      ['auto', 'theme=; Path=/; HttpOnly; SameSite=None; Max-Age=0'],
    ]) {
      const answer = await server.request('POST', '//web/theme', { json: { theme } });
      assert.is(answer.status, 303);
      assert.equal(answer.headers.getSetCookie(), [`${kept}; Domain=example.org; Secure`]);
    }
  } finally {
    await server.close();
  }
});

/** Delays requests for colours; returns a function that releases them. */
function holdThemes(http: Server): () => void {
  const listeners = http.listeners('request') as RequestListener[];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  http.removeAllListeners('request');
  http.on('request', async (req, res) => {
    if (req.url === '/web/theme') await released;
    for (const listener of listeners) listener.call(http, req, res);
  });
  return release;
}

for (const [how, javaScriptEnabled] of both) {
  check(`changing colours keeps the state of a page, ${how}`, async ({ server, browser }) => {
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await page.goto('/web/password-reset/confirm?code=abc-123&done=saved');
    const kept = page.context().waitForEvent('response', (answer) => answer.url().endsWith('/web/theme'));
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.locator('html[data-theme="dark"]').waitFor();
    assert.is((await kept).status(), 303);
    assert.is(new URL(page.url()).searchParams.get('code'), 'abc-123');
    assert.is(await page.locator('input[name="code"]').inputValue(), 'abc-123');
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.waitForURL((url) => url.pathname === '/web/login');
    assert.is(
      new URL(page.url()).searchParams.get('next'),
      '/web/password-reset/confirm?code=abc-123',
      'signing in leads back to it',
    );
    assert.is(await page.locator('html').getAttribute('data-theme'), 'dark', 'and the colours stay');
    assert.equal(faults, []);
    await close();
  });

  check(`changing colours does not discard what is shown once, ${how}`, async ({ server, browser }) => {
    const { body } = await server.request('POST', '/paste/create', {
      key: server.owner.key,
      json: { text: 'shown once', burn: true },
    });
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await page.goto(`/web/paste-render/${body.uniqueId}`);
    await page.getByRole('button', { name: 'Read it now' }).click();
    await page.getByText('shown once').waitFor();
    const kept = page.context().waitForEvent('response', (answer) => answer.url().endsWith('/web/theme'));
    await page.getByRole('button', { name: 'Dark' }).click();
    assert.is((await kept).status(), 303);
    assert.ok(await page.getByText('shown once').isVisible());
    await page.goto('/web/paste-create');
    assert.is(await page.locator('html').getAttribute('data-theme'), 'dark');
    assert.equal(faults, []);
    await close();
  });
}

check('colours are stored even if the page is left before the answer', async ({ server, browser }) => {
  const { page, faults, close } = await openPage(browser, server);
  await page.goto('/web/paste-create');
  const release = holdThemes(server.app.server);
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.goto('/web/login');
  release();
  await until(async () => (await page.context().cookies()).some(({ value }) => value === 'dark'));
  assert.equal(faults, []);
  await close();
});

run();
