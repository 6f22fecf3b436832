// on both databases
/** What is told by way of notification servers: ntfy, Gotify and Apprise. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import { startWebhookReceiver } from '../../standins/webhook-receiver.js';
import { PERSON, tellNow } from '../../support/accounts/told.js';
import { deliveries, LOOPBACK_ALLOWED, letTimePass, paste, watched } from '../../support/web/webhook.js';

const test = suite('told by notification servers');
const BOT = { 'user-agent': 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)' };
const FORMATS = ['ntfy', 'gotify', 'apprise'] as const;
let server: TestServer;
test.before(async () => {
  server = await startServer(LOOPBACK_ALLOWED);
});
test.after(() => server.close());

/** Opens it as so many people, or bots, at once. */
const open = (id: string, times: number, headers: Record<string, string> = PERSON) =>
  Promise.all(Array.from({ length: times }, () => server.request('GET', `/paste/get/${id}`, { headers })));
const asked = { text: 'hello', title: 'The plan', notify: 'each' };

test('a storm of bots is no message, and one of people a single message, in each format', async () => {
  for (const format of FORMATS) {
    const receiver = await startWebhookReceiver();
    try {
      const { key } = await watched(server, receiver, { format, events: [], secret: 'tk_1' });
      const { body } = await paste(server, key, asked);
      await open(body.message.uniqueId, 300, BOT);
      await tellNow(server);
      assert.equal(receiver.requests, [], format);
      await open(body.message.uniqueId, 60);
      await open(body.message.uniqueId, 60);
      await tellNow(server);
      assert.is(receiver.requests.length, 1, format);
      const [{ body: sent, headers }] = receiver.requests as [(typeof receiver.requests)[0]];
      const title = /^=\?UTF-8\?B\?(.*)\?=$/.exec(String(headers.title ?? ''))?.[1];
      const said = title === undefined ? String(sent) : Buffer.from(title, 'base64').toString();
      assert.match(said, 'Paste opened: The plan (120 times)', format);
    } finally {
      await receiver.close();
    }
  }
});

test('what comes in by a request link is one message, and of a share link its label is said', async () => {
  const receiver = await startWebhookReceiver();
  try {
    const { key } = await watched(server, receiver, { format: 'gotify', events: ['request.received'] });
    const json = { title: 'Wedding', notify: 'none' };
    const request = (await server.request('POST', '/request/create', { key, json })).body.message;
    for (let index = 0; index < 5; index += 1) {
      const form = fileForm(`file ${index}`, `${index}.txt`);
      const path = `/request/open/${request.uniqueId}/files`;
      assert.is((await server.request('POST', path, { form })).status, 200);
    }
    const { body } = await paste(server, key, { private: true, title: 'Secret' });
    const links = `/paste/get/${body.message.uniqueId}/links`;
    const link = await server.request('POST', links, { key, json: { label: 'for Ada', notify: 'first' } });
    const secret = new URL(link.body.message.url).pathname.split('/').at(-1);
    await server.request('GET', `/paste/shared/${secret}`, { headers: PERSON });
    await tellNow(server);
    const said = receiver.requests.map(({ body: sent }) => JSON.parse(String(sent)).title).sort();
    assert.equal(said, ['File received: Wedding (5 times)', 'Paste opened: for Ada']);
    assert.not.match(JSON.stringify(receiver.requests.map(({ body: sent }) => String(sent))), 'Secret');
  } finally {
    await receiver.close();
  }
});

test('a server that cannot be reached is tried again, the page says why, and a message comes once it can be', async () => {
  const away = await startWebhookReceiver();
  const user = await watched(server, away, { format: 'ntfy', events: [] });
  const { url } = away;
  await away.close();
  const page = async () => (await server.request('GET', '//web/settings/webhook', { key: user.key })).text;
  const { body } = await paste(server, user.key, asked);
  await open(body.message.uniqueId, 2);
  await tellNow(server);
  await letTimePass(server);
  const [waiting, ...others] = await deliveries(server, user.key);
  assert.equal(others, []);
  assert.equal([waiting.state, waiting.status], ['WAITING', null]);
  assert.ok(waiting.attempts >= 2);
  const seen = await page();
  assert.match(seen, /paste\.opened[\s\S]*waiting/);
  assert.match(seen, new RegExp(`${waiting.attempts} attempts`));
  assert.match(seen, waiting.error);

  const again = await startWebhookReceiver(Number(new URL(url).port));
  try {
    await letTimePass(server);
    await letTimePass(server);
    assert.is(again.requests.length, 1);
    assert.is((await deliveries(server, user.key))[0].state, 'DELIVERED');
    assert.match(await page(), /paste\.opened[\s\S]*delivered/);
  } finally {
    await again.close();
  }
});

test('one that stays away is given up, and the page says so', async () => {
  const away = await startWebhookReceiver();
  const user = await watched(server, away, { format: 'apprise', events: [] });
  await away.close();
  const { body } = await paste(server, user.key, asked);
  await open(body.message.uniqueId, 1);
  await tellNow(server);
  for (let round = 0; round < 9; round += 1) await letTimePass(server);
  const [given] = await deliveries(server, user.key);
  assert.equal([given.state, given.attempts], ['FAILED', 8]);
  const { text } = await server.request('GET', '//web/settings/webhook', { key: user.key });
  assert.match(text, /paste\.opened[\s\S]*failed[\s\S]*8 attempts/);
});

test.run();
