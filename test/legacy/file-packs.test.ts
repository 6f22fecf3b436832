// on both databases
/** File packs: the whole flow of the newest legacy client, as its server and its pages send it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reservationById } from '../../db/content/upload/reservation.js';
import { sweepReservations } from '../../routers/features/image/upload/register.js';
import { type Answer, fileForm, type TestAccount, type TestServer } from '../harness.js';
import { nothingStaged } from '../hostile/guarantees.js';
import {
  type LegacyClient,
  legacyClient,
  PORTAL,
  startWithPortal,
} from '../support/interface/legacy-client.js';
import { unzip } from '../support/media/unzip.js';
import { PIXEL } from '../support/web/webhook.js';

interface World {
  server: TestServer;
  portal: LegacyClient;
  visitor: TestAccount;
}

const test = suite<World>('legacy client: file packs');

test.before(async (world) => {
  world.server = await startWithPortal();
  world.visitor = await world.server.account();
  world.portal = legacyClient(world.server, world.server.owner.key);
  await world.portal.signIn(world.visitor.email, world.visitor.password);
});
test.after(({ server }) => server.close());

let counter = 0;
const nameOf = (extension: string): string => `171600000000${++counter}-abc${counter}xyz.${extension}`;

interface Sent {
  readonly uniqueId: string;
  readonly fileName: string;
  readonly fileType: string;
  readonly size: number;
}

const presign = ({ portal }: World, filename: string, contentType: string): Promise<Answer> =>
  portal.server('POST', `/files/presigned-url/put?${new URLSearchParams({ filename, contentType })}`, {
    json: {},
  });

/** The browser's PUT: no key, no cookie, the type as it was named. */
const put = (url: string, bytes: Buffer<ArrayBuffer> | string, type: string): Promise<Response> =>
  fetch(url, { method: 'PUT', headers: { origin: PORTAL, 'content-type': type }, body: bytes });

async function upload(
  world: World,
  fileName: string,
  bytes: Buffer<ArrayBuffer> | string,
  type = 'text/plain',
  uniqueId = nameOf(fileName.split('.').at(-1) ?? 'bin'),
): Promise<Sent> {
  const address = await presign(world, uniqueId, type);
  assert.is(address.status, 200, address.text);
  assert.type(address.body.url, 'string');
  assert.not(address.body.error);
  const sent = await put(address.body.url, bytes, type);
  assert.is(sent.status, 200, await sent.text());
  return { uniqueId, fileName, fileType: type || 'application/octet-stream', size: Buffer.byteLength(bytes) };
}

/** The browser registers with the visitor's own key and no cookies. */
const register = (
  { server, visitor }: World,
  items: readonly object[],
  more: object = {},
  key = visitor.key,
): Promise<Answer> =>
  server.request('POST', '/files/register', {
    key,
    headers: { origin: PORTAL },
    json: { items, source: 'PORTAL', ...more },
  });

const address = ({ server }: World, path: string): string =>
  `http://127.0.0.1:${server.app.address.port}${path}`;

