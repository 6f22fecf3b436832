/** What people are told about the metadata of their files. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import { sessionOf } from '../../support/accounts/accounts.js';
import { halves } from '../../support/media/media-fixtures.js';

const test = suite('metadata of files');
let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.close());

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>';
const unknown = Buffer.from(
  Array.from({ length: 3000 }, (_, index) => (index * index * 31 + index + 1) % 253),
);

async function upload(key: string, bytes: Buffer | string, name: string, fields = {}) {
  const form = fileForm(bytes, name, fields);
  return (await server.request('POST', '/image/upload', { key, form })).body.message;
}

test('the answer says whether it is removed, may remain or was kept', async () => {
  const { key } = await server.account();
  const photo = await halves(8, 8).jpeg().toBuffer();
  assert.is((await upload(key, photo, 'photo.jpg')).metadata, 'removed');
  assert.is((await upload(key, drawing, 'drawing.svg')).metadata, 'mayRemain');
  assert.is((await upload(key, unknown, 'film.xyz')).metadata, 'mayRemain');
  assert.is((await upload(key, 'only text', 'notes.txt')).metadata, null);
  await server.request('PATCH', '/user/get/@me/settings/media', { key, json: { metadata: 'keep' } });
  const kept = await upload(key, photo, 'photo.jpg');
  assert.is(kept.metadata, 'kept');
  const info = await server.request('GET', `/image/info/${kept.uniqueId}`);
  assert.is(info.body.message.metadata, 'kept');
});

test('who may not see a file is not told', async () => {
  const { key } = await server.account();
  const { uniqueId } = await upload(key, drawing, 'drawing.svg', { password: 'secret word' });
  const seen = async (query = '') =>
    (await server.request('GET', `/image/info/${uniqueId}${query}`)).body.message.metadata;
  assert.is(await seen(), null);
  assert.is(await seen('?password=secret%20word'), 'mayRemain');
});

test('the page of a file tells its owner only', async () => {
  const account = await server.account();
  const { uniqueId } = await upload(account.key, drawing, 'drawing.svg');
  const cookie = `session_token=${await sessionOf(server, account)}`;
  const page = async (headers: Record<string, string>) =>
    (await server.request('GET', `//web/image-render/${uniqueId}`, { headers })).text;
  const notice = /camera data may remain in this file: they cannot be removed from SVG files/;
  assert.match(await page({ accept: 'text/html', cookie }), notice);
  assert.not.match(await page({ accept: 'text/html' }), notice);
});

test.run();
