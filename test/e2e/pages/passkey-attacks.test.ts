/** Passkeys under attack, with the virtual authenticator of Chromium: copies, replays, other pages, unverified users. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CDPSession, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { TestAccount, TestServer } from '../../harness.js';
import { cookieOf, cookies } from '../../support/accounts/accounts.js';
import { enableSecondFactor } from '../../support/accounts/second-factor.js';
import { addAuthenticator, openPage, signIn } from '../../support/web/browser.js';
import { pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('attacks on passkeys');

async function addPasskey(page: Page, account: TestAccount): Promise<void> {
  await signIn(page, account);
  await page.goto('/web/settings/security/passkeys');
  await page.getByLabel('Name').fill('laptop');
  await page.getByRole('button', { name: 'Add passkey', exact: true }).click();
  await page.getByText('The passkey was added').waitFor();
  await page.context().clearCookies();
  // A page without a suggestion of its own, so that only what the test asks for is signed.
  await page.goto('/v1/status');
}

const optionsOf = async (server: TestServer, headers: Record<string, string> = {}) =>
  (await server.request('POST', '/auth/passkey/login/options', { headers, json: {} })).body.message;

/** What the authenticator of the page answers to options; the name of the error if the browser refuses. */
const answerIn = (page: Page, options: object): Promise<object | string> =>
  page.evaluate(async (json) => {
    try {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json as never);
      const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
      return credential.toJSON() as object;
    } catch (error) {
      return (error as Error).name;
    }
  }, options);

const verify = (server: TestServer, json: unknown, headers: Record<string, string> = {}) =>
  server.request('POST', '/auth/passkey/login/verify', { json, headers });

const onlyCredential = async (cdp: CDPSession, authenticatorId: string) => {
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
  const [credential] = credentials;
  if (credential === undefined || credentials.length > 1) throw new Error('not one passkey');
  return credential;
};

check('a copy of a passkey does not sign in once the other one has counted on', async (place) => {
  const { server, browser, account } = place;
  const { page, close } = await openPage(browser, server);
  const { cdp, authenticatorId } = await addAuthenticator(page);
  await addPasskey(page, account);
  const copy = await onlyCredential(cdp, authenticatorId);
  for (let times = 0; times < 2; times += 1)
    assert.is((await verify(server, await answerIn(page, await optionsOf(server)))).status, 200);
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: copy });
  const refused = await verify(server, await answerIn(page, await optionsOf(server)));
  assert.is(refused.status, 403, refused.text);
  assert.is(cookieOf(refused, 'session_token'), null);
  await close();
});

check('what a browser has answered once is worth nothing the second time', async (place) => {
  const { server, browser, account } = place;
  const { page, close } = await openPage(browser, server);
  await addAuthenticator(page);
  await addPasskey(page, account);
  const answer = await answerIn(page, await optionsOf(server));
  assert.is((await verify(server, answer)).status, 200);
  const again = await verify(server, answer);
  assert.ok([400, 403].includes(again.status), again.text);
  assert.is(cookieOf(again, 'session_token'), null);
  await close();
});

check('what a page at another port of the same host has got signed is refused', async (place) => {
  const { server, browser, account } = place;
  const { page, close } = await openPage(browser, server);
  await addAuthenticator(page);
  await addPasskey(page, account);
  const elsewhere = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>sign in</title>');
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  try {
    const { port } = elsewhere.address() as AddressInfo;
    await page.goto(`http://${new URL(server.origin).hostname}:${port}/`);
    const stolen = await answerIn(page, await optionsOf(server));
    assert.type(stolen, 'object', `the browser signs for the host, whatever the port: ${stolen}`);
    const refused = await verify(server, stolen);
    assert.equal([refused.status, cookieOf(refused, 'session_token')], [403, null]);
  } finally {
    elsewhere.close();
  }
  await close();
});

check('without a verified user a passkey is a second step, and no way in by itself', async (place) => {
  const { server, browser, account } = place;
  const { page, close } = await openPage(browser, server);
  const { cdp, authenticatorId } = await addAuthenticator(page);
  await addPasskey(page, account);
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  const required = await optionsOf(server);
  assert.is(required.userVerification, 'required');
  assert.is(await answerIn(page, required), 'NotAllowedError', 'the browser itself refuses');
  const unverified = await answerIn(page, { ...required, userVerification: 'discouraged' });
  assert.is((await verify(server, unverified)).status, 403, 'and so does the server');

  await enableSecondFactor(server, account);
  const { email, password } = account;
  const pending = await server.request('POST', '/auth/login', { json: { email, password } });
  const headers = cookies({ sign_in: cookieOf(pending, 'sign_in') });
  const second = await optionsOf(server, headers);
  assert.is(second.userVerification, 'preferred');
  const entered = await verify(
    server,
    await answerIn(page, { ...second, userVerification: 'discouraged' }),
    headers,
  );
  assert.is(entered.status, 200, entered.text);
  assert.is(entered.body.message.uid, account.id);
  await close();
});

run();