test('presign, PUT, register, info, open, bytes, list and delete of an open pack', async (world) => {
  const { portal, server, visitor } = world;
  const text = await upload(world, 'notes ä.txt', 'some notes');
  const picture = await upload(world, 'dot.png', PIXEL, 'image/png');
  const unknown = await upload(world, 'thing.qqq', Buffer.from([1, 2, 3, 250]), '');
  const made = await register(world, [text, picture, unknown]);
  assert.is(made.status, 200, made.text);
  const { packId, files, totalFiles, totalSize, uploadTime, error, uniqueId } = made.body;
  assert.equal([error, uniqueId, totalFiles], [false, packId, 3]);
  assert.is(totalSize, text.size + picture.size + unknown.size);
  assert.ok(Date.parse(uploadTime) > 0);
  assert.equal(
    files.map((file: Sent) => [file.uniqueId, file.fileName, file.fileType, file.size]),
    [text, picture, unknown].map((file) => [file.uniqueId, file.fileName, file.fileType, file.size]),
  );
  assert.is(files[0].fileUrl, `${server.origin}/files/${text.uniqueId}`);

  const info = await portal.browser('GET', `/files/pack/public/${packId}/info`);
  assert.equal(
    [info.body.totalFiles, info.body.isPasswordProtected, info.body.hasAccess, info.body.description],
    [3, false, true, null],
  );
  const stranger = legacyClient(server, server.owner.key);
  const seen = await stranger.browser('GET', `/files/pack/public/${packId}/info`);
  assert.is(seen.body.hasAccess, false);
  const opened = await stranger.browser('POST', `/files/pack/public/${packId}`, { json: {} });
  assert.equal([opened.status, opened.body.files.length, opened.body.totalFiles], [200, 3, 3]);

  const inline = await fetch(address(world, `/files/${encodeURIComponent(text.uniqueId)}`));
  assert.is(await inline.text(), 'some notes');
  assert.is(inline.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.match(inline.headers.get('content-disposition') ?? '', /^inline; filename="/);
  const shown = await fetch(address(world, `/files/${picture.uniqueId}`), { headers: { range: 'bytes=0-' } });
  assert.equal([shown.status, shown.headers.get('content-type')], [206, 'image/png']);
  assert.match(shown.headers.get('content-disposition') ?? '', /^inline; filename="dot.png"/);
  assert.ok(shown.headers.get('etag'));
  const saved = await fetch(address(world, `/v1/files/get/${picture.uniqueId}?download=true`));
  assert.match(saved.headers.get('content-disposition') ?? '', /^attachment; filename="dot.png"/);
  assert.equal(Buffer.from(await saved.arrayBuffer()), PIXEL);

  const list = await portal.browser('GET', '/files/packs?page=0&size=5');
  assert.equal([list.body.currentPage, list.body.totalPages, list.body.totalElements], [0, 1, 1]);
  const [row] = list.body.packs;
  assert.equal(
    [row.packId, row.isComplete, row.isPasswordProtected, row.totalFiles],
    [packId, true, false, 3],
  );
  assert.is(row.files.length, 3);
  const beyond = await portal.browser('GET', '/files/packs?page=3&size=5');
  assert.equal([beyond.body.currentPage, beyond.body.packs.length], [0, 1]);
  const wrong = await portal.browser('GET', '/files/packs?page=0&size=51');
  assert.equal([wrong.status, wrong.body.message], [400, 'Invalid page or size parameters']);
  assert.is((await server.request('GET', `/files/pack/${packId}`, { key: visitor.key })).body.totalFiles, 3);
  assert.is(
    (await server.request('GET', '/files/all-packs', { key: server.owner.key })).body.totalElements,
    1,
  );

  const strange = await stranger.browser('DELETE', `/files/pack/public/${packId}/file/${text.uniqueId}`);
  assert.is(strange.status, 401);
  const other = await server.account();
  const refused = await server.request('DELETE', `/files/pack/public/${packId}`, { key: other.key });
  assert.equal(
    [refused.status, refused.body.message],
    [403, 'You do not have permission to delete this pack'],
  );
  assert.is(
    (await portal.browser('DELETE', `/files/pack/public/${packId}/file/${text.uniqueId}`)).status,
    200,
  );
  assert.is((await fetch(address(world, `/files/${text.uniqueId}`))).status, 404);
  assert.is(
    (await portal.browser('DELETE', `/files/pack/public/${packId}/file/nothing.txt`)).body.message,
    'File not found in pack',
  );
  assert.is((await portal.browser('DELETE', `/files/pack/public/${packId}`)).status, 200);
  const gone = await portal.browser('POST', `/files/pack/public/${packId}`, { json: {} });
  assert.equal([gone.status, gone.body.message], [404, 'Pack not found']);
  assert.is((await fetch(address(world, `/files/${picture.uniqueId}`))).status, 404);
  assert.equal((await portal.browser('GET', '/files/packs?page=0&size=5')).body.packs, []);
  await nothingStaged(server.dataDir);
});

test('a PDF is shown where its page frames it, unless it is downloaded', async (world) => {
  const pdf = await upload(
    world,
    'paper.pdf',
    '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n',
    'application/pdf',
  );
  assert.is((await register(world, [pdf])).status, 200);
  const shown = await world.server.request('GET', `//files/${pdf.uniqueId}`);
  assert.is(shown.headers.get('content-type'), 'application/pdf');
  assert.match(shown.headers.get('content-disposition') ?? '', /^inline/);
  assert.match(
    shown.headers.get('content-security-policy') ?? '',
    new RegExp(`sandbox; frame-ancestors .*${PORTAL}`),
  );
  const saved = await world.server.request('GET', `//files/${pdf.uniqueId}?download=true`);
  assert.match(saved.headers.get('content-disposition') ?? '', /^attachment; filename="paper.pdf"/);
});

test('a text is read where it is opened, whatever it is written in, and nothing in it runs', async (world) => {
  const words = 'Größe 🎒\n';
  for (const [name, text] of [
    ['plain.txt', words],
    ['page.html', `<!doctype html><script>alert(1)</script>${words}`],
    ['code.js', `alert(1); // ${words}`],
    ['table.csv', `a;b\n${words};1\n`],
  ] as const) {
    const file = await upload(world, name, text);
    assert.is((await register(world, [file])).status, 200);
    const shown = await world.server.request('GET', `//files/${file.uniqueId}`);
    assert.equal([shown.headers.get('content-type'), shown.text], ['text/plain; charset=utf-8', text], name);
    assert.match(shown.headers.get('content-disposition') ?? '', /^inline/);
    assert.is(shown.headers.get('x-content-type-options'), 'nosniff');
    assert.match(shown.headers.get('content-security-policy') ?? '', /default-src 'none'.* sandbox/);
    const saved = await world.server.request('GET', `//files/${file.uniqueId}?download=true`);
    assert.match(saved.headers.get('content-disposition') ?? '', /^attachment/);
  }
  for (const [name, bytes] of [
    ['other.bin', Buffer.from([1, 2, 3, 0, 255])],
    ['latin.txt', Buffer.from('Gr\xf6\xdfe', 'latin1')],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ] as const) {
    const file = await upload(world, name, bytes);
    assert.is((await register(world, [file])).status, 200);
    const other = await world.server.request('GET', `//files/${file.uniqueId}`);
    assert.is(other.headers.get('content-type'), 'application/octet-stream', name);
    assert.match(other.headers.get('content-disposition') ?? '', /^attachment/, name);
  }
});

test('the last file that is removed takes its pack with it', async (world) => {
  const file = await upload(world, 'one.txt', 'one');
  const { packId } = (await register(world, [file])).body;
  const gone = await world.portal.browser('DELETE', `/files/pack/public/${packId}/file/${file.uniqueId}`);
  assert.is(gone.status, 200);
  assert.is((await world.portal.browser('GET', `/files/pack/public/${packId}/info`)).status, 404);
});

test('a protected pack opens with its password, and its files by the cookie, the header or the query', async (world) => {
  const { server, portal } = world;
  const file = await upload(world, 'secret.txt', 'hidden words');
  const second = await upload(world, 'more.txt', 'more');
  const { packId } = (await register(world, [file, second], { password: 'x' })).body;
  const path = `/files/pack/public/${packId}`;
  const stranger = legacyClient(server, server.owner.key);
  const info = await stranger.browser('GET', `${path}/info`);
  assert.equal([info.body.isPasswordProtected, info.body.hasAccess], [true, false]);
  const none = await stranger.browser('POST', path, { json: {} });
  assert.equal([none.status, none.body.message], [403, 'Pack is password protected. Password required.']);
  const wrong = await stranger.browser('POST', path, { json: { password: 'y' } });
  assert.equal([wrong.status, wrong.body.message], [403, 'Invalid password']);
  assert.is((await fetch(address(world, `/files/${file.uniqueId}`))).status, 403);
  const page = await fetch(address(world, `/files/${file.uniqueId}`), {
    headers: { accept: 'text/html' },
    redirect: 'manual',
  });
  assert.equal(
    [page.status, page.headers.get('location')],
    [302, `${server.origin}/web/collection/${packId}`],
  );

  const opened = await stranger.browser('POST', path, { json: { password: 'x' } });
  assert.is(opened.body.files.length, 2);
  const cookies = opened.headers.getSetCookie();
  assert.ok(
    cookies.some((line) => /; Path=\/files;/.test(line) && /HttpOnly/.test(line)),
    cookies.join(),
  );
  assert.ok(cookies.every((line) => /Max-Age=43200/.test(line)));
  const cookie = stranger.cookies();
  assert.is((await stranger.browser('GET', `${path}/info`)).body.hasAccess, true);
  assert.is((await stranger.browser('POST', path, { json: {} })).status, 200);
  const byCookie = await fetch(address(world, `/files/${file.uniqueId}`), { headers: { cookie } });
  assert.is(await byCookie.text(), 'hidden words');
  const byHeader = await fetch(address(world, `/files/${file.uniqueId}`), { headers: { 'x-password': 'x' } });
  assert.is(byHeader.status, 200);
  assert.is((await fetch(address(world, `/files/${file.uniqueId}?password=x`))).status, 200);
  const fields = { password: 'another' };
  const changed = await server.request('PATCH', `/collection/${packId}`, {
    key: world.visitor.key,
    json: fields,
  });
  assert.is(changed.status, 200, changed.text);
  assert.is((await fetch(address(world, `/files/${file.uniqueId}`), { headers: { cookie } })).status, 403);

  // The owner and moderators need no password.
  assert.is((await portal.browser('POST', path, { json: {} })).status, 200);
  const moderator = await server.account('MODERATOR');
  assert.is((await server.request('POST', path, { key: moderator.key, json: {} })).status, 200);
  // Nothing shows the file outside of its pack.
  const [{ uniqueId }] = (await server.request('GET', `/collection/${packId}`, { key: world.visitor.key }))
    .body.message.items;
  assert.is((await server.request('GET', `/image/get/${uniqueId}`)).status, 403);
  assert.is((await server.request('GET', `/image/playlist/get/${packId}`)).status, 404);

  const zip = await server.request('POST', `${path}/download/zip`, { json: { password: 'another' } });
  assert.equal([zip.status, zip.headers.get('content-type')], [200, 'application/zip']);
  assert.match(zip.headers.get('content-disposition') ?? '', `pack-${packId}.zip`);
  assert.is((await server.request('POST', `${path}/download/zip`, { json: {} })).status, 403);
  const bytes = await fetch(address(world, `/v1${path}/download/zip`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: 'another' }),
  });
  const entries = await unzip(Buffer.from(await bytes.arrayBuffer()));
  assert.equal([...entries.keys()], ['secret.txt', 'more.txt']);
  assert.is(String(entries.get('secret.txt')), 'hidden words');
});

