// on both databases
import { randomUUID } from 'node:crypto';
/** WebSockets: new mail for those who may read it, and the verification for accounts that wait for it. */
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WebSocket } from 'ws';
import { userByEmail } from '../../../db/account/account.js';
import { putMessengerCode } from '../../../db/account/messenger.js';
import { mailTopic, verifiedTopic } from '../../../routers/base/ports/hub.js';
import { hashSecret } from '../../../routers/core/secrets.js';
import { MEMORY_BYTES } from '../../../routers/features/mail/bounds.js';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { cookies, registerNewcomer, sessionOf } from '../../support/accounts/accounts.js';
import { digitsIn, newestMailTo } from '../../support/accounts/outbox.js';
import { until } from '../../support/until.js';

interface Given {
  server: TestServer;
  user: TestAccount;
}

const test = suite<Given>('WebSockets');

test.before(async (given) => {
  given.server = await startServer({ EMAIL_INBOUND_TOKEN: 'worker-token' });
  given.user = await given.server.account();
});
test.after(({ server }) => server.close());

const connect = ({ server }: Given, path: string, headers: Record<string, string> = {}): WebSocket =>
  new WebSocket(`${server.origin.replace('http', 'ws').replace('localhost', '127.0.0.1')}${path}`, {
    headers,
  });

const closeCode = async (socket: WebSocket): Promise<number> => (await once(socket, 'close'))[0];

/** The next message, parsed; rejects if the socket is closed without one. */
const next = async (socket: WebSocket) => {
  const closed = once(socket, 'close').then(([code, reason]) => {
    throw new Error(`closed with ${code} ${reason} before a message came`);
  });
  const [message] = await Promise.race([once(socket, 'message'), closed]);
  return JSON.parse(String(message));
};

/** How a socket is closed, or the message that comes before. */
const outcome = (socket: WebSocket) => {
  const said = next(socket);
  said.catch(() => {});
  return Promise.race([closeCode(socket), said]);
};

async function mailbox({ server, user }: Given) {
  const created = await server.request('POST', '/email/create', { key: user.key, json: {} });
  return {
    email: created.body.message.email as string,
    cookie: created.headers.get('set-cookie')?.split(';')[0] ?? '',
  };
}

const deliver = ({ server }: Given, to: string, messageId: string, text = 'hello') =>
  server.request('POST', '/email/inbound', {
    json: { messageId, from: 'a@b.cd', to, text },
    headers: { 'x-email-token': 'worker-token' },
  });

test('/ws/email pushes each new message to the owner and to the holder of the mailbox cookie', async (given) => {
  const { email, cookie } = await mailbox(given);
  const byKey = connect(given, `/ws/email?email=${email.toUpperCase()}&apiKey=${given.user.key}`);
  const byCookie = connect(given, `/ws/email?email=${email}`, { cookie });
  await Promise.all([once(byKey, 'open'), once(byCookie, 'open')]);
  for (const id of ['one', 'two']) {
    const pushed = Promise.all([next(byKey), next(byCookie)]);
    await deliver(given, email, id);
    for (const mail of await pushed) {
      assert.is(mail.messageId, id);
      assert.is(mail.text, 'hello');
      assert.equal(mail.attachments, []);
    }
  }
  byKey.close();
  byCookie.close();
});

