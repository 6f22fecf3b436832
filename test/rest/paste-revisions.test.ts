// on both databases
/** What a paste was before: list, texts, diff, restore; forks; and pastes of several files. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../harness.js';

interface World {
  server: TestServer;
  user: TestAccount;
  other: TestAccount;
}
const test = suite<World>('revisions of pastes');
test.before(async (world) => {
  world.server = await startServer();
  world.user = await world.server.account();
  world.other = await world.server.account();
});
test.after(({ server }) => server.close());

async function write({ server, user }: World, ...texts: readonly object[]): Promise<string> {
  const [first = {}, ...more] = texts;
  const made = await server.request('POST', '/paste/create', { key: user.key, json: first });
  for (const json of more)
    assert.is(
      (await server.request('PATCH', `/paste/get/${made.body.uniqueId}`, { key: user.key, json })).status,
      200,
    );
  return made.body.uniqueId;
}
const get = ({ server, user }: World, path: string, key: string | undefined = user.key) =>
  server.request('GET', path, { key });

test('the text of a paste that burns is not among its revisions, for nobody', async (world) => {
  const id = await write(world, { text: 'hidden words', burn: true });
  const moderator = await world.server.account('MODERATOR');
  for (const { key } of [world.user, moderator]) {
    assert.is((await get(world, `/paste/get/${id}/revisions`, key)).status, 200);
    for (const path of ['revisions/1', 'revisions/1?raw=true', 'diff']) {
      const { status, text } = await get(world, `/paste/get/${id}/${path}`, key);
      assert.is(status, 403, path);
      assert.not.match(text, /hidden words/);
    }
  }
});

test('every text, title and language is listed, newest first, and read', async (world) => {
  const id = await write(
    world,
    { text: 'one' },
    { text: 'two two', title: 'T' },
    { private: true },
    { language: 'rust' },
  );
  const { body } = await get(world, `/paste/get/${id}/revisions`);
  const list = body.message.content;
  assert.equal(
    list.map(({ revision }: { revision: number }) => revision),
    [4, 2, 1],
  );
  assert.equal(
    list.map(({ size }: { size: number }) => size),
    [7, 7, 3],
  );
  assert.equal([list[0].title, list[2].title, list[0].language], ['T', id, 'rust']);
  assert.is(list[0].author.uid, world.user.id);
  assert.is(body.message.totalElements, 3);
  const page = (await get(world, `/paste/get/${id}/revisions?page=1&size=2`)).body.message;
  assert.equal([page.content.length, page.content[0].revision, page.totalPages], [1, 1, 2]);
  assert.is((await get(world, `/paste/get/${id}/revisions/1`)).body.message.content, 'one');
  assert.is((await get(world, `/paste/get/${id}/revisions/2?raw=true`)).text, 'two two');
  assert.is((await get(world, `/paste/get/${id}/revisions/3`)).status, 404);
  assert.is((await get(world, `/paste/get/${id}/revisions/x`)).status, 400);
});

test('the diff of two revisions is a unified one', async (world) => {
  const lines = (middle: string) => `a\nb\nc\nd\n${middle}\nf\ng\nh\ni\n`;
  const id = await write(world, { text: lines('e') }, { text: lines('E') }, { text: `${lines('E')}j` });
  const diff = await get(world, `/paste/get/${id}/diff?from=1&to=2`);
  assert.match(diff.headers.get('content-type') ?? '', /^text\/plain/);
  assert.match(
    diff.text,
    /^--- .*revision 1\n\+\+\+ .*revision 2\n@@ -2,7 \+2,7 @@\n b\n c\n d\n-e\n\+E\n f\n g\n h\n$/,
  );
  assert.match((await get(world, `/paste/get/${id}/diff`)).text, /\+j\n\\ No newline at end of file/);
  assert.match((await get(world, `/paste/get/${id}/diff?from=3&to=1`)).text, /\+e\n/);
  assert.is((await get(world, `/paste/get/${id}/diff?from=1&to=9`)).status, 404);
});

test('texts that have nothing in common are compared, too, while others are served', async (world) => {
  const many = (seed: number) =>
    Array.from({ length: 40_000 }, (_, index) => ((index * 7919 + seed) % 100_003).toString(36)).join('\n');
  const id = await write(world, { text: many(1) }, { text: many(2) });
  const [diff, status] = await Promise.all([
    get(world, `/paste/get/${id}/diff`),
    world.server.request('GET', '//status'),
  ]);
  assert.is(status.status, 200);
  assert.match(diff.text, /^--- .*\n\+\+\+ .*\n@@ /);
});

test('PUT replaces the text by the body, whatever its type, as a new revision', async (world) => {
  const id = await write(world, { text: 'one', title: 'T' });
  const put = (
    body: string,
    key: string | undefined = world.user.key,
    headers: Record<string, string> = {},
  ) =>
    world.server.request('PUT', `/paste/get/${id}`, {
      ...{ key, body },
      headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    });
  const { status, body } = await put('{"two": "ü 🎒"}\n');
  assert.equal(
    [status, body.message.content, body.message.title, body.message.revision],
    [200, '{"two": "ü 🎒"}\n', 'T', 2],
  );
  const full = 'x'.repeat(1024 * 1024);
  assert.equal(
    [(await put('')).status, (await put('a\0b')).status, (await put(`${full}x`)).status],
    [400, 400, 413],
  );
  assert.is((await put('no', world.other.key)).status, 401);
  assert.is((await put('no', world.user.key, { 'if-match': `W/"paste-${id}-1"` })).status, 412);
  assert.is((await put(full)).body.message.revision, 3);
});

test('an older revision is restored as a new one', async (world) => {
  const id = await write(world, { text: 'one', title: 'First' }, { text: 'two', title: 'Second' });
  const path = `/paste/get/${id}/revisions/1/restore`;
  const stale = { key: world.user.key, headers: { 'if-match': `W/"paste-${id}-1"` } };
  assert.is((await world.server.request('POST', path, stale)).status, 412);
  const { body } = await world.server.request('POST', path, { key: world.user.key });
  assert.equal([body.message.content, body.message.title, body.message.revision], ['one', 'First', 3]);
  assert.is((await get(world, `/paste/get/${id}/revisions/2?raw=true`)).text, 'two');
});

test('the newest 100 revisions of at most 20 MiB are kept', async (world) => {
  const id = await write(
    world,
    { text: 'start' },
    ...Array.from({ length: 104 }, (_, index) => ({ text: `t${index}` })),
  );
  const few = (await get(world, `/paste/get/${id}/revisions?size=100`)).body.message;
  assert.equal([few.totalElements, few.content[0].revision, few.content[99].revision], [100, 105, 6]);
  const large = Array.from({ length: 23 }, (_, index) => ({
    text: String.fromCharCode(97 + index).repeat(1024 * 1024),
  }));
  const kept = (await get(world, `/paste/get/${await write(world, ...large)}/revisions`)).body.message;
  assert.is(kept.totalElements, 20);
});

test('nobody else sees what a paste was, even one that is open to everybody', async (world) => {
  const id = await write(world, { text: 'secret' }, { text: 'open' });
  for (const path of ['revisions', 'revisions/1', 'diff']) {
    assert.is((await get(world, `/paste/get/${id}/${path}`)).status, 200);
    assert.is((await get(world, `/paste/get/${id}/${path}`, world.other.key)).status, 401);
    assert.is((await world.server.request('GET', `/paste/get/${id}/${path}`)).status, 401);
  }
  const restore = { key: world.other.key };
  assert.is(
    (await world.server.request('POST', `/paste/get/${id}/revisions/1/restore`, restore)).status,
    401,
  );
  const page = await world.server.request('GET', `//web/paste-render/${id}`);
  assert.not.match(page.text, /secret/);
});

test('a fork is a new paste of the caller that says where it comes from', async (world) => {
  const { server, user, other } = world;
  const id = await write(world, { text: 'open text', title: 'T', language: 'rust' });
  const fork = (path: string, key: string, json: object = {}) =>
    server.request('POST', `/paste/get/${path}/fork`, { key, json });
  const { status, body } = await fork(id, other.key);
  assert.is(status, 200);
  const { message } = body;
  assert.equal(
    [message.content, message.title, message.language, message.forkedFrom],
    ['open text', 'T', 'rust', id],
  );
  assert.is(message.uploader.uid, other.id);
  assert.is(message.isPublic, true);
  assert.is((await server.request('GET', `/paste/get/${body.uniqueId}`)).body.message.forkedFrom, id);
  await server.request('PATCH', `/paste/get/${id}`, { key: user.key, json: { private: true } });
  assert.is((await server.request('GET', `/paste/get/${body.uniqueId}`)).body.message.forkedFrom, null);
  assert.is((await fork(id, other.key)).status, 403);
  const own = await fork(id, user.key);
  assert.is(own.body.message.isPublic, false, 'what is private stays so');
  const locked = await write(world, { text: 'x', password: 'open sesame' });
  assert.is((await fork(locked, other.key)).status, 403);
  assert.is((await fork(locked, other.key, { password: 'open sesame' })).body.message.isPublic, false);
  const burning = await write(world, { text: 'x', burn: true });
  assert.is((await fork(burning, user.key)).status, 403);
  await server.request('DELETE', `/paste/get/${id}`, { key: user.key });
  assert.is(
    (await server.request('GET', `/paste/get/${body.uniqueId}`, { key: other.key })).body.message.forkedFrom,
    null,
  );
});

test('a key that reads as a visitor reads no older texts', async (world) => {
  const { server, user } = world;
  const id = await write(world, { text: 'one' }, { text: 'two' });
  const made = await server.request('POST', '/user/get/@me/keys', {
    key: user.key,
    json: { name: 'portal', scopes: ['pastes:read'], asVisitor: true },
  });
  const { key } = made.body.message;
  assert.is((await get(world, `/paste/get/${id}`, key)).status, 200);
  for (const path of ['revisions', 'revisions/1', 'diff']) {
    const { status } = await get(world, `/paste/get/${id}/${path}`, key);
    assert.ok(status === 401 || status === 404, `${path}: ${status}`);
  }
});

test('a key that may only write gets no text that it did not send', async (world) => {
  const { server, user } = world;
  const id = await write(world, { text: 'hidden words', private: true }, { text: 'more hidden words' });
  const made = await server.request('POST', '/user/get/@me/keys', {
    key: user.key,
    json: { name: 'writer', scopes: ['pastes:write'] },
  });
  const { key } = made.body.message;
  const fork = await server.request('POST', `/paste/get/${id}/fork`, { key, json: {} });
  assert.is(fork.status, 403);
  assert.match(fork.body.message, /lacks the scope pastes:read/);
  const renamed = await server.request('PATCH', `/paste/get/${id}`, { key, json: { title: 'other' } });
  const restored = await server.request('POST', `/paste/get/${id}/revisions/1/restore`, { key, json: {} });
  for (const { status, text } of [renamed, restored]) {
    assert.is(status, 200, text);
    assert.not.match(text, 'hidden words');
  }
  assert.is((await get(world, `/paste/get/${id}`, user.key)).body.message.content, 'hidden words');
});

const FILES = [
  { name: 'a.ts', text: 'const apple = 1;\n', language: 'typescript' },
  { name: 'b ü.md', text: '# pear', language: null },
  { name: '__init__.py', text: '', language: null },
];

test('a paste of several files keeps each, and its text is the first', async (world) => {
  const { server, user, other } = world;
  const id = await write(world, { files: FILES, title: 'Fruit' });
  const { message } = (await get(world, `/paste/get/${id}`)).body;
  assert.equal(message.files, FILES);
  assert.equal([message.content, message.language, message.title], [FILES[0]?.text, 'typescript', 'Fruit']);
  const raw = async (path: string) => {
    const answer = await server.request('GET', `/paste/get/${id}${path}`);
    return answer.status === 200 ? answer.text : answer.status;
  };
  assert.is(await raw('?raw=true'), FILES[0]?.text);
  assert.is(await raw('/raw'), FILES[0]?.text);
  assert.is(await raw('/raw?file=b%20%C3%BC.md'), '# pear');
  assert.is(await raw('?raw=true&file=b%20%C3%BC.md'), '# pear');
  assert.is(await raw('/raw?file=c'), 404);
  assert.is((await get(world, `/paste/get/${await write(world, { text: 'x' })}`)).body.message.files, null);
  const zip = await fetch(`${server.base}/paste/get/${id}/zip`);
  assert.is(zip.headers.get('content-type'), 'application/zip');
  const bytes = Buffer.from(await zip.arrayBuffer());
  for (const { name, text } of FILES) assert.ok(bytes.includes(name) && bytes.includes(text), name);
  for (const words of ['apple', 'pear', 'init'])
    assert.is((await get(world, `/user/get/@me/items?search=${words}`)).body.message.totalElements, 1, words);
  const fork = await server.request('POST', `/paste/get/${id}/fork`, { key: other.key, json: {} });
  assert.equal(fork.body.message.files, FILES);
  await server.request('PATCH', `/paste/get/${id}`, { key: user.key, json: { private: true } });
  assert.equal([await raw('/raw?file=a.ts'), await raw('/zip')], [403, 403]);
});

test('files are added, removed, renamed and changed, and each revision has its own', async (world) => {
  const { server, user } = world;
  const [first, second] = FILES;
  const renamed = [{ ...second, name: 'c.md' }, first];
  const id = await write(
    world,
    { files: FILES },
    { files: renamed },
    { text: '# plum', language: 'markdown' },
  );
  const now = (await get(world, `/paste/get/${id}`)).body.message;
  assert.equal(now.files, [{ name: 'c.md', text: '# plum', language: 'markdown' }, first]);
  assert.equal((await get(world, `/paste/get/${id}/revisions/1`)).body.message.files, FILES);
  assert.is((await get(world, `/paste/get/${id}/revisions/2?raw=true&file=c.md`)).text, '# pear');
  const diff = (await get(world, `/paste/get/${id}/diff?from=1&to=3`)).text;
  assert.match(diff, /^--- .*b .*\.md.*\trevision 1\n\+\+\+ \/dev\/null\trevision 3\n/m);
  assert.match(diff, /^--- \/dev\/null\trevision 1\n\+\+\+ c\.md\trevision 3\n/m);
  assert.not.match(diff, 'a.ts');
  const change = async (json: object) => {
    const way = { key: user.key, json };
    return (await server.request('PATCH', `/paste/get/${id}`, way)).body.message;
  };
  assert.is((await change({ files: now.files })).revision, 3, 'what changes nothing makes no revision');
  const put = { key: user.key, body: 'put', headers: { 'content-type': 'text/plain' } };
  const empty = await server.request('PUT', `/paste/get/${id}`, { ...put, body: '' });
  assert.is(empty.status, 400, empty.text);
  const replaced = (await server.request('PUT', `/paste/get/${id}`, put)).body.message.files;
  assert.equal(replaced, [{ name: 'c.md', text: 'put', language: 'markdown' }, first]);
  const alone = await change({ files: null });
  assert.equal([alone.files, alone.content, alone.language], [null, 'put', 'markdown']);
  const restore = { key: user.key };
  const back = (await server.request('POST', `/paste/get/${id}/revisions/1/restore`, restore)).body.message;
  assert.equal(back.files, FILES);
  const plain = (await server.request('POST', `/paste/get/${id}/revisions/5/restore`, restore)).body.message;
  assert.equal([plain.files, plain.content], [null, 'put']);
});

test('files of one name, with a path, without text or beside a text are refused', async (world) => {
  const { server, user } = world;
  const file = (name: string, text = 'x') => ({ name, text });
  const refused: readonly object[] = [
    { files: [] },
    { files: [file('a'), file('a')] },
    { files: Array.from({ length: 21 }, (_, index) => file(`${index}`)) },
    { files: [file('a')], text: 'x' },
    { files: [file('a', ''), file('b', '')] },
    { files: [file('a', 'x'.repeat(512 * 1024)), file('b', 'x'.repeat(512 * 1024 + 1))] },
    { files: 'a' },
    ...['', '.', '..', '../a', 'a/b', 'a\\b', 'a\nb', 'x'.repeat(256)].map((name) => ({
      files: [file(name)],
    })),
  ];
  const id = await write(world, { files: [file('a')] });
  for (const json of refused)
    for (const [method, path] of [
      ['POST', '/paste/create'],
      ['PATCH', `/paste/get/${id}`],
    ] as const)
      assert.is(
        (await server.request(method, path, { key: user.key, json })).status,
        400,
        JSON.stringify(json),
      );
  assert.is((await get(world, `/paste/get/${id}`)).body.message.revision, 1);
});

test('files that burn are read once, all together, and asking for one that is not there burns none', async (world) => {
  const { server, user } = world;
  const id = await write(world, { files: FILES, burn: true });
  const path = `/paste/get/${id}`;
  for (const way of ['/raw?file=a.ts', '/zip'])
    assert.is((await get(world, `${path}${way}`)).status, 403, way);
  assert.is((await server.request('POST', `${path}?file=none`)).status, 404);
  const change = { key: user.key, json: { files: [{ name: 'a.ts', text: 'new' }] } };
  assert.is((await server.request('PATCH', path, change)).status, 400);
  assert.equal((await server.request('POST', path)).body.message.files, FILES);
  assert.is((await get(world, path)).status, 404);
});

test.run();
