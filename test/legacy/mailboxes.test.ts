// on both databases
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TestAccount, TestServer } from '../harness.js';
import {
  type LegacyClient,
  legacyClient,
  PORTAL,
  startWithPortal,
} from '../support/interface/legacy-client.js';
import { until } from '../support/until.js';
import { type Listener, listenTo } from '../support/web/web-socket.js';

interface World {
  server: TestServer;
  client: LegacyClient;
  user: TestAccount;
}

const TOKEN = 'worker-token-0123456789';
const test = suite<World>('legacy client: mailboxes');

test.before(async (world) => {
  world.server = await startWithPortal({ EMAIL_INBOUND_TOKEN: TOKEN });
  world.client = legacyClient(world.server, world.server.owner.key);
  world.user = await world.server.account();
});
test.after(({ server }) => server.close());

const create = async ({ server, user }: World, json: object = {}): Promise<string> => {
  const made = await server.request('POST', '/email/create', { key: user.key, json });
  assert.is(made.status, 200, made.text);
  return made.body.message.email;
};
/** A page that shows a mailbox, once the server has checked its access and watches the mailbox for it. */
const shows = async ({ server, user }: World, email: string): Promise<Listener> => {
  const path = `/ws/email?email=${email}&apiKey=${user.key}&shown=outdated`;
  const page = await listenTo(server, path, { origin: PORTAL });
  assert.equal(await page.next(), { type: 'changed' });
  return page;
};
const deliver = async ({ server }: World, to: string, messageId: string) => {
  const json = { messageId, from: 'a@example.net', to, subject: messageId, text: messageId };
  const headers = { 'x-email-token': TOKEN };
  assert.is((await server.request('POST', '/email/inbound', { headers, json })).status, 200);
};

test('records have a number and an end, and the list of all has them too', async (world) => {
  const email = await create(world, { expiresIn: '1h' });
  const { message } = (await world.client.server('GET', `/email/getinfo?email=${email}`)).body;
  assert.type(message.id, 'number');
  assert.is(message.expiresAt, message.expireAt);
  const all = (await world.client.server('GET', '/email/getall')).body.message;
  assert.is(all.find((each: { email: string }) => each.email === email).id, message.id);
  const forever = await create(world);
  const info = (await world.client.server('GET', `/email/getinfo?email=${forever}`)).body.message;
  assert.equal([info.expireAt, info.expiresAt], ['never', null]);
});

test('an end is set as a local date without a zone, which is UTC', async (world) => {
  const email = await create(world);
  const answer = await world.server.request('PUT', `/email/${email}/expiration`, {
    key: world.user.key,
    json: { expirationDate: '2099-05-06T07:08' },
  });
  assert.is(answer.status, 200, answer.text);
  assert.is(answer.body.message.expiresAt, '2099-05-06T07:08:00.000Z');
});

test('a deleted mailbox is still told to its owner and to administrators, and to nobody else', async (world) => {
  const email = await create(world);
  await world.server.request('DELETE', `/email/${email}`, { key: world.user.key });
  const info = (key: string) => world.server.request('GET', `/email/getinfo?email=${email}`, { key });
  assert.is((await info(world.user.key)).body.message.status, 'DELETED');
  assert.is((await info(world.server.owner.key)).body.message.status, 'DELETED');
  assert.is((await info((await world.server.account()).key)).status, 404);
  const missing = await world.server.request('POST', '/email/getmissing', {
    key: world.user.key,
    json: { mail: email },
  });
  assert.is(missing.status, 404);
});

test('missed mails come oldest first as a bare list, and newest first in the envelope', async (world) => {
  const email = await create(world);
  for (const id of ['first', 'second', 'third']) await deliver(world, email, id);
  const ask = (headers: Record<string, string>) =>
    world.server.request('POST', '/email/getmissing', {
      key: world.user.key,
      headers,
      json: { mail: email },
    });
  const ids = (list: readonly { messageId: string }[]) => list.map(({ messageId }) => messageId);
  assert.equal(ids((await ask({ origin: PORTAL })).body), ['first', 'second', 'third']);
  assert.equal(ids((await ask({})).body.message), ['third', 'second', 'first']);
});

for (const [action, reason] of [
  ['suspend', 'suspended'],
  ['close', 'closed'],
] as const)
  test(`an open mailbox that is ${reason} says so to the page that shows it, and takes no new connection`, async (world) => {
    const email = await create(world);
    const path = `/ws/email?email=${email}&apiKey=${world.user.key}`;
    const page = await shows(world, email);
    await world.client.server('POST', `/email/${email}/${action}`);
    const told = await page.next();
    assert.equal([told.error, told.close], [true, true]);
    assert.match(told.message, reason);
    const closed = await page.closed;
    assert.is(closed.code, 4003);
    assert.match(closed.reason, reason);
    const again = await listenTo(world.server, path, { origin: PORTAL });
    assert.is((await again.closed).code, 4003);
    await world.client.server('POST', `/email/${email}/open`);
    const open = await listenTo(world.server, path);
    await deliver(world, email, `after-${action}`);
    assert.is((await open.next()).messageId, `after-${action}`);
    open.socket.close();
  });

test('a mailbox that is deleted or expires while it is shown ends its connection with the reason', async (world) => {
  const deleted = await create(world);
  const page = await shows(world, deleted);
  await world.server.request('DELETE', `/email/${deleted}`, { key: world.user.key });
  assert.is((await page.next()).close, true);
  assert.match((await page.closed).reason, 'deleted');

  const short = await create(world);
  const other = await shows(world, short);
  await world.server.request('PUT', `/email/${short}/expiration`, {
    key: world.user.key,
    json: { expiresIn: 1 },
  });
  assert.match((await other.next()).message, 'expired');
  const closed = await other.closed;
  assert.is(closed.code, 4003);
  assert.match(closed.reason, 'expired');
  await until(async () => {
    const answer = await world.server.request('GET', `/email/getinfo?email=${short}`, {
      key: world.user.key,
    });
    return answer.body.message.status === 'EXPIRED';
  });
});

test.run();
