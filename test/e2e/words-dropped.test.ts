/** Once words in pictures are switched off, none of them is left in the database, an export or a backup made later. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm } from '../harness.js';
import { unzip } from '../support/media/unzip.js';
import { type CommandWorld, done, endCommandWorld, startCommandWorld } from '../support/servers/command.js';
import { OWNER } from '../support/servers/server-process.js';
import { until } from '../support/until.js';

const test = suite<CommandWorld>('words that are dropped');
test.before((world) => startCommandWorld(world, { TRASH_DAYS: '7' }));
test.after(endCommandWorld);

/** What becomes of the picture with this word before the switch. */
const PLANTED = {
  stays: 'zeppelin',
  trashed: 'kangaroo',
  deleted: 'xylophone',
  replaced: 'marzipan',
} as const;
/** The index leaves out what a word has in common with the one before it. */
const rest = (word: string): string => word.slice(2);

const KEY = { 'x-api-key': OWNER.OWNER_API_KEY };
async function call({ server }: CommandWorld, method: string, path: string, body?: object | FormData) {
  const json = body === undefined || body instanceof FormData ? null : JSON.stringify(body);
  const answer = await fetch(`${server.origin}${path}`, {
    method,
    headers: { ...KEY, ...(json === null ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: json ?? (body as FormData) }),
  });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  return answer;
}
const picture = (text: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200"><rect width="100%" height="100%" fill="#fff"/><text x="60" y="120" font-size="44" font-family="DejaVu Sans">${text}</text></svg>`,
    ),
  )
    .png()
    .toBuffer();
const idOf = async (answer: Response) => ((await answer.json()) as { uniqueId: string }).uniqueId;
const wordsOf = async (world: CommandWorld, id: string) => {
  const answer = await call(world, 'GET', `/v1/image/info/${id}`);
  return ((await answer.json()) as { message: { words: { text: string } | null } }).message.words;
};
const switched = (world: CommandWorld, OCR: string | null) =>
  call(world, 'PATCH', '/v1/admin/settings', { OCR });

const WAITING = /^holdall_jobs\{[^}]*kind="(?:words|olderWords|forgetWords|dropWords)"[^}]*\} [1-9]/m;
const settled = (world: CommandWorld) =>
  until(async () => !WAITING.test(await (await call(world, 'GET', '/metrics')).text()));

/** The planted words in these bytes. */
const plantedIn = (all: readonly Buffer[]): string[] => {
  const texts = all.map((bytes) => bytes.toString('latin1').toLowerCase());
  return Object.values(PLANTED).filter((word) => texts.some((text) => text.includes(rest(word))));
};
async function inBackup({ holdall, folder }: CommandWorld, name: string): Promise<string[]> {
  await done(holdall(['backup', join(folder, name)]));
  const entries = await readdir(join(folder, name), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  assert.ok(files.length > 1);
  return plantedIn(await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name)))));
}
async function inExport({ server }: CommandWorld): Promise<string[]> {
  const login = await fetch(`${server.origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: OWNER.OWNER_EMAIL, password: OWNER.OWNER_PASSWORD }),
  });
  const cookie = (login.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  const answer = await fetch(`${server.origin}/web/settings/account/export`, { headers: { cookie } });
  assert.is(answer.status, 200);
  const files = await unzip(Buffer.from(await answer.arrayBuffer()));
  assert.ok(files.size > 1);
  return plantedIn([...files.values()]);
}

test('whatever became of their pictures before', async (world) => {
  await switched(world, 'eng');
  const ids = {} as Record<keyof typeof PLANTED, string>;
  for (const [what, word] of Object.entries(PLANTED)) {
    const form = fileForm(await picture(word), 'picture.png');
    const id = await idOf(await call(world, 'POST', '/v1/image/upload', form));
    ids[what as keyof typeof PLANTED] = id;
    await until(async () => (await wordsOf(world, id))?.text === word);
  }
  const before = await inBackup(world, 'before');
  assert.equal(before, Object.values(PLANTED), 'they are looked for where they are');
  await call(world, 'DELETE', `/v1/image/get/${ids.trashed}`);
  await call(world, 'DELETE', `/v1/image/get/${ids.deleted}?permanent=true`);
  const blank = await picture('');
  await call(world, 'PUT', `/v1/image/get/${ids.replaced}`, fileForm(blank, 'picture.png'));
  await settled(world);

  await switched(world, null);
  // Jobs begin as the setting arrives.
  await until(async () => {
    await settled(world);
    return (await inBackup(world, 'after')).length === 0;
  });
  assert.equal(await inExport(world), []);
  assert.is(await wordsOf(world, ids.stays), null);
  await world.server.stop();
  const left = plantedIn([await readFile(join(world.folder, 'holdall.db'))]);
  // What was deleted before is free space in the file, as of everything that is deleted.
  assert.equal(
    left.filter((word) => word === PLANTED.stays || word === PLANTED.trashed),
    [],
  );
});

test.run();