test('mails in answers and pushes share a memory budget and give it back', async (given) => {
  const { server, user } = given;
  const { mailMemory } = server.app.services.limits;
  const { email } = await mailbox(given);
  const open = () => connect(given, `/ws/email?email=${email}&apiKey=${user.key}`);
  const missing = () => server.request('POST', '/email/getmissing', { key: user.key, json: { mail: email } });
  const sockets = Array.from({ length: 20 }, open);
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  const pushed = Promise.all(sockets.map(next));
  // The remaining budget is enough for one mail of this size, but not for one copy per socket.
  const others = mailMemory.take(MEMORY_BYTES / 4 - 300_000, String(user.id));
  assert.is((await deliver(given, email, 'for-all', 'x'.repeat(100_000))).status, 200);
  for (const { messageId } of await pushed) assert.is(messageId, 'for-all');
  others?.();
  const warnings: string[] = [];
  const warned = ({ name }: Error) => warnings.push(name);
  process.on('warning', warned);
  const calls = Array.from({ length: 20 }, (_, index) => [index, { mail: email }]);
  const batch = await server.request('POST', `//trpc/${calls.map(() => 'email.missing').join(',')}?batch=1`, {
    key: user.key,
    json: Object.fromEntries(calls),
  });
  process.off('warning', warned);
  assert.equal([batch.status, warnings], [200, []]);
  assert.is((await missing()).body.message.length, 1);

  // All of the budget is free again: five sockets that share the whole of it fit.
  const shares = [1, ...Array.from({ length: 3 }, () => MEMORY_BYTES / 4), MEMORY_BYTES / 4 - 1];
  const whole = () => shares.map((bytes, holder) => mailMemory.take(bytes, `nobody ${holder}`));
  let held = whole();
  await until(() => {
    if (held.every((release) => release !== null)) return true;
    for (const release of held) release?.();
    held = whole();
    return false;
  });
  const busy = await missing();
  assert.is(busy.status, 503);
  assert.ok(Number(busy.headers.get('retry-after')) > 0);
  const closed = Promise.all(sockets.map(closeCode));
  assert.is((await deliver(given, email, 'later')).status, 200);
  assert.equal([...new Set(await closed)], [1013]);
  for (const release of held) release?.();
  const own = mailMemory.take(MEMORY_BYTES / 4, String(user.id));
  assert.is((await missing()).status, 503, 'nobody has all of it');
  own?.();
  assert.is((await missing()).body.message.length, 2);
});

test('/ws/email tells a page at once that it does not show the newest message', async (given) => {
  const { email } = await mailbox(given);
  const path = `/ws/email?email=${email}&apiKey=${given.user.key}`;
  const shows = (newest: string) => connect(given, `${path}&shown=${encodeURIComponent(newest)}`);
  await deliver(given, email, 'one');
  await deliver(given, email, 'two&2%');
  const current = shows('two&2%');
  const heard: unknown[] = [];
  current.on('message', (message) => heard.push(String(message)));
  await once(current, 'open');
  for (const old of ['', 'another']) {
    const socket = shows(old);
    assert.equal(await next(socket), { type: 'changed' });
    socket.close();
  }
  assert.equal(heard, []);
  current.close();
});

test('/ws/email closes with 4001 without an address and 4003 for callers who may not read it', async (given) => {
  const { email } = await mailbox(given);
  const other = await given.server.account();
  assert.is(await closeCode(connect(given, `/ws/email?apiKey=${given.user.key}`)), 4001);
  assert.is(await closeCode(connect(given, `/ws/email?email=${email}`)), 4003);
  assert.is(await closeCode(connect(given, `/ws/email?email=${email}&apiKey=wrong`)), 4003);
  assert.is(await closeCode(connect(given, `/ws/email?email=${email}&apiKey=${other.key}`)), 4003);
  assert.is(await closeCode(connect(given, `/ws/email?email=nobody@localhost&apiKey=${other.key}`)), 4003);
});

test('cookies are ignored on cross-site connections, whatever key is sent with them', async (given) => {
  const { email, cookie } = await mailbox(given);
  const session = `session_token=${await sessionOf(given.server, given.user)}`;
  const path = `/ws/email?email=${email}&shown=another`;
  for (const held of [cookie, session]) {
    for (const origin of ['https://evil.example', 'null']) {
      for (const key of ['', 'wrong']) {
        const inQuery = connect(given, `${path}&apiKey=${key}`, { cookie: held, origin });
        const inHeader = connect(given, path, { cookie: held, origin, 'x-api-key': key });
        assert.equal(await Promise.all([inQuery, inHeader].map(outcome)), [4003, 4003], `${held} ${key}`);
      }
    }
    const own = connect(given, path, { cookie: held, origin: given.server.origin });
    assert.equal(await next(own), { type: 'changed' });
    own.close();
  }
});

test('a key is accepted from every site, and in the query as in the header', async (given) => {
  const { email, cookie } = await mailbox(given);
  const foreign = { cookie, origin: 'https://evil.example' };
  const path = `/ws/email?email=${email}`;
  const sockets = [
    connect(given, `${path}&apiKey=${given.user.key}`, foreign),
    connect(given, path, { ...foreign, 'x-api-key': given.user.key }),
  ];
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  const pushed = Promise.all(sockets.map(next));
  await deliver(given, email, 'afar');
  for (const { messageId } of await pushed) assert.is(messageId, 'afar');
  for (const socket of sockets) socket.close();
});

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
/** How a client shows a key, and whether a browser shows it by itself once it knows it. */
const CARRIERS: Readonly<
  Record<string, { byItself: boolean; show: (key: string) => Record<string, string> }>