test('a name is reserved once, and never overwritten', async (world) => {
  const name = nameOf('txt');
  const first = await presign(world, name, 'text/plain');
  assert.is((await presign(world, name, 'text/plain')).status, 400);
  assert.is((await put(first.body.url, 'first', 'text/plain')).status, 200);
  assert.is((await put(first.body.url, 'second', 'text/plain')).status, 403);
  assert.is((await presign(world, name, 'text/plain')).status, 400);
  const item = { uniqueId: name, fileName: 'a.txt', fileType: 'text/plain', size: 5 };
  assert.is((await register(world, [item])).status, 200);
  assert.is((await presign(world, name, 'text/plain')).status, 400);
  assert.is(await (await fetch(address(world, `/files/${name}`))).text(), 'first');
  for (const bad of ['a/b.txt', 'a\\b', 'a?b', 'a#b', 'a%41', '.hidden', 'a\u0001b', 'x'.repeat(201), ''])
    assert.is((await presign(world, bad, '')).status, 400, bad);
  assert.is((await presign(world, `my slug ä ${counter}.png`, 'image/png')).status, 200);
});

test('a reservation of the portal is registered by whoever names it first, once; one of a person only by that person', async (world) => {
  const { server } = world;
  const other = await server.account();
  const file = await upload(world, 'mine.txt', 'mine');
  const both = await Promise.all([register(world, [file]), register(world, [file], {}, other.key)]);
  assert.equal(both.map(({ status }) => status).sort(), [200, 400]);
  const name = nameOf('txt');
  const own = await server.request('POST', `/files/presigned-url/put?filename=${name}&contentType=`, {
    key: other.key,
    json: {},
  });
  assert.is((await put(own.body.url, 'own', '')).status, 200);
  const item = { uniqueId: name, fileName: 'own.txt', fileType: 'text/plain', size: 3 };
  assert.is((await register(world, [item])).status, 400);
  assert.is((await register(world, [item], {}, other.key)).status, 200);
});

