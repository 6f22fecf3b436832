import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { saveMessengerLink } from '../../db/account/messenger.js';
import type { TestServer } from '../harness.js';
import { legacyClient, PORTAL, startWithPortal } from '../support/interface/legacy-client.js';

const test = suite<{ server: TestServer }>('legacy client: messenger');

test.before(async (world) => {
  world.server = await startWithPortal({
    MESSENGER_BOT_TOKEN: '1:token',
    MESSENGER_BOT_NAME: 'files_bot',
    MESSENGER_WEBHOOK: 'true',
    MESSENGER_API_URL: 'http://127.0.0.1:9',
  });
});
test.after(({ server }) => server.close());

/** An account with a linked messenger account, and a browser that is signed in to it. */
async function linked(server: TestServer) {
  const account = await server.account();
  await server.app.services.db.write((trx) =>
    saveMessengerLink(trx, {
      userId: account.id,
      messengerId: `70${account.id}`,
      chatId: `70${account.id}`,
      username: 'jane',
      name: 'Jane Doe',
      connectedAt: Date.now(),
    }),
  );
  const browser = legacyClient(server, '');
  assert.is((await browser.signIn(account.email, account.password)).status, 200);
  return { account, browser };
}

test('asking to connect answers a link that opens the chat with the bot', async ({ server }) => {
  const { key } = await server.account();
  const { message } = (await server.request('POST', '/telegram/connect/request', { key })).body;
  assert.is(message.url, `https://t.me/files_bot?start=${message.token}`);
});

test('the connection has the names that the page reads', async ({ server }) => {
  const { account, browser } = await linked(server);
  const { message } = (await browser.browser('GET', '/telegram/@me')).body;
  assert.equal(
    [message.telegram_id, message.full_name, message.avatar],
    [`70${account.id}`, 'Jane Doe', null],
  );
  assert.is(message.created_at, message.connectedAt);
});

test('a GET unlinks only with a session and the origin of a front end', async ({ server }) => {
  const { account, browser } = await linked(server);
  const path = '/telegram/@me/revoke';
  const cookie = browser.cookies();
  assert.is((await server.request('GET', path, { headers: { cookie } })).status, 405);
  assert.is(
    (await server.request('GET', path, { headers: { cookie, origin: 'https://evil.example' } })).status,
    405,
  );
  assert.is(
    (await server.request('GET', path, { key: account.key, headers: { origin: PORTAL } })).status,
    405,
  );
  assert.is((await browser.browser('GET', '/telegram/@me')).status, 200);
  assert.is((await browser.browser('GET', path)).status, 200);
  assert.is((await browser.browser('GET', '/telegram/@me')).status, 404);
});

test.run();
