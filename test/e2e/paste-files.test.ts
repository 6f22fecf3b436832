/** Files that no paste can have are refused in plain words wherever a paste is made, and nothing is stored. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CommandWorld, done, endCommandWorld, startCommandWorld } from '../support/servers/command.js';
import { OWNER } from '../support/servers/server-process.js';

interface World extends CommandWorld {
  cookie: string;
}
const test = suite<World>('files of a paste');
test.before(async (world) => {
  await startCommandWorld(world);
  await done(world.holdall(['login', world.server.origin], `${OWNER.OWNER_API_KEY}\n`));
  const login = await send(world, '/v1/auth/login', {
    email: OWNER.OWNER_EMAIL,
    password: OWNER.OWNER_PASSWORD,
  });
  world.cookie = (login.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
});
test.after(endCommandWorld);

const KEY = { 'x-api-key': OWNER.OWNER_API_KEY };
const send = ({ server }: World, path: string, json: object) =>
  fetch(`${server.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(path === '/v1/auth/login' ? {} : KEY) },
    body: JSON.stringify(json),
  });
/** The page with a form of which the first file is `text`. */
async function sendPage({ server, cookie }: World, names: readonly string[]) {
  const form = new URLSearchParams({ text: 'x', title: names[0] ?? '' });
  for (const [index, name] of names.slice(1).entries()) {
    form.set(`name-${index + 1}`, name);
    form.set(`text-${index + 1}`, 'x');
  }
  return fetch(`${server.origin}/web/paste-create`, {
    method: 'POST',
    headers: { cookie },
    body: form,
    redirect: 'manual',
  });
}
async function stored({ server }: World): Promise<number> {
  const answer = await fetch(`${server.origin}/v1/user/get/@me/items?kind=paste`, { headers: KEY });
  return ((await answer.json()) as { message: { totalElements: number } }).message.totalElements;
}

const CASES: readonly (readonly [what: string, names: readonly string[], why: RegExp])[] = [
  ['21 files', Array.from({ length: 21 }, (_, index) => `${index}.txt`), /must have at most 20 entries/],
  ['equal names', ['a.txt', 'b.txt', 'a.txt'], /two are called “a.txt”/],
  ['a name that leads elsewhere', ['a.txt', '../b.txt'], /“\.\.\/b\.txt” is not the name of a file/],
];

for (const [what, names, why] of CASES)
  test(`${what}: 400 with the reason at REST, tRPC and pages`, async (world) => {
    const files = names.map((name) => ({ name, text: 'x' }));
    const before = await stored(world);
    const rest = await send(world, '/v1/paste/create', { files });
    assert.is(rest.status, 400);
    assert.match(((await rest.json()) as { message: string }).message, why);
    const typed = await send(world, '/trpc/paste.create', { files });
    assert.is(typed.status, 400);
    assert.match(((await typed.json()) as { error: { message: string } }).error.message, why);
    const page = await sendPage(world, names);
    assert.is(page.status, 400);
    const html = await page.text();
    assert.match(html, why);
    assert.match(html, 'role="alert"');
    assert.is(await stored(world), before);
  });

test('the command says which FILE is refused, and takes a path for the name at its end', async (world) => {
  const { holdall, folder } = world;
  const write = async (path: string) => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), 'x');
    return path;
  };
  const before = await stored(world);
  const many = await Promise.all(Array.from({ length: 21 }, (_, index) => write(`many/${index}.txt`)));
  const twice = [await write('one/same.txt'), await write('two/same.txt')];
  const odd = [await write('plain.txt'), await write('back\\slash.txt')];
  for (const [paths, why] of [
    [many, 'FILE: must have at most 20 entries'],
    [twice, 'FILE: two are called “same.txt”'],
    [odd, 'FILE: “back\\slash.txt” is not the name of a file'],
  ] as const) {
    const { code, out, err } = await holdall(['paste', ...paths]);
    assert.equal([code, out, err], [1, '', `holdall: ${why}\n`]);
  }
  assert.is(await stored(world), before);
  const { files } = JSON.parse(await done(holdall(['paste', 'one/../plain.txt', 'one/same.txt', '--json'])));
  assert.equal(
    files.map(({ name }: { name: string }) => name),
    ['plain.txt', 'same.txt'],
  );
});

test.run();
