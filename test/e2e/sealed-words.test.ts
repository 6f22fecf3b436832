/** Proof by planting: known words are sealed in every way, everything is used, and they are found nowhere. */
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Answer } from '../harness.js';
import { type AgeKey, ageFile, armored, newKey, sealedNameFor } from '../support/content/sealed.js';
import { unzip } from '../support/media/unzip.js';
import { type CommandWorld, done, endCommandWorld, startCommandWorld } from '../support/servers/command.js';
import { OWNER } from '../support/servers/server-process.js';
import { until } from '../support/until.js';
import { metadataOf } from '../support/uploads/tus.js';

const test = suite<CommandWorld>('planted words');

/** What was sent to the webhook. */
const told: string[] = [];
const hook = createServer((req, res) => {
  text(req).then(
    (body) => {
      told.push(body);
      res.end();
    },
    () => res.destroy(),
  );
});

test.before(async (world) => {
  await once(hook.listen(0, '127.0.0.1'), 'listening');
  await startCommandWorld(world, { OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'debug', TRASH_DAYS: '7' });
});
test.after(async (world) => {
  hook.close();
  await endCommandWorld(world);
});

/** Two words that are nowhere in the program, and how a client may write them. */
const PLANTED = ['quetzalmoor', 'zephyrdocht'];
const FORMS = PLANTED.flatMap((word) => [word, Buffer.from(`${word}.`).toString('base64').slice(0, 12)]);
const NAME = `${PLANTED[0]}.png`;

/** A word that is not sealed, by which the search itself is tried. */
const CONTROL = 'gryphonplain';

const findIn = (bytes: Buffer, forms = FORMS): string[] => {
  const whole = bytes.toString('latin1');
  return forms.filter((form) => whole.includes(form) || whole.toLowerCase().includes(form));
};

/** The files below a folder with a planted word. */
async function filesWith(folder: string, forms = FORMS): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath ?? entry.path, entry.name);
        const words = [...findIn(Buffer.from(entry.name), forms), ...findIn(await readFile(path), forms)];
        return words.length === 0 ? [] : [`${path}: ${words.join()}`];
      }),
  );
  return found.flat();
}

