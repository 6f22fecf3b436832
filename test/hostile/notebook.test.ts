/** Notebooks that no stack, parser or browser can take are shown as their source, and keep nobody from the next. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { until } from '../support/until.js';

interface World {
  server: TestServer;
}
const test = suite<World>('hostile notebooks');
test.before(async (world) => {
  world.server = await startServer();
});
test.after(({ server }) => server.close());

const DEEP = 200_000;
const list = (depth: number, inner = '') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;
const cell = (type: string, source: string, more = '') =>
  `{"cells":[{"cell_type":"${type}","source":${source}${more}}],"nbformat":4}`;
const NESTED: readonly (readonly [what: string, text: string])[] = [
  ['a source of lists', cell('code', list(DEEP, '"x"'))],
  ['a source of lists that never close', cell('code', '['.repeat(DEEP))],
  ['an output of lists', cell('code', '"x"', `,"outputs":[{"output_type":"stream","text":${list(DEEP)}}]`)],
  ['a list instead of a notebook', list(DEEP)],
];
const SOUND = cell('markdown', '"# A sound one"');

/** The path of the page of a notebook: as a paste, or as a file. */
async function shared({ server }: World, text: string, asFile: boolean): Promise<string> {
  const { key } = server.owner;
  const { status, body } = asFile
    ? await server.request('POST', '/image/upload', {
        key,
        form: fileForm(text, 'notes.ipynb', {}, 'application/json'),
      })
    : await server.request('POST', '/paste/create', { key, json: { text, title: 'notes.ipynb' } });
  assert.is(status, 200, JSON.stringify(body));
  return `//web/${asFile ? 'image' : 'paste'}-render/${body.uniqueId}`;
}

for (const [what, text] of NESTED)
  test(`${what}, deeper than the stack, is shown as its source while others are answered`, async (world) => {
    for (const asFile of [false, true]) {
      const path = await shared(world, text, asFile);
      const [page, ...others] = await Promise.all([
        world.server.request('GET', path),
        ...Array.from({ length: 3 }, () => world.server.request('GET', '//status')),
      ]);
      assert.is(page?.status, 200);
      assert.ok(page?.text.includes('['.repeat(DEEP)), 'its source');
      for (const { status } of others) assert.is(status, 200);
      const next = await shared(world, SOUND, asFile);
      // It is rendered once the process that took the other one takes the next.
      await until(async () => (await world.server.request('GET', next)).text.includes('>A sound one</h2>'));
    }
  });

test.run();
