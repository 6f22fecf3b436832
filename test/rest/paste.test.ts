// on both databases
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';

let server: TestServer;
let user: TestAccount;
let other: TestAccount;

const group = (name: string) => suite(`paste: ${name}`);
const create = (json: object, key = user.key) => server.request('POST', '/paste/create', { key, json });
const make = async (json: object = {}) => (await create({ text: 'some text', ...json })).body.message;
const get = (id: string, key?: string, query = '') =>
  server.request('GET', `/paste/get/${id}${query}`, { key });

const setup = suite('paste: setup');
setup('a server with two accounts', async () => {
  server = await startServer();
  user = await server.account();
  other = await server.account();
});
setup.run();

const created = group('POST /paste/create 200');
created('JSON: answers the paste in the envelope', async () => {
  const { status, body } = await create({ title: 'A title', text: 'line\nline ü 🎒', language: 'text' });
  assert.is(status, 200);
  const { message } = body;
  assert.is(message.uniqueId, body.uniqueId);
  assert.is(message.title, 'A title');
  assert.is(message.content, 'line\nline ü 🎒');
  assert.is(message.language, 'text');
  assert.is(message.requiresPassword, false);
  assert.is(message.isPublic, true);
  assert.is(message.uploader.username, user.username);
  assert.is(message.urlSet.rawUrl, `${server.base}/paste/get/${body.uniqueId}?raw=true`);
  assert.match(
    message.urlSet.deletionUrl,
    new RegExp(`^${server.origin}/web/delete/paste/${body.uniqueId}\\?token=`),
  );
});
created('the title defaults to the id', async () => {
  const paste = await make();
  assert.is(paste.title, paste.uniqueId);
});
created('a file: its text, under its name', async () => {
  const form = fileForm('from a file', 'notes ü.txt');
  const { status, body } = await server.request('POST', '/paste/create', { key: user.key, form });
  assert.is(status, 200);
  assert.is(body.message.content, 'from a file');
  assert.is(body.message.title, 'notes ü.txt');
});
created('a UTF-16 file with a byte order mark', async () => {
  const little = Buffer.from('\ufeffline ü 🎒', 'utf16le');
  for (const bytes of [little, Buffer.from(little).swap16()]) {
    const form = fileForm(bytes, 'windows.txt');
    const { body } = await server.request('POST', '/paste/create', { key: user.key, form });
    assert.is(body.message.content, 'line ü 🎒');
  }
});
created('a file whose title is blank, or whose name is longer than a title', async () => {
  const titleOf = async (name: string, fields: Record<string, string> = {}) => {
    const form = fileForm('from a file', name, fields);
    return (await server.request('POST', '/paste/create', { key: user.key, form })).body.message.title;
  };
  assert.is(await titleOf('notes.txt', { title: ' ' }), 'notes.txt');
  assert.is(await titleOf('notes.txt', { title: 'Notes' }), 'Notes');
  assert.is(await titleOf(`${'n'.repeat(240)}.txt`), `${'n'.repeat(196)}.txt`);
});
created('the legacy form part body with JSON, in every way that forms send it', async () => {
  const json = JSON.stringify({ text: 'legacy', title: 'old' });
  const multipart = new FormData();
  multipart.set('body', json);
  const asBlob = new FormData();
  asBlob.set('body', new Blob([json], { type: 'application/json' }));
  for (const form of [multipart, asBlob, new URLSearchParams({ body: json })]) {
    const { status, body } = await server.request('POST', '/paste/create', { key: user.key, form });
    assert.is(status, 200);
    assert.is(body.message.content, 'legacy');
    assert.is(body.message.title, 'old');
  }
});
created('a form field text', async () => {
  for (const form of [
    new URLSearchParams({ text: 'plain' }),
    fieldForm({ text: 'plain', private: 'true' }),
  ]) {
    const { status, body } = await server.request('POST', '/paste/create', { key: user.key, form });
    assert.is(status, 200);
    assert.is(body.message.content, 'plain');
  }
});
created('exactly 1 MiB of text is stored whole', async () => {
  const text = 'ü'.repeat(512 * 1024);
  const paste = await make({ text });
  assert.is((await get(paste.uniqueId, undefined, '?raw=true')).text, text);
});
created('administrators can choose the id', async () => {
  const { status, body } = await create({ text: 'x', uniqueId: 'chosen' }, server.owner.key);
  assert.is(status, 200);
  assert.is(body.uniqueId, 'chosen');
  assert.is((await create({ text: 'x', uniqueId: 'CHOSEN' }, server.owner.key)).status, 400);
});
created.run();

