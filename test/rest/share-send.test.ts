// on both databases
/** Share links sent by mail, by guarantee. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { type SmtpStandin, startSmtp } from '../standins/smtp.js';

const test = suite<{ server: TestServer; smtp: SmtpStandin; user: TestAccount }>('share links by mail');
test.before(async (given) => {
  given.smtp = await startSmtp();
  given.server = await startServer({
    MAIL_TRANSPORT: 'smtp',
    SMTP_URL: given.smtp.url,
    RATE_LIMIT: 'on',
  });
  given.user = await given.server.account();
});
test.after(async ({ server, smtp }) => {
  await server.close();
  await smtp.close();
});

async function image(server: TestServer, { key }: TestAccount) {
  const form = fileForm('a secret', 'the-plan.txt', { private: 'true' });
  return (await server.request('POST', '/image/upload', { key, form })).body.uniqueId as string;
}
const send = (server: TestServer, key: string | undefined, id: string, json: object) =>
  server.request('POST', `/image/get/${id}/links/send`, { key, json });
const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `p${from + index}@example.net`);

test('each gets one mail with a link of their own, which says nothing of what it opens', async ({
  server,
  smtp,
  user,
}) => {
  const id = await image(server, user);
  const to = ['ada@example.net', 'grace@example.net', 'ADA@example.net'];
  const answer = await send(server, user.key, id, { to, message: 'Have a look', own: true, replyTo: true });
  assert.is(answer.status, 200, answer.text);
  const { sent, links } = answer.body.message;
  assert.equal(
    [sent, links.map(({ label }: { label: string }) => label)],
    [2, ['ADA@example.net', 'grace@example.net']],
  );
  await server.app.services.jobs.settle();
  const mails = smtp.mails.filter(({ raw }) => raw.includes('Have a look'));
  assert.is(mails.length, 2);
  for (const { raw } of mails) {
    assert.match(raw, /^Reply-To: /m);
    assert.match(raw, /text\/html/);
    assert.not.match(raw, 'the-plan');
  }
  const [first] = links;
  const secret = new URL(first.url).pathname.split('/').at(-1);
  assert.is((await server.request('GET', `/image/shared/${secret}`)).text, 'a secret');
  const listed = (await server.request('GET', `/image/get/${id}/links`, { key: user.key })).body.message
    .content;
  const views = Object.fromEntries(
    listed.map(({ label, views }: { label: string; views: number }) => [label, views]),
  );
  assert.equal(views, { 'ADA@example.net': 1, 'grace@example.net': 0 });
  const list = await server.request('GET', '/email/sent', { key: user.key });
  assert.match(list.text, 'grace@example.net');
});

test('without a link of their own all get the same', async ({ server, user }) => {
  const id = await image(server, user);
  const { body } = await send(server, user.key, id, { to: 'one@example.net, two@example.net' });
  assert.equal([body.message.sent, body.message.links.length], [2, 1]);
});

test('bad addresses, too many, and others’ items are refused, and nothing is sent', async ({
  server,
  user,
}) => {
  const id = await image(server, user);
  const refused = [
    {},
    { to: [] },
    { to: 'nobody' },
    { to: ['a@example.net\r\nBcc: b@example.net'] },
    { to: people(21) },
    { to: people(1000) },
    { to: 'a@example.net', message: 'x'.repeat(2001) },
    { to: ['good@example.net', 'bad'] },
  ];
  for (const json of refused)
    assert.is((await send(server, user.key, id, json)).status, 400, JSON.stringify(json).slice(0, 80));
  const other = await server.account();
  assert.is((await send(server, other.key, id, { to: 'a@example.net' })).status, 401);
  const listed = await server.request('GET', `/image/get/${id}/links`, { key: user.key });
  assert.is(listed.body.message.totalElements, 0);
});

test('fifty mails a day, all or none; administrators send more', async ({ server }) => {
  const user = await server.account();
  const id = await image(server, user);
  assert.is((await send(server, user.key, id, { to: people(20) })).status, 200);
  assert.is((await send(server, user.key, id, { to: people(20, 20) })).status, 200);
  assert.is((await send(server, user.key, id, { to: people(11, 40) })).status, 429);
  const admin = await server.account('ADMIN');
  const own = await image(server, admin);
  for (const from of [0, 20, 40])
    assert.is((await send(server, admin.key, own, { to: people(20, from) })).status, 200);
});

test('409 where no mail leaves the installation', async () => {
  const silent = await startServer();
  try {
    const user = await silent.account();
    const id = await image(silent, user);
    assert.is((await send(silent, user.key, id, { to: 'a@example.net' })).status, 409);
    const listed = await silent.request('GET', `/image/get/${id}/links`, { key: user.key });
    assert.is(listed.body.message.totalElements, 0);
  } finally {
    await silent.close();
  }
});

test.run();
