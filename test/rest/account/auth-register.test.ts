// on both databases
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../../harness.js';
import { cookieOf, newcomer, newInvite, registerNewcomer, signIn } from '../../support/accounts/accounts.js';
import { linkMailedTo, mailsTo, newestMailTo } from '../../support/accounts/outbox.js';

interface World {
  server: TestServer;
}
const register = suite<World>('POST /auth/register');

register.before(async (world) => {
  world.server = await startServer();
});
register.after(({ server }) => server.close());

const send = (server: TestServer, json: Record<string, unknown>) =>
  server.request('POST', '/auth/register', { json });

register(
  '200: envelope without message, verify_token for 15 minutes, the mail is sent at once',
  async ({ server }) => {
    const { answer, email } = await registerNewcomer(server);
    assert.is(answer.status, 200);
    assert.equal(Object.keys(answer.body).sort(), ['count', 'error', 'timestamp', 'uniqueId']);
    const [cookie] = answer.headers.getSetCookie();
    assert.match(cookie ?? '', /^verify_token=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=900$/);
    assert.is((await mailsTo(server, email)).length, 1);
  },
);

register('addresses of domains with other letters are kept as mail servers know them', async ({ server }) => {
  const fields = { ...newcomer(), email: 'Ana@MÜNCHEN.example' };
  assert.is((await send(server, { ...fields, inviteCode: await newInvite(server) })).status, 200);
  assert.is((await mailsTo(server, 'Ana@xn--mnchen-3ya.example')).length, 1);
  const again = { ...newcomer(), email: 'ana@xn--mnchen-3ya.example', inviteCode: await newInvite(server) };
  assert.is((await send(server, again)).status, 400);
  await server.app.services.db.write((trx) =>
    trx('users').where('username', fields.username).update({ status: 'ACTIVE' }),
  );
  for (const email of [fields.email, 'ana@xn--mnchen-3ya.example']) {
    const { status, body } = await signIn(server, { ...fields, email });
    assert.equal([status, body.message.email], [200, 'Ana@xn--mnchen-3ya.example']);
  }
});

register('403: missing, wrong, used and expired invite codes', async ({ server }) => {
  const used = await newInvite(server);
  assert.is((await send(server, { ...newcomer(), inviteCode: used })).status, 200);
  const expired = await newInvite(server);
  await server.app.services.db.write((trx) => trx('invites').where('uses', 0).update({ expires_at: 1 }));
  for (const inviteCode of [undefined, null, '', 'nonsense', used, expired]) {
    const { status, body } = await send(server, { ...newcomer(), inviteCode });
    assert.is(status, 403, String(inviteCode));
    assert.is(body.message, 'The invite code is missing, wrong or already used');
  }
});

register('400: malformed fields, and lookalike or control characters in a username', async ({ server }) => {
  const inviteCode = await newInvite(server);
  const bad = [
    { username: 'ab' },
    { username: 'x'.repeat(33) },
    { username: 'has space' },
    { username: 'оwner' },
    { username: 'zero\u200bwidth' },
    { username: 'nul\u0000' },
    { username: '@me' },
    { email: 'nobody' },
    { email: 'a@b' },
    { email: 'two@example.com\r\nBcc: x@example.com' },
    { password: 'short' },
    { password: 12_345_678 },
    { username: undefined },
    { username: { $ne: null } },
  ];
  for (const fields of bad) {
    const { status, body } = await send(server, { ...newcomer(), inviteCode, ...fields });
    assert.is(status, 400, JSON.stringify(fields));
    assert.type(body.message, 'string');
  }
  assert.is((await send(server, { ...newcomer(), inviteCode })).status, 200);
});

register(
  '400 for a name or address that is taken in any case; the invite stays unused',
  async ({ server }) => {
    const inviteCode = await newInvite(server);
    const name = await send(server, { ...newcomer(), username: 'OWNER', inviteCode });
    assert.is(name.status, 400);
    assert.is(name.body.message, 'This username is taken');
    const address = await send(server, { ...newcomer(), email: 'Owner@Example.com', inviteCode });
    assert.is(address.status, 400);
    assert.is(address.body.message, 'This e-mail address is taken');
    assert.is((await send(server, { ...newcomer(), inviteCode })).status, 200);
  },
);

register('one invite creates one account under 50 concurrent attempts', async ({ server }) => {
  const inviteCode = await newInvite(server);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => send(server, { ...newcomer(), inviteCode })),
  );
  assert.equal(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 49 }, () => 403)]);
});

register(
  'of concurrent registrations for one name one succeeds, and no other invite is used',
  async ({ server }) => {
    const codes = await Promise.all(Array.from({ length: 8 }, () => newInvite(server)));
    const { username } = newcomer();
    const answers = await Promise.all(
      codes.map((inviteCode) => send(server, { ...newcomer(), username, inviteCode })),
    );
    assert.is(answers.filter(({ status }) => status === 200).length, 1);
    assert.is(answers.filter(({ status }) => status === 400).length, 7);
    const free = await server.request('GET', '/admin/invite/get?used=false&size=500', {
      key: server.owner.key,
    });
    const left = new Set(free.body.message.map((invite: { code: string }) => invite.code));
    assert.is(codes.filter((code) => left.has(code)).length, 7);
  },
);

