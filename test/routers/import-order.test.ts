// on both databases
/** `holdall import` stores several items at once, and yet the first one of those that clash keeps what it had. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { oldTarget } from '../../db/content/old-address.js';
import { PLAIN, type Source, type SourceItem } from '../../server/operations/import/port.js';
import { importAll } from '../../server/operations/import/run.js';
import { startServer, type TestServer } from '../harness.js';

const test = suite<{ server: TestServer }>('import: items that clash');
test.before(async (context) => {
  context.server = await startServer();
});
test.after(({ server }) => server.close());

const plain = { ...PLAIN, owner: null, createdAt: 1_700_000_000_000 };
const file = (key: string, bytes: Buffer, id: string, address: string): SourceItem => ({
  ...{ ...plain, kind: 'image', key, id, addresses: [address], bytes, name: `${key}.bin` },
  ...{ description: null, views: 0, maxViews: null },
});
const link = (key: string, id: string, address: string): SourceItem => ({
  ...{ ...plain, kind: 'url', key, id, addresses: [address], target: `https://example.org/${key}` },
  ...{ visits: 0, maxUses: null, note: null, forwardQuery: false },
});

test('the first of several items keeps the id and the address, however long it takes to store it', async ({
  server,
}) => {
  // Storing the first one takes far longer than all others together.
  const items = [
    file('large', Buffer.alloc(32 * 1024 * 1024, 'a'), 'Same', 'there/a'),
    file('small', Buffer.from('b'), 'sAME', 'there/b'),
    link('other', 'free', 'there/a'),
    link('alone', 'alone', 'there/c'),
  ];
  const source: Source = {
    async *accounts() {},
    async *items() {
      yield* items;
    },
    leftOut: () => [],
    close: async () => {},
  };
  const ids = new Map<string, string>();
  await importAll(
    server.app.services,
    source,
    { source: 'test', owner: server.owner.username, map: new Map(), dryRun: false },
    {
      account: () => {},
      item: (_kind, key, what, text) => ids.set(key, `${what} ${text}`),
      changed: () => {},
    },
  );
  assert.is(ids.get('large'), 'came Same');
  assert.match(ids.get('small') ?? '', /^came (?!same)/i);
  assert.is(ids.get('other'), 'came free');
  assert.is(ids.get('alone'), 'came alone');
  const { read } = server.app.services.db;
  assert.is((await oldTarget(read, 'there/a'))?.uniqueId, 'Same');
  assert.is((await oldTarget(read, 'there/c'))?.uniqueId, 'alone');
});

test.run();
