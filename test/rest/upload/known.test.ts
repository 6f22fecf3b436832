// on both databases
/** Asking which contents the caller has already, before anything is sent. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { makePack } from '../../support/content/packs.js';
import { lapse } from '../../support/stores/lapse.js';

const test = suite('known contents');
let server: TestServer;
let user: TestAccount;
let other: TestAccount;
test.before(async () => {
  server = await startServer();
  user = await server.account();
  other = await server.account();
});
test.after(() => server.close());

const hashOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
async function upload(bytes: string | Buffer, account = user, name = 'file.txt') {
  const form = fileForm(bytes, name);
  const { status, body, text } = await server.request('POST', '/image/upload', { key: account.key, form });
  assert.is(status, 200, text);
  return body.uniqueId as string;
}
const ask = (sha256: unknown, key: string | undefined = user.key) =>
  server.request('POST', '/image/known', { key, json: { sha256 } });
const known = async (...hashes: string[]) => (await ask(hashes)).body.message;

test('only the files of the caller are named, the oldest of each content', async () => {
  const first = await upload('mine');
  await upload('mine');
  await upload('of another', other);
  assert.equal(await known(hashOf('mine').toUpperCase(), hashOf('of another'), hashOf('of nobody')), [
    { sha256: hashOf('mine'), uniqueId: first },
  ]);
  assert.is((await ask([hashOf('mine')], '')).status, 401);
});

test('a picture from which metadata was removed is found by what was sent and by what is kept', async () => {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '1/1 2/1 3/1' } })
    .jpeg()
    .toBuffer();
  const id = await upload(picture, user, 'photo.jpg');
  const at = `http://127.0.0.1:${server.app.address.port}/v1/image/get/${id}`;
  const bytes = Buffer.from(await (await fetch(at)).arrayBuffer());
  assert.is.not(hashOf(bytes), hashOf(picture));
  for (const hash of [hashOf(picture), hashOf(bytes)])
    assert.equal(await known(hash), [{ sha256: hash, uniqueId: id }]);
});

test('what is deleted or expired is not known', async () => {
  const trashed = await upload('in the trash');
  await server.request('DELETE', `/image/get/${trashed}`, { key: user.key });
  const expired = await upload('expired');
  await lapse(server, 'images', expired);
  assert.equal(await known(hashOf('in the trash'), hashOf('expired')), []);
});

test('only what lasts is known, unless it is asked for what ends', async () => {
  const contents = ['ends on a day', 'has three views', 'is in a pack', 'ends here, lasts there'] as const;
  const hashes = contents.map(hashOf);
  const send = async (bytes: string, fields: Record<string, string>) => {
    const form = fileForm(bytes, 'file.txt', fields);
    return (await server.request('POST', '/image/upload', { key: user.key, form })).body.uniqueId as string;
  };
  const day = new Date(Date.now() + 86_400_000).toISOString();
  const ending = await send(contents[0], { expiresAt: day });
  const counted = await send(contents[1], { maxViews: '3' });
  await makePack(server, user.key, [contents[2]]);
  const first = await send(contents[3], { expiresAt: day });
  const lasting = await send(contents[3], {});
  assert.ok(first);
  assert.equal(await known(...hashes), [{ sha256: hashes[3], uniqueId: lasting }]);

  const newest = await send(contents[3], { maxViews: '3' });
  const json = { sha256: hashes, ending: true };
  const { body } = await server.request('POST', '/image/known', { key: user.key, json });
  assert.equal(body.message, [
    { sha256: hashes[0], uniqueId: ending },
    { sha256: hashes[1], uniqueId: counted },
    { sha256: hashes[3], uniqueId: newest },
  ]);
});

test('what is no list of hashes, or too long a one, is refused', async () => {
  for (const wrong of [undefined, 'abc', ['abc'], [1], Array.from({ length: 1_001 }, () => hashOf('x'))])
    assert.is((await ask(wrong)).status, 400, JSON.stringify(wrong)?.slice(0, 40));
  assert.equal(await known(), []);
});

test.run();