test('what was sealed is found nowhere', async ({ server, folder, holdall }) => {
  const key: AgeKey = await newKey();
  const file = await ageFile(key.recipient, `${PLANTED.join(' ')} `.repeat(500));
  const sealedName = await sealedNameFor(key.recipient, { name: NAME, title: PLANTED[1] });
  const headers = { 'x-api-key': OWNER.OWNER_API_KEY };
  const answers: string[] = [];
  const ask = async (
    method: string,
    path: string,
    body?: Answer['body'],
    more: Record<string, string> = {},
  ): Promise<Answer['body']> => {
    const isJson = body !== undefined && Object.getPrototypeOf(body) === Object.prototype;
    const answer = await fetch(new URL(path, server.origin), {
      method,
      headers: { ...headers, ...(isJson ? { 'content-type': 'application/json' } : {}), ...more },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
      redirect: 'manual',
    });
    const said = await answer.text();
    answers.push(said, JSON.stringify([...answer.headers]));
    return {
      status: answer.status,
      headers: answer.headers,
      ...(said.startsWith('{') ? JSON.parse(said) : {}),
    };
  };
  const form = (fields: Record<string, string> = {}) => {
    const made = new FormData();
    for (const [name, value] of Object.entries({ sealed: 'true', sealedName, ...fields }))
      made.set(name, value);
    made.set('file', new File([new Uint8Array(file)], NAME, { type: 'image/png' }));
    return made;
  };

  const { port } = hook.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  await ask('PATCH', '/v1/user/get/@me/settings/webhook', { enabled: true, url, format: 'json' });
  const ids: string[] = [];
  ids.push((await ask('POST', '/v1/image/upload', form())).uniqueId);
  const tus = {
    'tus-resumable': '1.0.0',
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '0',
  };
  const metadata = metadataOf({
    filename: NAME,
    filetype: `image/${PLANTED[1]}`,
    sealed: 'true',
    sealedName,
  });
  const begun = await ask('POST', '/v1/image/upload/resumable', undefined, {
    ...{ 'tus-resumable': '1.0.0', 'upload-length': String(file.length), 'upload-metadata': metadata },
  });
  const at = begun.headers.get('location') ?? '';
  assert.is((await ask('PATCH', at, file, tus)).status, 204);
  await until(async () => (await ask('GET', at)).message?.state === 'done');
  const reserved = await ask('POST', '/v1/image/generate-upload-url', {
    ...{ contentType: 'image/png', size: file.length, filename: NAME, sealed: true, sealedName },
  });
  await ask('PUT', reserved.url, file);
  ids.push((await ask('POST', '/v1/image/register', { uniqueId: reserved.uid, fileType: 'png' })).uniqueId);
  const pack = await ask('POST', '/v1/files/presigned-url/put', { filename: 'f1' });
  await ask('PUT', pack.url, file);
  const item = {
    uniqueId: 'f1',
    size: file.length,
    fileName: NAME,
    fileType: PLANTED[1],
    sealed: true,
    sealedName,
  };
  assert.is((await ask('POST', '/v1/files/register', { items: [item] })).status, 200);
  const clear = new FormData();
  clear.set('file', new File([CONTROL], `${CONTROL}.txt`));
  await ask('POST', '/v1/image/upload', clear);
  const paste = await ask('POST', '/v1/paste/create', { text: armored(file), sealed: true, sealedName });
  await ask('PATCH', `/v1/paste/get/${paste.uniqueId}`, {
    text: armored(await ageFile(key.recipient, NAME)),
  });
  const items = ids.map((uniqueId) => ({ uniqueId }));
  const collection = await ask('POST', '/v1/collection', { sealed: true, sealedName, items });
  const asked = { title: 'Inbox', recipient: key.recipient, notify: true };
  const request = (await ask('POST', '/v1/request/create', asked)).message;
  assert.is((await ask('POST', `/v1/request/open/${request.uniqueId}/files`, form())).status, 200);
  assert.is(ids.filter(Boolean).length, 2);

  for (const path of [
    ...ids.flatMap((id) => [
      `/web/image-render/${id}`,
      `/v1/image/info/${id}`,
      `/v1/image/get/${id}?width=100`,
    ]),
    ...ids.map((id) => `/web/oembed?url=${server.origin}/web/image-render/${id}`),
    `/web/paste-render/${paste.uniqueId}`,
    `/v1/paste/get/${paste.uniqueId}/diff`,
    `/web/collection/${collection.uniqueId}`,
    `/v1/request/get/${request.uniqueId}/files`,
    '/v1/user/get/@me/items?search=inbox',
    '/v1/admin/images',
    '/v1/admin/pastes',
    '/metrics',
    '/v1/admin/system/auditlog',
  ])
    await ask('GET', path);
  await ask('DELETE', `/v1/image/get/${ids[1]}`);
  await ask('GET', '/v1/user/get/@me/trash');
  assert.is((await ask('POST', '/v1/image/upload', form({ desc: 'about it' }))).status, 400);
  const signedIn = await ask('POST', '/v1/auth/login', {
    email: OWNER.OWNER_EMAIL,
    password: OWNER.OWNER_PASSWORD,
  });
  assert.is(signedIn.status, 200);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one: string) => one.split(';')[0])
    .join('; ');
  const exported = await fetch(`${server.origin}/web/settings/account/export`, { headers: { cookie } });
  const entries = await unzip(Buffer.from(await exported.arrayBuffer()));
  assert.ok(
    [...entries.keys()].some((name) => name.includes(`${ids[0]}.age`)),
    [...entries.keys()].join(),
  );
  assert.match(String([...entries.values()]), sealedName, 'the export has sealed names');
  for (const [name, content] of entries)
    assert.equal([...findIn(Buffer.from(name)), ...findIn(content)], [], `export: ${name}`);
  await until(async () => told.length > 0);
  await done(holdall(['backup', join(folder, 'copy')]));
  await server.stop();

  const control = (await filesWith(folder, [CONTROL])).join('\n');
  for (const place of ['blobs', 'copy']) assert.match(control, place, 'the search finds what is not sealed');
  assert.equal(await filesWith(folder), [], 'data folder, database, WAL, outbox, backup');
  assert.equal(findIn(Buffer.from(server.output())), [], 'logs');
  assert.equal(findIn(Buffer.from(told.join('\n'))), [], 'webhooks');
  assert.equal(findIn(Buffer.from(answers.join('\n'))), [], 'answers, pages, errors, metrics');
});

test.run();
