/** What is sealed on its ways between stores, databases and installations: the same age files, and what is known of them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { backUp } from '../../server/operations/backup/backup.js';
import { restore } from '../../server/operations/backup/restore.js';
import { readConfig } from '../../server/runtime/config/config.js';
import { fileForm, startServer, type TestServer } from '../harness.js';
import {
  type AgeKey,
  ageFile,
  ageFileWith,
  armored,
  newKey,
  opened,
  sealedNameFor,
} from '../support/content/sealed.js';
import { unzip } from '../support/media/unzip.js';
import { databaseKinds, type OwnDatabase } from '../support/stores/databases.js';
import { bucketEnv, ownBucket, testBucket } from '../support/stores/object-store.js';
import { pathOf, tusOf } from '../support/uploads/tus.js';

const kinds = databaseKinds();
const places = [
  ...kinds.map((kind) => ({ kind, name: kind.name, inBucket: false })),
  ...(testBucket() === null
    ? []
    : kinds.map((kind) => ({ kind, name: `${kind.name} and S3`, inBucket: true }))),
];
const WORDS = 'a cat under the table '.repeat(10_000);
const silent = () => {};

for (const { kind, name, inBucket } of places) {
  const test = suite(`sealed: ${name}`);
  const made: OwnDatabase[] = [];
  let folder: string;
  test.before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdall-sealed-'));
  });
  test.after(async () => {
    await Promise.all(made.map((place) => place.remove()));
    await rm(folder, { recursive: true, force: true });
  });

  async function placeOf(making: Promise<OwnDatabase>): Promise<Record<string, string>> {
    const place = await making;
    made.push(place);
    const { dataDir, databaseUrl } = place.location;
    const bucket = inBucket ? await ownBucket() : null;
    return {
      DATA_DIR: dataDir,
      TRASH_DAYS: '7',
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
      // Sealed contents are sent from here all the same: pages fetch from nowhere else.
      ...(bucket === null ? {} : { ...bucketEnv(bucket), S3_REDIRECT: 'true' }),
    };
  }

  test('each way in, a backup and its restoration leave every byte and every name as it was', async () => {
    const key = await newKey();
    const env = await placeOf(kind.makeMigrated());
    const server = await startServer(env);
    const owner = server.owner.key;
    let before: object;
    try {
      const ids = await fill(server, key);
      before = await stateOf(server, owner, key, ids);
      await backUp(readConfig(env), folder, silent);
    } finally {
      await server.close();
    }
    const { ids, ...known } = before as { ids: Ids };
    assert.equal(new Set(Object.values((known as { texts: object }).texts)), new Set([WORDS]));
    const otherEnv = await placeOf(kind.make());
    await restore(readConfig(otherEnv), folder, silent);
    const restored = await startServer(otherEnv);
    try {
      assert.equal(await stateOf(restored, owner, key, ids), before);
    } finally {
      await restored.close();
    }
  });

  test.run();
}

interface Ids {
  readonly files: readonly string[];
  readonly paste: string;
  readonly collection: string;
  readonly request: string;
}

/** Everything sealed that there can be, by every way. */
async function fill(server: TestServer, key: AgeKey): Promise<Ids> {
  const { key: own } = server.owner;
  const send = async (method: string, path: string, json: object) => {
    const answer = await server.request(method, path, { key: own, json });
    assert.is(answer.status, 200, answer.text);
    return answer.body;
  };
  const file = await ageFile(key.recipient, WORDS);
  const sealedName = await sealedNameFor(key.recipient, { name: 'cat.txt', title: 'The cat' });
  const form = fileForm(file, 'x.age', { sealed: 'true', sealedName });
  const files = [(await server.request('POST', '/image/upload', { key: own, form })).body.uniqueId as string];
  const tus = tusOf(server);
  const begun = await tus.create(own, file.length, { sealed: 'true', sealedName });
  await tus.patch(pathOf(begun), 0, file);
  files.push((await tus.settled(pathOf(begun))).body.message.image.uniqueId);
  const reserved = await send('POST', '/image/generate-upload-url', {
    ...{ contentType: 'application/age', size: file.length, sealed: true, sealedName },
  });
  const { url, headers } = reserved;
  assert.is((await fetch(url, { method: 'PUT', body: new Uint8Array(file), headers })).status, 200);
  files.push((await send('POST', '/image/register', { uniqueId: reserved.uid })).uniqueId);
  const named = { filename: 'beef', contentType: 'application/octet-stream' };
  const { url: packUrl } = await send('POST', '/files/presigned-url/put', named);
  const typed = { 'content-type': named.contentType };
  const put = await fetch(packUrl, { method: 'PUT', body: new Uint8Array(file), headers: typed });
  assert.is(put.status, 200);
  const item = { uniqueId: 'beef', size: file.length, fileType: 'x', sealed: true, sealedName };
  await send('POST', '/files/register', { items: [item] });
  const request = (await send('POST', '/request/create', { title: 'Inbox', recipient: key.recipient }))
    .message;
  const guest = fileForm(file, 'x', { sealedName });
  const sent = await server.request('POST', `/request/open/${request.uniqueId}/files`, { form: guest });
  assert.is(sent.status, 200, sent.text);
  const text = armored(file);
  const paste = (await send('POST', '/paste/create', { text, sealed: true, sealedName })).uniqueId;
  await send('PATCH', `/paste/get/${paste}`, { text: armored(await ageFile(key.recipient, WORDS)) });
  const items = files.map((uniqueId) => ({ uniqueId }));
  const collection = (await send('POST', '/collection', { sealed: true, sealedName, items })).uniqueId;
  const wrapped = armored(await ageFileWith('four words for me', key.identity));
  await send('PUT', '/user/get/@me/seal', { recipient: key.recipient, wrapped });
  return { files, paste, collection, request: request.uniqueId };
}

