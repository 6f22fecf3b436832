// on both databases
/** Mailboxes: who can create, see and change them. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { emptyEndedMailboxes } from '../../../routers/features/mail/remove.js';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';

interface Given {
  server: TestServer;
  user: TestAccount;
  other: TestAccount;
}

function withServer(name: string) {
  const test = suite<Given>(name);
  test.before(async (given) => {
    given.server = await startServer({
      MAILGUN_DOMAIN: 'mail.example.org',
      MAIL_FROM: 'Holdall <Holdall-Mails@mail.example.org>',
      EMAIL_INBOUND_TOKEN: 'worker-token',
    });
    given.user = await given.server.account();
    given.other = await given.server.account();
  });
  test.after(({ server }) => server.close());
  return test;
}

/** The lifetime of a cookie in seconds; NaN without one. */
const maxAgeOf = (cookie: string): number => Number(/; Max-Age=(\d+)/.exec(cookie)?.[1]);
/** A time computed relative to an earlier now: a busy machine may have taken minutes since. */
const isAbout = (seconds: number, wanted: number): boolean => seconds <= wanted && seconds > wanted - 600;

const create = (server: TestServer, key: string, json: object = {}) =>
  server.request('POST', '/email/create', { key, json });

const make = withServer('POST /email/create');

make('answers the mailbox and its cookie', async ({ server, user }) => {
  const answer = await create(server, user.key, { name: 'Ada', expiresIn: '2h' });
  assert.is(answer.status, 200);
  const { email, createdBy, status, createdAt, expireAt } = answer.body.message;
  assert.is(email, 'ada@mail.example.org');
  assert.is(createdBy.username, user.username);
  assert.is(status, 'OPEN');
  assert.is(Date.parse(expireAt) - Date.parse(createdAt), 7_200_000);
  const cookie = answer.headers.get('set-cookie') ?? '';
  assert.match(cookie, /^mailbox_token=[\w-]{43};/);
  assert.match(cookie, /HttpOnly/);
  assert.ok(isAbout(maxAgeOf(cookie), 7200), cookie);
});

make('generates a name and never expires by default', async ({ server, user }) => {
  const { body } = await create(server, user.key);
  assert.match(body.message.email, /^[a-z0-9]{10}@mail\.example\.org$/);
  assert.is(body.message.expireAt, 'never');
});

make('accepts expiresIn in seconds or as a duration like 30m', async ({ server, user }) => {
  for (const [expiresIn, seconds] of [
    [90, 90],
    ['90', 90],
    ['30m', 1800],
    ['7d', 604_800],
    ['1W', 604_800],
  ] as const) {
    const { body } = await create(server, user.key, { expiresIn });
    const { createdAt, expireAt } = body.message;
    assert.is(Date.parse(expireAt) - Date.parse(createdAt), seconds * 1000, String(expiresIn));
  }
  for (const expiresIn of ['soon', '0', -5, '1y', '99999999d', {}]) {
    assert.is((await create(server, user.key, { expiresIn })).status, 400, String(expiresIn));
  }
});

make(
  'answers 400 to the address of another account, whose mails it would receive',
  async ({ server, user, other }) => {
    const { mailDomain } = server.app.services.settings;
    const email = `held@${mailDomain}`;
    const changed = await server.request('PUT', `/admin/user/${other.id}`, {
      key: server.owner.key,
      json: { email },
    });
    assert.is(changed.status, 200, changed.text);
    assert.is((await create(server, user.key, { name: 'held' })).status, 400);
    assert.is((await create(server, server.owner.key, { name: 'held' })).status, 400);
    assert.is((await create(server, other.key, { name: 'held' })).status, 200);
  },
);

make('answers 400 to malformed, reserved or taken names', async ({ server, user, other }) => {
  await create(server, user.key, { name: 'taken' });
  for (const name of [
    'taken',
    'TAKEN',
    'a b',
    'a@b',
    '.a',
    'a.',
    'a..b',
    'ü',
    'x'.repeat(64),
    'postmaster',
    'no-reply',
    'holdall-mails',
  ]) {
    const { status, body } = await create(server, other.key, { name });
    assert.is(status, 400, name);
    assert.type(body.message, 'string');
  }
  assert.is((await create(server, server.owner.key, { name: 'postmaster' })).status, 200);
  assert.is((await create(server, other.key, { name: 'whole@mail.example.org' })).status, 200);
});

