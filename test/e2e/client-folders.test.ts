/** Folders that the client sends: which of several attempts belong together. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient, type FolderFile } from '../../client/src/index.js';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { serve } from '../standins/http.js';

const test = suite<{ server: TestServer }>('client: folders');
test.before(async (context) => {
  context.server = await startServer();
});
test.after(({ server }) => server.close());

const file = (path: string, content: string): FolderFile => ({
  path,
  size: content.length,
  open: async () => new Blob([content]),
});

/** A file that can be read once, to be compared, but not to be sent. */
function unreadable(path: string, content: string): FolderFile {
  let isRead = false;
  return {
    ...file(path, content),
    open: async () => {
      if (isRead) throw new Error('is gone');
      isRead = true;
      return new Blob([content]);
    },
  };
}

test('a folder continues its own collection, and never that of another folder of the same name', async ({
  server,
}) => {
  const { owner } = server;
  const kept = new Map<string, string>();
  const memory = {
    get: (name: string) => kept.get(name) ?? null,
    set: (name: string, address: string) => void kept.set(name, address),
    delete: (name: string) => void kept.delete(name),
  };
  const send = (files: readonly FolderFile[], uniqueId?: string) =>
    createClient({ origin: server.origin, apiKey: owner.key }).uploadFolder('Photos', files, {
      ...{ memory, private: true },
      ...(uniqueId === undefined ? {} : { uniqueId }),
    });
  const begun = await send([file('a.txt', 'of the first'), unreadable('b.txt', 'of the first as well')]);
  assert.equal(
    begun.failed.map(({ file: { path } }) => path),
    ['b.txt'],
  );

  const other = await send([file('a.txt', 'of the second')]);
  assert.is.not(other.collection.uniqueId, begun.collection.uniqueId);
  const moved = await send([file('c.txt', 'of the first'), file('b.txt', 'of the first as well')]);
  assert.is.not(moved.collection.uniqueId, begun.collection.uniqueId);
  const whole = [file('b.txt', 'of the first as well'), file('a.txt', 'of the first')];
  const named = await send(whole, 'photos');
  assert.is(named.collection.uniqueId, 'photos');

  const ended = await send(whole);
  assert.equal(ended.failed, []);
  assert.is(ended.collection.uniqueId, begun.collection.uniqueId);
  const { body } = await server.request('GET', `/collection/${begun.collection.uniqueId}`, {
    key: owner.key,
  });
  assert.equal(body.message.items.map(({ path }: { path: string }) => path).sort(), ['a.txt', 'b.txt']);
});

test('a folder whose files have an end goes on without sending again what its collection has', async ({
  server,
}) => {
  const { owner } = server;
  const kept = new Map<string, string>();
  const send = async (files: readonly FolderFile[]) => {
    let sent = 0;
    const { collection, failed } = await createClient({
      origin: server.origin,
      apiKey: owner.key,
    }).uploadFolder('For a day', files, {
      memory: {
        get: (name) => kept.get(name) ?? null,
        set: (name, address) => void kept.set(name, address),
        delete: (name) => void kept.delete(name),
      },
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      onProgress: ({ doneFiles }) => {
        sent = doneFiles;
      },
    });
    return { id: collection.uniqueId, sent, failed: failed.length };
  };
  const begun = await send([file('x.txt', 'for a day'), unreadable('y.txt', 'for a day, too')]);
  assert.is(begun.failed, 1);
  const ended = await send([file('x.txt', 'for a day'), file('y.txt', 'for a day, too')]);
  assert.equal(ended, { id: begun.id, sent: 2, failed: 0 });
  const { body } = await server.request('GET', `/collection/${begun.id}`, { key: owner.key });
  assert.equal(body.message.items.map(({ path }: { path: string }) => path).sort(), ['x.txt', 'y.txt']);
  const { total } = (await server.app.services.db.read('images').count({ total: '*' }).first()) ?? {};
  const before = Number(total);
  // Another folder gets a file of its own: this one goes away in a day.
  const other = await createClient({ origin: server.origin, apiKey: owner.key }).uploadFolder('Lasting', [
    file('x.txt', 'for a day'),
  ]);
  assert.is(other.plan.fresh.length, 1);
  const after = await server.app.services.db.read('images').count({ total: '*' }).first();
  assert.is(Number(after?.total), before + 1);
});

test('an upload whose connection is lost never gets a file from before in its place', async ({ server }) => {
  const { key } = server.owner;
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const contents = ['lost on its way', 'lost on the way back'];
  const ending = new Set<string>();
  for (const content of contents) {
    const form = fileForm(content, 'ending.txt', { expiresAt });
    ending.add((await server.request('POST', '/image/upload', { key, form })).body.uniqueId);
  }
  let stored = 0;
  const cut = new Set(contents);
  const relay = await serve(async ({ method, url, headers, body }, response) => {
    const sent = url.pathname.endsWith('/image/upload') ? contents.find((text) => body.includes(text)) : null;
    const isCut = sent && cut.delete(sent);
    if (isCut && sent === contents[0]) return void response.destroy();
    const answer = await fetch(`${server.origin}${url.pathname}${url.search}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': headers['content-type'] ?? '' },
      ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
    });
    if (sent && answer.ok) stored += 1;
    if (isCut) return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  });
  try {
    const { collection, failed } = await createClient({ origin: relay.url, apiKey: key }).uploadFolder(
      'Lasting all the same',
      contents.map((content, index) => file(`${index}.txt`, content)),
    );
    assert.equal([failed, cut.size, stored], [[], 0, 2]);
    const { body } = await server.request('GET', `/collection/${collection.uniqueId}`, { key });
    const ids: string[] = body.message.items.map(({ uniqueId }: { uniqueId: string }) => uniqueId);
    assert.equal([ids.length, ids.filter((id) => ending.has(id))], [2, []]);
  } finally {
    await relay.close();
  }
});

test.run();