/** What is known of it all, and what it opens to. */
async function stateOf(server: TestServer, own: string, { identity }: AgeKey, ids: Ids) {
  const get = async (path: string) => {
    const answer = await server.request('GET', path, { key: own });
    assert.is(answer.status, 200, `${path} ${answer.text}`);
    return answer.body.message;
  };
  const bytes = async (path: string) => {
    const answer = await fetch(`${server.base}${path}`, {
      headers: { 'x-api-key': own },
      redirect: 'manual',
    });
    assert.is(answer.status, 200, path);
    return Buffer.from(await answer.arrayBuffer());
  };
  const texts: Record<string, string> = {};
  const inbox = (await get(`/request/get/${ids.request}/files`)).content;
  for (const id of [...ids.files, inbox[0].uniqueId])
    texts[id] = await opened(identity, await bytes(`/image/get/${id}`));
  const zip = await unzip(await bytes(`/collection/open/${ids.collection}/zip`));
  for (const [path, content] of zip)
    if (!path.endsWith('.name.age')) texts[path] = await opened(identity, content);
  texts[ids.paste] = await opened(identity, (await get(`/paste/get/${ids.paste}`)).content);
  const revision = await bytes(`/paste/get/${ids.paste}/revisions/1?raw=true`);
  texts.revision = await opened(identity, revision.toString());
  const listed = (await get('/user/get/@me/items?sealed=true&size=100')).content;
  return {
    ids,
    texts,
    zip: [...zip.keys()],
    names: listed.map((of: Record<string, unknown>) => [
      of.uniqueId,
      of.kind,
      of.type,
      of.sealed,
      of.sealedName,
    ]),
    collection: (await get(`/collection/${ids.collection}`)).sealedName,
    inbox: inbox.map((of: Record<string, unknown>) => [of.uniqueId, of.sealed, of.sealedName]),
    recipient: (await get(`/request/get/${ids.request}`)).recipient,
    seal: await get('/user/get/@me/seal'),
  };
}
