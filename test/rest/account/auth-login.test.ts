// on both databases
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COOKIES } from '../../../routers/base/cookies.js';
import { startServer, type TestServer } from '../../harness.js';
import { cookieOf, cookies, sessionOf, signIn } from '../../support/accounts/accounts.js';
import { until } from '../../support/until.js';

interface World {
  server: TestServer;
}
const login = suite<World>('signing in and sessions');

login.before(async (world) => {
  world.server = await startServer();
});
login.after(({ server }) => server.close());

const me = (server: TestServer, session_token: string) =>
  server.request('GET', '/auth/me', { headers: cookies({ session_token }) });

login(
  '200: returns the full account with its key in under 2 KB, and a session for seven days',
  async ({ server }) => {
    const account = await server.account();
    const answer = await signIn(server, account);
    assert.is(answer.status, 200);
    const { id, username, email, role, apiKey, avatar, invitedBy, stats } = answer.body.message;
    assert.equal(
      { id, username, email, role, apiKey, invitedBy },
      {
        id: account.id,
        username: account.username,
        email: account.email,
        role: 'USER',
        apiKey: account.key,
        invitedBy: null,
      },
    );
    assert.match(avatar, /^http/);
    assert.is(stats.totalUploads, 0);
    assert.ok(answer.text.length < 2048);
    const [cookie] = answer.headers.getSetCookie();
    assert.match(cookie ?? '', /^session_token=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/);
    const session = await me(server, cookieOf(answer, 'session_token') ?? '');
    assert.is(session.body.message.apiKey, account.key);
  },
);

login('the email address is case-insensitive', async ({ server }) => {
  const account = await server.account();
  const answer = await signIn(server, { ...account, email: ` ${account.email.toUpperCase()} ` });
  assert.is(answer.status, 200);
});

login('403: the same answer for an unknown address and a wrong password', async ({ server }) => {
  const account = await server.account();
  const wrong = await signIn(server, { ...account, password: 'not the password' });
  const unknown = await signIn(server, { email: 'nobody@example.com', password: account.password });
  for (const answer of [wrong, unknown]) {
    assert.is(answer.status, 403);
    assert.is(answer.body.message, 'The e-mail address or the password is wrong');
    assert.equal(answer.headers.getSetCookie(), []);
  }
});

login('an unknown address takes as much work as a wrong password', async ({ server }) => {
  const { db } = server.app.services;
  const failures = async () =>
    Number((await db.read('audit_log').where('event', 'login.failed').count({ n: '*' }).first())?.n);
  const before = await failures();
  await signIn(server, { email: 'nobody@example.com', password: 'some password' });
  await signIn(server, { email: server.owner.email, password: 'some password' });
  assert.is(await failures(), before + 2);
  assert.is(await server.app.services.passwords.verifyNothing('anything'), false);
});

login(
  'a banned account, its key and its sessions get their own 403 text until the ban ends',
  async ({ server }) => {
    const account = await server.account();
    const session = await sessionOf(server, account);
    const become = async (role: string) => {
      const path = `/admin/user/${account.id}`;
      assert.is((await server.request('PUT', path, { key: server.owner.key, json: { role } })).status, 200);
    };
    await become('banned');
    const answer = await signIn(server, account);
    assert.is(answer.status, 403);
    assert.is(answer.body.message, 'This account is banned');
    const statuses = async () => [
      (await me(server, session)).status,
      (await server.request('GET', '/auth/me', { key: account.key })).status,
    ];
    assert.equal(await statuses(), [403, 403]);
    await become('user');
    assert.equal(await statuses(), [401, 200]);
  },
);

login('400 for an invalid body', async ({ server }) => {
  for (const json of [{}, { email: 1, password: [] }, { email: 'a@example.com' }])
    assert.is((await server.request('POST', '/auth/login', { json })).status, 400);
});

login('login renews the session: the previous session of the client ends', async ({ server }) => {
  const account = await server.account();
  const planted = await sessionOf(server, account);
  const answer = await signIn(server, account, cookies({ session_token: planted }));
  const fresh = cookieOf(answer, 'session_token') ?? '';
  assert.is.not(fresh, planted);
  assert.is((await me(server, planted)).status, 401);
  assert.is((await me(server, fresh)).status, 200);
});

login('an empty key header is ignored; a wrong key does not fall back to the session', async ({ server }) => {
  const session_token = await sessionOf(server, await server.account());
  for (const [key, status] of [
    ['', 200],
    ['wrong', 401],
  ] as const) {
    const headers = { ...cookies({ session_token }), 'x-api-key': key };
    assert.is((await server.request('GET', '/auth/me', { headers })).status, status, key);
    assert.is((await server.request('GET', '/user/get/@me', { headers })).status, status, key);
  }
});

