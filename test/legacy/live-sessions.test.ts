// on both databases
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeLiveSession } from '../../db/account/live-session.js';
import type { TestServer } from '../harness.js';
import {
  type LegacyClient,
  legacyClient,
  PORTAL,
  startWithPortal,
} from '../support/interface/legacy-client.js';
import { until } from '../support/until.js';
import { listenTo } from '../support/web/web-socket.js';

interface World {
  server: TestServer;
  client: LegacyClient;
}

const test = suite<World>('legacy client: live sessions');

test.before(async (world) => {
  world.server = await startWithPortal();
  world.client = legacyClient(world.server, world.server.owner.key);
});
test.after(({ server }) => server.close());

interface Live {
  wsSessionId: string;
  currentPage: string;
  userId: number | null;
  username: string | null;
  userAgent: string;
  connectedAtMs: number;
  connected: boolean;
}
const list = async ({ server, client }: World): Promise<Live[]> => {
  const answer = await client.browser('GET', '/admin/active-sessions', { key: server.owner.key });
  assert.is(answer.status, 200, answer.text);
  assert.is(answer.body.count, answer.body.message.length);
  return answer.body.message;
};

/** Opens a page with the browser's cookies; resolves once administrators see it. */
async function openPage(world: World, page: string, cookie = '', agent = 'Browser/1') {
  const listener = await listenTo(world.server, `/ws/active?page=${encodeURIComponent(page)}&token=ignored`, {
    origin: PORTAL,
    'user-agent': agent,
    ...(cookie === '' ? {} : { cookie }),
  });
  let found: Live | undefined;
  await until(async () => {
    found = (await list(world)).find((live) => live.currentPage === page);
    return found !== undefined;
  });
  if (found === undefined) throw new Error('not listed');
  return { ...listener, live: found };
}

async function signedIn(world: World) {
  const account = await world.server.account();
  const browser = legacyClient(world.server, '');
  assert.is((await browser.signIn(account.email, account.password)).status, 200);
  return { account, browser };
}

test('a page is listed with its account, and follows its path', async (world) => {
  const { account, browser } = await signedIn(world);
  const page = await openPage(world, '/gallery', browser.cookies());
  assert.equal([page.live.userId, page.live.username], [account.id, account.username]);
  assert.is(page.live.userAgent, 'Browser/1');
  assert.is(page.live.connected, true);
  assert.type(page.live.connectedAtMs, 'number');
  page.send({ type: 'pageUpdate', page: '/settings' });
  const shown = async () =>
    (await list(world)).find((live) => live.wsSessionId === page.live.wsSessionId)?.currentPage;
  await until(async () => (await shown()) === '/settings');
  page.send({ type: 'other' });
  page.socket.close();
  await until(async () => (await shown()) === undefined);
});

test('a visitor without a session is listed without an account', async (world) => {
  const page = await openPage(world, '/guest', '', 'Guest/1');
  assert.equal([page.live.userId, page.live.username], [null, null]);
  page.socket.close();
});

test('a toast and a redirect reach the page, a path outside of the client does not', async (world) => {
  const page = await openPage(world, '/told', '', 'Told/1');
  const path = `/admin/active-sessions/${page.live.wsSessionId}`;
  const post = (end: string, json: object) => world.client.server('POST', `${path}/${end}`, { json });
  assert.is((await post('toast', { message: 'Hello', type: 'warning', position: 'top-left' })).status, 200);
  assert.equal(await page.next(), {
    type: 'toast',
    message: 'Hello',
    toastType: 'warning',
    position: 'top-left',
  });
  assert.is((await post('toast', { message: 'Loud', type: 'ERROR', position: null })).status, 200);
  const { toastType, position } = await page.next();
  assert.equal([toastType, position], ['error', 'top-right']);
  assert.is((await post('redirect', { route: '/upload' })).status, 200);
  assert.equal(await page.next(), { type: 'redirect', route: '/upload' });
  for (const route of ['//evil.example', '/\\evil.example', 'https://evil.example', ''])
    assert.is((await post('redirect', { route })).status, 400, route);
  assert.is((await post('toast', { message: 'x', type: 'loud' })).status, 400);
  page.socket.close();
});

