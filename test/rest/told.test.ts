// on both databases
/** Who is told that something was opened, of what, and how often, by guarantee. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tellOwner } from '../../routers/features/telling/tell.js';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import type { ReadableMail } from '../standins/mime.js';
import { startWebhookReceiver } from '../standins/webhook-receiver.js';
import { mailsTo } from '../support/accounts/outbox.js';
import { PERSON, tellNow } from '../support/accounts/told.js';
import { LOOPBACK_ALLOWED, watched } from '../support/web/webhook.js';

const test = suite('told');
const BOT = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' };
let server: TestServer;
test.before(async () => {
  server = await startServer(LOOPBACK_ALLOWED);
});
test.after(() => server.close());

const ok = async (method: string, path: string, key: string, json?: object) => {
  const { status, body, text } = await server.request(method, path, {
    key,
    ...(json === undefined ? {} : { json }),
  });
  assert.is(status, 200, `${method} ${path}: ${text}`);
  return body.message;
};
const paste = async (owner: TestAccount, fields: object = {}) =>
  (await ok('POST', '/paste/create', owner.key, { text: 'words', title: 'Title', ...fields }))
    .uniqueId as string;
const visit = async (path: string, headers: Record<string, string> = PERSON) =>
  (await server.request('GET', path, { headers })).status;
const told = async ({ email }: { email: string }) => {
  await tellNow(server);
  return mailsTo(server, email);
};
const stopOf = (mail: ReadableMail | undefined) => /\/web\/told\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';

test('people who open it are told in one mail with their number; bots, the owner and fetches ahead never are', async () => {
  const owner = await server.account();
  const id = await paste(owner, { notify: 'each' });
  const path = `/paste/get/${id}`;
  for (let times = 0; times < 30; times += 1) await visit(path, BOT);
  await server.request('GET', path, { key: owner.key, headers: PERSON });
  await visit(path, { ...PERSON, 'sec-purpose': 'prefetch' });
  assert.equal(await told(owner), []);
  await Promise.all(Array.from({ length: 25 }, () => visit(path)));
  const mails = await told(owner);
  assert.is(mails.length, 1);
  assert.match(mails[0]?.subject ?? '', '“Title” was opened 25 times');
  assert.match(mails[0]?.text ?? '', `/web/paste-render/${id}`);
});

test('"none" is never told, "first" once, "each" again at the earliest a minute later', async () => {
  const owner = await server.account();
  const ids = [];
  for (const notify of [undefined, 'none', 'first', 'each'])
    ids.push(await paste(owner, { notify, title: notify }));
  for (const id of ids) assert.is(await visit(`/paste/get/${id}`), 200);
  const first = await told(owner);
  assert.equal(first.map(({ subject }) => subject).sort(), [
    '“each” was opened once',
    '“first” was opened once',
  ]);
  for (const id of ids) await visit(`/paste/get/${id}`);
  await server.app.services.openings.flush();
  const due = await server.app.services.db
    .read('tellings')
    .where('owner_id', owner.id)
    .whereNotNull('due_at');
  assert.equal(
    due.map(({ mode, times, due_at: at, told_at: last }) => [mode, times, at - last >= 60_000]),
    [['each', 1, true]],
  );
  assert.is((await told(owner)).length, 3);
  // Asked for again, the next time is the first.
  await ok('PATCH', `/paste/get/${ids[2]}`, owner.key, { notify: 'none' });
  await ok('PATCH', `/paste/get/${ids[2]}`, owner.key, { notify: 'first' });
  await visit(`/paste/get/${ids[2]}`);
  assert.is((await told(owner)).length, 4);
});

test('it is asked for at items of every kind and at their links, and only their owner sees it', async () => {
  const owner = await server.account();
  const form = fileForm('file', 'name.txt', { notify: 'first' });
  const image = (await server.request('POST', '/image/upload', { key: owner.key, form })).body.uniqueId;
  const link = (await ok('POST', '/url/create', owner.key, { url: 'https://example.com', notify: 'each' }))
    .uniqueId;
  const id = await paste(owner);
  const { uniqueId: collection } = await ok('POST', '/collection', owner.key, {
    title: 'Ours',
    items: [{ uniqueId: image }],
  });
  for (const path of [
    `/image/get/${image}`,
    `/paste/get/${id}`,
    `/collection/${collection}`,
    `/url/get/${link}`,
  ]) {
    assert.is((await ok('PATCH', path, owner.key, { notify: 'EACH' })).notify, 'each', path);
    const { status } = await server.request('PATCH', path, { key: owner.key, json: { notify: 'sometimes' } });
    assert.is(status, 400, path);
  }
  assert.is((await server.request('GET', `/image/info/${image}`)).body.message.notify, 'none');
  assert.is((await server.request('GET', `/collection/open/${collection}`)).body.message.notify, undefined);
  assert.equal(
    [
      await visit(`/image/get/${image}`),
      await visit(`/paste/get/${id}`),
      await visit(`/collection/open/${collection}`),
    ],
    [200, 200, 200],
  );
  assert.is(await visit(`/url/r/${link}`), 301);
  assert.equal(
    new Set((await told(owner)).map(({ subject }) => subject)),
    new Set([link, 'name.txt', 'Ours', 'Title'].map((name) => `“${name}” was opened once`)),
  );
});

test('a link that asks for it is told by its label, and nothing of what is private is in the mail', async () => {
  const owner = await server.account();
  const id = await paste(owner, { private: true, title: 'Very secret', notify: 'each' });
  const links = `/paste/get/${id}/links`;
  const link = await ok('POST', links, owner.key, { label: 'for Ada', notify: 'each' });
  assert.is(link.notify, 'each');
  const plain = await ok('POST', links, owner.key, {});
  const secretOf = ({ url }: { url: string }) => new URL(url).pathname.split('/').at(-1) ?? '';
  await visit(`/paste/shared/${secretOf(link)}`);
  await visit(`/paste/shared/${secretOf(plain)}`);
  const mails = await told(owner);
  assert.equal(
    mails.map(({ subject }) => subject).sort(),
    [`“${id}” was opened once`, '“for Ada” was opened once'].sort(),
  );
  assert.not.match(JSON.stringify(mails), /Very secret|words/);
  assert.is((await ok('PATCH', `${links}/${link.linkId}`, owner.key, { notify: '' })).notify, 'none');
});

test('"daily" is one mail for all that was opened, once a day', async () => {
  const owner = await server.account();
  for (const title of ['One', 'Two'])
    await visit(`/paste/get/${await paste(owner, { title, notify: 'daily' })}`);
  await server.app.services.openings.flush();
  const due = await server.app.services.db.read('tellings').where('owner_id', owner.id).pluck('due_at');
  assert.is(new Set(due).size, 1);
  assert.ok(Number(due[0]) > Date.now());
  const mails = await told(owner);
  assert.is(mails.length, 1);
  assert.match(mails[0]?.text ?? '', /“One” was opened once[\s\S]*“Two” was opened once/);
});

test('each message is sent once, however many processes send what is due', async () => {
  const owner = await server.account();
  const ids = await Promise.all(Array.from({ length: 5 }, () => paste(owner, { notify: 'each' })));
  for (const id of ids) await visit(`/paste/get/${id}`);
  const { services } = server.app;
  await services.openings.flush();
  await services.db.write((trx) => trx('tellings').where('owner_id', owner.id).update({ due_at: 1 }));
  await Promise.all(Array.from({ length: 6 }, () => tellOwner(services, owner.id)));
  assert.is((await mailsTo(server, owner.email)).length, 5);
});

test('webhooks are told what they name, and what is asked for, joined', async () => {
  const receiver = await startWebhookReceiver();
  try {
    const names = await watched(server, receiver, { events: ['paste.opened'] });
    const asks = await watched(server, receiver, { events: ['paste.created'] });
    const [named, unnamed, asked] = [
      await paste(names),
      await paste(asks),
      await paste(asks, { notify: 'first', private: true }),
    ];
    await server.app.services.jobs.settle();
    receiver.requests.length = 0;
    for (const id of [named, named, unnamed]) await visit(`/paste/get/${id}`);
    const link = await ok('POST', `/paste/get/${asked}/links`, asks.key, { label: 'Ada' });
    await visit(`/paste/shared/${new URL(link.url).pathname.split('/').at(-1)}`);
    await tellNow(server);
    const events = receiver.requests.map(({ body }) => JSON.parse(String(body)));
    assert.equal(
      new Map(events.map(({ type, item }) => [item.uniqueId, [type, item.kind, item.times, item.title]])),
      new Map([
        [named, ['paste.opened', 'paste', 2, 'Title']],
        [asked, ['paste.opened', 'paste', 1, null]],
      ]),
    );
    assert.equal(
      [(await mailsTo(server, names.email)).length, (await mailsTo(server, asks.email)).length],
      [0, 1],
    );
  } finally {
    await receiver.close();
  }
});

test('one click in the mail program ends these mails, without an account; opening the link changes nothing', async () => {
  const owner = await server.account();
  const id = await paste(owner, { notify: 'each' });
  await visit(`/paste/get/${id}`);
  const [mail] = await told(owner);
  const path = stopOf(mail);
  assert.match(mail?.headers?.['list-unsubscribe'] ?? '', `<${server.origin}${path}>`);
  assert.is(mail?.headers?.['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
  const notify = async () => (await ok('GET', `/paste/get/${id}`, owner.key)).notify;
  const page = await fetch(`${server.origin}${path}`);
  assert.match(await page.text(), /<form[^>]* method="post"/);
  assert.is(await notify(), 'each');
  const forged = await fetch(`${server.origin}${path.slice(0, -2)}00`, { method: 'POST' });
  assert.is(forged.status, 404);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const clicked = await fetch(`${server.origin}${path}`, {
    method: 'POST',
    headers,
    body: 'List-Unsubscribe=One-Click',
  });
  assert.is(clicked.status, 200);
  assert.is(await notify(), 'none');
  await visit(`/paste/get/${id}`);
  assert.is((await told(owner)).length, 1);
});

test('the link of a daily mail ends all that its account is told', async () => {
  const owner = await server.account();
  const id = await paste(owner, { notify: 'daily' });
  const link = await ok('POST', `/paste/get/${id}/links`, owner.key, { notify: 'first' });
  const request = await ok('POST', '/request/create', owner.key, { title: 'Papers' });
  await visit(`/paste/get/${id}`);
  const token = stopOf((await told(owner)).at(-1))
    .split('/')
    .at(-1);
  assert.equal((await server.request('GET', `/told/${token}`)).body.message, {
    all: true,
    name: null,
    told: true,
  });
  assert.is((await server.request('DELETE', `/told/${token}`)).status, 200);
  const after = [
    (await ok('GET', `/paste/get/${id}`, owner.key)).notify,
    (await ok('GET', `/paste/get/${id}/links`, owner.key)).content[0].notify,
    (await ok('GET', `/request/get/${request.uniqueId}`, owner.key)).notify,
  ];
  assert.equal(after, ['none', 'none', 'none'], String(link.linkId));
});

test('after the mails of a day, the rest waits for the daily one', async () => {
  const strict = await startServer({ RATE_LIMIT: 'on' });
  try {
    const owner = await strict.account();
    const { rates } = strict.app.services.limits;
    for (let times = 0; times < 100; times += 1) await rates.take('tellings', String(owner.id));
    for (const title of ['One', 'Two']) {
      const json = { text: 'words', title, notify: 'each' };
      const { uniqueId } = (await strict.request('POST', '/paste/create', { key: owner.key, json })).body
        .message;
      await strict.request('GET', `/paste/get/${uniqueId}`, { headers: PERSON });
    }
    await tellNow(strict);
    assert.equal(await mailsTo(strict, owner.email), []);
    await tellNow(strict);
    assert.equal(
      (await mailsTo(strict, owner.email)).map(({ subject }) => subject),
      ['What was opened since yesterday'],
    );
  } finally {
    await strict.close();
  }
});

test('a paste that deletes itself tells its owner that it was read, once, and not what was private of it', async () => {
  const receiver = await startWebhookReceiver();
  try {
    const owner = await watched(server, receiver, { events: ['paste.opened'] });
    const reader = await server.account();
    const read = (id: string, headers: Record<string, string> = PERSON, key?: string) =>
      server.request('POST', `/paste/get/${id}`, { headers, ...(key && { key }) });
    const shown = await paste(owner, { burn: true, notify: 'each', title: 'Password' });
    const hidden = await paste(owner, { burn: true, notify: 'first', title: 'Hidden', password: 'open it' });
    const daily = await paste(owner, { burn: true, notify: 'daily', title: 'Tomorrow' });
    const quiet = [
      await read(await paste(owner, { burn: true, notify: 'each' }), PERSON, owner.key),
      await read(await paste(owner, { burn: true, notify: 'each' }), BOT),
    ];
    const readers = await Promise.all(
      [reader.key, undefined, undefined, reader.key].map((key) => read(shown, PERSON, key)),
    );
    const others = [await read(`${hidden}?password=open%20it`), await read(daily)];
    assert.equal(
      [...quiet, ...others].map(({ status }) => status),
      [200, 200, 200, 200],
    );
    assert.is(readers.filter(({ status }) => status === 200).length, 1);
    const mails = await told(owner);
    assert.equal(
      new Set(mails.map(({ subject }) => subject)),
      new Set([
        'What was opened since yesterday',
        `“${hidden}” was opened, and deleted itself`,
        '“Password” was opened, and deleted itself',
      ]),
    );
    assert.is(mails.length, 3);
    assert.not.match(JSON.stringify(mails), /Hidden|words/);
    assert.match(JSON.stringify(mails), '“Tomorrow” was opened, and deleted itself');
    const events = receiver.requests.map(({ body }) => JSON.parse(String(body)));
    assert.equal(
      events.map(({ type, item }) => [type, item.uniqueId, item.title, item.times]).sort(),
      [
        ['paste.opened', shown, 'Password', 1],
        ['paste.opened', hidden, null, 1],
        ['paste.opened', daily, 'Tomorrow', 1],
      ].sort(),
    );
    const { status } = await server.request('DELETE', `/told/${stopOf(mails[0]).split('/').at(-1)}`);
    assert.is(status, 200);
  } finally {
    await receiver.close();
  }
});

test('nobody is told about what is gone, and nothing is left of it', async () => {
  const owner = await server.account();
  const id = await paste(owner, { notify: 'each' });
  await visit(`/paste/get/${id}`);
  await server.app.services.openings.flush();
  await ok('DELETE', `/paste/get/${id}?permanent=true`, owner.key);
  assert.equal(await told(owner), []);
  assert.equal(await server.app.services.db.read('tellings').where('owner_id', owner.id), []);
});

test('a request is told as before without a word, and takes yes, no and the words', async () => {
  const owner = await server.account();
  const { uniqueId, notify } = await ok('POST', '/request/create', owner.key, { title: 'Papers' });
  assert.is(notify, 'each');
  const words = [];
  for (const value of [false, true, 'daily', 'first'])
    words.push((await ok('PATCH', `/request/get/${uniqueId}`, owner.key, { notify: value })).notify);
  assert.equal(words, ['none', 'each', 'daily', 'first']);
  for (const name of ['a.txt', 'b.txt'])
    await server.request('POST', `/request/open/${uniqueId}/files`, { form: fileForm('x', name, {}) });
  const mails = await told(owner);
  assert.equal(
    mails.map(({ subject }) => subject),
    ['2 files arrived for you'],
  );
  assert.match(mails[0]?.text ?? '', /a\.txt\r?\nb\.txt/);
  await server.request('POST', `/request/open/${uniqueId}/files`, { form: fileForm('x', 'c.txt', {}) });
  assert.is((await told(owner)).length, 1);
});

test.run();
