// on both databases
/** What the owner of a mailbox does with its mail: find, mark, answer, forward. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { linkMailedTo, mailsTo } from '../../support/accounts/outbox.js';

interface Given {
  server: TestServer;
  user: TestAccount;
}

function withServer(name: string) {
  const test = suite<Given>(name);
  test.before(async (given) => {
    given.server = await startServer({ EMAIL_INBOUND_TOKEN: 'token', MAILGUN_DOMAIN: 'mail.example.org' });
    given.user = await given.server.account();
  });
  test.after(({ server }) => server.close());
  return test;
}

const newBox = async ({ server, user }: Given): Promise<string> =>
  (await server.request('POST', '/email/create', { key: user.key, json: {} })).body.message.email;

async function deliver({ server }: Given, to: string, mail: Record<string, unknown>): Promise<void> {
  const json = {
    messageId: `${Math.random()}@example.net`,
    from: 'Ada <ada@example.net>',
    to,
    envelope: { from: 'ada@example.net', to },
    subject: 'Hello',
    text: 'x',
    ...mail,
  };
  const headers = { 'x-email-token': 'token' };
  assert.is((await server.request('POST', '/email/inbound', { json, headers })).status, 200);
}

const list = async ({ server, user }: Given, box: string, query: string) => {
  const answer = await server.request('GET', `/email/${box}/messages${query}`, { key: user.key });
  assert.is(answer.status, 200, answer.text);
  return answer.body.message;
};
const idsIn = (page: { content: { messageId: string }[] }): string[] =>
  page.content.map(({ messageId }) => messageId);

const find = withServer('GET /email/{email}/messages');

find('is paged, newest first, without texts', async (given) => {
  const box = await newBox(given);
  for (const messageId of ['a', 'b', 'c']) await deliver(given, box, { messageId });
  const page = await list(given, box, '?page=0&size=2');
  assert.equal(idsIn(page), ['c', 'b']);
  const { totalElements, totalPages, currentPage, pageSize } = page;
  assert.equal([totalElements, totalPages, currentPage, pageSize], [3, 2, 0, 2]);
  assert.not('text' in page.content[0]);
  assert.equal(idsIn(await list(given, box, '?page=1&size=2')), ['a']);
  for (const wrong of ['?size=0', '?size=101', '?page=-1', '?unread=perhaps'])
    assert.is(
      (await given.server.request('GET', `/email/${box}/messages${wrong}`, { key: given.user.key })).status,
      400,
      wrong,
    );
});

find('finds words of the subject, the sender and the text, in any case and script', async (given) => {
  const box = await newBox(given);
  await deliver(given, box, { messageId: 'subject', subject: 'Rechnung für März' });
  await deliver(given, box, { messageId: 'sender', from: 'Łukasz <l@example.net>' });
  await deliver(given, box, { messageId: 'text', text: 'der geheime Schlüssel 100%' });
  await deliver(given, box, { messageId: 'html', html: '<p class="geheimx">x</p>' });
  const found = async (query: string) => idsIn(await list(given, box, `?${query}`)).sort();
  assert.equal(await found('search=MÄRZ'), ['subject']);
  assert.equal(await found('search=łUKASZ'), ['sender']);
  assert.equal(await found('search=schlüssel'), ['text']);
  assert.equal(await found('search=100%25'), ['text']);
  assert.equal(await found('search=geheimx'), []);
  assert.equal(await found('from=%C5%81uk'), ['sender']);
  assert.equal(await found('from=ada&search=rechnung'), ['subject']);
});

find('tells what is unread until it is marked', async (given) => {
  const box = await newBox(given);
  for (const messageId of ['a', 'b']) await deliver(given, box, { messageId });
  const mark = (messageId: string, json: object, key = given.user.key) =>
    given.server.request('PUT', `/email/${box}/messages/${messageId}/read`, { key, json });
  assert.is((await mark('a', {})).status, 200);
  assert.equal(idsIn(await list(given, box, '?unread=true')), ['b']);
  assert.equal(idsIn(await list(given, box, '?unread=false')), ['a']);
  assert.is((await mark('a', { read: false })).status, 200);
  assert.equal(idsIn(await list(given, box, '?unread')), ['b', 'a']);
  assert.is((await mark('none', {})).status, 404);
  const one = await given.server.request('GET', `/email/${box}/messages/a`, { key: given.user.key });
  assert.is(one.body.message.text, 'x');
  assert.is(one.body.message.unread, true);
});

find.run();

const answer = withServer('POST /email/{email}/reply');
const reply = ({ server, user }: Given, box: string, json: object, key = user.key) =>
  server.request('POST', `/email/${box}/reply`, { key, json });

answer('sends from the own address, to whom the mail names, in its thread', async (given) => {
  const box = await newBox(given);
  await deliver(given, box, {
    messageId: 'second@example.net',
    subject: 'Offer',
    headers: { References: '<first@example.net>', 'Reply-To': 'desk@example.net' },
    replyTo: 'desk@example.net',
  });
  assert.is((await reply(given, box, { messageId: 'second@example.net', text: 'Yes, please.' })).status, 200);
  const [mail] = await mailsTo(given.server, 'desk@example.net');
  assert.is(mail?.from, box);
  assert.is(mail?.subject, 'Re: Offer');
  assert.match(mail?.text ?? '', /Yes, please/);
  assert.is(mail?.headers['in-reply-to'], '<second@example.net>');
  assert.match(mail?.headers.references ?? '', /<first@example\.net>\s+<second@example\.net>/);
});

answer('is refused for a bounce, without a text, from a closed mailbox, and to others', async (given) => {
  const { server, user } = given;
  const box = await newBox(given);
  await deliver(given, box, { messageId: 'letter' });
  const other = await server.account();
  assert.is((await reply(given, box, { messageId: 'letter' })).status, 400);
  assert.is((await reply(given, box, { messageId: 'none', text: 'x' })).status, 404);
  for (const key of [other.key, server.owner.key])
    assert.is((await reply(given, box, { messageId: 'letter', text: 'x' }, key)).status, 404);
  await server.request('POST', `/email/${box}/close`, { key: user.key });
  assert.is((await reply(given, box, { messageId: 'letter', text: 'x' })).status, 400);
});

answer('an account sends 50 a day', async () => {
  const server = await startServer({ EMAIL_INBOUND_TOKEN: 'token', RATE_LIMIT: 'on' });
  const given = { server, user: await server.account() };
  const box = await newBox(given);
  await deliver(given, box, { messageId: 'letter' });
  for (let sent = 0; sent < 50; sent += 1)
    assert.is((await reply(given, box, { messageId: 'letter', text: 'x' })).status, 200);
  assert.is((await reply(given, box, { messageId: 'letter', text: 'x' })).status, 429);
  await server.close();
});

answer.run();

const send = withServer('PUT /email/{email}/forward');
const forward = ({ server, user }: Given, box: string, to: unknown, key = user.key) =>
  server.request('PUT', `/email/${box}/forward`, { key, json: { to } });

async function forwarding(given: Given, to: string): Promise<string> {
  const box = await newBox(given);
  assert.equal((await forward(given, box, to)).body.message, { to, confirmed: false });
  const form = new URLSearchParams({ code: await linkMailedTo(given.server, to) });
  const agreed = await given.server.request('POST', '//web/mail-forward', { form });
  assert.is(agreed.status, 200, agreed.text);
  return box;
}

const forwardedTo = async (given: Given, to: string) =>
  (await mailsTo(given.server, to)).filter((mail) => mail.headers['x-holdall-forwarded'] !== undefined);

send('begins once the target has agreed, and ends at once', async (given) => {
  const { server, user } = given;
  const to = 'target@example.net';
  const box = await newBox(given);
  await forward(given, box, to);
  await deliver(given, box, { subject: 'too early' });
  assert.equal(await forwardedTo(given, to), []);
  const code = await linkMailedTo(server, to);
  const shown = await server.request('GET', `//web/mail-forward?code=${code}`);
  assert.match(shown.text, new RegExp(box));
  // Opening the link changes nothing.
  await deliver(given, box, { subject: 'still too early' });
  assert.equal(await forwardedTo(given, to), []);
  const agree = () => server.request('POST', '//web/mail-forward', { form: new URLSearchParams({ code }) });
  assert.is((await agree()).status, 200);
  assert.is((await agree()).status, 404);
  const read = await server.request('GET', `/email/${box}/forward`, { key: user.key });
  assert.equal(read.body.message, { to, confirmed: true });
  const attachments = [{ filename: 'a.txt', contentType: 'text/plain', contentBase64: 'aGVsbG8=' }];
  await deliver(given, box, { subject: 'News', text: 'Read this', attachments });
  const [mail] = await forwardedTo(given, to);
  assert.is(mail?.subject, 'News');
  assert.match(mail?.from ?? '', new RegExp(box));
  assert.is(mail?.headers['reply-to'], 'ada@example.net');
  assert.match(mail?.source ?? '', /Read this[\s\S]*aGVsbG8=/);
  assert.equal((await forward(given, box, null)).body.message, { to: null, confirmed: false });
  await deliver(given, box, { subject: 'late' });
  assert.is((await forwardedTo(given, to)).length, 1);
});

send('does not go in circles, and passes no bounces on', async (given) => {
  const to = 'circle@example.net';
  const box = await forwarding(given, to);
  await deliver(given, box, { subject: 'first' });
  const [mail] = await forwardedTo(given, to);
  const mark = mail?.headers['x-holdall-forwarded'] ?? '';
  assert.match(mark, /^[\da-f]{16}$/);
  await deliver(given, box, { subject: 'again', headers: { 'X-Holdall-Forwarded': mark } });
  await deliver(given, box, { subject: 'far', headers: { 'x-holdall-forwarded': 'a b c d e' } });
  await deliver(given, box, { subject: 'bounce', from: 'MAILER-DAEMON@example.net' });
  await deliver(given, box, { subject: 'report', headers: { 'Return-Path': '<>' } });
  await deliver(given, box, { subject: 'absent', headers: { 'Auto-Submitted': 'auto-replied' } });
  assert.equal(
    (await forwardedTo(given, to)).map(({ subject }) => subject),
    ['first'],
  );
});

send('is for the owner only, and not to itself', async (given) => {
  const { server } = given;
  const box = await newBox(given);
  for (const wrong of [box, 'no address', 7, ['a@b.cd'], undefined])
    assert.is((await forward(given, box, wrong)).status, 400, String(wrong));
  const other = await server.account();
  for (const key of [other.key, server.owner.key])
    assert.is((await forward(given, box, 'x@example.net', key)).status, 404);
  assert.is((await server.request('GET', '//web/mail-forward?code=made-up')).status, 404);
});

send('ends with the mailbox, and when the account is recovered', async (given) => {
  const { server, user } = given;
  const rows = () => server.app.services.db.read('mail_forwards');
  const box = await forwarding(given, 'gone@example.net');
  await server.request('DELETE', `/email/${box}`, { key: user.key });
  assert.not((await rows()).some((row) => row.target === 'gone@example.net'));
  await forwarding(given, 'recovered@example.net');
  const set = await server.request('PUT', `/admin/user/${user.id}`, {
    key: server.owner.key,
    json: { password: 'another horse battery' },
  });
  assert.is(set.status, 200, set.text);
  assert.not((await rows()).some((row) => row.target === 'recovered@example.net'));
});

send.run();
