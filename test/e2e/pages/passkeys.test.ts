/** Passkeys and named keys in a browser, with the virtual authenticator of Chromium. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { addAuthenticator, openPage, signIn } from '../../support/web/browser.js';
import { assertSound, eachShape, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('passkeys');

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

check('a passkey is added and signs in without a name', async ({ server, browser, account }) => {
  const { page, faults, close } = await openPage(browser, server);
  const { cdp, authenticatorId } = await addAuthenticator(page);
  await signIn(page, account);
  await page.goto('/web/settings/security/passkeys');
  await page.getByLabel('Name').fill('laptop');
  await press(page, 'Add passkey');
  await page.getByText('The passkey was added').waitFor();
  await page.getByText('laptop').first().waitFor();

  await page.context().clearCookies();
  // Suggested by the browser at once, or asked for with the button.
  await page.goto('/web/login?next=/web/settings/security/passkeys');
  const button = page.getByRole('button', { name: 'Use a passkey' });
  await Promise.race([
    page.waitForURL('**/settings/security/passkeys'),
    button.click().catch(() => undefined),
  ]);
  await page.waitForURL('**/settings/security/passkeys');
  await page.getByText('last used').waitFor();

  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
  assert.is(credentials.length, 1);
  assert.equal(faults, []);
  await close();
});

check(
  'the password is asked for only if it is needed, and what is wrong with it said there',
  async (place) => {
    const { server, browser, account } = place;
    const { page, close } = await openPage(browser, server);
    await addAuthenticator(page);
    await signIn(page, account);
    const field = page.getByLabel('Password', { exact: true });
    const error = page.locator('#password-error');
    const focused = () => field.evaluate((input) => input === document.activeElement);
    await page.goto('/web/settings/security/passkeys');
    assert.is(await field.isVisible(), false, 'a sign-in of now is enough');
    // The page is left open for too long.
    const { db } = server.app.services;
    await db.write((trx) => trx('sessions').where('user_id', account.id).update({ created_at: 1 }));
    await press(page, 'Add passkey');
    await error.filter({ hasText: 'Confirm with your password' }).waitFor();
    assert.is(await focused(), true);
    await field.fill('not the password');
    await press(page, 'Add passkey');
    await error.filter({ hasText: 'The password is wrong' }).waitFor();
    assert.is(await focused(), true);
    await page.reload();
    assert.is(await field.isVisible(), true, 'the server knows that it is needed');
    await field.fill(account.password);
    await press(page, 'Add passkey');
    await page.getByText('The passkey was added').waitFor();
    await close();
  },
);

check('without scripts the pages say what is missing', async ({ server, browser, account }) => {
  const { page, close } = await openPage(browser, server, { javaScriptEnabled: false });
  await signIn(page, account);
  await page.goto('/web/settings/security/passkeys');
  await page.getByText('Passkeys need JavaScript').waitFor();
  await close();
});

for (const javaScriptEnabled of [true, false])
  check(
    `a named key is made, shown once, changed and deleted, scripts: ${javaScriptEnabled}`,
    async ({ server, browser, account }) => {
      const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
      await signIn(page, account);
      await page.goto('/web/settings/security/keys');
      await page.getByLabel('Name').fill('script on the server');
      await page.getByLabel('see pastes').check();
      await page.getByLabel('see statistics').check();
      await press(page, 'Create key');
      const key = await page.getByLabel('API key', { exact: true }).inputValue();
      const { status } = await server.request('GET', '/stats/get?scope=own', { key });
      assert.is.not(status, 401);
      await page.getByRole('link', { name: 'I have saved it' }).click();
      assert.not.match(await page.content(), key);
      await page.getByRole('link', { name: 'script on the server' }).click();
      assert.is(await page.getByLabel('see pastes').isChecked(), true);
      await page.getByLabel('Name').fill('renamed');
      await press(page, 'Save');
      await page.getByRole('link', { name: 'renamed' }).click();
      await page.getByText('Delete this key').click();
      await press(page, 'Yes, delete the key');
      await page.getByText('The key was deleted').waitFor();
      assert.equal(faults, []);
      await close();
    },
  );

check('every page of it is accessible, narrow and wide', async ({ server, browser, account }) => {
  await eachShape({ server, browser }, account, async (page) => {
    for (const path of ['/keys', '/passkeys', '/confirm', '']) {
      await page.goto(`/web/settings/security${path}`, { waitUntil: 'load' });
      await assertSound(page);
    }
  });
});

run();
