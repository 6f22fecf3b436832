import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SCOPES } from '../../routers/core/scopes.js';
import { fileForm, type TestAccount, type TestServer } from '../harness.js';
import {
  type LegacyClient,
  legacyClient,
  PORTAL,
  startWithPortal,
} from '../support/interface/legacy-client.js';

interface World {
  server: TestServer;
  /** Reads with the owner's main key, as portals that exist do. */
  byMainKey: LegacyClient;
  /** Reads with a named key that was made for it. */
  byNamedKey: LegacyClient;
  author: TestAccount;
}

const test = suite<World>('legacy client: a portal reads with its own key what its visitor may see');

test.before(async (world) => {
  world.server = await startWithPortal();
  const { server } = world;
  world.author = await server.account();
  const made = await server.request('POST', '/user/get/@me/keys', {
    key: server.owner.key,
    json: { name: 'portal', scopes: SCOPES, asVisitor: true },
  });
  assert.is(made.status, 200, made.text);
  world.byMainKey = legacyClient(server, server.owner.key);
  world.byNamedKey = legacyClient(server, made.body.message.key);
});
test.after(({ server }) => server.close());

const pasteOf = async ({ server, author }: World, fields: object): Promise<string> =>
  (
    await server.request('POST', '/paste/create', {
      key: author.key,
      json: { text: 'hidden words', ...fields },
    })
  ).body.message.uniqueId;

const imageOf = async ({ server, author }: World, fields: Record<string, string>): Promise<string> =>
  (
    await server.request('POST', '/image/upload', {
      key: author.key,
      form: fileForm('hidden words', 'a.txt', fields),
    })
  ).body.message.uniqueId;

for (const by of ['byMainKey', 'byNamedKey'] as const) {
  test(`${by}: a private or protected paste stays closed, and opens with its password`, async (world) => {
    const portal = world[by];
    const isPrivate = await pasteOf(world, { private: true });
    const locked = await pasteOf(world, { password: 'open sesame' });
    for (const id of [isPrivate, locked])
      for (const query of ['', '?raw=true']) {
        const answer = await portal.server('GET', `/paste/get/${id}${query}`);
        assert.is(answer.status, 403, answer.text);
        assert.not.match(answer.text, 'hidden words');
      }
    const opened = await portal.server('GET', `/paste/get/${locked}?password=open%20sesame`);
    assert.is(opened.body.message.content, 'hidden words');
  });

  test(`${by}: a private image, its bytes, its information and its playlist stay closed`, async (world) => {
    const portal = world[by];
    const id = await imageOf(world, { private: 'true', desc: 'secret place' });
    for (const path of [`/image/get/${id}`, `/image/get/${id}?base64=true`, `/image/get/${id}?info=true`]) {
      const answer = await portal.server('GET', path);
      assert.is(answer.status, 403, path);
    }
    const info = await portal.server('GET', `/image/info/${id}`);
    assert.is(info.status, 200);
    if (by === 'byMainKey') {
      assert.is(info.body.message.location, 'S3', 'the portal would look for it in its own folder');
      const open = await portal.server('GET', `/image/info/${await imageOf(world, {})}`);
      assert.is(open.body.message.location, 'LOCAL');
      const plain = await world.server.request('GET', `/image/info/${id}`, { key: world.author.key });
      assert.is(plain.body.message.location, 'LOCAL');
    }
    assert.is(info.body.message.description, null);
    assert.is(info.body.message.originalName, null);
    const list = await world.server.request('POST', '/image/playlist/create', {
      key: world.author.key,
      json: { title: 'trip', imagesUids: [id] },
    });
    const seen = await portal.server('GET', `/image/playlist/get/${list.body.message.uniqueId}`);
    assert.equal(seen.body.message.images, []);
  });

  test(`${by}: an expired item is gone`, async (world) => {
    const id = await pasteOf(world, { expiresAt: Date.now() + 400 });
    for (;;) {
      const { status } = await world.server.request('GET', `/paste/get/${id}`);
      if (status === 404) break;
    }
    assert.is((await world[by].server('GET', `/paste/get/${id}`)).status, 404);
  });

  test(`${by}: profiles show no e-mail address, status or key`, async (world) => {
    for (const name of [world.author.username, world.server.owner.username]) {
      const { body } = await world[by].server('GET', `/user/get/${name}`);
      assert.is(body.message.username, name);
      for (const field of ['email', 'status', 'apiKey']) assert.is(field in body.message, false, field);
    }
  });

  test(`${by}: who opened a link is shown to administrators through the portal, not by a named key`, async (world) => {
    const { key } = world.author;
    const url = { url: 'https://example.com/', maxUses: 1 };
    const { uniqueId } = (await world.server.request('POST', '/url/create', { key, json: url })).body.message;
    const read = (path: string) => world[by].server('GET', path);
    const shown = by === 'byMainKey';
    for (const when of ['living', 'used up']) {
      const visits = when === 'living' ? 0 : 1;
      const gone = when === 'living' ? 401 : 404;
      for (const part of [
        ...[`/url/get/${uniqueId}/logs`, `/url/get/${uniqueId}/logs/export`, `/url/get/${uniqueId}/stats`],
      ])
        assert.is((await read(part)).status, shown ? 200 : gone, `${when} ${part}`);
      const record = await read(`/url/get/${uniqueId}?logs=true`);
      assert.is(record.status, shown || when === 'living' ? 200 : 404);
      assert.is(record.body.message.logs?.length, shown ? visits : undefined);
      assert.is((await read(`/url/get/${uniqueId}`)).status, when === 'living' ? 200 : 404);
      assert.is((await world.server.request('GET', `/url/get/${uniqueId}/logs`, { key })).status, 200);
      if (when === 'living') await world.server.request('GET', `/r/${uniqueId}`);
    }
    const member = world.byMainKey.server('GET', `/url/get/${uniqueId}/logs`, {
      key: (await world.server.account()).key,
    });
    assert.is((await member).status, 404, 'the main key of somebody else is no portal');
  });

  test(`${by}: administration by the same key works as before`, async (world) => {
    const id = await pasteOf(world, { private: true });
    const list = await world[by].server('GET', '/admin/pastes');
    assert.is(list.status, 200);
    assert.match(list.text, id);
    assert.is((await world[by].server('DELETE', `/paste/get/${id}`)).status, 200);
  });
}