login(
  'logout ends the session of the cookie, even if a key is sent too; 401 without a session',
  async ({ server }) => {
    const account = await server.account();
    const token = await sessionOf(server, account);
    const answer = await server.request('POST', '/auth/logout', {
      key: account.key,
      headers: cookies({ session_token: token }),
    });
    assert.is(answer.status, 200);
    assert.match(answer.headers.getSetCookie()[0] ?? '', /^session_token=; .*Max-Age=0/);
    assert.is((await me(server, token)).status, 401);
    for (const options of [{}, { key: account.key }, { headers: cookies({ session_token: token }) }])
      assert.is((await server.request('POST', '/auth/logout', options)).status, 401);
  },
);

login('a foreign cookie of the same name does not hide the session', async ({ server }) => {
  const token = await sessionOf(server, await server.account());
  const ended = await sessionOf(server, await server.account());
  await server.request('POST', '/auth/logout', { headers: cookies({ session_token: ended }) });
  const asked = (path: string, method: 'GET' | 'POST', ...values: string[]) =>
    server.request(method, path, {
      headers: { cookie: values.map((value) => `session_token=${value}`).join('; ') },
    });
  for (const before of [['of-another-service'], [''], ['%', ended], ['a', 'b', 'c']])
    assert.is((await asked('/user/get/@me', 'GET', ...before, token)).status, 200, before.join());
  assert.is((await asked('/auth/me', 'GET', 'a', 'b', ended)).status, 401);
  assert.is((await asked('/auth/me', 'GET', 'a', 'b', 'c', 'd', token)).status, 401);
  assert.is((await asked('/auth/logout', 'POST', ended, token)).status, 200);
  assert.is((await me(server, token)).status, 401);
});

login('sessions can be listed and ended one by one, only those of the caller', async ({ server }) => {
  const account = await server.account();
  const other = await server.account();
  const first = await sessionOf(server, account);
  const second = await sessionOf(server, account);
  const list = async (session_token: string) =>
    (await server.request('GET', '/auth/me/sessions', { headers: cookies({ session_token }) })).body.message;
  const sessions = await list(second);
  assert.is(sessions.length, 2);
  assert.equal(Object.keys(sessions[0]).sort(), [
    'createdAt',
    'expiresAt',
    'id',
    'ipAddress',
    'isCurrent',
    'isValid',
    'lastUsedAt',
    'userAgent',
  ]);
  const foreign = sessions.find((session: { isCurrent: boolean }) => !session.isCurrent).id;
  const end = (id: string, key: string) => server.request('DELETE', `/auth/me/sessions/${id}`, { key });
  assert.is((await end(foreign, other.key)).status, 404);
  assert.is((await end('nonsense', account.key)).status, 404);
  assert.is((await end('99999999999', account.key)).status, 404);
  assert.is((await end(foreign, account.key)).status, 200);
  assert.is((await me(server, first)).status, 401);
  assert.is((await list(second)).length, 1);
});

login('an expired session is rejected', async ({ server }) => {
  const token = await sessionOf(server, await server.account());
  await server.app.services.db.write((trx) => trx('sessions').update({ expires_at: 1 }));
  assert.is((await me(server, token)).status, 401);
});

login('a session records when it was last used', async ({ server }) => {
  const account = await server.account();
  const token = await sessionOf(server, account);
  const { db } = server.app.services;
  await db.write((trx) => trx('sessions').update({ last_used_at: 1_000 }));
  const headers = cookies({ session_token: token });
  await until(async () => {
    const { body } = await server.request('GET', '/auth/me/sessions', { headers });
    return Date.parse(body.message[0].lastUsedAt) > 1_000;
  });
});

login('cross-site requests cannot sign anybody in', async ({ server }) => {
  const account = await server.account();
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    assert.is((await signIn(server, account, headers as Record<string, string>)).status, 403);
  assert.is((await signIn(server, account, { origin: server.origin })).status, 200);
  const ways = ['/AUTH/LOGIN', '/auth/Login/', '//V1/auth/login', '//trpc/auth%2Elogin', '//Web/LOGIN'];
  for (const path of ways) {
    const { email, password } = account;
    const answer = await server.request('POST', path, {
      headers: { origin: 'https://evil.example' },
      json: { email, password },
    });
    assert.is(answer.status, 403, path);
    assert.is(cookieOf(answer, 'session_token'), null);
  }
});

login('cross-site requests cannot use any cookie that says who asks', async ({ server }) => {
  const { key } = server.owner;
  for (const [name, { authenticates }] of [
    ...Object.entries(COOKIES),
    ['mailbox_token_1', COOKIES.mailbox_token] as const,
  ]) {
    const headers = { origin: 'https://evil.example', cookie: `${name}=x` };
    const json = { text: 'forged', key };
    const { status } = await server.request('POST', '/paste/create', { headers, json });
    assert.is(status, authenticates ? 403 : 200, name);
  }
});

