// on both databases
/** Lists read no text that they do not show, so that their memory does not grow with the texts. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Binding, query } from '../../db/engine/query.js';
import { insertMessage } from '../../db/mail/mail-message.js';
import { startServer, type TestServer } from '../harness.js';

const MIB = 1024 * 1024;

const test = suite('lists without texts');
let server: TestServer;
test.before(async () => {
  server = await startServer({ MAILGUN_DOMAIN: 'mail.example.org' });
});
test.after(() => server.close());

/** The answer, and everything read from the database for it, as one text. */
async function watch<T>(ask: () => Promise<T>): Promise<{ readonly answer: T; readonly read: string }> {
  const { read } = server.app.services.db;
  const seen: { sql: string; bindings: Binding[] }[] = [];
  const note = (query: { sql: string; bindings: Binding[] }) => seen.push(query);
  read.on('query', note);
  const answer = await ask();
  read.removeListener('query', note);
  const selects = seen.filter(({ sql }) => /^\s*select/i.test(sql));
  const found = await Promise.all(selects.map(({ sql, bindings }) => query(read, sql, bindings)));
  assert.ok(found.flat().length > 0, 'the list was read');
  return { answer, read: JSON.stringify(found) };
}

async function addPaste(key: string, text: string, burn = false): Promise<string> {
  const { status, body } = await server.request('POST', '/paste/create', { key, json: { text, burn } });
  assert.is(status, 200, body?.message);
  return body.uniqueId;
}

test('lists of pastes do not read the texts', async () => {
  const { id, key } = await server.account();
  const uniqueId = await addPaste(key, 'a needle in the hay');
  for (const search of ['', 'needle']) {
    const input = encodeURIComponent(JSON.stringify({ search }));
    const listed = await watch(() => server.request('GET', `//trpc/library.pastes?input=${input}`, { key }));
    assert.is(listed.answer.body.result.data.items[0].uniqueId, uniqueId);
    assert.is(listed.answer.body.result.data.items[0].content, '');
    assert.not.match(listed.read, 'a needle');
  }
  for (const path of ['/admin/pastes?search=needle', `/admin/user/${id}/pastes`]) {
    const { answer, read } = await watch(() => server.request('GET', path, { key: server.owner.key }));
    const [listed] = answer.body.message.content ?? answer.body.message;
    assert.equal([listed.uniqueId, listed.content], [uniqueId, null]);
    assert.not.match(read, 'a needle');
  }
});

test('requested texts are read newest first, up to 16 MiB, and never from burn-after-reading pastes', async () => {
  const { id, key } = await server.account();
  const text = (n: number) => `text${n}.`.padEnd(MIB, 'x');
  const ids: string[] = [];
  for (let n = 0; n < 17; n += 1) ids.unshift(await addPaste(key, text(n)));
  ids.unshift(await addPaste(key, 'once', true));
  const path = `/admin/user/${id}/pastes?content=true`;
  const { answer, read } = await watch(() => server.request('GET', path, { key: server.owner.key }));
  const listed: { uniqueId: string; content: string | null }[] = answer.body.message;
  assert.equal(
    listed.map(({ uniqueId }) => uniqueId),
    ids,
  );
  assert.is(listed[0]?.content, null);
  for (let n = 16; n > 0; n -= 1) assert.ok(listed[17 - n]?.content === text(n), `text ${n}`);
  assert.is(listed[17]?.content, null);
  assert.equal(
    [read.includes('text1.'), read.includes('text0.'), read.includes('once')],
    [true, false, false],
  );
});

test('of missing mails only as many are read as one answer holds', async () => {
  const { db } = server.app.services;
  const { key } = await server.account();
  const { email } = (await server.request('POST', '/email/create', { key, json: {} })).body.message;
  const mailboxId = (await db.read('mailboxes').where('address', email).first()).id;
  const add = (messageId: string, size: number) =>
    db.write((trx) => {
      const content = { sender: 'a@example.net', from: 'a@example.net', to: [email], cc: [], subject: '' };
      const rest = { date: null, text: `text of ${messageId}`, html: null, blocked: 0, headers: {} };
      const unknown = { deliveredTo: null, replyTo: [], authentication: null, truncated: false };
      const message = {
        mailboxId,
        messageId,
        receivedAt: Date.now(),
        size,
        codes: [],
        tags: [],
        unread: true,
        content: { ...content, ...rest, ...unknown },
        original: null,
        beginning: '',
      };
      return insertMessage(trx, message);
    });
  await add('first', 20 * MIB);
  await add('second', 12 * MIB);
  await add('third', 20 * MIB);
  const missing = (messageIds: string[]) =>
    watch(() => server.request('POST', '/email/getmissing', { key, json: { mail: email, messageIds } }));
  const texts = ({ body }: { body: { message: { text: string }[] } }) => body.message.map(({ text }) => text);
  const newest = await missing([]);
  assert.equal(texts(newest.answer), ['text of third', 'text of second']);
  assert.not.match(newest.read, 'text of first');
  const rest = await missing(['third', 'second']);
  assert.equal(texts(rest.answer), ['text of first']);
});

test.run();
