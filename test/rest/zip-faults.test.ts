/** Zips whose files cannot be read: the server and its descriptors outlive them. */
import { mkdir, readdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, fileForm, startServer, type TestServer } from '../harness.js';
import { followRequests, justBefore } from '../support/interleave.js';
import { until } from '../support/until.js';

interface World {
  server: TestServer;
}
const zips = suite<World>('zips of files that cannot be read');
zips.before.each(async (world) => {
  world.server = await startServer();
  followRequests(world.server.app.server);
});
zips.after.each(({ server }) => server.close());

const upload = async ({ request, owner }: TestServer, text: string) =>
  (await request('POST', '/image/upload', { key: owner.key, form: fileForm(text, 'a.txt') })).body.message;

/** Something that opens like the file of these bytes, and breaks when it is read. */
async function breakFile({ dataDir }: TestServer, sha256: string): Promise<void> {
  const path = join(dataDir, 'blobs', sha256.slice(0, 2), sha256);
  await rm(path);
  await mkdir(path);
}

const sha256Of = async ({ app }: TestServer, uniqueId: string): Promise<string> =>
  (await app.services.db.read('images').where('unique_id', uniqueId))[0].sha256;

/** Whether an answer was refused or broken off. */
const fails = (answer: Promise<Answer>): Promise<boolean> =>
  answer.then(
    ({ status }) => status >= 400,
    () => true,
  );

/** How many stored files this process has open. */
async function openBlobs({ dataDir }: TestServer): Promise<number> {
  const names = await readdir('/proc/self/fd');
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(join(dataDir, 'blobs'))).length;
}

zips('a playlist is cut, and everybody else is served', async ({ server }) => {
  const { key } = server.owner;
  const images = [await upload(server, 'one'), await upload(server, 'two')];
  const imagesUids = images.map(({ uniqueId }) => uniqueId);
  const json = { title: 'a list', imagesUids };
  const { uniqueId } = (await server.request('POST', '/image/playlist/create', { key, json })).body;
  await breakFile(server, await sha256Of(server, imagesUids[0]));
  const download = () => server.request('GET', `/image/playlist/get/${uniqueId}/download`);
  for (let round = 0; round < 5; round += 1) assert.ok(await fails(download()));
  assert.is((await server.request('GET', '/status')).status, 200);
  await until(async () => (await openBlobs(server)) === 0);
});

const take = (server: TestServer) =>
  server.request('GET', '//web/settings/account/export', { key: server.owner.key });

zips('an export is refused or cut, and everybody else is served', async ({ server }) => {
  const { uniqueId } = await upload(server, 'one');
  assert.is((await take(server)).status, 200);
  await breakFile(server, await sha256Of(server, uniqueId));
  for (let round = 0; round < 5; round += 1) assert.ok(await fails(take(server)));
  assert.is((await server.request('GET', '/status')).status, 200);
  await until(async () => (await openBlobs(server)) === 0);
});

zips('an export bears with what is deleted while it is made', async ({ server }) => {
  const { blobs } = server.app.services;
  const { uniqueId } = await upload(server, 'one');
  assert.is((await take(server)).status, 200);
  justBefore(blobs, 'open', () =>
    server.request('DELETE', `/image/get/${uniqueId}`, { key: server.owner.key }),
  );
  const { status, text } = await take(server);
  assert.is(status, 200);
  assert.ok(text.includes(uniqueId));
});

zips('an export lacks nothing but what is deleted while it is made', async ({ server }) => {
  const { load } = server.app.services;
  const { key } = server.owner;
  const make = () => server.request('POST', '/paste/create', { key, json: { text: 'a text' } });
  const ids = (await Promise.all(Array.from({ length: 130 }, make))).map(({ body }) => body.uniqueId);
  const { body } = await make();
  assert.is((await take(server)).status, 200);
  for (const step of [40, 80]) {
    let left = step;
    const happen = async (): Promise<void> => {
      left -= 1;
      if (left > 0) justBefore(load, 'user', happen);
      else await server.request('DELETE', `/paste/get/${step === 40 ? body.uniqueId : ids.shift()}`, { key });
    };
    justBefore(load, 'user', happen);
    const { text } = await take(server);
    assert.is(left <= 0, true);
    assert.equal(
      ids.filter((id) => !text.includes(`pastes/${id}.txt`)),
      [],
    );
  }
});

zips('an account that goes while its export is made ends the export alone', async ({ server }) => {
  const { load } = server.app.services;
  await take(server);
  for (let step = 1; step <= 8; step += 1) {
    const user = await server.account();
    await server.request('POST', '/paste/create', { key: user.key, json: { text: 'a text' } });
    const form = fileForm(`of ${user.id}`, 'a.txt');
    await server.request('POST', '/image/upload', { key: user.key, form });
    let left = step;
    const happen = async (): Promise<void> => {
      left -= 1;
      if (left > 0) justBefore(load, 'user', happen);
      else await server.request('DELETE', `/admin/user/${user.id}`, { key: server.owner.key });
    };
    justBefore(load, 'user', happen);
    await server.request('GET', '//web/settings/account/export', { key: user.key }).catch(() => undefined);
    assert.is((await server.request('GET', '/status')).status, 200, `step ${step}`);
  }
  await until(async () => (await openBlobs(server)) === 0);
});

zips.run();
