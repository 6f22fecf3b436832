/** The ways into an account on its page, a sign-in link, and uploads from a web address, in a browser. */
import * as assert from 'uvu/assert';
import { makeSignInLink } from '../../../routers/features/auth/sign-in-link.js';
import { createAuthenticator } from '../../standins/authenticator.js';
import { openPage, signIn } from '../../support/web/browser.js';
import { assertSound, both, eachShape, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('ways in');

check('the lists of ways in, and the pages around them, are sound', async ({ server, browser, account }) => {
  const { key, password } = account;
  for (const name of ['a scanner in the hall', 'backup', 'screenshots'])
    await server.request('POST', '/user/get/@me/keys', {
      key,
      json: { name, scopes: ['images:read', 'images:write', 'pastes:read', 'pastes:write'] },
    });
  const asked = await server.request('POST', '/auth/passkey/register/options', { key, json: { password } });
  const credential = createAuthenticator(server.origin).create(asked.body.message, {});
  await server.request('POST', '/auth/passkey/register/verify', { key, json: { credential, name: 'phone' } });
  await eachShape({ server, browser }, account, async (page) => {
    for (const path of ['settings/security', 'image-upload/url', 'image-upload', 'sign-in?code=x']) {
      await page.goto(`/web/${path}`, { waitUntil: 'load' });
      await assertSound(page, path);
    }
  });
  await eachShape({ server, browser }, server.owner, async (page) => {
    await page.goto(`/web/admin/users/${account.id}`, { waitUntil: 'load' });
    await assertSound(page, 'account');
  });
});

for (const [how, javaScriptEnabled] of both) {
  check(`everything is ended by one button, ${how}`, async ({ server, browser, account }) => {
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, account);
    await page.goto('/web/settings/security');
    await page.getByText('Sign out everywhere else').click();
    await page.getByRole('button', { name: 'Yes, end everything' }).click();
    await page.getByText('All other access to your account was ended').waitFor();
    assert.is((await server.request('GET', '/auth/me', { key: account.key })).status, 401);
    assert.equal(faults, []);
    await close();
  });

  check(`a sign-in link signs in by its button, ${how}`, async ({ server, browser, account }) => {
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await page.goto(await makeSignInLink(server.app.services, account.id));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${server.origin}/`);
    await page.goto('/web/settings/security');
    await page.getByText('This session', { exact: true }).waitFor();
    assert.equal(faults, []);
    await close();
  });
}

run();
