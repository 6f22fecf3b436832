// on both databases
/** Mail stored at the provider: collected before `getmissing` answers, and when the provider notifies us. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import {
  MAILGUN_DOMAIN,
  MAILGUN_KEY,
  MAILGUN_SIGNING_KEY,
  type MailgunStandin,
  type StoredMail,
  signRoute,
  startMailgun,
} from '../../standins/mailgun.js';

interface Given {
  mailgun: MailgunStandin;
  server: TestServer;
  user: TestAccount;
  email: string;
}

const test = suite<Given>('stored mail');

test.before.each(async (given) => {
  given.mailgun = await startMailgun();
  given.server = await startServer({
    MAILGUN_URL: given.mailgun.url,
    MAILGUN_API_KEY: MAILGUN_KEY,
    MAILGUN_DOMAIN,
    MAILGUN_SIGNING_KEY,
    CORS_ORIGINS: 'https://front.example',
  });
  given.user = await given.server.account();
  const created = await given.server.request('POST', '/email/create', { key: given.user.key, json: {} });
  given.email = created.body.message.email;
});

test.after.each(async ({ server, mailgun }) => {
  await server.close();
  await mailgun.close();
});

const store = ({ mailgun, email }: Given, key: string, more: Partial<StoredMail> = {}): void => {
  mailgun.stored.push({
    key,
    messageId: `${key}@example.net`,
    recipient: email,
    from: 'Ada <ada@example.net>',
    subject: key,
    text: `text of ${key}`,
    storedAt: Date.now() - 1000,
    ...more,
  });
};

const ask = (
  { server, user, email }: Given,
  messageIds: string[] = [],
  headers: Record<string, string> = {},
) =>
  server.request('POST', '/email/getmissing', { key: user.key, json: { mail: email, messageIds }, headers });

const ids = (mails: { messageId: string }[]) => mails.map(({ messageId }) => messageId).sort();

const file = {
  filename: 'f.txt',
  contentType: 'text/plain',
  size: 5,
  contentId: null,
  disposition: null,
  withheld: null,
};

for (const api of ['logs', 'events'] as const) {
  test(`is collected with its files by the ${api} API, page by page`, async (given) => {
    given.mailgun.listings = { logs: api === 'logs', events: api === 'events' };
    for (const key of ['a', 'b', 'c', 'd', 'e']) store(given, key);
    store(given, 'file', {
      attachments: [{ name: 'f.txt', type: 'text/plain', bytes: Buffer.from('bytes') }],
    });
    store(given, 'foreign', { recipient: `nobody@${MAILGUN_DOMAIN}` });
    const { status, body } = await ask(given);
    assert.is(status, 200);
    assert.is(body.count, 6);
    assert.equal(
      ids(body.message),
      ['a', 'b', 'c', 'd', 'e', 'file'].map((key) => `${key}@example.net`),
    );
    const withFile = body.message.find(({ subject }: { subject: string }) => subject === 'file');
    assert.equal(withFile.attachments, [{ ...file, contentBase64: 'Ynl0ZXM=' }]);
    assert.is((await ask(given, ids(body.message))).status, 204);
  });
}

test('answers 204 without a body when nothing is missing', async (given) => {
  const answer = await ask(given);
  assert.is(answer.status, 204);
  assert.is(answer.text, '');
});

test('is not duplicated if it arrived through a route meanwhile', async (given) => {
  store(given, 'a');
  const fields = { recipient: given.email, 'Message-Id': '<a@example.net>', subject: 'a', ...signRoute() };
  await Promise.all([
    given.server.request('POST', '/email/inbound', { form: new URLSearchParams(fields) }),
    ask(given),
    ask(given),
  ]);
  assert.is((await ask(given)).body.message.length, 1);
});

test('is not collected again after it was removed here', async (given) => {
  store(given, 'a');
  await ask(given);
  const { server, user, email } = given;
  await server.request('DELETE', `/email/${email}/inbox`, { key: user.key });
  assert.is((await ask(given)).status, 204);
});

test('while the provider is down, the answer holds what is here; the rest is collected later', async (given) => {
  store(given, 'a');
  await ask(given);
  store(given, 'b');
  given.mailgun.mood = 'down';
  const during = await ask(given);
  assert.equal(ids(during.body.message), ['a@example.net']);
  given.mailgun.mood = 'well';
  assert.equal(ids((await ask(given)).body.message), ['a@example.net', 'b@example.net']);
});

test('is listed bare only for front ends of other origins', async (given) => {
  store(given, 'a');
  const bare = await ask(given, [], { origin: 'https://front.example' });
  assert.ok(Array.isArray(bare.body));
  assert.is(bare.body[0].messageId, 'a@example.net');
  for (const headers of [{}, { origin: given.server.origin }, { origin: 'https://else.example' }]) {
    assert.is((await ask(given, [], headers)).body.error, false);
  }
});

test('answers 400 without an address and with invalid ids', async ({ server, user, email }) => {
  for (const json of [{}, { mail: email, messageIds: [1] }, { mail: email, messageIds: { a: 1 } }]) {
    assert.is((await server.request('POST', '/email/getmissing', { key: user.key, json })).status, 400);
  }
});

/** The form with which Mailgun announces a mail whose files it keeps. */
const notice = ({ mailgun, email }: Given, key: string) => ({
  recipient: email,
  'Message-Id': `<${key}@example.net>`,
  subject: key,
  'body-plain': 'told',
  attachments: JSON.stringify([
    {
      name: 'f.txt',
      'content-type': 'text/plain',
      size: 5,
      url: `${mailgun.url}/v3/domains/${MAILGUN_DOMAIN}/messages/${key}/attachments/0`,
    },
  ]),
  ...signRoute(),
});
const FILES = [{ name: 'f.txt', type: 'text/plain', bytes: Buffer.from('bytes') }];

