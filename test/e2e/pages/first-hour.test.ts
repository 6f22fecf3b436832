/** What somebody meets who has just started a server, and the first friend who is invited. */
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { issueOwnerCode } from '../../../routers/features/auth/first-owner.js';
import { startServer, type TestServer } from '../../harness.js';
import { findChromium, openBrowser, openPage } from '../../support/web/browser.js';
import { assertSound, both } from '../../support/web/pages.js';

interface Place {
  browser: Browser;
}
const chromium = findChromium();
const hours = suite<Place>('pages: the first hour');
hours.before(async (place) => {
  if (chromium !== null) place.browser = await openBrowser(chromium);
});
hours.after(({ browser }) => browser?.close());
const check: typeof hours = chromium === null ? (hours.skip as typeof hours) : hours;

/** Runs a test with a server that has these variables, and closes it whatever happens. */
async function withServer(
  variables: Record<string, string>,
  work: (server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await startServer(variables);
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

const NOBODY = { OWNER_USERNAME: '', OWNER_EMAIL: '', OWNER_PASSWORD: '', OWNER_API_KEY: '' };
for (const [how, javaScriptEnabled] of both)
  check(`the first visit sets the owner up, who is signed in and sees first steps, ${how}`, ({ browser }) =>
    withServer(NOBODY, async (server) => {
      const code = (await issueOwnerCode(server.app.services)) ?? '';
      const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
      await page.goto('/');
      await page.getByRole('heading', { name: 'Welcome to Holdall' }).waitFor();
      if (javaScriptEnabled) await assertSound(page);
      await page.getByLabel('Username').fill('ada');
      await page.getByLabel('E-mail address').fill('ada@example.com');
      await page.getByLabel('Password').fill('correct horse battery');
      await page.getByLabel('Setup code').fill('wrong');
      await page.getByRole('button', { name: 'Create owner account' }).click();
      await page.getByRole('alert').waitFor();
      assert.is(await page.getByLabel('Username').inputValue(), 'ada');
      await page.getByLabel('Password').fill('correct horse battery');
      await page.getByLabel('Setup code').fill(code);
      await page.getByRole('button', { name: 'Create owner account' }).click();
      await page.getByText('This installation is yours').waitFor();
      await page.getByRole('heading', { name: 'First steps' }).waitFor();
      if (javaScriptEnabled) await assertSound(page);
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      assert.is(await page.getByRole('heading', { name: 'First steps' }).count(), 0);
      assert.equal(
        faults.filter((fault) => !/40[03]/.test(fault)),
        [],
      );
      await close();
    }),
  );

check('without mail an invited friend is told whom to ask, and People activates them', ({ browser }) =>
  withServer({ REGISTRATION: 'open' }, async (server) => {
    const friend = await openPage(browser, server);
    await friend.page.goto('/web/register');
    await friend.page.getByLabel('Username').fill('friend');
    await friend.page.getByLabel('E-mail address').fill('friend@example.com');
    await friend.page.getByLabel('Password').fill('correct horse battery');
    await friend.page.getByRole('button', { name: 'Create account' }).click();
    await friend.page.getByText('Ask the person who invited you').waitFor();
    await assertSound(friend.page);

    const owner = await openPage(browser, server);
    await owner.page.goto('/web/login');
    await owner.page.getByLabel('E-mail address').fill(server.owner.email);
    await owner.page.getByLabel('Password').fill(server.owner.password);
    await owner.page.getByRole('button', { name: 'Sign in' }).click();
    await owner.page.getByRole('heading', { name: 'Waiting to be let in' }).waitFor();
    await assertSound(owner.page);
    await owner.page.getByRole('button', { name: 'Activate' }).click();
    await owner.page.getByText('They can sign in now').waitFor();
    assert.equal(owner.faults, []);

    await friend.page.waitForURL('**/web/login**');
    await friend.page.getByLabel('E-mail address').fill('friend');
    await friend.page.getByLabel('Password').fill('correct horse battery');
    await friend.page.getByRole('button', { name: 'Sign in' }).click();
    await friend.page.getByRole('heading', { name: 'Overview' }).waitFor();
    assert.equal(friend.faults, []);
    await friend.close();
    await owner.close();
  }),
);

hours('while there is no owner every page leads to the one that creates it', () =>
  withServer(NOBODY, async (server) => {
    for (const path of ['//', '//web/library', '//web/apidocs', '//web/image-render/NOTHING0']) {
      const answer = await server.request('GET', path, { headers: { accept: 'text/html' } });
      assert.equal([answer.status, answer.headers.get('location')], [303, '/web/register'], path);
    }
    assert.is((await server.request('GET', '//web/login')).status, 200);
    assert.is((await server.request('GET', '/status')).status, 200);
  }),
);

hours.run();
