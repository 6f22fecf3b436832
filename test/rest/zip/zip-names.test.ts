/** File names in generated zips: whatever files are called, the zip can be unpacked everywhere. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { unzip } from '../../support/media/unzip.js';

const test = suite('file names in zips');
let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.close());

const upload = async ({ key }: TestAccount, name: string): Promise<string> => {
  const { status, body } = await server.request('POST', '/image/upload', { key, form: fileForm(name, name) });
  assert.is(status, 200, body?.message);
  return body.uniqueId;
};

/** The files of a zip, whose length must match the announced one. */
async function take(path: string, { key }: TestAccount): Promise<Map<string, Buffer>> {
  const url = `http://127.0.0.1:${server.app.address.port}${path}`;
  const answer = await fetch(url, { headers: { 'x-api-key': key } });
  assert.is(answer.status, 200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.is(answer.headers.get('content-length') ?? String(bytes.length), String(bytes.length));
  return unzip(bytes);
}

async function takePlaylist(account: TestAccount, imagesUids: string[]): Promise<Map<string, Buffer>> {
  const json = { title: 'Names', imagesUids };
  const { body } = await server.request('POST', '/image/playlist/create', { key: account.key, json });
  return take(`/v1/image/playlist/get/${body.uniqueId}/download`, account);
}

const long = 'é'.repeat(250);

/** Names of files, and their names in a zip that contains all of them. */
const NAMES: readonly (readonly [name: string, inZip: string])[] = [
  ['C:cat.txt', 'C_cat.txt'],
  ['a:b.txt', 'a_b.txt'],
  ['a?b.txt', 'a_b (2).txt'],
  ['A*B.TXT', 'A_B (3).TXT'],
  ['a_b (2).txt', 'a_b (2) (2).txt'],
  ['<|>.txt', '___.txt'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['com1 .tar.gz', '_com1 .tar.gz'],
  ['LPT².txt', '_LPT².txt'],
  ['console.txt', 'console.txt'],
  ['trailing...', 'trailing.._'],
  ['trailing', 'trailing'],
  ['...', '.._'],
  ['trailing ..', 'trailing ._'],
  ['.hidden', '.hidden'],
  [`${long}.txt`, `${'é'.repeat(118)}.txt`],
  [`${long}2.txt`, `${'é'.repeat(118)} (2).txt`],
  ['日本語 🎉.txt', '日本語 🎉.txt'],
];

test('a playlist of files with unusual names unpacks completely, each under a distinct name', async () => {
  const account = await server.account();
  const ids: string[] = [];
  for (const [name] of NAMES) ids.push(await upload(account, name));
  const files = await takePlaylist(account, ids);
  assert.equal(
    [...files.keys()],
    NAMES.map(([, inZip]) => inZip),
  );
  assert.equal(
    [...files.values()].map(String),
    NAMES.map(([name]) => name),
  );
});

test('an account with unusual file names is exported completely', async () => {
  const account = await server.account();
  const ids = new Map<string, string>();
  for (const [name] of NAMES) ids.set(await upload(account, name), name);
  const files = await take('/web/settings/account/export', account);
  for (const [id, name] of ids) {
    const [path, content] = [...files].find(([path]) => path.startsWith(`files/${id} `)) ?? [];
    assert.is(String(content), name);
    assert.not.match(path?.slice('files/'.length) ?? '', /[\p{Cc}<>:"|?*\\/]|[. ]$/u);
    assert.ok(Buffer.byteLength(path ?? '') <= 255, name);
  }
});

test('a playlist of many long names has the announced length', async () => {
  const account = await server.account();
  const ids: string[] = [];
  for (let number = 0; number < 230; number += 1)
    ids.push(await upload(account, `${String(number).padStart(230, '0')}.txt`));
  assert.is((await takePlaylist(account, ids)).size, ids.length);
});

test.run();
