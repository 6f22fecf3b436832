// on both databases
/** The trash: what an owner deletes can be restored for a while, and nobody else finds it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { blobSize } from '../../db/content/file/blob.js';
import { purgeTrash } from '../../routers/app/trash/index.js';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';

interface World {
  server: TestServer;
  user: TestAccount;
  other: TestAccount;
  moderator: TestAccount;
}
const test = suite<World>('trash');
test.before(async (world) => {
  world.server = await startServer({ TRASH_DAYS: '7' });
  world.user = await world.server.account();
  world.other = await world.server.account();
  world.moderator = await world.server.account('ADMIN');
});
test.after(({ server }) => server.close());

const KINDS = ['image', 'paste', 'url'] as const;
type Kind = (typeof KINDS)[number];
let made = 0;
async function make(
  { server }: World,
  kind: Kind,
  key: string,
): Promise<{ id: string; text: string; deletion: string; sha256: string }> {
  made += 1;
  const text = `text ${made}`;
  const answer = await {
    image: () => server.request('POST', '/image/upload', { key, form: fileForm(text, `${made}.txt`) }),
    paste: () => server.request('POST', '/paste/create', { key, json: { text } }),
    url: () => server.request('POST', '/url/create', { key, json: { url: `https://example.com/${made}` } }),
  }[kind]();
  assert.is(answer.status, 200, answer.text);
  const { uniqueId, urlSet, sha256 } = answer.body.message;
  return {
    id: uniqueId,
    text,
    deletion: new URL(urlSet.deletionUrl).pathname + new URL(urlSet.deletionUrl).search,
    sha256,
  };
}
const trashOf = async ({ server }: World, { key }: TestAccount) =>
  (await server.request('GET', '/user/get/@me/trash?size=100', { key })).body.message;
const remove = ({ server }: World, kind: Kind, id: string, key: string, query = '') =>
  server.request('DELETE', `/${kind}/get/${id}${query}`, { key });

for (const kind of KINDS) {
  test(`${kind}: what its owner deletes is gone for everybody, and can be restored as it was`, async (world) => {
    const { server, user, other, moderator } = world;
    const { id } = await make(world, kind, user.key);
    await server.request('PATCH', `/${kind}/get/${id}`, { key: user.key, json: { tags: [`${kind}-tag`] } });
    const before = (await server.request('GET', '/user/get/@me', { key: user.key })).body.message.stats;
    const answer = await remove(world, kind, id, user.key);
    assert.equal([answer.status, answer.body.error, answer.body.message], [200, false, undefined]);
    const paths = {
      image: [
        `/image/get/${id}`,
        `/image/info/${id}`,
        `//r/${id}`,
        `//web/image-render/${id}`,
        `/image/get/poster/${id}`,
      ],
      paste: [
        `/paste/get/${id}`,
        `/paste/get/${id}/revisions`,
        `/paste/get/${id}/diff`,
        `//r/${id}`,
        `//web/paste-render/${id}`,
      ],
      url: [
        `/url/get/${id}`,
        `/url/r/${id}`,
        `/url/get/${id}/logs`,
        `/url/get/${id}/stats`,
        `//r/${id}`,
        `//web/url-render/${id}`,
      ],
    }[kind];
    for (const path of paths)
      for (const key of [undefined, user.key, other.key, moderator.key]) {
        const found = await server.request('GET', path, { key });
        assert.ok([401, 404].includes(found.status), `${path}: ${found.status}`);
      }
    for (const [method, json] of [
      ['PATCH', { tags: [] }],
      ['DELETE', {}],
    ] as const)
      assert.is((await server.request(method, `/${kind}/get/${id}`, { key: user.key, json })).status, 404);
    assert.is((await remove(world, kind, id, moderator.key)).status, 404);
    const after = (await server.request('GET', '/user/get/@me', { key: user.key })).body.message.stats;
    assert.is(after.storageUsed, before.storageUsed, 'its bytes are still stored');
    const tags = (await server.request('GET', '/user/get/@me/tags', { key: user.key })).body.message;
    assert.not(tags.some(({ tag }: { tag: string }) => tag === `${kind}-tag`));
    const trash = await trashOf(world, user);
    const listed = trash.content.find((item: { uniqueId: string }) => item.uniqueId === id);
    assert.is(listed.kind, kind);
    assert.is(Date.parse(listed.purgedAt) - Date.parse(listed.trashedAt), 7 * 86_400_000);
    assert.equal((await trashOf(world, other)).content, []);
    const restore = (key: string) =>
      server.request('POST', `/user/get/@me/trash/${kind}/${id}/restore`, { key });
    assert.is((await restore(other.key)).status, 404);
    assert.is((await restore(moderator.key)).status, 404);
    assert.is((await restore(user.key)).status, 200);
    assert.is((await restore(user.key)).status, 404);
    const path = kind === 'image' ? `/image/info/${id}` : `/${kind}/get/${id}`;
    const again = await server.request('GET', path, { key: user.key });
    assert.equal(again.body.message.tags, [`${kind}-tag`]);
    const stats = (await server.request('GET', '/user/get/@me', { key: user.key })).body.message.stats;
    assert.equal(stats, before);
  });

  test(`${kind}: its id stays reserved until it is deleted for good`, async (world) => {
    const { server, user } = world;
    const { id } = await make(world, kind, user.key);
    await remove(world, kind, id, user.key);
    const again = async () =>
      (
        await {
          image: () =>
            server.request('POST', '/image/upload', {
              key: server.owner.key,
              form: fileForm('x', 'x.txt', { uniqueId: id }),
            }),
          paste: () =>
            server.request('POST', '/paste/create', {
              key: server.owner.key,
              json: { text: 'x', uniqueId: id },
            }),
          url: () =>
            server.request('POST', '/url/create', {
              key: server.owner.key,
              json: { url: 'example.com', uniqueId: id },
            }),
        }[kind]()
      ).status;
    assert.is(await again(), 400);
    const gone = await server.request('DELETE', `/user/get/@me/trash/${kind}/${id}`, { key: user.key });
    assert.is(gone.status, 200);
    assert.is(await again(), 200);
  });

  test(`${kind}: permanent=true, a moderator and no trash at all delete at once`, async (world) => {
    const { user, moderator } = world;
    const [a, b] = [await make(world, kind, user.key), await make(world, kind, user.key)];
    assert.is((await remove(world, kind, a.id, user.key, '?permanent=true')).status, 200);
    assert.is((await remove(world, kind, b.id, moderator.key)).status, 200);
    const ids = (await trashOf(world, user)).content.map((item: { uniqueId: string }) => item.uniqueId);
    assert.not(ids.includes(a.id));
    assert.not(ids.includes(b.id));
  });

  test(`${kind}: the deletion link leads to the trash, too`, async (world) => {
    const { server, user } = world;
    const { id, deletion } = await make(world, kind, user.key);
    const { origin } = server;
    const done = await server.request('POST', `/${deletion}`, {
      headers: { origin },
      form: new URLSearchParams(),
    });
    assert.is(done.status, 200, done.text);
    assert.ok(
      (await trashOf(world, user)).content.some((item: { uniqueId: string }) => item.uniqueId === id),
    );
  });
}

test('moderators and administrators find it only in their search, with trashed=true', async (world) => {
  const { server, user, moderator } = world;
  for (const kind of KINDS) {
    const { id } = await make(world, kind, user.key);
    await remove(world, kind, id, user.key);
    const found = async (query: string) =>
      (await server.request('GET', `/admin/${kind}s?uniqueId=${id}${query}`, { key: moderator.key })).body
        .message.totalElements;
    assert.equal([await found(''), await found('&trashed=true')], [0, 1], kind);
  }
});

test('after its days an item is deleted with its bytes; one whose time has not come stays', async (world) => {
  const { server, user } = world;
  const { services } = server.app;
  const old = await make(world, 'image', user.key);
  await remove(world, 'image', old.id, user.key);
  assert.ok((await blobSize(services.db.read, old.sha256)) !== null);
  const { signal } = new AbortController();
  await purgeTrash(services, signal);
  assert.ok(
    (await trashOf(world, user)).content.some((item: { uniqueId: string }) => item.uniqueId === old.id),
  );
  await services.db.write((trx) =>
    trx('images')
      .where('unique_id', old.id)
      .decrement('trashed_at', 8 * 86_400_000),
  );
  await purgeTrash(services, signal);
  assert.is(await blobSize(services.db.read, old.sha256), null);
  assert.not(
    (await trashOf(world, user)).content.some((item: { uniqueId: string }) => item.uniqueId === old.id),
  );
});

test('emptying the trash deletes everything in it, and nothing of anybody else', async (world) => {
  const { server, user, other } = world;
  const theirs = await make(world, 'paste', other.key);
  await remove(world, 'paste', theirs.id, other.key);
  const mine = await make(world, 'image', user.key);
  await remove(world, 'image', mine.id, user.key);
  assert.ok((await trashOf(world, user)).totalElements > 0);
  assert.is((await server.request('DELETE', '/user/get/@me/trash', { key: user.key })).status, 200);
  assert.is((await trashOf(world, user)).totalElements, 0);
  assert.is((await trashOf(world, other)).totalElements, 1);
  assert.is(await blobSize(server.app.services.db.read, mine.sha256), null);
});

test('a picture in the trash is in no playlist, and back in it when restored', async (world) => {
  const { server, user } = world;
  const [a, b] = [await make(world, 'image', user.key), await make(world, 'image', user.key)];
  const json = { imagesUids: [a.id, b.id], title: 'T' };
  await server.request('PUT', '/image/playlist/get/with-trash/images', { key: user.key, json });
  const images = async () =>
    (
      await server.request('GET', '/image/playlist/get/with-trash', { key: user.key })
    ).body.message.images.map(({ uniqueId }: { uniqueId: string }) => uniqueId);
  await remove(world, 'image', a.id, user.key);
  assert.equal(await images(), [b.id]);
  await server.request('POST', `/user/get/@me/trash/image/${a.id}/restore`, { key: user.key });
  assert.equal(await images(), [a.id, b.id]);
});

test('a restored item and one that took its short address meanwhile lead where they should', async (world) => {
  const { server } = world;
  const { key } = server.owner;
  const link = await server.request('POST', '/url/create', {
    key,
    json: { url: 'https://example.com/x', uniqueId: 'both' },
  });
  await remove(world, 'url', link.body.uniqueId, key);
  const paste = await server.request('POST', '/paste/create', { key, json: { text: 'x', uniqueId: 'both' } });
  assert.match(paste.body.message.urlSet.shortUrl, /\/r\/both$/);
  await server.request('POST', '/user/get/@me/trash/url/both/restore', { key });
  assert.is((await server.request('GET', '//r/both')).headers.get('location'), 'https://example.com/x');
  const now = (await server.request('GET', '/paste/get/both')).body.message.urlSet;
  assert.is(now.shortUrl, now.webUrl);
});

test('deleting an account leaves nothing in its trash', async (world) => {
  const { server } = world;
  const leaving = await server.account();
  const { id, sha256 } = await make(world, 'image', leaving.key);
  await remove(world, 'image', id, leaving.key);
  const json = { password: leaving.password };
  assert.is((await server.request('DELETE', '/user/get/@me', { key: leaving.key, json })).status, 200);
  assert.is(await blobSize(server.app.services.db.read, sha256), null);
});

test.run();