test('a logout ends the session on the server as well', async (world) => {
  const { browser } = await signedIn(world);
  const page = await openPage(world, '/logged-in', browser.cookies());
  const path = `/admin/active-sessions/${page.live.wsSessionId}/logout`;
  assert.is((await world.client.server('POST', path)).status, 200);
  assert.equal(await page.next(), { type: 'logout' });
  assert.is((await page.closed).code, 4001);
  assert.is((await browser.browser('GET', '/auth/me')).status, 401);
});

test('a page that was closed is told, is gone, and cannot come back at once', async (world) => {
  const { browser } = await signedIn(world);
  const page = await openPage(world, '/closing', browser.cookies());
  const path = `/admin/active-sessions/${page.live.wsSessionId}`;
  assert.is((await world.client.server('DELETE', path)).status, 200);
  assert.equal(await page.next(), { type: 'close' });
  assert.is((await page.closed).code, 4000);
  assert.is((await world.client.server('DELETE', path)).status, 404);
  let refused = '';
  await listenTo(world.server, '/ws/active?page=%2Fagain', {
    origin: PORTAL,
    cookie: browser.cookies(),
  }).catch((error: Error) => {
    refused = error.message;
  });
  assert.match(refused, '403');
  const other = await openPage(world, '/somebody-else', '', 'Else/1');
  other.socket.close();
});

test('the page that a client says as soon as it is open is recorded', async (world) => {
  const { browser } = await signedIn(world);
  const { hostname, port } = new URL(world.server.origin);
  const update = Buffer.from(JSON.stringify({ type: 'pageUpdate', page: '/said-at-once' }));
  // A masked frame of text, whose mask is nothing.
  const frame = Buffer.concat([Buffer.from([0x81, 0x80 | update.length, 0, 0, 0, 0]), update]);
  const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname);
  const head = [
    'GET /ws/active?page=%2Fbefore HTTP/1.1',
    `Host: ${hostname}:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
    `Origin: ${PORTAL}`,
    `Cookie: ${browser.cookies()}`,
  ];
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), frame]));
  await until(async () => (await list(world)).some(({ currentPage }) => currentPage === '/said-at-once'));
  socket.destroy();
  await until(async () => (await list(world)).every(({ currentPage }) => currentPage !== '/said-at-once'));
});

test('a page that opens while another one of its visitor is closed is closed, too', async (world) => {
  const { browser } = await signedIn(world);
  const first = await openPage(world, '/first', browser.cookies());
  const { db } = world.server.app.services;
  const headers = { origin: PORTAL, cookie: browser.cookies() };
  const second = await db.write(async (trx) => {
    if (db.dialect.name === 'postgres') await trx.raw('LOCK TABLE live_sessions IN SHARE ROW EXCLUSIVE MODE');
    const opened = await listenTo(world.server, '/ws/active?page=%2Fsecond', headers);
    await closeLiveSession(trx, first.live.wsSessionId, Date.now());
    return opened;
  });
  assert.equal(await second.next(), { type: 'close' });
  assert.is((await second.closed).code, 4000);
  await until(async () => (await list(world)).every(({ currentPage }) => currentPage !== '/second'));
  first.socket.close();
});

test('an administrator cannot act on an equal or higher rank, and nobody else at all', async (world) => {
  const { server } = world;
  const owner = legacyClient(server, '');
  await owner.signIn(server.owner.email, server.owner.password);
  const page = await openPage(world, '/owner', owner.cookies());
  const path = `/admin/active-sessions/${page.live.wsSessionId}`;
  const admin = await server.account('ADMIN');
  assert.is((await server.request('DELETE', path, { key: admin.key })).status, 403);
  assert.is((await server.request('POST', `${path}/logout`, { key: admin.key })).status, 403);
  const user = await server.account();
  assert.is((await server.request('DELETE', path, { key: user.key })).status, 403);
  assert.is((await server.request('GET', '/admin/active-sessions', { key: user.key })).status, 403);
  assert.is(
    (await server.request('DELETE', '/admin/active-sessions/nobody', { key: admin.key })).status,
    404,
  );
  page.socket.close();
});

test('each action is in the audit log', async (world) => {
  const entries = (await world.client.server('GET', '/admin/system/auditlog')).body.message;
  const events = new Set(entries.map(({ event }: { event: string }) => event));
  for (const event of ['live.toast', 'live.redirect', 'live.logout', 'live.closed'])
    assert.ok(events.has(event), event);
});

test.run();