make('of concurrent requests for one name one succeeds', async ({ server, user, other }) => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      create(server, index % 2 ? user.key : other.key, { name: 'rare' }),
    ),
  );
  assert.equal(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(400)]);
});

make('an account has at most 100 mailboxes, however they are requested', async ({ server }) => {
  const { key } = await server.account();
  const answers = await Promise.all(Array.from({ length: 105 }, () => create(server, key)));
  assert.is(answers.filter(({ status }) => status === 200).length, 100);
  const [first] = (await server.request('GET', '/email/mine', { key })).body.message;
  await server.request('DELETE', `/email/${first.email}`, { key });
  assert.is((await create(server, key)).status, 200);
});

make('answers 401 without a key and 403 to guests', async ({ server }) => {
  assert.is((await server.request('POST', '/email/create', { json: {} })).status, 401);
  const guest = await server.account('GUEST');
  assert.is((await create(server, guest.key)).status, 403);
});

make.run();

const manage = withServer('a mailbox');

manage('can be opened, closed and suspended', async ({ server, user }) => {
  const { email } = (await create(server, user.key, { name: 'doors' })).body.message;
  for (const [action, status] of [
    ['close', 'CLOSED'],
    ['open', 'OPEN'],
    ['suspend', 'SUSPENDED'],
    ['open', 'OPEN'],
  ]) {
    const answer = await server.request('POST', `/email/${email}/${action}`, { key: user.key });
    assert.is(answer.status, 200);
    assert.is(answer.body.message.status, status);
    const info = await server.request('GET', `/email/getinfo?email=${email}`, { key: user.key });
    assert.is(info.body.message.status, status);
  }
});

manage('suspended by an administrator stays suspended for its owner', async ({ server, user }) => {
  const { email } = (await create(server, user.key)).body.message;
  const put = (action: string, key: string) => server.request('PUT', `/email/${email}/${action}`, { key });
  assert.is((await put('suspend', server.owner.key)).status, 200);
  assert.is((await put('open', user.key)).status, 403);
  assert.is((await put('close', user.key)).status, 403);
  assert.is((await put('suspend', user.key)).status, 403);
  assert.is((await put('open', server.owner.key)).body.message.status, 'OPEN');
});

manage('has a cookie that lives as long as the mailbox, also when its end is moved', async (given) => {
  const { server, user } = given;
  const made = await create(server, user.key, { expiresIn: '1h' });
  const path = `/email/${made.body.message.email}/expiration`;
  const [cookie = ''] = (made.headers.get('set-cookie') ?? '').split(';');
  const move = (expireAt: string, headers: Record<string, string>) =>
    server.request('PUT', path, { key: user.key, json: { expireAt }, headers });
  const moved = (await move('2d', { cookie })).headers.get('set-cookie') ?? '';
  assert.ok(moved.startsWith(`${cookie};`));
  assert.ok(isAbout(maxAgeOf(moved), 172_800), moved);
  for (const headers of [{}, { cookie: 'mailbox_token=another' }] as Record<string, string>[])
    assert.is((await move('never', headers)).headers.get('set-cookie'), null);
});

manage('expires, and can be prolonged', async ({ server, user }) => {
  const { email } = (await create(server, user.key)).body.message;
  const expire = (json: object) =>
    server.request('PUT', `/email/${email}/expiration`, { key: user.key, json });
  const soon = await expire({ expiresIn: '1s' });
  assert.is(soon.status, 200);
  const until = Date.parse(soon.body.message.expireAt);
  while (Date.now() <= until) await new Promise((resolve) => setTimeout(resolve, until - Date.now() + 1));
  const info = await server.request('GET', `/email/${email}`, { key: user.key });
  assert.is(info.body.message.status, 'EXPIRED');
  assert.is((await expire({ expireAt: '2099-01-01' })).body.message.expireAt, '2099-01-01T23:59:59.999Z');
  const today = new Date().toISOString().slice(0, 10);
  assert.is((await expire({ expireAt: today })).body.message.status, 'OPEN');
  assert.is((await expire({ expireAt: 'never' })).body.message.status, 'OPEN');
  for (const json of [{}, { expireAt: '2001-01-01' }, { expireAt: 'x' }, { expiresIn: -1 }]) {
    assert.is((await expire(json)).status, 400, JSON.stringify(json));
  }
});

