// on both databases
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { forgetExpired } from '../../routers/features/auth/expire.js';
import { ensureOwner, issueOwnerCode } from '../../routers/features/auth/first-owner.js';
import { startServer, type TestServer } from '../harness.js';
import { cookies, newcomer, registerNewcomer, sessionOf, signIn } from '../support/accounts/accounts.js';

const owner = suite('the first owner, and expiry');

/** A server without accounts. */
const NOBODY = { OWNER_USERNAME: '', OWNER_EMAIL: '', OWNER_PASSWORD: '', OWNER_API_KEY: '' };

const codeOf = async (server: TestServer) => (await issueOwnerCode(server.app.services)) ?? '';
const register = (server: TestServer, inviteCode: string, fields = newcomer()) =>
  server.request('POST', '/auth/register', { json: { ...fields, inviteCode } });

owner(
  'each printed code works until there is an owner; of concurrent attempts one creates an owner',
  async () => {
    const server = await startServer(NOBODY);
    try {
      const codes = [];
      for (let n = 0; n < 6; n += 1) codes.push(await codeOf(server));
      const people = codes.map(() => newcomer());
      const answers = await Promise.all(codes.map((code, n) => register(server, code, people[n])));
      assert.equal(answers.map(({ status }) => status).sort(), [200, 403, 403, 403, 403, 403]);
      const first = people[answers.findIndex(({ status }) => status === 200)];
      const signedIn = await signIn(server, first ?? newcomer());
      assert.equal([signedIn.status, signedIn.body.message.role], [200, 'OWNER']);
      for (const code of codes) assert.is((await register(server, code)).status, 403);
      assert.is(await issueOwnerCode(server.app.services), null);
    } finally {
      await server.close();
    }
  },
);

owner(
  'if strangers register first, the owner can still register: codes from before and after work once',
  async () => {
    const server = await startServer({ ...NOBODY, REGISTRATION: 'open' });
    try {
      const codes = [await codeOf(server)];
      const stranger = newcomer();
      const registered = await server.request('POST', '/auth/register', { json: stranger });
      assert.equal([registered.status, (await signIn(server, stranger)).status], [200, 403], 'who waits');
      for (let n = 0; n < 5; n += 1) codes.push(await codeOf(server));
      for (const taken of ['username', 'email'] as const) {
        const fields = { ...newcomer(), [taken]: stranger[taken] };
        assert.is((await register(server, codes[0] ?? '', fields)).status, 400, taken);
      }
      const people = codes.map(() => newcomer());
      const answers = await Promise.all(codes.map((code, n) => register(server, code, people[n])));
      assert.equal(answers.map(({ status }) => status).sort(), [200, 403, 403, 403, 403, 403]);
      const first = people[answers.findIndex(({ status }) => status === 200)];
      assert.is((await signIn(server, first ?? newcomer())).body.message.role, 'OWNER');
      for (const code of codes) assert.is((await register(server, code)).status, 403);
      assert.is(await issueOwnerCode(server.app.services), null);
    } finally {
      await server.close();
    }
  },
);

owner('the configured owner is created once, whoever registered before', async () => {
  const server = await startServer({ ...NOBODY, REGISTRATION: 'open' });
  try {
    const { services } = server.app;
    const stranger = newcomer();
    await server.request('POST', '/auth/register', { json: stranger });
    const draft = { ...newcomer(), apiKey: null };
    for (const [taken, reason] of [
      ['username', 'USERNAME_TAKEN'],
      ['email', 'EMAIL_TAKEN'],
    ] as const)
      try {
        await ensureOwner(services, { ...draft, [taken]: stranger[taken] });
        assert.unreachable();
      } catch (error) {
        assert.is((error as { reason?: string }).reason, reason);
      }
    const made = await Promise.all([1, 2, 3, 4].map(() => ensureOwner(services, draft)));
    assert.equal(made.sort(), [false, false, false, true]);
    assert.is((await signIn(server, draft)).body.message.role, 'OWNER');
    assert.is(await ensureOwner(services, { ...newcomer(), apiKey: null }), false);
  } finally {
    await server.close();
  }
});

owner('the printed code works with REGISTRATION=closed, and after a failed attempt', async () => {
  const server = await startServer({ ...NOBODY, REGISTRATION: 'closed' });
  try {
    const code = await codeOf(server);
    assert.is((await register(server, code, { ...newcomer(), password: 'short' })).status, 400);
    assert.is((await register(server, code.toUpperCase())).status, 200);
  } finally {
    await server.close();
  }
});

owner('registering as owner signs in', async () => {
  const server = await startServer(NOBODY);
  try {
    const fields = newcomer();
    const answer = await register(server, await codeOf(server), fields);
    const cookie = answer.headers.getSetCookie().find((value) => value.startsWith('session_token=')) ?? '';
    const session_token = cookie.slice('session_token='.length, cookie.indexOf(';'));
    const me = await server.request('GET', '/auth/me', { headers: cookies({ session_token }) });
    assert.equal(
      [me.status, me.body.message.username, me.body.message.role],
      [200, fields.username, 'OWNER'],
    );
  } finally {
    await server.close();
  }
});

owner('a printed code is not in the list of invites', async () => {
  const server = await startServer(NOBODY);
  try {
    await codeOf(server);
    const fields = newcomer();
    await register(server, await codeOf(server), fields);
    const key = (await signIn(server, fields)).body.message.apiKey;
    assert.equal((await server.request('GET', '/admin/invite/get', { key })).body.message, []);
  } finally {
    await server.close();
  }
});

owner(
  'expired codes, cookies and sessions are removed, and registrations unverified for 30 days',
  async () => {
    const server = await startServer();
    try {
      const { db } = server.app.services;
      const fresh = await registerNewcomer(server);
      const stale = await registerNewcomer(server);
      const account = await server.account();
      await sessionOf(server, account);
      await forgetExpired(server.app.services);
      assert.is((await db.read('codes')).length, 2);
      const old = Date.now() - 31 * 24 * 60 * 60 * 1000;
      await db.write(async (trx) => {
        await trx('users')
          .whereIn('username', [stale.username, account.username])
          .update({ created_at: old });
        for (const table of ['codes', 'verify_tokens', 'sessions'])
          await trx(table).update({ expires_at: old });
      });
      await forgetExpired(server.app.services);
      for (const table of ['codes', 'verify_tokens', 'sessions'])
        assert.equal(await db.read(table), [], table);
      const left = (await db.read('users').select('username')).map(({ username }) => username);
      assert.equal(left.sort(), ['owner', fresh.username, account.username].sort());
    } finally {
      await server.close();
    }
  },
);

owner.run();
