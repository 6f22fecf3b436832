// on both databases
/** Clients of Mailpit. */
import { MailpitClient, type MailpitMessageListItem } from 'mailpit-api';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { until } from '../../support/until.js';

const WORKER = 'worker-token';
const test = suite('the door of Mailpit');
let server: TestServer;
let user: TestAccount;
test.before(async () => {
  server = await startServer({ MAIL_DOMAINS: 'mail.example.org', EMAIL_INBOUND_TOKEN: WORKER });
});
test.before.each(async () => {
  user = await server.account();
});
test.after(() => server.close());

async function mailbox(by = user) {
  const made = await server.request('POST', '/email/create', { key: by.key, json: {} });
  assert.is(made.status, 200, made.text);
  const [, token = ''] = /mailbox_token=([^;]+)/.exec(made.headers.get('set-cookie') ?? '') ?? [];
  return { address: String(made.body.message.email), token };
}

let sent = 0;
async function arrive(to: string, subject: string, more: Readonly<Record<string, string>> = {}) {
  sent += 1;
  const { text = 'A text', headers = '', html } = more;
  const parts = [
    `From: Ada Lovelace <ada@far.example>\r\nTo: "Doe, J" <${to}>\r\nCc: c@far.example\r\nSubject: ${subject}`,
    `\r\nMessage-ID: <m${sent}@far.example>\r\nMIME-Version: 1.0\r\n${headers}`,
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n',
    html === undefined ? `Content-Type: text/plain\r\n\r\n${text}` : `Content-Type: text/html\r\n\r\n${html}`,
    ...(more.file === undefined
      ? []
      : [
          '\r\n--b\r\nContent-Type: text/csv; name=a.csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\n',
          more.file,
        ]),
    '\r\n--b--\r\n',
  ];
  const answer = await server.request('POST', '/email/inbound', {
    headers: { 'x-email-token': WORKER },
    json: { from: 'ada@far.example', to, raw: parts.join('') },
  });
  assert.is(answer.status, 200, answer.text);
}

const clientOf = (username: string, password: string): MailpitClient =>
  new MailpitClient(server.origin, { auth: { username, password } });
const subjects = (list: readonly MailpitMessageListItem[]): string[] => list.map(({ Subject }) => Subject);
const statusOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => /\b\d{3}\b/.exec(error.message)?.[0] ?? error.message,
  );

test('a client reads, finds, marks and deletes the mails of all mailboxes of a key', async () => {
  const [one, two] = [await mailbox(), await mailbox()];
  const client = clientOf('anybody', user.key);
  assert.equal((await client.listMessages()).messages, []);
  await arrive(one.address, 'First order', { text: 'thanks a lot', file: 'x,y' });
  await arrive(two.address, 'Second', { html: '<p>Hello <a href="https://a.example/x">you</a></p>' });
  const list = await client.listMessages();
  assert.equal([list.total, list.unread, list.messages_count, list.start], [2, 2, 2, 0]);
  assert.equal(subjects(list.messages), ['Second', 'First order']);
  const [second, first] = list.messages;
  assert.equal(
    [first?.From, first?.To, first?.Cc, first?.Attachments, first?.Read, first?.Snippet],
    [
      { Name: 'Ada Lovelace', Address: 'ada@far.example' },
      [{ Name: 'Doe, J', Address: one.address }],
      [{ Name: '', Address: 'c@far.example' }],
      1,
      false,
      'thanks a lot',
    ],
  );
  assert.match(second?.Snippet ?? '', /^Hello you/);
  assert.ok((first?.Size ?? 0) > 100);

  const id = first?.ID ?? '';
  const mail = await client.getMessageSummary(id);
  assert.equal([mail.Subject, mail.Text.trim(), mail.To], ['First order', 'thanks a lot', first?.To]);
  assert.is((await client.listMessages()).unread, 1, 'reading marks as read');
  const [file] = mail.Attachments;
  assert.equal([file?.FileName, file?.ContentType, file?.Size], ['a.csv', 'text/csv', 3]);
  const part = (await client.getMessageAttachment(id, file?.PartID ?? '')) as { data?: Blob } & Blob;
  assert.is(await (part.data ?? part).text(), 'x,y');
  const headers = (await client.getMessageHeaders(id)) as unknown as Record<string, string[]>;
  assert.equal(headers.Subject, ['First order']);
  assert.match(String(await client.getMessageSource(id)), /Subject: First order/);
  assert.is((await client.getMessageSummary()).Subject, 'Second');
  assert.match((await client.getMessageSummary()).HTML, /<a [^>]*href="https:\/\/a\.example\/x"/);
  assert.equal(await client.getTags(), []);
  assert.equal((await client.getInfo()).Messages, 2);

  await client.setReadStatus({ IDs: [id], Read: false });
  assert.equal(subjects((await client.searchMessages({ query: 'is:unread' })).messages), ['First order']);
  await client.setReadStatus({ Read: true });
  assert.is((await client.listMessages()).unread, 0);
  await client.deleteMessages({ IDs: [id] });
  assert.equal(subjects((await client.listMessages()).messages), ['Second']);
  await client.deleteMessages();
  assert.is((await client.listMessages()).total, 0);
  assert.is(await statusOf(client.getMessageSummary()), '404');
});

