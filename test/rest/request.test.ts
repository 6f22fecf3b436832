// on both databases
/** Request links: others upload to an account (contract §6), by guarantee. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { nothingStaged } from '../hostile/guarantees.js';
import { startWebhookReceiver } from '../standins/webhook-receiver.js';
import { mailsTo } from '../support/accounts/outbox.js';
import { tellNow } from '../support/accounts/told.js';
import { LOOPBACK_ALLOWED, PIXEL, watched } from '../support/web/webhook.js';

const test = suite('request links');
let server: TestServer;
let user: TestAccount;
let other: TestAccount;
test.before(async () => {
  server = await startServer(LOOPBACK_ALLOWED);
  user = await server.account();
  other = await server.account();
});
test.after(() => server.close());

const make = async (fields: object = {}, key = user.key) => {
  const { status, body, text } = await server.request('POST', '/request/create', {
    key,
    json: { title: 'Your photos', ...fields },
  });
  assert.is(status, 200, text);
  return body.message;
};
const open = (id: string, query = '') => server.request('GET', `/request/open/${id}${query}`);
const give = (
  id: string,
  content: string | Uint8Array = 'some bytes',
  name = 'a.txt',
  fields: Record<string, string> = {},
) => server.request('POST', `/request/open/${id}/files`, { form: fileForm(content, name, fields) });
const own = (id: string, path = '', key = user.key) =>
  server.request('GET', `/request/get/${id}${path}`, { key });

test('a request is made, listed, changed and deleted by its owner only', async () => {
  const made = await make({ note: 'Thank you', maxFiles: 3, types: ['image/*', '.pdf'], askName: true });
  assert.is(made.urlSet.webUrl, `${server.origin}/web/request/${made.uniqueId}`);
  assert.equal(
    [made.title, made.note, made.maxFiles, made.blind, made.open],
    ['Your photos', 'Thank you', 3, true, true],
  );
  const list = (await own('@me', '?size=5')).body.message;
  assert.equal([list.content[0].uniqueId, list.pageSize], [made.uniqueId, 5]);
  const change = (json: object, key = user.key) =>
    server.request('PATCH', `/request/get/${made.uniqueId}`, { key, json });
  assert.is((await change({ title: 'x' }, other.key)).status, 401);
  const changed = (await change({ title: 'Papers', maxFiles: null, types: null })).body.message;
  assert.equal([changed.title, changed.maxFiles, changed.types, changed.askName], ['Papers', null, [], true]);
  for (const json of [
    { title: '' },
    { maxFiles: 0 },
    { types: ['everything'] },
    { collection: 'NOSUCHID' },
    { expiresAt: '2001-01-01' },
  ])
    assert.is((await change(json)).status, 400, JSON.stringify(json));
  assert.is((await own(made.uniqueId, '', other.key)).status, 401);
  const remove = (key: string) => server.request('DELETE', `/request/get/${made.uniqueId}`, { key });
  assert.is((await remove(other.key)).status, 401);
  assert.is((await remove(user.key)).status, 200);
  assert.is((await own(made.uniqueId)).status, 404);
  assert.is((await open(made.uniqueId)).status, 404);
});

test('a guest sends a file without an account: a private item of the owner, in the collection', async () => {
  const collection = await server.request('POST', '/collection', { key: user.key, json: { title: 'Inbox' } });
  const { uniqueId } = collection.body;
  const made = await make({ collection: uniqueId, maxFiles: 5, askName: true });
  const seen = (await open(made.uniqueId)).body.message;
  assert.equal(
    [
      seen.title,
      seen.askName,
      seen.requiresPassword,
      seen.remaining,
      seen.remainingBytes,
      seen.owner.username,
    ],
    ['Your photos', true, false, 5, null, user.username],
  );
  assert.is((await give(made.uniqueId)).status, 400);
  const answer = await give(made.uniqueId, PIXEL, 'dot.png', { name: 'Ada' });
  assert.is(answer.status, 200, answer.text);
  const { receipt } = answer.body.message.received[0];
  assert.equal(answer.body.message.received, [{ name: 'dot.png', size: PIXEL.length, receipt }]);
  assert.is(answer.body.message.remaining, 4);
  const [file] = (await own(made.uniqueId, '/files')).body.message.content;
  assert.equal([file.name, file.sender, file.size], ['dot.png', 'Ada', PIXEL.length]);
  const item = await server.request('GET', `/image/info/${file.uniqueId}`, { key: user.key });
  assert.equal([item.body.message.isPublic, item.body.message.uploader.id], [false, user.id]);
  assert.is((await server.request('GET', `/image/get/${file.uniqueId}`)).status, 403);
  const held = await server.request('GET', `/collection/${uniqueId}`, { key: user.key });
  assert.equal(
    held.body.message.items.map((each: { path: string }) => each.path),
    ['Ada/dot.png'],
  );
  await nothingStaged(server.dataDir);
});

test('guests see nothing of each other, unless the owner says so', async () => {
  const blind = await make();
  const seeing = await make({ blind: false });
  for (const { uniqueId } of [blind, seeing]) await give(uniqueId, 'secret words', 'secret-name.txt');
  assert.not.match((await open(blind.uniqueId)).text, 'secret-name');
  const { received } = (await open(seeing.uniqueId)).body.message;
  assert.equal([received.length, received[0].name], [1, 'secret-name.txt']);
  assert.not.ok('uniqueId' in received[0]);
  assert.is((await own(blind.uniqueId, '/files', other.key)).status, 401);
});

test('a password is asked of guests: in the form, the header or the query', async () => {
  const { uniqueId } = await make({ password: 'open sesame', blind: false });
  await give(uniqueId, 'first', 'first.txt', { password: 'open sesame' });
  assert.is((await open(uniqueId)).body.message.requiresPassword, true);
  assert.not.match((await open(uniqueId)).text, 'first.txt');
  assert.match((await open(uniqueId, '?password=open%20sesame')).text, 'first.txt');
  assert.is((await open(uniqueId, '?password=wrong')).status, 403);
  assert.is((await give(uniqueId)).status, 403);
  assert.is((await give(uniqueId, 'x', 'x.txt', { password: 'wrong' })).status, 403);
  const headers = { 'x-password': 'open sesame' };
  const form = fileForm('x', 'x.txt');
  assert.is((await server.request('POST', `/request/open/${uniqueId}/files`, { form, headers })).status, 200);
  const unlocked = await server.request('POST', `/request/open/${uniqueId}`, {
    json: { password: 'open sesame' },
  });
  const { ticket } = unlocked.body.message;
  const more = fileForm('y', 'y.txt');
  assert.is(
    (await server.request('POST', `/request/open/${uniqueId}/files?ticket=${ticket}`, { form: more })).status,
    200,
  );
  assert.is((await own(uniqueId)).body.message.receivedFiles, 3);
});

test('only the named types are taken, by content', async () => {
  const { uniqueId } = await make({ types: ['image/*', '.pdf'] });
  assert.is((await give(uniqueId, PIXEL, 'dot.bin')).status, 200);
  assert.is((await give(uniqueId, '%PDF-1.4\n%%EOF', 'paper.pdf')).status, 200);
  const refused = await give(uniqueId, 'no picture', 'fake.png');
  assert.equal(
    [refused.status, refused.body.message],
    [400, 'Only these types of files are taken here: image/*, .pdf'],
  );
  assert.is((await give(uniqueId, 'text', 'text.txt')).status, 400);
  assert.is((await give(uniqueId, '', 'empty.png')).status, 400);
  assert.is((await own(uniqueId)).body.message.receivedFiles, 2);
});

test('exactly as many files and bytes come in as the request takes, however many guests send at once', async () => {
  const files = await make({ maxFiles: 12, notify: false });
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => give(files.uniqueId, `file ${index}`, `${index}.txt`)),
  );
  assert.is(answers.filter(({ status }) => status === 200).length, 12);
  assert.is(answers.filter(({ status }) => status === 404).length, 48);
  assert.is((await open(files.uniqueId)).status, 404);
  assert.is((await own(files.uniqueId)).body.message.open, false);
  const bytes = await make({ maxBytes: 1000, notify: false });
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      give(bytes.uniqueId, String(index).padEnd(90, '.'), `${index}.txt`),
    ),
  );
  assert.is(sent.filter(({ status }) => status === 200).length, 11);
  assert.is((await own(bytes.uniqueId)).body.message.receivedBytes, 990);
  const large = await give(bytes.uniqueId, 'x'.repeat(11), 'large.txt');
  assert.is(large.status, 413, large.text);
  assert.is((await give(bytes.uniqueId, 'x'.repeat(10), 'fits.txt')).status, 200);
  assert.is((await give(bytes.uniqueId, 'x', 'more.txt')).status, 404);
  await nothingStaged(server.dataDir);
});

test('closed, expired, and of a banned owner: 404; opened again it takes files again', async () => {
  const { uniqueId } = await make();
  const change = (json: object) =>
    server.request('PATCH', `/request/get/${uniqueId}`, { key: user.key, json });
  await change({ closed: true });
  assert.equal([(await open(uniqueId)).status, (await give(uniqueId)).status], [404, 404]);
  await change({ closed: false, expiresAt: '2099-01-01' });
  assert.is((await give(uniqueId)).status, 200);
  await server.app.services.db.write(async (trx) => {
    await trx('upload_requests').where('unique_id', uniqueId).update({ expires_at: 1 });
  });
  assert.equal([(await open(uniqueId)).status, (await give(uniqueId)).status], [404, 404]);
  const banned = await server.account();
  const held = await make({}, banned.key);
  await server.app.services.db.write(async (trx) => {
    await trx('users').where('id', banned.id).update({ role: 'BANNED' });
  });
  assert.equal([(await open(held.uniqueId)).status, (await give(held.uniqueId)).status], [404, 404]);
});

test("a guest's files count against the limits of the owner", async () => {
  const limited = await server.account();
  const limits = { FILE: { dailyCount: 1 } };
  const put = await server.request('PUT', `/admin/limits/users/${limited.id}`, {
    key: server.owner.key,
    json: { limits },
  });
  assert.is(put.status, 200, put.text);
  const { uniqueId } = await make({}, limited.key);
  assert.is((await give(uniqueId)).status, 200);
  assert.is((await give(uniqueId)).status, 403);
  assert.is((await own(uniqueId, '', limited.key)).body.message.receivedFiles, 1);
});

test('a blocked network is refused before its file is received, and leaves nothing', async () => {
  const guarded = await startServer({ TRUST_PROXY: 'true' });
  try {
    const { key } = guarded.owner;
    const json = { kind: 'network', value: '203.0.113.0/24' };
    assert.is((await guarded.request('POST', '/admin/blocks', { key, json })).status, 200);
    const made = await guarded.request('POST', '/request/create', { key, json: { title: 'Send' } });
    // The body never ends: whoever read all of it would not answer.
    const body = new ReadableStream({
      start: (controller) =>
        controller.enqueue(
          Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbegin'),
        ),
      pull: () => new Promise(() => undefined),
    });
    const answer = await fetch(`${guarded.base}/request/open/${made.body.uniqueId}/files`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'x-forwarded-for': '203.0.113.9' },
      body,
      duplex: 'half',
    } as RequestInit);
    assert.is(answer.status, 403);
    assert.match(await answer.text(), /Nothing can be created from your network/);
    await nothingStaged(guarded.dataDir);
  } finally {
    await guarded.close();
  }
});

test('a collection never has more than its 5,000 files, however many guests send at once', async () => {
  const collection = await server.request('POST', '/collection', { key: user.key, json: { title: 'Full' } });
  const made = await make({ collection: collection.body.uniqueId });
  const { db } = server.app.services;
  const image = await server.request('POST', '/image/upload', {
    key: user.key,
    form: fileForm('a', 'a.txt'),
  });
  const row = await db.read('images').where('unique_id', image.body.uniqueId).first();
  const held = await db.read('collections').where('unique_id', collection.body.uniqueId).first();
  await db.write(async (trx) => {
    const { id: _id, ...fields } = row;
    for (let from = 0; from < 4_998; from += 14)
      await trx('images').insert(
        Array.from({ length: 14 }, (_, index) => ({
          ...fields,
          unique_id: `FULL${from + index}`,
          lookup_id: `full${from + index}`,
        })),
      );
    await trx.raw(
      `INSERT INTO collection_items (collection_id, image_id, position)
       SELECT ?, id, id FROM images WHERE lookup_id LIKE 'full%'`,
      [held.id],
    );
  });
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => give(made.uniqueId, `guest ${index}`)),
  );
  assert.equal(new Set(answers.map(({ status }) => status)), new Set([200]));
  const [counted] = await db.read('collection_items').where('collection_id', held.id).count('* as total');
  assert.is(Number(counted?.total), 5_000);
});

test('the owner is told: by a mail about several files, and by request.received for each', async () => {
  const receiver = await startWebhookReceiver();
  const owner = await watched(server, receiver, { events: ['request.received'] });
  try {
    const { uniqueId } = await make({ title: 'Papers please' }, owner.key);
    await give(uniqueId, 'one', 'one.txt');
    await give(uniqueId, 'two', 'two.txt');
    await tellNow(server);
    const events = receiver.requests.map(({ body }) => JSON.parse(String(body)));
    assert.equal(
      events.map(({ type }: { type: string }) => type),
      ['request.received', 'request.received'],
    );
    assert.is(events[0].item.title, null);
    const mails = await mailsTo(server, owner.email);
    assert.is(mails.length, 1);
    assert.match(JSON.stringify(mails[0]), /Papers please/);
  } finally {
    await receiver.close();
  }
});

test('what came in stays when the request is deleted, and nothing is left of a deleted account', async () => {
  const leaving = await server.account();
  const { uniqueId } = await make({}, leaving.key);
  await give(uniqueId);
  assert.is(
    (
      await server.request('DELETE', '/user/get/@me', {
        key: leaving.key,
        json: { password: leaving.password },
      })
    ).status,
    200,
  );
  await server.app.services.jobs.settle();
  assert.is((await open(uniqueId)).status, 404);
  const left = await server.app.services.db.read('upload_requests').where('owner_id', leaving.id);
  assert.equal(left, []);
});

test.run();
