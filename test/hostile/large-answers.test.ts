/**
 * Small requests with large answers, many at once: memory for pending answers is bounded, and legitimate ones
 * still arrive.
 */
import { createTRPCClient, httpBatchStreamLink } from '@trpc/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AppRouter } from '../../routers/index.js';
import { type Answer, fileForm, startServer, type TestServer } from '../harness.js';
import { sessionOf } from '../support/accounts/accounts.js';
import { unzip } from '../support/media/unzip.js';
import { until } from '../support/until.js';
import { ask, headOf } from './raw.js';

const IMAGES = 1_000;
const CALLS = 20;

let server: TestServer;
/** A playlist of many images. */
let identifier: string;
const large = suite('large answers');
large.before(async () => {
  server = await startServer();
  identifier = await playlist();
});
large.after(() => server.close());

/** The same procedure twenty times in one request; returns how many of the calls were answered. */
async function batch(procedure: string, input: object): Promise<{ answer: Answer; answered: number }> {
  const inputs = Object.fromEntries(Array.from({ length: CALLS }, (_, index) => [index, input]));
  const names = Array.from({ length: CALLS }, () => procedure).join(',');
  const answer = await server.request(
    'GET',
    `//trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`,
    { key: server.owner.key },
  );
  const answered = answer.body.filter(({ result }: { result?: unknown }) => result !== undefined).length;
  return { answer, answered };
}

/** A playlist of many images with the same bytes. */
async function playlist(): Promise<string> {
  const { key } = server.owner;
  const form = fileForm('the same bytes', 'first.txt');
  const first = (await server.request('POST', '/image/upload', { key, form })).body.uniqueId;
  const json = { imagesUids: [first] };
  const { body } = await server.request('POST', '/image/playlist/create', { key, json });
  await server.app.services.db.write(async (trx) => {
    const { id: imageId, ...image } = await trx('images').where({ unique_id: first }).first();
    const item = await trx('collection_items').where({ image_id: imageId }).first();
    for (let index = 1; index < IMAGES; index += 1) {
      const id = `COPY${index}`;
      const copy = { ...image, unique_id: id, lookup_id: id.toLowerCase() };
      const [made] = await trx('images').insert(copy).returning('id');
      await trx('collection_items').insert({ ...item, image_id: made.id, position: index });
    }
  });
  return body.uniqueId;
}

large(
  'a playlist of a thousand images is answered in full, but not twenty times in one request',
  async () => {
    const { body } = await server.request('GET', `/image/playlist/get/${identifier}`);
    assert.is(body.message.images.length, IMAGES);
    // It would be too large at any other time as well: nobody is told to come back. A machine that stalls may run out of
    // the patience with which calls wait for their turn; that is another refusal.
    await until(async () => {
      const { answer, answered } = await batch('playlist.get', { identifier });
      assert.ok(answered > 0 && answered < CALLS, String(answered));
      return answer.headers.get('retry-after') === null;
    });
    // The memory is free again.
    await until(
      async () => (await server.request('GET', `/image/playlist/get/${identifier}`)).status === 200,
    );
    const page = `${server.origin}/web/collection/${identifier}`;
    // Those that wait for a turn are not refused, although there is not memory for all: one after the other gets it.
    const asked = Array.from({ length: 18 }, () =>
      server.request('GET', `/image/playlist/get/${identifier}`),
    );
    assert.equal(new Set((await Promise.all(asked)).map(({ status }) => status)), new Set([200]));
    const preview = await server.request('GET', `//web/oembed?url=${encodeURIComponent(page)}`);
    assert.is(preview.body.author_name, server.owner.username);
  },
);

large(
  'the files of a playlist, twenty times in one request, count as memory before they are listed',
  async () => {
    const { answerMemory } = server.app.services.limits;
    // A caller may hold 64 MiB; what is left is enough for ten listings of 1 KiB for each file.
    const held: (() => void)[] = [];
    await until(async () => {
      const release = answerMemory.take(54 * 1024 * 1024, '127.0.0.1');
      if (release !== null) held.push(release);
      return release !== null;
    });
    const { answer, answered } = await batch('playlist.archive', { identifier });
    assert.ok(answered > 0 && answered <= 10, String(answered));
    assert.is(answer.headers.get('retry-after'), '1');
    for (const release of held) release();
    await until(async () => (await batch('playlist.archive', { identifier })).answered === CALLS);
  },
);

