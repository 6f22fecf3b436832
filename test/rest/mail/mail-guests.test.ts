// on both databases
/** Mailboxes of people without an account: the challenge, the cookie of each, and what it opens. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstWordOfSha256 } from '../../../client/src/sha256.js';
import { type Answer, startServer, type TestServer } from '../../harness.js';
import { reply, type Standin, serve } from '../../standins/http.js';
import { solutionOf } from '../../support/web/challenge.js';
import { listenTo } from '../../support/web/web-socket.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const INBOUND = { EMAIL_INBOUND_TOKEN: 'worker-token', MAILGUN_DOMAIN: 'mail.example.org' };

interface Guest {
  readonly email: string;
  readonly headers: { cookie: string };
}

const guestOf = (answer: Answer): Guest => {
  assert.is(answer.status, 200, answer.text);
  const cookie = answer.headers.getSetCookie().find((value) => value.startsWith('mailbox_token_')) ?? '';
  return { email: answer.body.message.email, headers: { cookie: cookie.split(';')[0] ?? '' } };
};

const create = (server: TestServer, token: unknown) =>
  server.request('POST', '/email/create/public', { json: { token } });

async function solved(server: TestServer): Promise<string> {
  return solutionOf((await server.request('GET', '/email/create/public')).body.message);
}

const newGuest = async (server: TestServer): Promise<Guest> =>
  guestOf(await create(server, await solved(server)));

const deliver = (server: TestServer, to: string, messageId: string) =>
  server.request('POST', '/email/inbound', {
    json: { messageId, from: 'a@example.net', to, subject: 'Hello', text: 'x' },
    headers: { 'x-email-token': 'worker-token' },
  });

const missing = (server: TestServer, mail: string, headers: Record<string, string>) =>
  server.request('POST', '/email/getmissing', { json: { mail }, headers });

const proof = suite<{ server: TestServer }>('guest mailboxes by proof of work');
proof.before(async (given) => {
  given.server = await startServer({ ...INBOUND, PUBLIC_MAIL: 'proof-of-work' });
});
proof.after(({ server }) => server.close());

proof('the hash of the page is SHA-256, for texts of every length', () => {
  for (let length = 0; length < 200; length += 1) {
    const text = 'Holdall~'.repeat(25).slice(0, length);
    assert.is(firstWordOfSha256(text), createHash('sha256').update(text).digest().readUInt32BE(), text);
  }
});

proof('a solved challenge gives a mailbox for seven days and a cookie of its own', async ({ server }) => {
  const answer = await create(server, await solved(server));
  const { email, createdBy, status, expireAt } = answer.body.message;
  assert.match(email, /^[a-z0-9]{10}@mail\.example\.org$/);
  assert.is(createdBy, null);
  assert.is(status, 'OPEN');
  const days = (Date.parse(expireAt) - Date.now()) / DAY_MS;
  assert.ok(days > 6.9 && days <= 7, expireAt);
  const cookie = answer.headers.get('set-cookie') ?? '';
  assert.match(cookie, /^mailbox_token_[\da-f]{8}=[\w-]{43};.*HttpOnly/);
});

proof('a challenge that is unsolved, made up, or used already is answered 400', async ({ server }) => {
  const token = await solved(server);
  const [challenge = ''] = token.split('.');
  assert.is((await create(server, token)).status, 200);
  const easier = challenge.replace(/~18~/, '~01~');
  for (const wrong of [token, `${challenge}.x`, `${easier}.1`, 'made-up', '', null, 7, 'x'.repeat(5000)])
    assert.is((await create(server, wrong)).status, 400, String(wrong).slice(0, 90));
});

proof('of concurrent uses of one solved challenge one succeeds', async ({ server }) => {
  const token = await solved(server);
  const answers = await Promise.all(Array.from({ length: 6 }, () => create(server, token)));
  assert.equal(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400, 400]);
});

proof('several mailboxes stay open side by side, each with its own cookie', async ({ server }) => {
  const guests = [await newGuest(server), await newGuest(server)];
  const cookie = guests.map(({ headers }) => headers.cookie).join('; ');
  for (const { email, headers } of guests) {
    assert.is((await deliver(server, email, 'letter')).status, 200);
    for (const sent of [headers, { cookie }]) {
      const { status, body } = await missing(server, email, sent);
      assert.is(status, 200);
      assert.is(body.message[0].messageId, 'letter');
    }
  }
  const [first, second] = guests as [Guest, Guest];
  assert.is((await missing(server, first.email, second.headers)).status, 401);
});

proof('its cookie hears of new mail, deletes a message, the inbox and the mailbox', async ({ server }) => {
  const { email, headers } = await newGuest(server);
  const listener = await listenTo(server, `/ws/email?email=${email}`, headers);
  await deliver(server, email, 'one');
  assert.is((await listener.next()).messageId, 'one');
  await deliver(server, email, 'two');
  const remove = (path: string) => server.request('DELETE', `/email/${email}${path}`, { headers });
  assert.is((await remove('/inbox/one')).status, 200);
  assert.equal(
    (await missing(server, email, headers)).body.message.map((mail: { messageId: string }) => mail.messageId),
    ['two'],
  );
  assert.is((await remove('/inbox')).status, 200);
  assert.is((await missing(server, email, headers)).status, 204);
  assert.is((await remove('')).status, 200);
  assert.match((await listener.closed).reason, /deleted/);
  assert.is((await missing(server, email, headers)).status, 401);
  assert.is((await deliver(server, email, 'late')).status, 200);
});

proof('administrators see guest mailboxes, accounts do not', async ({ server }) => {
  const { email } = await newGuest(server);
  const [user, admin] = [await server.account(), await server.account('ADMIN')];
  const info = (key: string) => server.request('GET', `/email/getinfo?email=${email}`, { key });
  assert.is((await info(user.key)).status, 404);
  for (const key of [admin.key, server.owner.key]) {
    const { status, body } = await info(key);
    assert.is(status, 200);
    assert.is(body.message.createdBy, null);
  }
  const all = await server.request('GET', '/email/getall', { key: admin.key });
  assert.ok(all.body.message.some((mailbox: { email: string }) => mailbox.email === email));
  const closed = await server.request('POST', `/email/${email}/suspend`, { key: admin.key });
  assert.is(closed.status, 200, closed.text);
});

proof(
  'a guest mailbox cannot become the address of an account, nor get the mail of one',
  async ({ server }) => {
    const { email, headers } = await newGuest(server);
    const other = await server.account();
    const changed = await server.request('PUT', `/admin/user/${other.id}`, {
      key: server.owner.key,
      json: { email },
    });
    assert.is(changed.status, 400);
    await server.app.services.db.write((trx) =>
      trx('users').where('id', other.id).update({ email, email_key: email }),
    );
    await deliver(server, email, 'reset');
    assert.is((await missing(server, email, headers)).status, 204);
  },
);

proof('the cookie of a guest mailbox counts on our own origins only', async ({ server }) => {
  const { email, headers } = await newGuest(server);
  const foreign = { ...headers, origin: 'https://elsewhere.example' };
  assert.is((await server.request('DELETE', `/email/${email}`, { headers: foreign })).status, 403);
  const made = await server.request('POST', '/email/create/public', {
    json: { token: await solved(server) },
    headers: { origin: 'https://elsewhere.example' },
  });
  assert.is(made.status, 403);
});

proof.run();

const limited = suite('guest mailboxes are few');

limited('a network gets three within an hour, whatever else it tries', async () => {
  const server = await startServer({ PUBLIC_MAIL: 'proof-of-work', RATE_LIMIT: 'on' });
  for (let made = 0; made < 3; made += 1) {
    assert.is((await create(server, 'wrong')).status, 400);
    assert.is((await create(server, await solved(server))).status, 200);
  }
  const refused = await create(server, await solved(server));
  assert.is(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  await server.close();
});

limited('without a challenge there are none', async () => {
  const server = await startServer();
  assert.is((await create(server, 'x')).status, 404);
  assert.is((await server.request('POST', '/email/create/public', { json: {} })).status, 404);
  assert.is((await server.request('GET', '/email/create/public')).status, 404);
  assert.is(
    (await server.request('GET', '//web/guest-mailbox', { headers: { accept: 'text/html' } })).status,
    404,
  );
  await server.close();
});

limited.run();

interface Turnstile {
  server: TestServer;
  service: Standin;
  answer: { status: number; body: unknown };
}
const turnstile = suite<Turnstile>('guest mailboxes by Turnstile');
turnstile.before(async (given) => {
  given.answer = { status: 200, body: { success: true } };
  given.service = await serve((_, response) => reply(response, given.answer.status, given.answer.body));
  given.server = await startServer({
    ...INBOUND,
    TURNSTILE_SECRET: 'the-secret',
    TURNSTILE_URL: `${given.service.url}/siteverify`,
  });
});
turnstile.after(async ({ server, service }) => {
  await server.close();
  await service.close();
});

turnstile('the service is asked with the secret, the token and the address', async (given) => {
  given.answer = { status: 200, body: { success: true } };
  guestOf(await create(given.server, 'solved'));
  const asked = given.service.requests.at(-1);
  assert.is(asked?.url.pathname, '/siteverify');
  assert.equal(Object.fromEntries(new URLSearchParams(String(asked?.body))), {
    secret: 'the-secret',
    response: 'solved',
    remoteip: '127.0.0.1',
  });
});

turnstile(
  'what the service refuses is 400, and a service that is away or misconfigured 502',
  async (given) => {
    const outcomes: [unknown, number, number][] = [
      [{ success: false, 'error-codes': ['invalid-input-response'] }, 200, 400],
      [{ success: false, 'error-codes': ['timeout-or-duplicate'] }, 200, 400],
      [{ success: false, 'error-codes': ['invalid-input-secret'] }, 200, 502],
      [{ surprise: true }, 200, 502],
      [{}, 403, 502],
      [{}, 503, 502],
    ];
    for (const [body, status, wanted] of outcomes) {
      given.answer = { status, body };
      assert.is((await create(given.server, 'token')).status, wanted, JSON.stringify(body));
    }
    assert.is((await given.server.request('GET', '/email/create/public')).status, 404);
  },
);

turnstile.run();
