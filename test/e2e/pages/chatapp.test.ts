/** Signing in and linking with a chat application, in a browser: failures are reported on our own page. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { TestAccount } from '../../harness.js';
import { startDiscord } from '../../standins/discord.js';
import { chatEnv, somebody } from '../../support/accounts/chatapp.js';
import { findBarriers, openPage, signIn } from '../../support/web/browser.js';
import { pageSuite } from '../../support/web/pages.js';

const discord = await startDiscord();
const { check, after, run } = pageSuite('chat application', chatEnv(discord));
after(() => discord.close());

const pressButton = (page: Page) => page.getByRole('link', { name: 'Sign in with Discord' }).click();

async function signInHere(page: Page, { email, password }: TestAccount): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

check('an account linked in the settings can sign in', async ({ server, browser, account }) => {
  discord.person = somebody();
  const { page, faults, close } = await openPage(browser, server);
  await signIn(page, account);
  await page.goto('/v1/chatapp/start?intent=link');
  assert.is(new URL(page.url()).pathname, '/web/settings/security');
  await page.context().clearCookies();
  await page.goto('/web/login');
  await pressButton(page);
  await page.waitForURL(`${server.origin}/`);
  await page.goto('/web/settings/security');
  assert.is(new URL(page.url()).pathname, '/web/settings/security');
  assert.equal(faults, []);
  await close();
});

check('a refused sign-in explains why, and offers the other ways', async ({ server, browser, account }) => {
  const { page, close } = await openPage(browser, server);
  for (const [unwilling, reason] of [
    [true, 'The other service denied the request'],
    [false, 'No account is linked to this chat account'],
  ] as const) {
    Object.assign(discord, { unwilling, person: somebody() });
    await page.goto('/web/login');
    await pressButton(page);
    await page.getByText(reason).waitFor();
    assert.is(new URL(page.url()).pathname, '/web/login');
    assert.equal(await findBarriers(page), []);
  }
  await signInHere(page, account);
  await page.waitForURL(`${server.origin}/`);
  await close();
});

check('a refused link is reported to the signed-in user', async ({ server, browser, account }) => {
  Object.assign(discord, { unwilling: true });
  const { page, close } = await openPage(browser, server);
  await signIn(page, account);
  await page.goto('/v1/chatapp/start?intent=link');
  await page.getByText('The other service denied the request').waitFor();
  assert.is(new URL(page.url()).pathname, '/web/settings/security');
  discord.unwilling = false;
  await close();
});

check(
  'after the session has ended, the user signs in before linking',
  async ({ server, browser, account }) => {
    const { page, faults, close } = await openPage(browser, server);
    await page.goto('/v1/chatapp/start?intent=link');
    assert.is(new URL(page.url()).pathname, '/web/login');
    await signInHere(page, account);
    await page.waitForURL(`${server.origin}/web/settings/security`);
    assert.equal(faults, []);
    await close();
  },
);

run();