large('a range of a century of days is answered, but not twenty times in one request', async () => {
  const input = { fillMissing: true, fromDate: '1970-01-01', toDate: '2070-01-01' };
  const { body } = await server.request('POST', '/stats/all', { key: server.owner.key, json: input });
  assert.ok(body.message.imagesPerDay.length > 36_000);
  const { answered } = await batch('stats.all', {
    fillMissing: true,
    fromDate: Date.parse(input.fromDate),
    toDate: Date.parse(input.toDate),
  });
  assert.ok(answered > 0 && answered < CALLS, String(answered));
});

large('a long text is read only for callers who may see it, and separately from its row', async () => {
  const text = 'x'.repeat(100_000);
  const json = { text, private: true };
  const { body } = await server.request('POST', '/paste/create', { key: server.owner.key, json });
  const found = await server.app.services.load.paste(body.uniqueId);
  assert.equal([found?.size, found?.content], [text.length, null]);
  assert.is((await server.request('GET', `/paste/get/${body.uniqueId}`)).status, 403);
  const read = await server.request('GET', `/paste/get/${body.uniqueId}`, { key: server.owner.key });
  assert.is(read.body.message.content, text);
});

large('a long paste counts until it is sent, also on the hot path', async () => {
  const json = { text: 'x'.repeat(100_000) };
  const { body } = await server.request('POST', '/paste/create', { key: server.owner.key, json });
  const { limits } = server.app.services;
  const { answerMemory } = limits;
  const order: string[] = [];
  const take: typeof answerMemory.take = (bytes, holder) => {
    setImmediate(() => order.push('a turn later'));
    const release = answerMemory.take(bytes, holder);
    return (
      release &&
      (() => {
        order.push('released');
        release();
      })
    );
  };
  Object.assign(limits, { answerMemory: { take } });
  try {
    assert.is((await server.request('GET', `/paste/get/${body.uniqueId}`)).status, 200);
    await until(async () => order.length === 2);
  } finally {
    Object.assign(limits, { answerMemory });
  }
  assert.equal(order, ['a turn later', 'released']);
});

large('the export of an account with many long pastes contains all of them', async () => {
  const account = await server.account();
  const COUNT = 18;
  for (let index = 0; index < COUNT; index += 1) {
    const json = { text: `${index} ${'long '.repeat(160_000)}` };
    assert.is((await server.request('POST', '/paste/create', { key: account.key, json })).status, 200);
  }
  const cookie = `session_token=${await sessionOf(server, account)}`;
  const address = `http://127.0.0.1:${server.app.address.port}/web/settings/account/export`;
  const zip = await fetch(address, { headers: { cookie } });
  assert.is(zip.status, 200);
  const texts = [...(await unzip(Buffer.from(await zip.arrayBuffer())))].filter(([name]) =>
    name.startsWith('pastes/'),
  );
  assert.is(texts.length, COUNT);
  for (const [name, bytes] of texts) assert.ok(bytes.length > 800_000, name);
});

large('procedures work with any Host header and answer 405 to unsupported methods', async () => {
  const target = `/trpc/paste.get?input=${encodeURIComponent('{"uniqueId":"none"}')}`;
  const port = server.app.address.port;
  for (const Host of ['u@localhost', '[', 'a b', '%', 'x:99999', 'localhost'])
    assert.is((await ask(port, headOf('GET', target, { Host, Connection: 'close' }))).status, 404, Host);
  assert.is((await ask(port, headOf('TRACE', target, { Connection: 'close' }))).status, 405);
});

large('a batch that is answered in pieces still sets its cookies', async () => {
  const { email, password, username } = server.owner;
  const cookies: string[] = [];
  const client = createTRPCClient<AppRouter>({
    links: [
      httpBatchStreamLink({
        url: `http://127.0.0.1:${server.app.address.port}/trpc`,
        fetch: async (url, options) => {
          const response = await fetch(url, options as RequestInit);
          cookies.push(...response.headers.getSetCookie());
          return response;
        },
      }),
    ],
  });
  assert.is((await client.auth.login.mutate({ email, password })).username, username);
  assert.match(cookies.join(), /session_token=/);
});

large.run();
