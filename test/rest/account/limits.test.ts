// on both databases
/** What accounts may create and store (docs/api.md, Limits): exact, told in advance, and not evaded. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { zip } from '../../support/media/archive-fixtures.js';
import { jpegPhoto } from '../../support/media/media-fixtures.js';

interface World {
  server: TestServer;
  user: TestAccount;
}
const test = suite<World>('limits of accounts');

test.before.each(async (world) => {
  world.server = await startServer();
  world.user = await world.server.account();
});
test.after.each(({ server }) => server.close());

type Rule = Record<string, number | null>;

async function limitRole(server: TestServer, limits: Record<string, Rule>, role = 'USER') {
  const json = { limits };
  const answer = await server.request('PUT', `/admin/limits/roles/${role}`, { key: server.owner.key, json });
  assert.is(answer.status, 200, answer.text);
  return answer.body.message;
}

async function limitUser(server: TestServer, uid: number, json: object) {
  const answer = await server.request('PUT', `/admin/limits/users/${uid}`, { key: server.owner.key, json });
  assert.is(answer.status, 200, answer.text);
  return answer.body.message;
}

const upload = (server: TestServer, key: string, bytes: string | Uint8Array = 'a text') =>
  server.request('POST', '/image/upload', { key, form: fileForm(bytes, 'a.txt') });
const preflight = (server: TestServer, key: string, json: object) =>
  server.request('POST', '/limits/preflight', { key, json });
const mine = async (server: TestServer, key: string) =>
  (await server.request('GET', '/limits/me', { key })).body.message;

test('without limits everything is allowed, and what is created is counted', async ({ server, user }) => {
  const { key } = user;
  const uploaded = await upload(server, key);
  await server.request('POST', '/paste/create', { key, json: { text: 'four' } });
  await server.request('POST', '/url/create', { key, json: { url: 'https://example.com/' } });
  await server.request('POST', '/email/create', { key, json: {} });
  const { effective, usage, filePackLimits, paused, pausedUntil } = await mine(server, key);
  assert.equal([paused, pausedUntil], [false, null]);
  assert.equal(filePackLimits, { maxFiles: 15, maxBytes: 15 * 1024 ** 3 });
  assert.equal(effective.IMAGE, { dailyCount: null, weeklyCount: null, dailyBytes: null, weeklyBytes: null });
  assert.is(effective.TOTAL.storageBytes, null);
  const { size } = uploaded.body.message;
  const counted = (count: number, bytes: number) => ({
    dailyCount: count,
    weeklyCount: count,
    dailyBytes: bytes,
    weeklyBytes: bytes,
  });
  assert.equal(usage, {
    TOTAL: { ...counted(2, size + 4), storageBytes: size + 4 },
    IMAGE: counted(1, size),
    FILE: counted(0, 0),
    PASTE: counted(1, 4),
    URL: counted(1, 0),
    TEMP_MAIL: counted(1, 0),
  });
  const pack = await server.request('GET', '/limits/file-pack', { key });
  assert.equal(pack.body.message, { maxFiles: 15, maxBytes: 16106127360 });
});

test('administrators have no limits', async ({ server }) => {
  const { key } = server.owner;
  const pack = await server.request('GET', '/limits/file-pack', { key });
  assert.equal(pack.body.message, { maxFiles: null, maxBytes: null });
  const refused = await server.request('PUT', '/admin/limits/roles/ADMIN', { key, json: {} });
  assert.equal(
    [refused.status, refused.body.message],
    [400, 'ADMIN and OWNER roles cannot have resource limits'],
  );
  const own = await server.request('GET', `/admin/limits/users/${server.owner.id}`, { key });
  assert.equal(
    [own.status, own.body.message],
    [400, 'ADMIN and OWNER accounts cannot have resource limits or pauses'],
  );
  assert.is((await server.request('GET', '/admin/limits/users/99999', { key })).status, 404);
});

test('each type has its limits, with the same text at preflight and at creation', async ({
  server,
  user,
}) => {
  const { key } = user;
  await limitRole(server, {
    IMAGE: { dailyCount: 1 },
    PASTE: { weeklyCount: 1, dailyBytes: 10 },
    URL: { dailyCount: 0 },
    TEMP_MAIL: { weeklyCount: 0 },
  });
  assert.is((await preflight(server, key, { type: 'IMAGE', count: 1 })).body.message, 'Upload allowed');
  assert.is((await upload(server, key)).status, 200);
  const paste = (text: string) => server.request('POST', '/paste/create', { key, json: { text } });
  const tooLong = await paste('eleven char');
  const asked = await preflight(server, key, { type: 'paste', count: 1, bytes: 11 });
  const words = 'Daily paste byte limit exceeded (used 0, requested 11, limit 10)';
  assert.equal([tooLong.status, tooLong.body.message], [403, words]);
  assert.equal([asked.status, asked.body.message], [403, words]);
  assert.is((await paste('short')).status, 200);
  for (const [type, words, create] of [
    ['IMAGE', 'Daily image count limit exceeded (used 1, limit 1)', () => upload(server, key)],
    ['PASTE', 'Weekly paste count limit exceeded (used 1, limit 1)', () => paste('more')],
    [
      'URL',
      'Daily url count limit exceeded (used 0, limit 0)',
      () => server.request('POST', '/url/create', { key, json: { url: 'https://example.com/' } }),
    ],
    [
      'TEMP_MAIL',
      'Weekly temp mail count limit exceeded (used 0, limit 0)',
      () => server.request('POST', '/email/create', { key, json: {} }),
    ],
  ] as const) {
    const refused = await create();
    assert.equal([refused.status, refused.body.message], [403, words]);
    assert.ok(Number(refused.headers.get('retry-after')) > 0, 'says when to try again');
    const foretold = await preflight(server, key, { type, count: 1 });
    assert.equal([foretold.status, foretold.body.message], [403, words]);
  }
});

test('a preflight that makes no sense is 400', async ({ server, user }) => {
  for (const [json, words] of [
    [{ count: 1 }, 'Resource type is required'],
    [{ type: 'IMAGE' }, 'Resource count must be greater than 0'],
    [{ type: 'IMAGE', count: 1, bytes: -1 }, 'Resource size cannot be negative'],
  ] as const) {
    const answer = await preflight(server, user.key, json);
    assert.equal([answer.status, answer.body.message], [400, words]);
  }
  assert.is((await preflight(server, user.key, { type: 'SONG', count: 1 })).status, 400);
});

test('images, files and pastes count together, deleted ones too', async ({ server, user }) => {
  const { key } = user;
  await limitRole(server, { TOTAL: { dailyCount: 2 } });
  const uploaded = await upload(server, key);
  await server.request('DELETE', `/image/get/${uploaded.body.uniqueId}`, { key });
  assert.is((await server.request('POST', '/paste/create', { key, json: { text: 'a' } })).status, 200);
  const refused = await upload(server, key);
  assert.equal(
    [refused.status, refused.body.message],
    [403, 'Daily total count limit exceeded (used 2, limit 2)'],
  );
});

test('storage comes back when something is deleted', async ({ server, user }) => {
  const { key } = user;
  await limitRole(server, { TOTAL: { storageBytes: 1_000 } });
  const first = await upload(server, key, 'x'.repeat(700));
  assert.is(first.status, 200, first.text);
  const refused = await upload(server, key, 'y'.repeat(400));
  assert.equal(
    [refused.status, refused.body.message],
    [403, 'Storage limit exceeded (used 700, requested 400, limit 1000)'],
  );
  await server.request('DELETE', `/image/get/${first.body.uniqueId}`, { key });
  assert.is((await upload(server, key, 'y'.repeat(400))).status, 200);
  assert.is((await mine(server, key)).usage.TOTAL.storageBytes, 400);
});

test("an account's own values win over its role's, field by field, until they are cleared", async ({
  server,
  user,
}) => {
  await limitRole(server, { IMAGE: { dailyCount: 5, weeklyCount: 9 } });
  const set = await limitUser(server, user.id, {
    limits: { IMAGE: { dailyCount: 7 } },
    filePackLimits: { maxFiles: 3 },
  });
  assert.equal(set.effective.IMAGE, { dailyCount: 7, weeklyCount: 9, dailyBytes: null, weeklyBytes: null });
  assert.equal(set.overrides.IMAGE.weeklyCount, null);
  assert.equal(set.filePackOverrides, { maxFiles: 3, maxBytes: null });
  assert.equal(set.effectiveFilePackLimits, { maxFiles: 3, maxBytes: 16106127360 });
  const packed = await preflight(server, user.key, { type: 'FILE', count: 4 });
  assert.is(packed.body.message, 'This file pack contains 4 files, but your maximum is 3');
  const cleared = await server.request('DELETE', `/admin/limits/users/${user.id}/overrides`, {
    key: server.owner.key,
  });
  assert.is(cleared.body.message.effective.IMAGE.dailyCount, 5);
  assert.equal(cleared.body.message.filePackOverrides, { maxFiles: null, maxBytes: null });
});

test('a policy replaces the one before, and negative limits are refused', async ({ server }) => {
  const { key } = server.owner;
  await limitRole(server, { IMAGE: { dailyCount: 5, storageBytes: 3 } });
  const roles = (await server.request('GET', '/admin/limits/roles', { key })).body.message;
  const names = roles.map(({ role }: { role: string }) => role);
  assert.ok(names.includes('USER') && !names.includes('ADMIN') && !names.includes('OWNER'));
  const of = roles.find(({ role }: { role: string }) => role === 'USER');
  assert.equal(Object.keys(of.limits), ['TOTAL', 'IMAGE', 'FILE', 'PASTE', 'URL', 'TEMP_MAIL']);
  assert.equal(of.limits.IMAGE, { dailyCount: 5, weeklyCount: null, dailyBytes: null, weeklyBytes: null });
  const after = await limitRole(server, { PASTE: { dailyBytes: 0 } });
  assert.is(after.limits.IMAGE.dailyCount, null);
  assert.is(after.limits.PASTE.dailyBytes, 0);
  for (const [json, words] of [
    [{ limits: { URL: { dailyCount: -1 } } }, 'Limits cannot be negative'],
    [{ filePackLimits: { maxFiles: 0 } }, 'File pack limits must be greater than zero'],
  ] as const) {
    const answer = await server.request('PUT', '/admin/limits/roles/USER', { key, json });
    assert.equal([answer.status, answer.body.message], [400, words]);
  }
});

test('addresses for uploads count from the moment they are given out', async ({ server, user }) => {
  const { key } = user;
  await limitRole(server, { IMAGE: { dailyCount: 1 } });
  const reserve = () =>
    server.request('POST', '/image/generate-upload-url', {
      key,
      json: { contentType: 'text/plain', size: 4, filename: 'a.txt' },
    });
  const { uid, url } = (await reserve()).body;
  assert.is((await reserve()).status, 403);
  assert.is((await upload(server, key)).status, 403);
  assert.is((await fetch(url, { method: 'PUT', body: 'four' })).status, 200);
  const registered = await server.request('POST', '/image/register', { key, json: { uniqueId: uid } });
  assert.is(registered.status, 200, registered.text);
  assert.is((await mine(server, key)).usage.IMAGE.dailyCount, 1);
});

test('an archive is stored as a whole or not at all', async ({ server, user }) => {
  const { key } = user;
  await limitRole(server, { IMAGE: { dailyCount: 2 } });
  const pictures = await Promise.all([16, 24, 32].map((side) => jpegPhoto(1, side, side)));
  const archive = zip(pictures.map((data, index) => ({ name: `${index}.jpg`, data })));
  const form = fileForm(archive, 'a.zip');
  const refused = await server.request('POST', '/image/upload/zip', { key, form });
  assert.equal(
    [refused.status, refused.body.message],
    [403, 'Daily image count limit exceeded (used 0, limit 2)'],
  );
  assert.is((await mine(server, key)).usage.IMAGE.dailyCount, 0);
});

test('a file for which there is no room is refused while it arrives', async ({ server, user }) => {
  await limitRole(server, { TOTAL: { dailyBytes: 1_000 } });
  const bytes = new Uint8Array(9 * 1024 * 1024);
  const refused = await server.request('POST', '/image/upload?filename=a.bin', {
    key: user.key,
    body: bytes,
    headers: { 'content-type': 'application/octet-stream' },
  });
  assert.equal(
    [refused.status, refused.body.message],
    [403, `Daily total byte limit exceeded (used 0, requested ${bytes.length}, limit 1000)`],
  );
});

test('changes are in the audit log under the names of older clients', async ({ server, user }) => {
  const { key } = server.owner;
  await limitRole(server, {});
  await limitUser(server, user.id, {});
  await server.request('DELETE', `/admin/limits/users/${user.id}/overrides`, { key });
  const log = await server.request('GET', '/admin/system/auditlog', { key });
  const types = log.body.message.map(({ type }: { type: string }) => type);
  assert.equal(types.slice(0, 3), [
    'RESOURCE_LIMIT_USER_OVERRIDE_CLEAR',
    'RESOURCE_LIMIT_USER_OVERRIDE_CHANGE',
    'RESOURCE_LIMIT_ROLE_CHANGE',
  ]);
});

test('200 uploads at once, to two servers, store exactly what is allowed', async ({ server, user }) => {
  const second = await startServer({ DATA_DIR: server.dataDir });
  try {
    await limitRole(server, {
      IMAGE: { dailyCount: 30 },
      TOTAL: { dailyBytes: 30 * 20 - 1, dailyCount: 100 },
    });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        upload(index % 2 === 0 ? server : second, user.key, `text of 20 bytes ${String(index).padStart(3)}`),
      ),
    );
    const stored = answers.filter(({ status }) => status === 200);
    assert.is(stored.length, 29);
    for (const { status, body } of answers)
      if (status !== 200)
        assert.match(`${status} ${body.message}`, /^403 Daily (image count|total byte) limit exceeded/);
    const { usage } = await mine(server, user.key);
    assert.equal([usage.IMAGE.dailyCount, usage.TOTAL.dailyBytes], [29, 29 * 20]);
  } finally {
    await second.close();
  }
});

test.run();