test('searches', async () => {
  const { address } = await mailbox();
  await arrive(address, 'Order one', { text: 'blue door' });
  await arrive(address, 'Order two', { text: 'red door', file: 'z' });
  await arrive(address, 'Receipt', { text: 'blue window' });
  const client = clientOf('x', user.key);
  const found = async (query: string) => subjects((await client.searchMessages({ query })).messages);
  for (const [query, expected] of [
    ['door', ['Order two', 'Order one']],
    ['DOOR blue', ['Order one']],
    ['door -blue', ['Order two']],
    ['subject:"order one"', ['Order one']],
    ['subject:receipt from:ada', ['Receipt']],
    [`to:${address}`, ['Receipt', 'Order two', 'Order one']],
    ['has:attachment', ['Order two']],
    ['is:read', []],
    ['after:2000-01-01 !subject:order', ['Receipt']],
    ['before:"2000/01/01"', []],
    ['other:thing', []],
    ['%', []],
  ] as const)
    assert.equal(await found(query), expected, query);
  const answer = await client.searchMessages({ query: 'order', limit: 1, start: 1 });
  assert.equal([subjects(answer.messages), answer.messages_count, answer.total], [['Order one'], 2, 3]);
  assert.is(await statusOf(client.searchMessages({ query: 'before:soon' })), '400');
  await client.deleteMessagesBySearch({ query: 'order' });
  assert.equal(await found(''), ['Receipt']);
  assert.is(await statusOf(client.deleteMessagesBySearch({ query: '' })), '400');
});

test('the token of a mailbox opens that one, and nothing else', async () => {
  const [one, two] = [await mailbox(), await mailbox()];
  await arrive(one.address, 'For one');
  await arrive(two.address, 'For two');
  const client = clientOf(one.address.toUpperCase(), one.token);
  const { messages, total } = await client.listMessages();
  assert.equal([subjects(messages), total], [['For one'], 1]);
  const other = (await clientOf('x', user.key).searchMessages({ query: 'two' })).messages[0]?.ID ?? '';
  for (const ask of [
    () => client.getMessageSummary(other),
    () => client.getMessageHeaders(other),
    () => client.getMessageSource(other),
    () => client.getMessageAttachment(other, '1'),
  ])
    assert.is(await statusOf(ask()), '404');
  await client.deleteMessages({ IDs: [other] });
  await client.setReadStatus({ IDs: [other], Read: true });
  const left = (await clientOf('x', user.key).listMessages()).messages;
  assert.equal(
    left.map(({ Subject, Read }) => [Subject, Read]),
    [
      ['For two', false],
      ['For one', false],
    ],
  );
  assert.is((await client.getMessageSummary()).Subject, 'For one');
  await client.deleteMessages();
  assert.equal(subjects((await clientOf('x', user.key).listMessages()).messages), ['For two']);
  for (const [name, token] of [
    [two.address, one.token],
    [one.address, 'wrong'],
    ['nobody@mail.example.org', one.token],
  ] as const)
    assert.is(await statusOf(clientOf(name, token).listMessages()), '401');
  // At /v1 it is no credential.
  const basic = `Basic ${Buffer.from(`${one.address}:${one.token}`).toString('base64')}`;
  const asked = await server.request('GET', `/email/${one.address}`, { headers: { authorization: basic } });
  assert.is(asked.status, 401);
  await server.request('DELETE', `/email/${one.address}`, { key: user.key });
  assert.is(await statusOf(client.listMessages()), '401');
});

test('a key needs the scopes: reading marks, and only writing deletes', async () => {
  const { address } = await mailbox();
  await arrive(address, 'Kept');
  const named = async (scopes: readonly string[]) => {
    const json = { name: 'k', scopes };
    const made = await server.request('POST', '/user/get/@me/keys', { key: user.key, json });
    return clientOf('', made.body.message.key);
  };
  const reads = await named(['mail:read']);
  await reads.setReadStatus({ Read: true });
  assert.is(await statusOf(reads.deleteMessages()), '403');
  assert.is(await statusOf((await named(['mail:write'])).listMessages()), '403');
  await (await named(['mail:write'])).deleteMessages();
  assert.is((await reads.listMessages()).total, 0);
});

test('nonsense is refused in its form, and changes nothing', async () => {
  const { address } = await mailbox();
  await arrive(address, 'Kept');
  const ask = (operation: string, options: object = {}) => {
    const [method = '', path = ''] = operation.split(' ');
    return server.request(method, `//api/v1/${path}`, { key: user.key, ...options });
  };
  for (const [operation, options, status] of [
    ['GET messages?limit=-1', {}, 400],
    ['GET messages?start=x', {}, 400],
    ['DELETE messages', { json: { IDs: 'all' } }, 400],
    ['DELETE messages', { json: { IDs: ['nonsense'] } }, 200],
    ['DELETE messages', { json: { IDs: Array(1_001).fill('1') } }, 400],
    ['PUT messages', { json: { IDs: ['nonsense'], Read: true } }, 200],
    ['GET message/0', {}, 404],
    ['GET message/99999999999999', {}, 404],
    ['GET message/latest/part/0', {}, 404],
    ['GET message/latest/part/9', {}, 404],
  ] as const) {
    const answer = await ask(operation, options);
    assert.is(answer.status, status, `${operation}: ${answer.text}`);
    if (status !== 200) assert.type(answer.body.Error, 'string');
  }
  await until(async () => (await ask('GET messages')).body.unread === 1);
});

test.run();
