/** `holdall storage move` and the migration of one image, between the disk and a bucket, while the server runs. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDb } from '../../db/engine/connect.js';
import { blobFile } from '../../server/drivers/storage/keys.js';
import { type Result, spawnCommand } from '../support/servers/command.js';
import { OWNER, type ServerProcess, startServer } from '../support/servers/server-process.js';
import { bucketEnv, ownBucket } from '../support/stores/object-store.js';
import { newDataDir } from '../support/stores/sqlite.js';

interface World {
  folder: string;
  env: Record<string, string>;
  server: ServerProcess;
}

const bucket = await ownBucket();
const test = suite<World>('moving the files');

test.before.each(async (world) => {
  world.folder = await newDataDir('files');
  world.env = bucket === null ? {} : bucketEnv(bucket);
});
test.after.each(async ({ folder, server }) => {
  await server.kill();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const headers = { 'X-API-Key': OWNER.OWNER_API_KEY };
const FILES = 40;

async function start(world: World, storage: string): Promise<void> {
  world.server = await startServer({ dataDir: world.folder, env: { ...world.env, STORAGE: storage } });
}

async function upload({ server }: World, content: string): Promise<string> {
  const form = new FormData();
  form.append('file', new File([content], 'a.txt'));
  const answer = await fetch(`${server.origin}/v1/image/upload`, { method: 'POST', headers, body: form });
  const body = (await answer.json()) as { uniqueId: string };
  assert.is(answer.status, 200, JSON.stringify(body));
  return body.uniqueId;
}

async function read({ server }: World, id: string): Promise<string> {
  const answer = await fetch(`${server.origin}/v1/image/get/${id}?raw=true`, { headers });
  const body = await answer.text();
  assert.is(answer.status, 200, body);
  return body;
}

async function run(world: World, args: string[], storage: string): Promise<Result> {
  const child = spawnCommand(world, args, { ...world.env, STORAGE: storage });
  child.stdin.end();
  const [[code], out, err] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, err };
}

const onDisk = async ({ folder }: World): Promise<number> =>
  (await readdir(join(folder, 'blobs'), { recursive: true })).filter((name) => /[0-9a-f]{64}$/.test(name))
    .length;

test('moves every file under load: readers find each at any time, and what is uploaded meanwhile stays', async (world) => {
  await start(world, 'disk');
  const contents = new Map<string, string>();
  for (let index = 0; index < FILES; index += 1) {
    const content = `file ${index} of the first ${world.folder}`;
    contents.set(await upload(world, content), content);
  }
  assert.match((await run(world, ['storage', 'move', '--to', 's3'], 'disk')).err, 'set STORAGE=s3,disk');
  await world.server.stop();
  await start(world, 's3,disk');

  let over = false;
  const reading = (async () => {
    while (!over) for (const [id, content] of contents) assert.is(await read(world, id), content);
  })();
  const adding = (async () => {
    for (let index = 0; index < 10; index += 1) {
      const content = `added ${index} ${world.folder}`;
      const id = await upload(world, content);
      contents.set(id, content);
      // The bytes of a file that is on its way.
      await upload(world, `file ${index * 4} of the first ${world.folder}`);
    }
  })();
  const moving = run(world, ['storage', 'move', '--to', 's3'], 's3,disk');
  const { code, err } = await moving.finally(() => {
    over = true;
  });
  await Promise.all([reading, adding]);
  assert.is(code, 0, err);
  assert.match(err, 'Set STORAGE=s3 and restart');
  assert.is((await run(world, ['storage', 'move', '--to', 's3'], 's3,disk')).code, 0);
  assert.is(await onDisk(world), 0);
  const record = await fetch(`${world.server.origin}/v1/admin/image/get/${[...contents.keys()][0]}`, {
    headers,
  });
  assert.match(await record.text(), '"location":"S3"');

  await world.server.stop();
  await start(world, 's3');
  for (const [id, content] of contents) assert.is(await read(world, id), content);
  assert.match((await run(world, ['doctor', '--deep'], 's3')).out, `${contents.size} present and intact`);
});

test('killed and repeated it loses nothing, and moves back', async (world) => {
  await start(world, 's3');
  const contents = new Map<string, string>();
  for (let index = 0; index < FILES; index += 1) {
    const content = `file ${index} in ${world.folder}`;
    contents.set(await upload(world, content), content);
  }
  await world.server.stop();
  await start(world, 'disk,s3');
  for (let moved = 0; moved < FILES / 2; moved = await onDisk(world)) {
    const child = spawnCommand(world, ['storage', 'move', '--to', 'disk'], {
      ...world.env,
      STORAGE: 'disk,s3',
    });
    const ended = once(child, 'close');
    const before = moved;
    for (let now = before; now < before + 5 && child.exitCode === null; now = await onDisk(world));
    child.kill('SIGKILL');
    await ended;
    for (const [id, content] of contents) assert.is(await read(world, id), content);
  }
  // Leases of killed processes end by themselves; their files are moved then.
  const db = await openDb({ databaseUrl: null, dataDir: world.folder });
  await db.write((trx) => trx('leases').where('name', 'like', 'move %').update('held_until', 0));
  await db.close();
  const { code, err } = await run(world, ['storage', 'move', '--to', 'disk'], 'disk,s3');
  assert.is(code, 0, err);
  assert.is(await onDisk(world), FILES);
  await world.server.stop();
  await start(world, 'disk');
  for (const [id, content] of contents) assert.is(await read(world, id), content);
});

test('one image moves there and back for an administrator, as legacy clients ask for it', async (world) => {
  await start(world, 'disk,s3');
  const id = await upload(world, `alone ${world.folder}`);
  const migrate = async () => {
    const answer = await fetch(`${world.server.origin}/v1/admin/images/${id}/migrate`, {
      method: 'POST',
      headers,
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  for (const [place, left] of [
    ['S3', 0],
    ['LOCAL', 1],
  ] as const) {
    const { status, body } = await migrate();
    assert.is(status, 200, JSON.stringify(body));
    assert.equal([body.error, body.message, body.location], [false, 'Storage migrated successfully', place]);
    assert.is(await onDisk(world), left);
    assert.is(await read(world, id), `alone ${world.folder}`);
  }
});

test('damaged bytes are left where they are, and named', async (world) => {
  await start(world, 'disk');
  const content = `soon damaged ${world.folder}`;
  const id = await upload(world, content);
  const whole = await upload(world, `whole ${world.folder}`);
  await world.server.stop();
  const sha256 = createHash('sha256').update(content).digest('hex');
  await writeFile(blobFile(join(world.folder, 'blobs'), sha256), content.replace('soon', 'was '));
  await start(world, 's3,disk');
  const { code, err } = await run(world, ['storage', 'move', '--to', 's3'], 's3,disk');
  assert.is(code, 1);
  assert.match(err, id);
  assert.not.match(err, whole);
  assert.is(await onDisk(world), 1);
});

if (bucket !== null) test.run();