test('a file that a portal reserved for its visitor is registered from that network, or by the portal', async () => {
  const server = await startWithPortal({ TRUST_PROXY: 'true' });
  try {
    const [visitor, thief] = [await server.account(), await server.account()];
    const world = { server, visitor, portal: legacyClient(server, server.owner.key) };
    const sent = async (name: string) => {
      const { url } = (await presign(world, name, 'text/plain')).body;
      const headers = { origin: PORTAL, 'content-type': 'text/plain', 'x-forwarded-for': '198.51.100.4' };
      assert.is((await fetch(url, { method: 'PUT', headers, body: 'abc' })).status, 200);
      return { uniqueId: name, fileName: 'a.txt', fileType: 'text/plain', size: 3 };
    };
    const registerFrom = (item: object, key: string, network: string) =>
      server.request('POST', '/files/register', {
        key,
        headers: { origin: PORTAL, 'x-forwarded-for': network },
        json: { items: [item], source: 'PORTAL' },
      });
    const item = await sent('report.pdf');
    const stolen = await registerFrom(item, thief.key, '203.0.113.66');
    assert.is(stolen.status, 400);
    assert.match(stolen.body.error, /report\.pdf has not been uploaded from here or was registered already/);
    assert.is((await registerFrom(item, visitor.key, '198.51.100.4')).status, 200);
    assert.is((await registerFrom(await sent('own.txt'), server.owner.key, '203.0.113.66')).status, 200);
  } finally {
    await server.close();
  }
});