manage('is gone once deleted, and its address stays reserved', async ({ server, user, other }) => {
  const { email } = (await create(server, user.key, { name: 'gone' })).body.message;
  const deleted = await server.request('DELETE', `/email/${email}`, { key: user.key });
  assert.is(deleted.status, 200);
  assert.is(deleted.body.error, false);
  const info = (key: string) => server.request('GET', `/email/getinfo?email=${email}`, { key });
  assert.is((await info(user.key)).body.message.status, 'DELETED');
  assert.is((await info(other.key)).status, 404);
  assert.is((await server.request('DELETE', `/email/${email}`, { key: user.key })).status, 404);
  assert.is((await create(server, other.key, { name: 'gone' })).status, 400);
});

manage('of another account is answered like one that does not exist, on every route', async (given) => {
  const { server, user, other } = given;
  const created = await create(server, user.key, { name: 'private' });
  const { email } = created.body.message;
  const requests = (address: string): [string, string, object?][] => [
    ['GET', `/email/${address}`],
    ['GET', `/email/${address}/getinfo`],
    ['GET', `/email/getinfo?email=${address}`],
    ['POST', '/email/getinfo', { email: address }],
    ['POST', '/email/getmissing', { mail: address, messageIds: [] }],
    ['POST', `/email/${address}/suspend`],
    ['POST', `/email/${address}/open`],
    ['PUT', `/email/${address}/close`],
    ['PUT', `/email/${address}/expiration`, { expireAt: 'never' }],
    ['DELETE', `/email/${address}/inbox/some@message`],
    ['DELETE', `/email/${address}/inbox`],
    ['DELETE', `/email/${address}`],
  ];
  const foreign = (await create(server, other.key)).headers.get('set-cookie')?.split(';')[0] ?? '';
  for (const address of [email, 'nobody@mail.example.org']) {
    for (const [method, path, json] of requests(address)) {
      const ask = (options: object) => server.request(method, path, { ...(json && { json }), ...options });
      const known = await ask({ key: other.key });
      assert.is(known.status, 404, `${method} ${path}`);
      assert.is(known.body.message, 'Resource not found');
      assert.is((await ask({})).status, 401, `${method} ${path}`);
      assert.is((await ask({ headers: { cookie: foreign } })).status, 401, `${method} ${path}`);
    }
  }
  assert.is((await server.request('GET', `/email/${email}`, { key: user.key })).body.message.status, 'OPEN');
});

manage('401 comes before 400: without a credential nothing else is examined', async ({ server, user }) => {
  for (const [method, path] of [
    ['POST', '/email/getmissing'],
    ['POST', '/email/getinfo'],
    ['GET', '/email/getinfo'],
  ] as const) {
    assert.is((await server.request(method, path)).status, 401, path);
    assert.is((await server.request(method, path, { key: 'wrong' })).status, 401, path);
    assert.is((await server.request(method, path, { key: user.key })).status, 400, path);
  }
});

manage('is readable, but not changeable, with the cookie from its creation', async ({ server, user }) => {
  const created = await create(server, user.key);
  const { email } = created.body.message;
  const headers = { cookie: created.headers.get('set-cookie')?.split(';')[0] ?? '' };
  assert.is((await server.request('GET', `/email/getinfo?email=${email}`, { headers })).status, 200);
  const missing = await server.request('POST', '/email/getmissing', { headers, json: { mail: email } });
  assert.is(missing.status, 204);
  assert.is((await server.request('DELETE', `/email/${email}`, { headers })).status, 401);
});

manage(
  'of a banned account takes no mail and is open to administrators only, until the ban ends',
  async ({ server }) => {
    const account = await server.account();
    const created = await create(server, account.key);
    const { email } = created.body.message;
    const headers = { cookie: created.headers.get('set-cookie')?.split(';')[0] ?? '' };
    const json = { mail: email, messageIds: [] };
    const become = async (role: string) => {
      const path = `/admin/user/${account.id}`;
      assert.is((await server.request('PUT', path, { key: server.owner.key, json: { role } })).status, 200);
    };
    const deliver = async (messageId: string) => {
      const answer = await server.request('POST', '/email/inbound', {
        json: { messageId, from: 'a@b.cd', to: email, text: 'hello' },
        headers: { 'x-email-token': 'worker-token' },
      });
      assert.is(answer.status, 200);
    };
    const held = async (how: { headers?: Record<string, string>; key?: string }) => {
      const { status, body } = await server.request('POST', '/email/getmissing', { ...how, json });
      return status === 200 ? body.message.map((mail: { messageId: string }) => mail.messageId) : status;
    };
    await deliver('before');
    assert.equal(await held({ headers }), ['before']);

    await become('banned');
    await deliver('meanwhile');
    for (const path of [`/email/${email}`, `/email/getinfo?email=${email}`])
      assert.is((await server.request('GET', path, { headers })).status, 401, path);
    assert.is(await held({ headers }), 401);
    assert.is(await held({ headers, key: account.key }), 403);
    assert.equal(await held({ key: server.owner.key }), ['before']);

    await become('user');
    await deliver('after');
    assert.equal(await held({ headers }), ['after', 'before']);
  },
);

