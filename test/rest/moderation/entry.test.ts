// on both databases
/** What may not come in: blocked contents and networks, types that are not accepted, malware; and how long items live. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, fileForm, startServer, type TestServer } from '../../harness.js';
import { MALWARE, startClamd } from '../../standins/clamd.js';
import { zip } from '../../support/media/archive-fixtures.js';
import { jpegPhoto } from '../../support/media/media-fixtures.js';

const test = suite('what may come in');

const DAY_MS = 86_400_000;
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

/** Runs a test with a server of its own. */
async function serving(env: Record<string, string>, work: (server: TestServer) => Promise<void>) {
  const server = await startServer(env);
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

const upload = (server: TestServer, bytes: Uint8Array | string, name = 'a.txt', key = server.owner.key) =>
  server.request('POST', '/image/upload', { key, form: fileForm(bytes, name) });
const block = (server: TestServer, json: object): Promise<Answer> =>
  server.request('POST', '/admin/blocks', { key: server.owner.key, json });

test('blocked bytes are refused on every way in, before and after metadata is removed', () =>
  serving({}, async (server) => {
    const { key } = server.owner;
    const photo = await jpegPhoto();
    const stored = await upload(server, photo, 'a.jpg');
    assert.is.not(stored.body.message.sha256, sha256(photo), 'metadata was removed');
    const made = await block(server, { kind: 'hash', value: sha256(photo).toUpperCase(), note: 'no' });
    assert.equal([made.status, made.body.message.value], [200, sha256(photo)]);
    assert.is((await upload(server, photo, 'a.jpg')).status, 400);
    const archive = fileForm(zip([{ name: 'a.jpg', data: photo }]), 'a.zip');
    assert.is((await server.request('POST', '/image/upload/zip', { key, form: archive })).status, 400);
    const reserved = await server.request('POST', '/image/generate-upload-url', {
      key,
      json: { contentType: 'image/jpeg', size: photo.length },
    });
    assert.is((await fetch(reserved.body.url, { method: 'PUT', body: photo as BodyInit })).status, 200);
    const json = { uniqueId: reserved.body.uid };
    assert.is((await server.request('POST', '/image/register', { key, json })).status, 400);
    const picture = await server.request('PUT', '/user/get/@me/avatar', {
      key,
      form: fileForm(photo, 'a.jpg'),
    });
    assert.is(picture.status, 400);
    await block(server, { kind: 'hash', value: sha256('a bad text') });
    const pasted = await server.request('POST', '/paste/create', { key, json: { text: 'a bad text' } });
    assert.equal(
      [pasted.status, pasted.body.message],
      [400, 'This content is blocked here and cannot be stored'],
    );
    const written = await server.request('POST', '/paste/create', { key, json: { text: 'another text' } });
    const { uniqueId } = written.body;
    const changed = await server.request('PATCH', `/paste/get/${uniqueId}`, {
      key,
      json: { text: 'a bad text' },
    });
    assert.equal([changed.status, changed.body.message], [400, pasted.body.message]);
    await block(server, { kind: 'hash', value: sha256('another text') });
    assert.is((await server.request('POST', `/paste/get/${uniqueId}/fork`, { key, json: {} })).status, 400);
    const renamed = await server.request('PATCH', `/paste/get/${uniqueId}`, { key, json: { title: 'b' } });
    assert.is(renamed.status, 200);
    await block(server, { kind: 'hash', value: stored.body.message.sha256 });
    const { content, totalElements } = (await server.request('GET', '/admin/blocks', { key })).body.message;
    assert.is(totalElements, 4);
    for (const { id } of content)
      assert.is((await server.request('DELETE', `/admin/blocks/${id}`, { key })).status, 200);
    assert.is((await upload(server, photo, 'a.jpg')).status, 200);
    const log = await server.request('GET', '/admin/system/auditlog', { key });
    assert.is(log.body.message[0].event, 'block.deleted');
  }));

test('a blocked network creates nothing, and its administrators can end the block', () =>
  serving({ TRUST_PROXY: 'true', REGISTRATION: 'open' }, async (server) => {
    const { key } = server.owner;
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const paste = (address: string) =>
      server.request('POST', '/paste/create', { key, json: { text: 'a' }, headers: from(address) });
    const made = await block(server, { kind: 'network', value: '203.0.113.77/24' });
    assert.is(made.body.message.value, '203.0.113.0/24');
    const again = await block(server, { kind: 'network', value: '203.0.113.0/24' });
    assert.is(again.body.message.id, made.body.message.id);
    await block(server, { kind: 'network', value: '2001:db8::/32' });
    for (const address of ['203.0.113.0', '203.0.113.255', '::ffff:203.0.113.9', '2001:db8:1::1'])
      assert.equal(
        await paste(address).then(({ status, body }) => [status, body.message]),
        [403, 'Nothing can be created from your network'],
        address,
      );
    for (const address of ['203.0.112.255', '203.0.114.0', '2001:db9::1'])
      assert.is((await paste(address)).status, 200, address);
    const headers = from('203.0.113.9');
    const form = () => fileForm('a', 'a.txt');
    assert.is((await server.request('POST', '/image/upload', { key, form: form(), headers })).status, 403);
    const human = { username: 'somebody', email: 'some@example.com', password: 'password-1' };
    const create = () => server.request('POST', '/user/create', { key, json: human, headers });
    assert.is((await create()).status, 403);
    const person = { username: 'newcomer', email: 'new@example.com', password: 'password-1' };
    const register = () => server.request('POST', '/auth/register', { json: person, headers });
    assert.equal(await register().then(({ status, body }) => [status, body.message]), [
      403,
      'Nothing can be created from your network',
    ]);
    assert.is((await server.request('GET', '/user/get/@me', { key, headers })).status, 200);
    const json = { kind: 'network', value: '203.0.113.0/24' };
    assert.is((await server.request('DELETE', '/admin/blocks', { key, headers, json })).status, 200);
    assert.is((await paste('203.0.113.9')).status, 200);
    assert.is((await register()).status, 200);
    assert.is((await server.request('DELETE', '/admin/blocks', { key, json })).status, 404);
    for (const wrong of [
      { kind: 'network', value: '203.0.113.0/33' },
      { kind: 'network', value: 'example.com' },
      { kind: 'hash', value: 'abc' },
      { kind: 'mail', value: 'x' },
    ])
      assert.is((await block(server, wrong)).status, 400);
  }));

test('only accepted types come in, by their content', () =>
  serving({ UPLOAD_TYPES: 'image/*,video/mp4,!image/gif' }, async (server) => {
    assert.is((await upload(server, await jpegPhoto(), 'a.bin')).status, 200);
    const refused = await upload(server, 'just text', 'a.txt');
    assert.is(refused.status, 400);
    assert.match(
      refused.body.message,
      /text\/plain are not accepted here \(accepted: image\/\*, video\/mp4, but/,
    );
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
    assert.is((await upload(server, gif, 'a.gif')).status, 400);
    const page = await server.request('GET', '//web/image-upload', { key: server.owner.key });
    assert.match(page.text, /image\/\*, video\/mp4, but not image\/gif/);
  }));

test('items live as long as is usual here, and not longer than they may', () =>
  serving({ MAX_EXPIRY_DAYS: '30', DEFAULT_EXPIRY_DAYS: '7' }, async (server) => {
    const { key } = server.owner;
    const create = (json: object) =>
      server.request('POST', '/paste/create', { key, json: { text: 'a', ...json } });
    const daysOf = (answer: Answer) =>
      Math.round((Date.parse(answer.body.message.expiresAt) - Date.now()) / DAY_MS);
    assert.is(daysOf(await create({})), 7);
    assert.is(daysOf(await create({ expiresAt: '' })), 7);
    assert.is(daysOf(await create({ expiresAt: Date.now() + 20 * DAY_MS })), 20);
    for (const expiresAt of ['never', Date.now() + 40 * DAY_MS]) {
      const refused = await create({ expiresAt });
      assert.equal(
        [refused.status, refused.body.message],
        [400, 'expiresAt: An item can be kept for at most 30 days here'],
      );
    }
    assert.is(daysOf(await upload(server, 'a')), 7);
    const link = await server.request('POST', '/url/create', { key, json: { url: 'https://example.com/' } });
    assert.is(daysOf(link), 7);
    const fork = `/paste/get/${(await create({})).body.uniqueId}/fork`;
    assert.is(daysOf(await server.request('POST', fork, { key, json: {} })), 7);
    const imported = (rows: object[]) => server.request('POST', '/url/import', { key, json: rows });
    const refused = await imported([{ url: 'example.com', expiresAt: '2099-01-01' }]);
    assert.is(refused.status, 400);
    assert.match(refused.body.message, /entry 1: expiresAt: An item can be kept for at most 30 days here/);
    const [{ uniqueId }] = (await imported([{ url: 'example.com' }])).body.message.links;
    assert.is(daysOf(await server.request('GET', `/url/get/${uniqueId}`, { key })), 7);
    const asked = await server.request('POST', '/request/create', { key, json: { title: 'Papers' } });
    const form = fileForm('from a guest', 'b.txt');
    const sent = await server.request('POST', `/request/open/${asked.body.uniqueId}/files`, { form });
    assert.is(sent.status, 200, sent.text);
    const came = await server.request('GET', `/request/get/${asked.body.uniqueId}/files`, { key });
    const item = `/image/info/${came.body.message.content[0].uniqueId}`;
    assert.is(daysOf(await server.request('GET', item, { key })), 7);
  }));

test('without a longest life somebody can choose that an item never ends', () =>
  serving({ DEFAULT_EXPIRY_DAYS: '7' }, async (server) => {
    const json = { text: 'a', expiresAt: 'never' };
    const made = await server.request('POST', '/paste/create', { key: server.owner.key, json });
    assert.is(made.body.message.expiresAt, null);
  }));

test('malware is refused, in archives and behind upload addresses too', async () => {
  const clamd = await startClamd();
  try {
    await serving({ CLAMD: clamd.address }, async (server) => {
      assert.is((await upload(server, 'harmless')).status, 200);
      assert.is(clamd.seen.at(-1)?.toString(), 'harmless');
      const refused = await upload(server, `and ${MALWARE}`);
      assert.equal(
        [refused.status, refused.body.message],
        [400, 'The file contains malware (Test-Signature)'],
      );
      const large = Buffer.alloc(3_000_000, 1);
      assert.is((await upload(server, large)).status, 200);
      assert.ok(clamd.seen.at(-1)?.equals(large), 'all of a large file is looked at');
    });
  } finally {
    await clamd.close();
  }
});

test('a file that the scanner could not look at is refused, or accepted if the operator says so', async () => {
  const clamd = await startClamd();
  try {
    for (const [policy, wanted] of [
      ['reject', 503],
      ['accept', 200],
    ] as const)
      await serving({ CLAMD: clamd.address, CLAMD_POLICY: policy, CLAMD_TIMEOUT: '1' }, async (server) => {
        for (const mood of ['silent', 'rude', 'overfed'] as const) {
          clamd.mood = mood;
          const answer = await upload(server, `a file while it is ${mood}`);
          assert.is(answer.status, wanted, `${policy} ${mood}: ${answer.text}`);
        }
      });
  } finally {
    await clamd.close();
  }
  await serving({ CLAMD: clamd.address }, async (server) => {
    const refused = await upload(server, 'nobody is there');
    assert.is(refused.status, 503);
    assert.ok(refused.headers.get('retry-after'));
  });
});

test.run();