test('names and bytes that wait to be registered count against the limits of their account', async (world) => {
  const { server } = world;
  const limited = await server.account();
  const limit = async (limits: object) => {
    const path = `/admin/limits/users/${limited.id}`;
    assert.is((await server.request('PUT', path, { key: server.owner.key, json: { limits } })).status, 200);
  };
  const reserve = (name: string) =>
    server.request('POST', `/files/presigned-url/put?filename=${name}&contentType=`, {
      key: limited.key,
      json: {},
    });
  await limit({ FILE: { dailyCount: 2 } });
  const names = Array.from({ length: 6 }, () => nameOf('bin'));
  const reserved = await Promise.all(names.map(reserve));
  assert.is(reserved.filter(({ status }) => status === 200).length, 2);
  const refused = reserved.find(({ status }) => status === 403);
  assert.match(refused?.body.message, /^Daily file count limit exceeded \(used 2, limit 2\)$/);
  await limit({ TOTAL: { storageBytes: 10 } });
  const urls = reserved.filter(({ status }) => status === 200).map(({ body }) => body.url as string);
  const filled = await Promise.all(urls.map((url) => put(url, 'six by', '')));
  assert.equal(filled.map(({ status }) => status).sort(), [200, 403]);
  const [, other = ''] = filled[0]?.status === 200 ? urls : [...urls].reverse();
  const large = await put(other, 'x'.repeat(100_000), '');
  assert.is(large.status, 403);
  assert.match(await large.text(), /Storage limit exceeded/);
  assert.is((await put(other, 'four', '')).status, 200);
  const pastes = await server.request('POST', '/paste/create', { key: limited.key, json: { text: 'a' } });
  assert.is(pastes.status, 403, 'what waits is stored already');
  await nothingStaged(server.dataDir);
});