> = {
  'X-API-Key': { byItself: false, show: (key) => ({ 'x-api-key': key }) },
  Bearer: { byItself: false, show: (key) => ({ authorization: `Bearer ${key}` }) },
  'Basic, as password': { byItself: true, show: (key) => ({ authorization: basic(`me:${key}`) }) },
  'Basic, as user name': {
    byItself: true,
    show: (key) => ({ authorization: `bAsIc ${basic(`${key}:`).slice(6)}` }),
  },
};
for (const [name, { byItself, show }] of Object.entries(CARRIERS)) {
  test(`${name}: opens the mailbox of its account, and none for another one or from where it is not meant`, async (given) => {
    const { email } = await mailbox(given);
    const { server, user } = given;
    const [other, moderator, admin] = [
      await server.account(),
      await server.account('MODERATOR'),
      await server.account('ADMIN'),
    ];
    const banned = await server.account('BANNED');
    const named = async (scopes: string[], createOnly = false): Promise<string> => {
      const json = { name: `${name} ${scopes} ${createOnly}`, scopes, createOnly };
      return (await server.request('POST', '/user/get/@me/keys', { key: user.key, json })).body.message.key;
    };
    const open = (key: string, origin?: string) =>
      outcome(
        connect(given, `/ws/email?email=${email}&shown=another`, {
          ...show(key),
          ...(origin === undefined ? {} : { origin }),
        }),
      );
    const lets = { type: 'changed' };
    for (const key of [user.key, admin.key, await named(['mail:read'])])
      for (const origin of [undefined, server.origin]) assert.equal(await open(key, origin), lets);
    const narrow = [await named(['images:read']), await named(['mail:read', 'mail:write'], true)];
    for (const key of [other.key, moderator.key, banned.key, 'wrong', ...narrow])
      assert.is(await open(key), 4003);
    for (const origin of ['https://evil.example', 'null'])
      assert.equal(await open(user.key, origin), byItself ? 4003 : lets, origin);
  });
}

test('/ws/email disconnects the cookie of a mailbox when its owner is banned', async (given) => {
  const user = await given.server.account();
  const { email, cookie } = await mailbox({ ...given, user });
  const socket = connect(given, `/ws/email?email=${email}`, { cookie });
  await once(socket, 'open');
  const path = `/admin/user/${user.id}`;
  await given.server.request('PUT', path, { key: given.server.owner.key, json: { role: 'banned' } });
  const told = outcome(socket);
  given.server.app.services.hub.publish(mailTopic(email), { mailId: 1 });
  assert.is(await told, 4003);
  assert.is(await outcome(connect(given, `/ws/email?email=${email}&shown=x`, { cookie })), 4003);
});

test('/ws/email sends nothing more once the mailbox is deleted', async (given) => {
  const { email } = await mailbox(given);
  const socket = connect(given, `/ws/email?email=${email}&apiKey=${given.user.key}`);
  await once(socket, 'open');
  await given.server.request('DELETE', `/email/${email}`, { key: given.user.key });
  const closed = closeCode(socket);
  given.server.app.services.hub.publish(mailTopic(email), { mailId: 1 });
  assert.is(await closed, 4003);
});

type Look = 'identityByKey' | 'user';

/** Runs something once, before the server gets an answer to its next look of this kind. */
function atNext(server: TestServer, look: Look, happen: () => Promise<unknown>): void {
  const load = server.app.services.load as Record<Look, (key: unknown) => Promise<unknown>>;
  const original = load[look];
  load[look] = async (key) => {
    load[look] = original;
    await happen();
    return original.call(load, key);
  };
}

// The caller is looked for before the mailbox, its owner afterwards.
for (const look of ['identityByKey', 'user'] as const)
  for (const [reason, method, action] of [
    ['closed', 'POST', '/close'],
    ['deleted', 'DELETE', ''],
  ] as const)
    test(`/ws/email tells a page that its mailbox is ${reason} while its access is checked (${look})`, async (given) => {
      const user = await given.server.account();
      const { email } = await mailbox({ ...given, user });
      atNext(given.server, look, async () => {
        const { key } = user;
        assert.is((await given.server.request(method, `/email/${email}${action}`, { key })).status, 200);
      });
      const socket = connect(given, `/ws/email?email=${email}&apiKey=${user.key}`);
      const [told, code] = await Promise.all([next(socket), closeCode(socket)]);
      assert.equal([told.error, told.close, code], [true, true, 4003]);
      assert.match(told.message, reason);
    });

