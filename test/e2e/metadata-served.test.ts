/** Whatever way a file is served, no byte tells more than its owner allowed. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { unzip } from '../support/media/unzip.js';
import { rows } from '../support/metadata/index.js';
import type { Row } from '../support/metadata/row.js';
import { found, type Telltale } from '../support/metadata/telltales.js';

const test = suite('metadata in what is served');
let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.close());

/** One file of each format that has several forms, with all that programs write into it. */
const PICKED = [
  'JPG: EXIF',
  'PNG: XMP',
  'TIF: EXIF',
  'HEIC: EXIF',
  'AVIF: EXIF',
  'WEBP: EXIF and XMP',
  'MP4: QuickTime keys',
  'WEBM: tags',
];
const picked = rows.filter(({ format, carrier }) => PICKED.includes(`${format}: ${carrier}`));

const FORMS = [
  '',
  '?width=160',
  '?format=webp',
  '?format=jpeg',
  '?format=preview',
  '?download=true',
  '?raw=true',
];

async function upload(account: TestAccount, row: Row): Promise<{ id: string; isVideo: boolean } | null> {
  const bytes = await row.make();
  if (bytes === null) return null;
  assert.ok(found(bytes).includes('place'), 'a place is planted');
  const form = fileForm(bytes, `file.${row.extension}`);
  const { status, body } = await server.request('POST', '/image/upload', { key: account.key, form });
  assert.is(status, 200, body.message);
  return { id: body.uniqueId, isVideo: body.message.mimeType.startsWith('video/') };
}

/** All bytes in which a file is served, by the path that serves them. */
async function served(account: TestAccount, id: string, isVideo: boolean): Promise<Map<string, Buffer>> {
  const all = new Map<string, Buffer>();
  const take = async (path: string): Promise<Buffer> => {
    const answer = await fetch(`${server.base}${path}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.status === 200) all.set(path, bytes);
    return bytes;
  };
  for (const form of FORMS) await take(`/image/get/${id}${form}`);
  await take(`/image/info/${id}`);
  if (isVideo) {
    await server.app.services.jobs.settle();
    for (const kind of ['video', 'poster']) await take(`/image/get/${kind}/${id}`);
    assert.ok(all.has(`/image/get/poster/${id}`), 'it has a poster');
  }
  const text = await take(`/image/get/${id}?base64=true&raw=true`);
  all.set('base64', Buffer.from(text.toString('latin1'), 'base64'));
  const json = { imagesUids: [id] };
  const { body } = await server.request('POST', '/image/playlist/create', { key: account.key, json });
  const zip = await take(`/image/playlist/get/${body.uniqueId}/download`);
  for (const [name, content] of await unzip(zip)) all.set(`in the zip: ${name}`, content);
  return all;
}

const POLICIES: Readonly<Record<string, readonly Telltale[]>> = {
  strip: ['place', 'device', 'person', 'date'],
  location: ['place'],
};
for (const [policy, gone] of Object.entries(POLICIES))
  for (const row of picked)
    test(`${policy}: ${row.format} with ${row.carrier}`, async () => {
      const account = await server.account();
      const settings = { key: account.key, json: { metadata: policy } };
      assert.is((await server.request('PATCH', '/user/get/@me/settings/media', settings)).status, 204);
      const file = await upload(account, row);
      if (file === null) return;
      const forms = await served(account, file.id, file.isVideo);
      assert.ok(forms.size >= 6, [...forms.keys()].join(', '));
      for (const [path, bytes] of forms)
        assert.equal(
          found(bytes).filter((kind) => gone.includes(kind)),
          [],
          path,
        );
    });

test.run();