test('a key that reads as a visitor lets an ordinary account reserve no more than without it', async (world) => {
  const { server } = world;
  const person = await server.account();
  const made = await server.request('POST', '/user/get/@me/keys', {
    key: person.key,
    json: { name: 'portal', scopes: ['images:write'], asVisitor: true },
  });
  const statuses = new Set<number>();
  for (let count = 0; count < 101; count += 1) {
    const path = `/files/presigned-url/put?filename=${nameOf('bin')}&contentType=`;
    statuses.add((await server.request('POST', path, { key: made.body.message.key, json: {} })).status);
  }
  assert.equal(statuses, new Set([200, 429]));
});

test('a registration that is wrong in one file keeps nothing, and its text is in error for the portal', async (world) => {
  const { server, visitor } = world;
  const file = await upload(world, 'a.txt', 'abc');
  const texts: [object[], RegExp][] = [
    [[], /^Items list cannot be empty$/],
    [[{ ...file, size: 0 }], /^size must be greater than 0$/],
    [[{ ...file, size: 4 }], /announced size/],
    [[{ ...file, size: 2 }], /larger than announced/],
    [[{ ...file, uniqueId: '' }], /^uniqueId is required for all items$/],
    [[{ uniqueId: file.uniqueId, size: 3 }], /^fileType is required for all items$/],
    [[file, { ...file, uniqueId: 'nothing.txt' }], /nothing\.txt has not been uploaded/],
    [[file, file], /listed twice/],
  ];
  for (const [items, text] of texts) {
    const answer = await register(world, items);
    assert.is(answer.status, 400, answer.text);
    assert.match(answer.body.error, text);
    assert.is(answer.body.error, answer.body.message);
  }
  const many = Array.from({ length: 16 }, (_, index) => ({ ...file, uniqueId: `many-${index}.txt` }));
  const tooMany = await register(world, many);
  assert.equal(
    [tooMany.status, tooMany.body.error],
    [403, 'This file pack contains 16 files, but your maximum is 15'],
  );
  const plain = await server.request('POST', '/files/register', { key: visitor.key, json: { items: [] } });
  assert.equal([plain.status, plain.body.error], [400, true]);
  const broken = await fetch(address(world, '/v1/files/reserved/file-nothing?token=1.a'), {
    method: 'PUT',
    headers: { origin: PORTAL, 'content-type': 'text/plain' },
    body: 'x',
  });
  assert.is(broken.status, 404);
  assert.type(((await broken.json()) as { error: unknown }).error, 'string');
  assert.is((await register(world, [file])).status, 200);
});

test('the preflight of the upload is answered, and a cut upload leaves its name to be used again', async (world) => {
  const { server } = world;
  const name = nameOf('bin');
  const { url } = (await presign(world, name, '')).body;
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin: PORTAL,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type',
    },
  });
  assert.is(preflight.status, 204);
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PUT/);
  const ending = new AbortController();
  let sent: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    sent = resolve;
  });
  const body = new ReadableStream({
    pull: (controller) => {
      controller.enqueue(new Uint8Array(64 * 1024));
      sent();
      return new Promise(() => undefined);
    },
  });
  const cut = fetch(url, { method: 'PUT', body, duplex: 'half', signal: ending.signal } as RequestInit);
  await begun;
  ending.abort();
  await cut.catch(() => undefined);
  await nothingStaged(server.dataDir);
  assert.is((await put(url, 'whole', '')).status, 200);
  const item = { uniqueId: name, fileName: 'whole.bin', fileType: 'application/octet-stream', size: 5 };
  assert.is((await register(world, [item])).status, 200);
});

