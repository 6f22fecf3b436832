/** The page of an unverified account, while the messenger may be down. */
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../../harness.js';
import { BOT_TOKEN, startTelegram, type TelegramStandin } from '../../standins/telegram.js';
import { registerNewcomer } from '../../support/accounts/accounts.js';
import { findBarriers, findChromium, openBrowser, openPage, overflowOf } from '../../support/web/browser.js';

const chromium = findChromium();

interface Place {
  server: TestServer;
  telegram: TelegramStandin;
  browser: Browser;
}

const waiting = suite<Place>('pages: waiting for verification');

waiting.before(async (place) => {
  place.telegram = await startTelegram();
  place.server = await startServer({
    MESSENGER_BOT_TOKEN: BOT_TOKEN,
    MESSENGER_API_URL: place.telegram.url,
    RATE_LIMIT: 'on',
  });
  if (chromium !== null) place.browser = await openBrowser(chromium);
});
waiting.before.each(({ telegram }) => {
  telegram.mood = 'well';
});
waiting.after(async ({ browser, server, telegram }) => {
  await browser?.close();
  await server.close();
  await telegram.close();
});

const ask = (server: TestServer, cookie: string) =>
  server.request('POST', '//web/verify', {
    headers: { cookie },
    form: new URLSearchParams({ action: 'messenger' }),
  });

waiting('viewing the page sends the messenger no request, however often', async ({ server, telegram }) => {
  const { verifyToken } = await registerNewcomer(server);
  const cookie = `verify_token=${verifyToken}`;
  telegram.mood = 'down';
  for (let view = 0; view < 40; view += 1) {
    const answer = await server.request('GET', '//web/verify', { headers: { cookie } });
    assert.is(answer.status, 200);
    assert.match(answer.text, 'Use Telegram instead');
  }
  assert.not.ok(telegram.requests.some(({ url }) => url.pathname.endsWith('/getMe')));
});

waiting('while the messenger is down the mailed code is still accepted', async ({ server, telegram }) => {
  const { verifyToken } = await registerNewcomer(server);
  telegram.mood = 'down';
  const answer = await ask(server, `verify_token=${verifyToken}`);
  assert.is(answer.status, 502);
  assert.match(answer.text, 'The other service did not respond as expected');
  assert.match(answer.text, 'name="code"');
});

waiting('when rate-limited, the page says so and stays', async ({ server }) => {
  const { verifyToken } = await registerNewcomer(server);
  let answer = await ask(server, `verify_token=${verifyToken}`);
  for (let tries = 0; answer.status === 200 && tries < 60; tries += 1)
    answer = await ask(server, `verify_token=${verifyToken}`);
  assert.is(answer.status, 429);
  assert.ok(answer.headers.get('retry-after'));
  assert.match(answer.text, 'name="code"');
});

(chromium === null ? waiting.skip : waiting)(
  'who chooses the messenger is let in by the bot',
  async ({ server, telegram, browser }) => {
    const { verifyToken } = await registerNewcomer(server);
    const { page, faults, close } = await openPage(browser, server, {
      viewport: { width: 360, height: 740 },
    });
    const cookie = { name: 'verify_token', value: verifyToken ?? '', url: server.origin };
    await page.context().addCookies([cookie]);
    await page.goto('/web/verify');
    await page.getByRole('button', { name: 'Use Telegram instead' }).click();
    const command = await page.getByText('/start').textContent();
    assert.is(await overflowOf(page), 0);
    assert.equal(await findBarriers(page), []);
    await telegram.say({ text: command ?? '' });
    await page.waitForURL((url) => url.pathname === '/web/login');
    assert.equal(faults, []);
    await close();
  },
);

waiting.run();