function fieldForm(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

const refused = group('POST /paste/create 400');
for (const [why, json] of Object.entries({
  'no text': {},
  'empty text': { text: '' },
  'text that is a number': { text: 5 },
  'text that is a list': { text: ['a'] },
  'a zero byte': { text: 'a\u0000b' },
  'more than 1 MiB': { text: 'x'.repeat(1024 * 1024 + 1) },
  'a title of 201 characters': { text: 'x', title: 'x'.repeat(201) },
  'an end in the past': { text: 'x', expiresAt: '2001-01-01' },
  'an end that is in the year 10000 in UTC': { text: 'x', expiresAt: '9999-12-31T23:59:59-01:00' },
  'a short password': { text: 'x', password: 'a' },
  'an id, from users': { text: 'x', uniqueId: 'mine' },
  'a language that is none': { text: 'x', language: '<b>' },
  'a flag that is none': { text: 'x', private: 'maybe' },
})) {
  refused(`refuses ${why}`, async () => {
    const { status, body } = await create(json);
    assert.is(status, 400);
    assert.type(body.message, 'string');
  });
}
refused('refuses empty files and files that are not text', async () => {
  for (const bytes of [new Uint8Array([0xff, 0xfe, 0x00]), new Uint8Array([0x61, 0x00]), new Uint8Array()]) {
    const form = fileForm(bytes, 'a.bin');
    assert.is((await server.request('POST', '/paste/create', { key: user.key, form })).status, 400);
  }
});
refused('unauthenticated callers and guests get the usual refusal for a file that is not text', async () => {
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
  const guest = await server.account('GUEST');
  for (const part of ['file', 'text', 'body'])
    for (const [key, status] of [
      [undefined, 401],
      ['no-such-key', 401],
      [guest.key, 403],
      [user.key, 400],
    ] as const) {
      const form = new FormData();
      form.set(part, new Blob([bytes]), 'a.png');
      assert.is((await server.request('POST', '/paste/create', { key, form })).status, status, part);
    }
});
refused('a malformed part "body" of another form is 400, without asking for a key', async () => {
  const form = fieldForm({ body: '{"email":' });
  assert.is((await server.request('POST', '/auth/login', { form })).status, 400);
});
refused('a text over 1 MiB is 400 in every form, a form of 9 MiB 413', async () => {
  const statusOf = async (form: FormData | URLSearchParams) =>
    (await server.request('POST', '/paste/create', { key: user.key, form })).status;
  const long = 'x'.repeat(2 * 1024 * 1024);
  for (const form of [
    fileForm(long, 'a.txt'),
    fieldForm({ text: long }),
    fieldForm({ body: JSON.stringify({ text: long }) }),
    new URLSearchParams({ text: long }),
  ])
    assert.is(await statusOf(form), 400);
  assert.is(await statusOf(fileForm('x'.repeat(9 * 1024 * 1024), 'a.txt')), 413);
  assert.is(await statusOf(fieldForm({ text: long, a: long, b: long, c: long, d: long })), 413);
});
refused('a broken body part is 400', async () => {
  const form = fieldForm({ body: '{"text":' });
  assert.is((await server.request('POST', '/paste/create', { key: user.key, form })).status, 400);
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  assert.is(
    (await server.request('POST', '/paste/create', { key: user.key, body: '--x\r\nbroken', headers })).status,
    400,
  );
  const unbounded = { 'content-type': 'multipart/form-data' };
  assert.is(
    (await server.request('POST', '/paste/create', { key: user.key, body: 'x', headers: unbounded })).status,
    400,
  );
});
refused('a body of 9 MiB is 413', async () => {
  const { status, body } = await create({ text: 'x'.repeat(9 * 1024 * 1024) });
  assert.is(status, 413);
  assert.is(body.error, true);
});
refused.run();

const read = group('GET /paste/get 200');
read('the paste, with its id in any case, and whether it is public', async () => {
  const paste = await make({ title: 't' });
  const answer = await get(paste.uniqueId.toLowerCase());
  assert.is(answer.status, 200);
  assert.is(answer.body.message.content, 'some text');
  assert.is(answer.headers.get('x-paste-ispublic'), 'true');
  assert.is('deletionUrl' in answer.body.message.urlSet, false);
});
read('raw=true: the text alone, as plain text that browsers do not execute', async () => {
  const paste = await make({ text: '<script>alert(1)</script>' });
  const answer = await get(paste.uniqueId, undefined, '?raw=true');
  assert.is(answer.text, '<script>alert(1)</script>');
  assert.is(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.is(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
});
read('repeated reads: the same except for the time, and every change by its owner shows', async () => {
  const owner = await server.account();
  const path = `/paste/get/${(await create({ text: 'often ü 🎒' }, owner.key)).body.uniqueId}`;
  const answers = [];
  for (let times = 0; times < 3; times += 1) answers.push(await server.request('GET', path));
  const [first, second, third] = answers.map(({ body: { timestamp, ...rest } }) => {
    assert.is(new Date(timestamp).toISOString(), timestamp);
    return rest;
  });
  assert.equal(second, first);
  assert.equal(third, first);
  assert.equal(Object.keys(answers[2]?.body), ['error', 'timestamp', 'uniqueId', 'message', 'count']);
  assert.is(first.message.content, 'often ü 🎒');
  const head = await fetch(`${server.base}${path}`, { method: 'HEAD' });
  assert.is(head.headers.get('content-length'), answers[2]?.headers.get('content-length'));
  await server.request('PATCH', '/user/get/@me/settings/url', { key: owner.key, json: { paste: 'RAW' } });
  const { message } = (await server.request('GET', path)).body;
  assert.is(message.urlSet.userPreference, message.urlSet.rawUrl);
});
read.run();

const guarded = group('403');
guarded('a private paste is open to its owner and moderators only', async () => {
  const paste = await make({ private: true });
  const moderator = await server.account('MODERATOR');
  assert.is((await get(paste.uniqueId)).status, 403);
  assert.is((await get(paste.uniqueId, undefined, '?raw=true')).status, 403);
  assert.is((await get(paste.uniqueId, other.key)).status, 403);
  assert.is((await get(paste.uniqueId, 'not a key')).status, 403);
  assert.is((await get(paste.uniqueId, user.key)).status, 200);
  assert.is((await get(paste.uniqueId, moderator.key)).status, 200);
});
guarded('a password opens it, private or not, in the query, a header or a POST', async () => {
  for (const isPrivate of [true, false]) {
    const paste = await make({ password: 'open sesame', private: isPrivate });
    assert.is((await get(paste.uniqueId)).status, 403);
    assert.is((await get(paste.uniqueId, undefined, '?password=wrong')).status, 403);
    assert.is((await get(paste.uniqueId, undefined, '?password=open%20sesame')).status, 200);
    const headers = { 'x-password': 'open sesame' };
    assert.is((await server.request('GET', `/paste/get/${paste.uniqueId}`, { headers })).status, 200);
    const json = { password: 'open sesame' };
    assert.is((await server.request('POST', `/paste/get/${paste.uniqueId}`, { json })).status, 200);
  }
});
guarded('a burn-after-reading paste waits for a confirmation', async () => {
  const paste = await make({ burn: true });
  for (const [key, query] of [
    [undefined, ''],
    [undefined, '?raw=true'],
    [user.key, ''],
    [server.owner.key, ''],
  ] as const) {
    const answer = await get(paste.uniqueId, key, query);
    assert.is(answer.status, 403);
    assert.is(answer.body.message, 'Confirm to read this paste once');
  }
  assert.is((await server.request('POST', `/paste/get/${paste.uniqueId}`)).body.message.content, 'some text');
  assert.is((await get(paste.uniqueId)).status, 404);
});
guarded('of 50 concurrent confirmations exactly one reads it', async () => {
  const paste = await make({ burn: true });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => server.request('POST', `/paste/get/${paste.uniqueId}`)),
  );
  assert.is(answers.filter((answer) => answer.status === 200).length, 1);
  assert.is(answers.filter((answer) => answer.status === 404).length, 49);
});
guarded('a wrong password does not burn it', async () => {
  const paste = await make({ burn: true, password: 'right one' });
  const confirm = (json: object) => server.request('POST', `/paste/get/${paste.uniqueId}`, { json });
  assert.is((await confirm({ password: 'wrong' })).status, 403);
  assert.is((await confirm({ password: 'right one' })).status, 200);
});
guarded.run();

const removed = group('DELETE and 404');
removed('the owner and moderators can delete; others get 401, and a second delete fails', async () => {
  const paste = await make();
  const remove = (key?: string) => server.request('DELETE', `/paste/get/${paste.uniqueId}`, { key });
  assert.is((await remove()).status, 401);
  assert.is((await remove(other.key)).status, 401);
  const answer = await remove(user.key);
  assert.is(answer.status, 200);
  assert.is('message' in answer.body, false);
  assert.is((await remove(user.key)).status, 404);
  assert.is((await get(paste.uniqueId)).status, 404);
});
removed('an unknown paste is 404 with the text that clients compare', async () => {
  const { status, body } = await get('NOSUCHID');
  assert.is(status, 404);
  assert.is(body.message, 'Resource not found');
});
removed.run();

const stats = group('GET /paste/stats');
stats('counts the range and names the most active accounts', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const { status, body } = await server.request('GET', `/paste/stats?fromDate=${today}&toDate=${today}`);
  assert.is(status, 200);
  assert.ok(body.message.total_pastes > 0);
  assert.is(body.message.biggest_creator.username, user.username);
  assert.is((await server.request('GET', '/paste/stats?fromDate=nonsense')).status, 400);
  assert.is((await server.request('GET', '/paste/stats?fromDate=2026-02-02&toDate=2026-01-01')).status, 400);
});
stats.run();

const teardown = suite('paste: teardown');
teardown('stops', () => server.close());
teardown.run();