test('what nobody registered is gone a day later, its bytes too', async (world) => {
  const { app } = world.server;
  const file = await upload(world, 'lost.txt', 'never registered');
  const { db, storage } = app.services;
  const key = `files/${file.uniqueId}`;
  const held = await reservationById(db.read, key);
  assert.ok(held?.sha256);
  assert.ok((held?.expiresAt ?? 0) > Date.now() + 23 * 60 * 60 * 1000);
  await sweepReservations(app.services, 0);
  assert.ok(await reservationById(db.read, key));
  await db.write(async (trx) => {
    await trx('reservations').where('unique_id', key).update({ expires_at: 1 });
  });
  assert.is((await register(world, [file])).status, 400);
  await sweepReservations(app.services, 0);
  assert.is(await reservationById(db.read, key), null);
  assert.is(await storage.blobs.stat(held?.sha256 ?? ''), null);
});

test('a file that expires is hidden from all but its owner', async (world) => {
  const { server, visitor } = world;
  const brief = await upload(world, 'brief.txt', 'brief');
  assert.is((await register(world, [{ ...brief, expiryDate: -1 }])).status, 400, 'it is not kept for ever');
  const lasting = await upload(world, 'lasting.txt', 'lasting');
  const { packId, files } = (await register(world, [{ ...brief, expiryDate: 60_000 }, lasting])).body;
  assert.ok(Date.parse(files[0].expirationTime) > Date.now());
  await server.app.services.db.write(async (trx) => {
    await trx('images').whereNotNull('expires_at').update({ expires_at: 1 });
  });
  assert.is((await fetch(address(world, `/files/${brief.uniqueId}`))).status, 404);
  assert.is((await server.request('POST', `/files/pack/public/${packId}`, { json: {} })).body.totalFiles, 1);
  const own = await fetch(address(world, `/files/${brief.uniqueId}`), {
    headers: { 'x-api-key': visitor.key },
  });
  assert.is(own.status, 200);
});

test('files of packs are no images of the older lists, and are named with their pack in those of all items', async (world) => {
  const { server } = world;
  const author = await server.account();
  const files = [await upload(world, 'a.txt', 'one'), await upload(world, 'b.txt', 'two')];
  const pack = await register(world, files, {}, author.key);
  assert.is(pack.status, 200, pack.text);
  const alone = await server.request('POST', '/image/upload', {
    key: author.key,
    form: fileForm('three', 'c.txt'),
  });
  const { uniqueId } = alone.body.message;
  const get = async (path: string) => {
    const answer = await server.request('GET', path, { key: server.owner.key });
    assert.is(answer.status, 200, answer.text);
    return answer.body;
  };
  const ids = (list: { uniqueId: string }[]) => list.map((item) => item.uniqueId);
  const of = `/admin/user/${author.id}`;
  assert.equal(ids((await get(`${of}/images`)).message), [uniqueId]);
  for (const query of ['', '?formats=txt', '?from=2020-01-01']) {
    const paged = (await get(`${of}/images/pageable${query}`)).message;
    assert.equal(ids(paged.images), [uniqueId]);
    assert.is(paged.totalElements, 1, query);
  }
  for (const query of ['', '&formats=txt', '&search=txt']) {
    const found = (await get(`/admin/images?uid=${author.id}${query}`)).message;
    assert.equal(ids(found.content), [uniqueId], query);
    assert.is(found.totalElements, 1, query);
  }
  const me = await server.request('GET', '/user/get/@me', { key: author.key });
  assert.is(me.body.message.stats.totalUploads, 1);
  const [row] = (await get(`/admin/user/get?search=${author.username}`)).message;
  assert.is(row.stats.totalUploads, 1);
  const own = await server.request('GET', '/user/get/@me/items?kind=image', { key: author.key });
  const packs = own.body.message.content.map((item: { pack?: string }) => item.pack ?? null);
  assert.equal(packs.filter((id: string | null) => id === pack.body.packId).length, 2);
  assert.equal(packs.filter((id: string | null) => id === null).length, 1);
});

test.run();