test('is fetched when a route announces it', async (given) => {
  store(given, 'n', { attachments: FILES, recipient: `else@${MAILGUN_DOMAIN}` });
  const form = new URLSearchParams(notice(given, 'n'));
  assert.is((await given.server.request('POST', '/email/inbound', { form })).status, 200);
  const { body } = await ask(given);
  assert.is(body.message[0].attachments[0].contentBase64, 'Ynl0ZXM=');
});

test('waits in the queue while its files are unavailable, and nothing is lost', async (given) => {
  const { mailgun, server } = given;
  store(given, 'n', { attachments: FILES, recipient: `else@${MAILGUN_DOMAIN}` });
  mailgun.mood = 'down';
  const fields = notice(given, 'n');
  for (let repeat = 0; repeat < 2; repeat += 1) {
    const form = new URLSearchParams(fields);
    assert.is((await server.request('POST', '/email/inbound', { form })).status, 200);
  }
  const other = { ...fields, 'Message-Id': '<forged@example.net>' };
  const forged = await server.request('POST', '/email/inbound', { form: new URLSearchParams(other) });
  assert.is(forged.status, 406);
  const { db, jobs } = server.app.services;
  await jobs.settle();
  const waiting = await db.read('jobs').where('kind', 'mailArrival');
  assert.is(waiting.length, 1);
  assert.not.match(waiting[0].payload, /example/);
  mailgun.mood = 'well';
  await db.write((trx) => trx('jobs').update({ run_at: 0 }));
  await jobs.settle();
  const { body } = await ask(given);
  assert.is(body.message[0].text, 'told');
  assert.is(body.message[0].attachments[0].contentBase64, 'Ynl0ZXM=');
});

test('is stored without its files once the queue has waited long enough', async (given) => {
  const { mailgun, server } = given;
  mailgun.mood = 'down';
  const form = new URLSearchParams(notice(given, 'n'));
  await server.request('POST', '/email/inbound', { form });
  const { db, jobs, secrets } = server.app.services;
  await jobs.settle();
  const [{ payload }] = await db.read('jobs').where('kind', 'mailArrival');
  const late = secrets.encrypt(JSON.stringify({ ...JSON.parse(secrets.decrypt(payload)), partialAfter: 0 }));
  await db.write((trx) => trx('jobs').update({ run_at: 0, payload: late }));
  await jobs.settle();
  const { body } = await ask(given);
  assert.equal(body.message[0].attachments, [{ ...file, contentBase64: '' }]);
});

test('never causes the key to be sent to another host', async (given) => {
  given.mailgun.storageUrl = 'http://127.0.0.1:9';
  store(given, 'a');
  assert.is((await ask(given)).status, 204);
});

test.run();
