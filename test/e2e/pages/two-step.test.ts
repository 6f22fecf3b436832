/** Two-factor login, in a browser. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { TestAccount } from '../../harness.js';
import { sessionOf } from '../../support/accounts/accounts.js';
import {
  digitsOf,
  enableSecondFactor,
  forgetLastCode,
  wrongDigits,
} from '../../support/accounts/second-factor.js';
import { openPage, signIn } from '../../support/web/browser.js';
import { assertSound, eachShape, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('two-step sign-in');

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function enter(page: Page, { email, password }: TestAccount): Promise<void> {
  await page.goto('/web/login?next=/web/settings');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Sign in');
}

/** The recovery codes on the page that a press leads to. */
async function codesOn(page: Page): Promise<string[]> {
  // The link follows the last of them.
  await page.getByRole('link', { name: 'I have saved them' }).waitFor();
  const codes = await page.locator('.codes li').allTextContents();
  assert.is(codes.length, 10);
  return codes;
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  check(`set up, used, and turned off again ${how}`, async ({ server, browser, account }) => {
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, account);
    await page.goto('/web/settings/security');
    await page.getByRole('link', { name: 'Set up' }).click();
    await page.getByLabel('Password').fill('not the password');
    await press(page, 'Continue');
    await page.getByText('The password is wrong').waitFor();
    await page.getByLabel('Password').fill(account.password);
    await press(page, 'Continue');
    const secret = (await page.getByLabel('Key', { exact: true }).inputValue()).replaceAll(' ', '');
    await page.getByLabel('Code', { exact: true }).fill(wrongDigits(secret));
    await press(page, 'Turn on');
    await page.getByText('The code is wrong, already used or expired').waitFor();
    assert.is((await page.getByLabel('Key', { exact: true }).inputValue()).replaceAll(' ', ''), secret);
    await page.getByLabel('Code', { exact: true }).fill(digitsOf(secret));
    await press(page, 'Turn on');
    const codes = await codesOn(page);
    await page.getByRole('link', { name: 'I have saved them' }).click();

    await page.context().clearCookies();
    await enter(page, account);
    assert.is(new URL(page.url()).pathname, '/web/login/code');
    await page.getByLabel('Code', { exact: true }).fill('000 00');
    await press(page, 'Sign in');
    await page.getByText('The code is wrong or was already used').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '');
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'Profile', exact: true }).waitFor();
    assert.is(new URL(page.url()).pathname, '/web/settings');

    await page.goto('/web/settings/security/two-step');
    await page.getByText('9 recovery codes are left').waitFor();
    await page.getByLabel('Password').fill(account.password);
    await page.getByLabel('Code', { exact: true }).fill(codes[1] ?? '');
    await press(page, 'Create new recovery codes');
    await codesOn(page);
    await page.goto('/web/settings/security/two-step');
    await forgetLastCode(server, account);
    await page.getByLabel('Password').fill(account.password);
    await page.getByLabel('Code', { exact: true }).fill(digitsOf(secret));
    await press(page, 'Turn off');
    await page.getByText('signing in needs only your password').waitFor();
    assert.equal(
      faults.filter((fault) => !/40[03]/.test(fault)),
      [],
    );
    await close();
  });
}

check('the code page explains what to do if it is too late', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server);
  await page.goto('/web/login/code');
  await page.getByLabel('Code', { exact: true }).fill('123456');
  await press(page, 'Sign in');
  await page.getByText('sign in again').waitFor();
  await page.getByRole('link', { name: 'Start over' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await close();
});

check('QR codes are drawn for our own addresses only', async ({ server, account }) => {
  const cookie = `session_token=${await sessionOf(server, account)}`;
  for (const [uri, status] of [
    ['otpauth://totp/x?secret=ABCD', 400],
    [`otpauth://totp/${'x'.repeat(4_000)}`, 400],
    ['https://elsewhere.example', 400],
    ['', 400],
  ] as const) {
    const form = new URLSearchParams({ action: 'confirm', code: '000000', uri });
    const path = '//web/settings/security/two-step';
    const answer = await server.request('POST', path, { headers: { cookie }, form });
    assert.is(answer.status, status, uri.slice(0, 30));
    assert.is(answer.text.includes('class="qr"'), uri.includes('secret'));
  }
});

check(
  'an administrator can let in somebody who has lost the device',
  async ({ server, browser, account }) => {
    await enableSecondFactor(server, account);
    const { page, close } = await openPage(browser, server);
    await signIn(page, server.owner);
    await page.goto(`/web/admin/users/${account.id}`);
    await press(page, 'Turn off');
    await page.getByText('Saved.').waitFor();
    await page.context().clearCookies();
    await enter(page, account);
    await page.getByRole('heading', { name: 'Profile', exact: true }).waitFor();
    await close();
  },
);

check('every page of it is accessible, narrow and wide', async ({ server, browser, account }) => {
  await eachShape({ server, browser }, null, async (page) => {
    await page.goto('/web/login/code', { waitUntil: 'load' });
    await assertSound(page, 'code');
    await signIn(page, account);
    await page.goto('/web/settings/security/two-step', { waitUntil: 'load' });
    await assertSound(page, 'off');
    await page.getByLabel('Password').fill(account.password);
    await press(page, 'Continue');
    const key = await page.getByLabel('Key', { exact: true }).inputValue();
    await assertSound(page, 'set up');
    const secret = key.replaceAll(' ', '');
    await page.getByLabel('Code', { exact: true }).fill(digitsOf(secret));
    await press(page, 'Turn on');
    await page.locator('.codes').waitFor();
    await assertSound(page, 'recovery codes');
    await page.goto('/web/settings/security/two-step', { waitUntil: 'load' });
    await assertSound(page, 'on');
    await forgetLastCode(server, account);
    await page.getByLabel('Password').fill(account.password);
    await page.getByLabel('Code', { exact: true }).fill(digitsOf(secret));
    await press(page, 'Turn off');
    await page.getByText('needs only your password').waitFor();
  });
});

run();