test('the same main key from a browser, or without the header, has its own rights', async (world) => {
  const id = await pasteOf(world, { private: true });
  const { key } = world.server.owner;
  assert.is((await world.server.request('GET', `/paste/get/${id}`, { key })).status, 200);
  assert.is((await world.byMainKey.browser('GET', `/paste/get/${id}`, { key })).status, 200);
  const headers = { origin: PORTAL, 'access-control-allow-origin': '*' };
  assert.is((await world.server.request('GET', `/paste/get/${id}`, { key, headers })).status, 200);
});

test("a member's main key opens the member's own items through the portal's server", async (world) => {
  const id = await pasteOf(world, { private: true });
  const answer = await world.byMainKey.server('GET', `/paste/get/${id}`, { key: world.author.key });
  assert.is(answer.status, 200);
});

test('the address at the portal is given only for what the portal can protect', async (world) => {
  const { server, author } = world;
  const open = (await server.request('POST', '/paste/create', { key: author.key, json: { text: 'a' } })).body;
  assert.is(open.message.urlSet.portalUrl, `${PORTAL}/p/${open.uniqueId}`);
  for (const fields of [{ private: true }, { password: 'open sesame' }, { burn: true }]) {
    const made = await server.request('POST', '/paste/create', {
      key: author.key,
      json: { text: 'a', ...fields },
    });
    const { urlSet } = made.body.message;
    assert.is(urlSet.portalUrl, urlSet.webUrl, JSON.stringify(fields));
  }
  const link = await server.request('POST', '/url/create', {
    key: author.key,
    json: { url: 'https://example.com' },
  });
  assert.is(link.body.message.urlSet.portalUrl, link.body.message.urlSet.webUrl);
  const image = await server.request('POST', '/image/upload', {
    key: author.key,
    form: fileForm('a', 'a.txt', { private: 'true' }),
  });
  assert.is(image.body.message.urlSet.portalUrl, `${PORTAL}/i/${image.body.message.uniqueId}`);
});

test.run();