register(
  'an invite with several uses creates that many accounts; its role and its creator are recorded',
  async ({ server }) => {
    const inviteCode = await newInvite(server, { maxUses: 2, role: 'tester' });
    const first = newcomer();
    for (const fields of [first, newcomer()])
      assert.is((await send(server, { ...fields, inviteCode })).status, 200);
    assert.is((await send(server, { ...newcomer(), inviteCode })).status, 403);
    const made = await server.request('GET', `/user/get/${first.username}`, { key: server.owner.key });
    assert.is(made.body.message.role, 'TESTER');
    assert.is(made.body.message.invitor.username, 'owner');
    assert.is(made.body.message.status, 'PENDING');
  },
);

register('403 for an invite whose creator no longer outranks its role', async ({ server }) => {
  const maker = await server.account('ADMIN');
  const made = await server.request('POST', '/admin/invite/create', {
    key: maker.key,
    json: { role: 'ADMIN' },
  });
  await server.request('PUT', `/admin/user/${maker.id}`, { key: server.owner.key, json: { role: 'USER' } });
  const answer = await send(server, { ...newcomer(), inviteCode: made.body.message.code });
  assert.is(answer.status, 403);
});

register('an unverified account can do nothing with its key', async ({ server }) => {
  const { key } = await server.account('USER', { status: 'PENDING' });
  const { status, body } = await server.request('GET', '/auth/me', { key });
  assert.is(status, 403);
  assert.is(body.message, 'This account is not active');
});

register('REGISTRATION=closed: 403 whatever the code', async () => {
  const server = await startServer({ REGISTRATION: 'closed' });
  try {
    const answer = await send(server, { ...newcomer(), inviteCode: await newInvite(server) });
    assert.is(answer.status, 403);
    assert.is(answer.body.message, 'Registration is closed');
  } finally {
    await server.close();
  }
});

register('REGISTRATION=open: no code is needed, a wrong one is refused', async () => {
  const server = await startServer({ REGISTRATION: 'open' });
  try {
    assert.is((await send(server, newcomer())).status, 200);
    assert.is((await send(server, { ...newcomer(), inviteCode: 'nonsense' })).status, 403);
  } finally {
    await server.close();
  }
});

register('RATE_LIMIT=on: 429 with Retry-After after repeated wrong codes', async () => {
  const server = await startServer({ RATE_LIMIT: 'on' });
  try {
    let answer = await send(server, { ...newcomer(), inviteCode: 'guess' });
    for (let tries = 0; tries < 300 && answer.status === 403; tries += 1)
      answer = await send(server, { ...newcomer(), inviteCode: `guess${tries}` });
    assert.is(answer.status, 429);
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
    assert.is(cookieOf(answer, 'verify_token'), null);
  } finally {
    await server.close();
  }
});

register(
  'with approval an account without an invite waits for the word of an administrator',
  async ({ server }) => {
    const { key, email: ownerEmail } = server.owner;
    const set = (REGISTRATION: string | null) =>
      server.request('PATCH', '/admin/settings', { key, json: { REGISTRATION } });
    assert.is((await set('approval')).status, 200);
    const confirm = async (fields: { email: string }) => {
      const code = await linkMailedTo(server, fields.email);
      assert.is((await server.request('GET', `/auth/verify/token?code=${code}`)).status, 200);
      await server.app.services.jobs.settle();
    };
    const [welcome, unwanted] = [newcomer(), newcomer()];
    for (const fields of [welcome, unwanted]) {
      assert.is((await send(server, fields)).status, 200);
      assert.match((await signIn(server, fields)).body.message, 'Verify your e-mail address first');
      await confirm(fields);
      const refused = await signIn(server, fields);
      assert.equal(
        [refused.status, refused.body.message],
        [403, 'This account waits for an administrator to let it in'],
      );
      assert.match((await newestMailTo(server, ownerEmail)).text, fields.email);
    }
    const list = await server.request('GET', '/admin/user/get?status=WAITING', { key });
    const uidOf = (username: string): number =>
      list.body.message.find((one: { username: string }) => one.username === username).uid;
    const decide = (username: string, approved: unknown, by = key) =>
      server.request('PUT', `/admin/user/${uidOf(username)}/approval`, { key: by, json: { approved } });
    assert.is((await decide(welcome.username, true, (await server.account()).key)).status, 403);
    assert.is((await decide(welcome.username, 'perhaps')).status, 400);
    assert.is((await decide(welcome.username, true)).status, 200);
    assert.is((await decide(welcome.username, true)).status, 400);
    assert.is((await decide(welcome.username, false)).status, 400);
    assert.is((await signIn(server, welcome)).status, 200);
    assert.is((await decide(unwanted.username, false)).status, 200);
    assert.is((await signIn(server, unwanted)).status, 403);
    assert.is((await server.request('GET', `/admin/user/${uidOf(unwanted.username)}`, { key })).status, 404);
    await server.app.services.jobs.settle();
    assert.match((await newestMailTo(server, welcome.email)).subject, 'is active');
    assert.match((await newestMailTo(server, unwanted.email)).text, 'declined');
    const invited = await registerNewcomer(server);
    await confirm(invited);
    assert.is((await signIn(server, invited)).status, 200);
    const page = await server.request('GET', '/web/register', { headers: { accept: 'text/html' } });
    assert.match(page.text, 'an administrator lets you in');
    await set(null);
  },
);

register.run();
