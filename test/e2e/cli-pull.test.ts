/** `holdall pull`: a collection of another server, and again after it grew. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { ageFile, newKey, opened, sealedNameFor } from '../support/content/sealed.js';
import { type CommandWorld, done, endCommandWorld, startCommandWorld } from '../support/servers/command.js';
import { OWNER } from '../support/servers/server-process.js';

const pulling = suite<CommandWorld & { other: TestServer }>('pulling a collection');
pulling.before(async (world) => {
  await startCommandWorld(world);
  world.other = await startServer();
  await done(world.holdall(['login', world.server.origin], OWNER.OWNER_API_KEY));
});
pulling.after(async (world) => {
  await world.other.close();
  await endCommandWorld(world);
});

const upload = async (other: TestServer, content: string, name: string, desc: string) => {
  const form = fileForm(content, name, { desc });
  const { body } = await other.request('POST', '/image/upload', { key: other.owner.key, form });
  return body.uniqueId as string;
};

pulling('keeps paths and descriptions, and sends nothing twice', async ({ holdall, other, server }) => {
  const { key } = other.owner;
  const items = [
    { uniqueId: await upload(other, 'first', 'a.txt', 'The first'), path: 'texts/a.txt' },
    { uniqueId: await upload(other, 'second', 'b.txt', 'The second'), path: 'texts/more/b.txt' },
    { uniqueId: await upload(other, 'third', 'b.txt', ''), path: 'texts/more/B.txt' },
  ];
  const json = { title: 'From elsewhere', description: 'Some texts', items };
  const { body } = await other.request('POST', '/collection', { key, json });
  const page = `${other.origin}/web/collection/${body.uniqueId}`;

  const own = async (link: string) => {
    const headers = { 'x-api-key': OWNER.OWNER_API_KEY };
    const answer = await fetch(`${server.origin}/v1/collection/${link.trim().split('/').at(-1)}`, {
      headers,
    });
    return ((await answer.json()) as { message: Record<string, unknown> & { items: Listed[] } }).message;
  };
  const first = await own(await done(holdall(['pull', page])));
  assert.equal([first.title, first.description], ['From elsewhere', 'Some texts']);
  assert.equal(
    first.items.map(({ path, description }) => [path, description]),
    [
      ['texts/a.txt', 'The first'],
      ['texts/more/b.txt', 'The second'],
      ['texts/more/B (2).txt', null],
    ],
  );

  const added = await upload(other, 'fourth', 'd.txt', '');
  await other.request('POST', `/collection/${body.uniqueId}/items`, {
    key,
    json: { items: [{ uniqueId: added }] },
  });
  const links = await other.request('POST', `/collection/${body.uniqueId}/links`, {
    key,
    json: { password: 'open sesame' },
  });
  const shared = links.body.message.url as string;
  assert.is((await holdall(['pull', shared])).code, 1);
  const again = await holdall(['pull', shared, '--password', 'open sesame', '--name', 'Again', '--private']);
  assert.match(again.err, '1 files to send');
  const second = await own(again.out);
  assert.equal([second.title, second.isPublic, second.items.length], ['Again', false, 4]);
  const ids = new Set(first.items.map(({ uniqueId }) => uniqueId));
  assert.is(second.items.filter(({ uniqueId }) => ids.has(uniqueId)).length, 3);
});

pulling('what is sealed stays so, and opens with the same key', async ({ holdall, other, server }) => {
  const { key } = other.owner;
  const age = await newKey();
  const make = async (title: string) => {
    const sealedName = await sealedNameFor(age.recipient, { name: `${title}.txt` });
    const file = await ageFile(age.recipient, title);
    const form = fileForm(file, 'x', { sealed: 'true', sealedName });
    const { body } = await other.request('POST', '/image/upload', { key, form });
    return { uniqueId: body.uniqueId as string, sealedName };
  };
  const [one, two] = [await make('one'), await make('two')];
  const clear = await upload(other, 'in the clear', 'c.txt', '');
  const sealedName = await sealedNameFor(age.recipient, { title: 'Papers' });
  const ids = [{ uniqueId: one.uniqueId }, { uniqueId: two.uniqueId }];
  for (const [json, secret] of [
    [{ sealed: true, sealedName, items: ids }, `#${age.identity}`],
    [{ title: 'Mixed', items: [...ids, { uniqueId: clear, path: 'c.txt' }] }, ''],
  ] as const) {
    const { body } = await other.request('POST', '/collection', { key, json });
    const address = `${other.origin}/web/collection/${body.uniqueId}${secret}`;
    const link = (await done(holdall(['pull', address]))).trim();
    assert.ok(link.endsWith(secret));
    const id = new URL(link).pathname.split('/').at(-1);
    const headers = { 'x-api-key': OWNER.OWNER_API_KEY };
    const answer = await fetch(`${server.origin}/v1/collection/${id}`, { headers });
    const { message } = (await answer.json()) as { message: typeof body };
    const isSealed = 'sealed' in json;
    assert.equal([message.sealed, message.sealedName], [isSealed, isSealed ? sealedName : null]);
    const sealed = message.items.filter((item: { sealed: boolean }) => item.sealed);
    const names = sealed.map((item: { sealedName: string }) => item.sealedName);
    assert.equal([message.items.length, names], [json.items.length, [one.sealedName, two.sealedName]]);
    const bytes = await fetch(`${server.origin}/v1/image/get/${sealed[1].uniqueId}`);
    assert.is(await opened(age.identity, Buffer.from(await bytes.arrayBuffer())), 'two');
  }
});

pulling('says what is no collection, and what cannot be reached', async ({ holdall, other }) => {
  for (const [address, error] of [
    ['nothing', 'ADDRESS must be like'],
    [`${other.origin}/web/links`, 'no address of a collection'],
    [`${other.origin}/web/collection/NOWHERE1`, 'holdall: '],
    ['http://127.0.0.1:1/web/collection/NOWHERE1', 'cannot be reached'],
  ] as const) {
    const { code, out, err } = await holdall(['pull', address]);
    assert.ok(code !== 0 && out === '', address);
    assert.match(err, error);
  }
});

interface Listed {
  readonly uniqueId: string;
  readonly path: string;
  readonly description: string | null;
}

pulling.run();