/** Gives an unverified account a code for the bot; returns both. */
async function putCode({ server }: Given, lifetimeMs: number, whose?: number) {
  const code = randomUUID();
  const userId = whose ?? (await server.account('USER', { status: 'PENDING' })).id;
  await server.app.services.db.write((trx) =>
    putMessengerCode(trx, {
      userId,
      purpose: 'verify',
      codeHash: hashSecret(code),
      expiresAt: Date.now() + lifetimeMs,
    }),
  );
  return { code, userId };
}

test('/ws/verify reports when it is ready and when the account is verified', async (given) => {
  const { code, userId } = await putCode(given, 60_000);
  const socket = connect(given, `/ws/verify?telCode=${code}`);
  assert.equal(await next(socket), { type: 'channel_ready' });
  const closed = closeCode(socket);
  const verified = next(socket);
  given.server.app.services.hub.publish(verifiedTopic(userId), {});
  assert.equal(await verified, { type: 'verified', redirect: `${given.server.origin}/web/login` });
  assert.is(await closed, 1000);
});

test('/ws/verify reports an account that is verified by mail meanwhile', async (given) => {
  const { server } = given;
  const { verifyToken, email } = await registerNewcomer(server);
  const waiting = await userByEmail(server.app.services.db.read, email);
  const { code: telCode } = await putCode(given, 60_000, waiting?.id);
  const socket = connect(given, `/ws/verify?telCode=${telCode}`);
  assert.equal(await next(socket), { type: 'channel_ready' });
  const verified = next(socket);
  const code = digitsIn(await newestMailTo(server, email));
  const headers = cookies({ verify_token: verifyToken });
  assert.is((await server.request('POST', `/auth/verify/email?code=${code}`, { headers })).status, 200);
  assert.equal(await verified, { type: 'verified', redirect: `${server.origin}/web/login` });
});

test('/ws/verify closes with 4001 without a code, with 4003 for a wrong code or when it expires', async (given) => {
  assert.is(await closeCode(connect(given, '/ws/verify')), 4001);
  assert.is(await closeCode(connect(given, '/ws/verify?telCode=wrong')), 4003);
  const { code } = await putCode(given, 300);
  const socket = connect(given, `/ws/verify?telCode=${code}`);
  assert.is(await closeCode(socket), 4003);
});

test('/ws/active accepts anybody and disconnects clients that send much; other paths are 404', async (given) => {
  const socket = connect(given, '/ws/active');
  await once(socket, 'open');
  socket.send('x'.repeat(100));
  socket.ping();
  await once(socket, 'pong');
  const closed = closeCode(socket);
  socket.send('x'.repeat(100_000));
  assert.is(await closed, 1009);
  const [error] = await once(connect(given, '/ws/other'), 'error');
  assert.match(String(error), /404/);
});

test('an address or /64 has at most 500 sockets; others can connect, and closing one makes room', async () => {
  const server = await startServer({ TRUST_PROXY: 'true' });
  const from = (address: string) =>
    connect({ server } as Given, '/ws/active', { 'x-forwarded-for': address });
  const tried = (address: string) => once(from(address), 'open').then(() => 'open', String);
  try {
    const held = Array.from({ length: 500 }, (_, host) => from(`2001:db8:0:7::${host.toString(16)}`));
    await Promise.all(held.map((socket) => once(socket, 'open')));
    assert.match(await tried('2001:db8:0:7:ffff::'), /503/);
    assert.is(await tried('2001:db8:0:8::1'), 'open');
    assert.is(await tried('203.0.113.9'), 'open');
    held[0]?.close();
    await until(async () => (await tried('2001:db8:0:7::1')) === 'open');
    assert.match(await tried('2001:db8:0:7::1'), /503/);
  } finally {
    await server.close();
  }
});

test('a server that shuts down closes its sockets properly', async () => {
  const server = await startServer();
  const socket = connect({ server } as Given, '/ws/active');
  await once(socket, 'open');
  const closed = closeCode(socket);
  await server.close();
  assert.is(await closed, 1001);
});

test.run();
