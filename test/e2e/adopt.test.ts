/** `holdall adopt`: files of a folder become items, with no second copy of their bytes. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CommandWorld, done, endCommandWorld, startCommandWorld } from '../support/servers/command.js';
import { OWNER } from '../support/servers/server-process.js';

const adopting = suite<CommandWorld & { music: string }>('adopting a folder');
adopting.before(async (world) => {
  await startCommandWorld(world);
  world.music = await mkdtemp(join(tmpdir(), 'holdall-adopted-'));
  await mkdir(join(world.music, 'texts'));
  await writeFile(join(world.music, 'texts', 'a.txt'), 'the first text');
  await writeFile(join(world.music, 'b.txt'), 'the second text');
  for (const name of ['texts/a.txt', 'b.txt'])
    await utimes(join(world.music, name), 1_600_000_000, 1_600_000_000);
});
adopting.after(async (world) => {
  await endCommandWorld(world);
  await rm(world.music, { recursive: true });
});

const call = async ({ server }: CommandWorld, method: string, path: string, json?: object) => {
  const headers = { 'x-api-key': OWNER.OWNER_API_KEY, 'content-type': 'application/json' };
  const answer = await fetch(`${server.origin}/v1${path}`, {
    method,
    headers,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  return { status: answer.status, text: await answer.text() };
};

adopting('is refused for an account that has metadata removed', async (world) => {
  const { code, err } = await world.holdall(['adopt', world.music]);
  assert.is(code, 1);
  assert.match(err, 'the account owner removes metadata');
  assert.is((await stat(join(world.music, 'b.txt'))).nlink, 1);
});

adopting('shares bytes and dates with the files, and leaves them when an item goes', async (world) => {
  const { holdall, music, folder } = world;
  await call(world, 'PATCH', '/user/get/@me/settings/media', { metadata: 'keep' });
  assert.match((await holdall(['adopt', music, '--dry-run'])).err, '2 files');
  assert.is((await stat(join(music, 'b.txt'))).nlink, 1);
  await done(holdall(['adopt', music]));
  for (const name of ['texts/a.txt', 'b.txt']) {
    const facts = await stat(join(music, name));
    assert.equal([facts.nlink, facts.mtimeMs], [2, 1_600_000_000_000], name);
  }
  assert.is((await call(world, 'GET', '/image/get/b')).text, 'the second text');
  const info = JSON.parse((await call(world, 'GET', '/image/info/a')).text).message;
  assert.equal([info.originalName, info.uploadedAt], ['a.txt', '2020-09-13T12:26:40.000Z']);
  assert.not.ok((await readdir(folder)).some((name) => name.startsWith('adopting')));

  await writeFile(join(music, 'c.txt'), 'the third text');
  assert.match((await holdall(['adopt', music])).err, 'imported 1 file');
  assert.is((await call(world, 'DELETE', '/image/get/b')).status, 200);
  assert.is(await readFile(join(music, 'b.txt'), 'utf8'), 'the second text');
});

adopting('says what is no folder', async ({ holdall, music }) => {
  const { code, err } = await holdall(['adopt', join(music, 'b.txt')]);
  assert.is(code, 1);
  assert.match(err, 'is no folder');
  assert.is((await holdall(['adopt'])).code, 2);
});

adopting.run();
