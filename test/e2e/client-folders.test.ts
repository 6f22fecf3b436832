/** Folders that the client sends: which of several attempts belong together. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient, type FolderFile } from '../../client/src/index.js';
import { startServer, type TestServer } from '../harness.js';

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

test.run();
