// on both databases
/** Plug-ins of editors send pictures to a server of PicGo. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { serving } from '../../support/uploads/ways/way.js';
import { LOOPBACK_ALLOWED, PIXEL } from '../../support/web/webhook.js';

const test = suite('the door of PicGo');
let server: TestServer;
let user: TestAccount;
test.before(async () => {
  server = await startServer({ ...LOOPBACK_ALLOWED, MAX_UPLOAD_BYTES: '100000' });
});
test.before.each(async () => {
  user = await server.account();
});
test.after(() => server.close());

type Sent = readonly [field: string, bytes: Uint8Array | string, name: string];

const formOf = (files: readonly Sent[]): FormData => {
  const form = new FormData();
  for (const [field, bytes, name] of files) form.append(field, new File([bytes as BlobPart], name));
  return form;
};
const upload = (form: FormData, path = `//upload?key=${user.key}`): Promise<Answer> =>
  server.request('POST', path, { form });
const stored = async (): Promise<number> => {
  const [row] = await server.app.services.db.read('images').where('owner_id', user.id).count({ n: '*' });
  return Number(row?.n);
};

test('files of any field names become items, in their order, at absolute addresses of their bytes', async () => {
  const answer = await upload(
    formOf([
      ['list', PIXEL, 'one.png'],
      ['list', 'two', 'two.txt'],
      ['anything[]', 'three', 'Drei \u00fc.txt'],
    ]),
  );
  assert.is(answer.status, 200, answer.text);
  assert.equal(Object.keys(answer.body), ['success', 'result']);
  assert.is(answer.body.success, true);
  const [one, two, three] = answer.body.result as string[];
  for (const [address, bytes] of [
    [one, PIXEL],
    [two, Buffer.from('two')],
    [three, Buffer.from('three')],
  ] as const) {
    assert.ok(address?.startsWith(`${server.origin}/`), address);
    assert.equal(Buffer.from(await (await fetch(address ?? '')).arrayBuffer()), bytes);
  }
});

test('of several files, one that is refused leaves none', async () => {
  const answer = await upload(
    formOf([
      ['list', 'kept?', 'one.txt'],
      ['list', 'no picture', 'two.png'],
    ]),
  );
  assert.is(answer.status, 400);
  assert.equal(Object.keys(answer.body), ['success', 'message']);
  assert.is(answer.body.success, false);
  assert.is(await stored(), 0);
});

test('paths on the machine of an editor are refused in words', async () => {
  for (const list of [['/home/me/a.png'], ['C:\\a.png'], ['https://example.com/a.png', 'a.png']]) {
    const answer = await server.request('POST', '//upload', { key: user.key, json: { list } });
    assert.is(answer.status, 400);
    assert.match(answer.body.message, /another machine/);
  }
});

test('addresses are fetched, all or none', async () => {
  const fetchAll = (list: unknown) => server.request('POST', '//upload', { key: user.key, json: { list } });
  await serving(Buffer.from('far away'), async (url) => {
    const answer = await fetchAll([url, url]);
    assert.is(answer.status, 200, answer.text);
    assert.is(answer.body.result.length, 2);
    assert.is(await (await fetch(answer.body.result[0])).text(), 'far away');
    assert.is((await fetchAll([url, 'http://127.0.0.1:9/none'])).status, 400);
    return null;
  });
  assert.is(await stored(), 2);
});

test('paths of another machine, nothing and nonsense are refused with a text', async () => {
  const send = (options: object) => server.request('POST', '//upload', { key: user.key, ...options });
  const type = { 'content-type': 'application/json' };
  for (const options of [
    { json: { list: ['/home/ada/one.png'] } },
    { json: { list: ['C:\\pictures\\one.png'] } },
    { json: { list: [] } },
    { json: { list: 7 } },
    { json: { list: Array.from({ length: 17 }, () => 'http://127.0.0.1:9/') } },
    { json: {} },
    { headers: type, body: '{"list": [' },
    { headers: { 'content-type': 'image/png' }, body: PIXEL },
    { form: formOf([]) },
    { form: formOf([['list', '', 'empty.txt']]) },
    { form: formOf(Array.from({ length: 17 }, (_, n) => ['list', 'x', `${n}.txt`] as const)) },
    {},
  ]) {
    const answer = await send(options);
    assert.is(answer.status, 400, answer.text);
    assert.is(answer.body.success, false);
    assert.ok(answer.body.message.length > 10, answer.text);
  }
  assert.is(await stored(), 0);
});

test('all files together may be as large as one may be', async () => {
  const half = new Uint8Array(90_000).fill(65);
  const answer = await upload(formOf([['list', new Uint8Array(100_001).fill(65), 'a.txt']]));
  assert.is(answer.status, 413, answer.text);
  assert.is(answer.body.success, false);
  const many = Array.from({ length: 16 }, (_, n) => ['list', half, `${n}.txt`] as const);
  const together = await upload(formOf(many));
  assert.is(together.status, 413, together.text);
  assert.is(together.body.success, false);
  assert.is(await stored(), 0);
});

test.run();