const limited = () => startServer({ RATE_LIMIT: 'on', TRUST_PROXY: 'true' });
const from = (address: string) => ({ 'x-forwarded-for': address });

login(
  'RATE_LIMIT=on: 429 well before 50 wrong passwords, and the holder can still sign in from elsewhere',
  async () => {
    const server = await limited();
    try {
      const account = await server.account();
      const wrong = { ...account, password: 'not the password' };
      let tries = 0;
      let answer = await signIn(server, wrong, from('203.0.113.9'));
      for (; answer.status === 403 && tries < 50; tries += 1)
        answer = await signIn(server, wrong, from('203.0.113.9'));
      assert.is(answer.status, 429);
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
      assert.match(answer.body.message, /^Too many requests, try again in \d+ (second|minute)s?$/);
      assert.ok(tries < 30, `${tries} tries`);
      assert.is((await signIn(server, account, from('203.0.113.9'))).status, 429);
      assert.is((await signIn(server, account, from('198.51.100.7'))).status, 200);
    } finally {
      await server.close();
    }
  },
);

login('wrong passwords from one IPv6 /64 are counted together; the log keeps each address', async () => {
  const server = await limited();
  try {
    const account = await server.account();
    const wrong = { ...account, password: 'not the password' };
    const refused = new Set<number>();
    for (let host = 1; host <= 20; host += 1)
      refused.add((await signIn(server, wrong, from(`2001:db8:0:7::${host}`))).status);
    assert.equal([...refused], [403, 429]);
    assert.is((await signIn(server, account, from('2001:db8:0:7:ffff::'))).status, 429);
    const elsewhere = '2001:db8:0:8::1';
    const session = cookieOf(await signIn(server, account, from(elsewhere)), 'session_token');
    const { body } = await server.request('GET', '/auth/me/sessions', {
      headers: cookies({ session_token: session }),
    });
    assert.is(body.message[0].ipAddress, elsewhere);
    const { db } = server.app.services;
    const tries = await db.read('audit_log').where('event', 'login.failed').select('ip_address');
    assert.is(new Set(tries.map((row) => row.ip_address)).size, tries.length);
  } finally {
    await server.close();
  }
});

login(
  'wrong passwords for one account are counted together regardless of how its address is written',
  async () => {
    const server = await limited();
    try {
      const account = await server.account();
      const wide = (letter: string) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0);
      const statuses = new Set<number>();
      for (let at = 0; at < 20; at += 1) {
        const email = account.email.slice(0, at) + account.email.slice(at).replace(/[a-z0-9]/, wide);
        statuses.add((await signIn(server, { email, password: 'not the password' })).status);
      }
      assert.equal([...statuses], [403, 429]);
    } finally {
      await server.close();
    }
  },
);

login('the username signs in as the address does, and both share the count of wrong passwords', async () => {
  const server = await startServer({ RATE_LIMIT: 'on' });
  try {
    const account = await server.account();
    const named = { ...account, email: account.username.toUpperCase() };
    assert.is((await signIn(server, named)).status, 200);
    const statuses: number[] = [];
    for (let tries = 0; tries < 16; tries += 1) {
      const { status } = await signIn(server, { ...(tries % 2 ? named : account), password: 'wrong wrong' });
      statuses.push(status);
    }
    assert.equal(statuses, [...Array(15).fill(403), 429]);
  } finally {
    await server.close();
  }
});

login(
  'a cookie that is read as the session counts for the check of the origin, however it is written',
  async () => {
    const server = await startServer();
    try {
      const token = await sessionOf(server, server.owner);
      for (const cookie of [
        `session_token=${token}`,
        `session_token =${token}`,
        `a=1;\tsession_token\t= ${token}`,
      ]) {
        const headers = { cookie, origin: 'https://evil.example' };
        assert.is((await server.request('GET', '/auth/me', { headers })).status, 200, cookie);
        assert.is((await server.request('POST', '/user/get/@me/apikey', { headers })).status, 403, cookie);
      }
    } finally {
      await server.close();
    }
  },
);

login(
  'behind a proxy a session has the address of its client, in whatever form the proxy names it',
  async () => {
    const server = await startServer({ TRUST_PROXY: 'true' });
    try {
      const account = await server.account();
      for (const [named, address] of [
        ['198.51.100.1, 203.0.113.9:51234', '203.0.113.9'],
        ['"[2001:DB8::1]:443"', '2001:db8::1'],
        ['nonsense', '127.0.0.1'],
      ] as const) {
        const signedIn = await signIn(server, account, { 'x-forwarded-for': named });
        const session_token = cookieOf(signedIn, 'session_token');
        const { body } = await server.request('GET', '/auth/me/sessions', {
          headers: cookies({ session_token }),
        });
        const current = body.message.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
        assert.is(current.ipAddress, address, named);
      }
    } finally {
      await server.close();
    }
  },
);

login.run();