manage.run();

const list = withServer('GET /email/getall');

list('lists every mailbox for administrators only', async ({ server, user }) => {
  await create(server, user.key, { name: 'one' });
  await create(server, server.owner.key, { name: 'two' });
  const { body } = await server.request('GET', '/email/getall', { key: server.owner.key });
  assert.equal(
    body.message.map(({ email }: { email: string }) => email),
    ['two@mail.example.org', 'one@mail.example.org'],
  );
  assert.is(body.count, 2);
  assert.is((await server.request('GET', '/email/getall', { key: user.key })).status, 403);
  assert.is((await server.request('GET', '/email/getall')).status, 401);
});

list.run();

const pages = withServer('the pages of a mailbox');

pages('lists and messages need no attachment bytes; a download does', async ({ server, user }) => {
  const { email } = (await create(server, user.key)).body.message;
  const file = { filename: 'bill.txt', contentType: 'text/plain', contentBase64: 'MTIzNDU=' };
  const letter = { from: 'Shop <shop@example.org>', to: email, subject: 'Your order', text: 'It comes.' };
  const arrived = await server.request('POST', '/email/inbound', {
    headers: { 'x-email-token': 'worker-token' },
    json: { ...letter, messageId: '<with-a-file@example.org>', attachments: [file] },
  });
  assert.is(arrived.status, 200);
  const look = (path: string, key = user.key) =>
    server.request('GET', `//web/mailboxes/${encodeURIComponent(email)}${path}`, { key });
  const message = 'id=with-a-file%40example.org';
  assert.is((await look(`/attachment?${message}&n=0`)).text, '12345');
  assert.is((await look(`/attachment?${message}&n=1`)).status, 404);

  await server.app.services.storage.blobs.remove(createHash('sha256').update('12345').digest('hex'));
  const list = await look('');
  for (const shown of ['Your order', 'Shop', 'with-a-file%40example.org']) assert.match(list.text, shown);
  assert.match((await look(`/message?${message}`)).text, 'bill.txt');
  assert.is((await look(`/attachment?${message}&n=0`)).status, 404);
  for (const path of ['', `/message?${message}`, `/attachment?${message}&n=0`])
    assert.is((await look(path, (await server.account()).key)).status, 404, 'somebody else');
});

pages.run();

const ended = withServer('a mailbox that has ended');

ended('keeps its messages for a week, during which its end can be moved', async ({ server, user }) => {
  const { services } = server.app;
  const file = { filename: 'a.txt', contentType: 'text/plain', contentBase64: 'MTIzNDU=' };
  const filled = async (name: string, end: number) => {
    const { email } = (await create(server, user.key, { name })).body.message;
    const mail = { messageId: `<m@${name}>`, from: 'a@example.net', to: email, subject: 's', text: 't' };
    const headers = { 'x-email-token': 'worker-token' };
    const json = { ...mail, attachments: [{ ...file, contentBase64: Buffer.from(name).toString('base64') }] };
    assert.is((await server.request('POST', '/email/inbound', { headers, json })).status, 200);
    await services.db.write((trx) =>
      trx('mailboxes')
        .where('address', email)
        .update({ expires_at: Date.now() + end }),
    );
    return email;
  };
  const dayMs = 86_400_000;
  const long = await filled('ended-long-ago', -8 * dayMs);
  const late = await filled('ended-lately', -6 * dayMs);
  const open = await filled('still-open', dayMs);
  await emptyEndedMailboxes(services);

  const count = async (mail: string) => {
    const answer = await server.request('POST', '/email/getmissing', { key: user.key, json: { mail } });
    return answer.status === 204 ? 0 : answer.body.count;
  };
  assert.equal([await count(long), await count(late), await count(open)], [0, 1, 1]);
  const { body } = await server.request('GET', `/email/getinfo?email=${long}`, { key: user.key });
  assert.is(body.message.status, 'EXPIRED');
  assert.is((await create(server, user.key, { name: 'ended-long-ago' })).status, 400, 'its address is kept');
  assert.is((await services.db.read('mail_attachments')).length, 2);
});

ended.run();
