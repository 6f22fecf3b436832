// on both databases
/** Share links of images and pastes, by guarantee; those of collections are in `collection.test.ts`. */
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';

const test = suite('share links');
let server: TestServer;
let user: TestAccount;
let other: TestAccount;
test.before(async () => {
  server = await startServer();
  user = await server.account();
  other = await server.account();
});
test.after(() => server.close());

async function image(
  fields: Record<string, string> = {},
  content: string | Buffer = 'a secret',
  name = 'a.txt',
) {
  const form = fileForm(content, name, { private: 'true', ...fields });
  const { status, body } = await server.request('POST', '/image/upload', { key: user.key, form });
  assert.is(status, 200, body?.message);
  return body.uniqueId as string;
}
async function paste(fields: object = {}) {
  const json = { text: 'a private text', private: true, ...fields };
  const { status, body } = await server.request('POST', '/paste/create', { key: user.key, json });
  assert.is(status, 200, body?.message);
  return body.message.uniqueId as string;
}
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#888' } })
    .png()
    .toBuffer();
const links = (method: string, kind: string, path: string, json?: object, key = user.key) =>
  server.request(method, `/${kind}/get/${path}`, { key, ...(json === undefined ? {} : { json }) });
const linkOf = async (kind: string, id: string, fields: object = {}) => {
  const { status, body, text } = await links('POST', kind, `${id}/links`, fields);
  assert.is(status, 200, text);
  return body.message;
};
const secretOf = ({ url }: { url: string }) => new URL(url).pathname.split('/').at(-1) ?? '';
const shared = (kind: string, link: { url: string }, search = '', headers: Record<string, string> = {}) =>
  server.request('GET', `/${kind}/shared/${secretOf(link)}${search}`, { headers });
const viewsOf = async (kind: string, id: string) =>
  (await links('GET', kind, `${id}/links`)).body.message.content.map(({ views }: { views: number }) => views);

test('a link opens a private file and a private paste, and nothing does once it is revoked', async () => {
  for (const [kind, id, content] of [
    ['image', await image(), 'a secret'],
    ['paste', await paste(), 'a private text'],
  ] as const) {
    const link = await linkOf(kind, id, { label: 'for Ada' });
    assert.equal(
      [link.linkId, link.id, link.label, link.note, link.views, link.requiresPassword],
      [link.id, link.id, 'for Ada', 'for Ada', 0, false],
    );
    assert.ok(secretOf(link).length >= 40, 'more than 128 bits');
    assert.is((await server.request('GET', `/${kind}/get/${id}`)).status, 403);
    const opened = await shared(kind, link, kind === 'paste' ? '?raw=true' : '');
    assert.equal([opened.status, opened.text], [200, content]);
    assert.equal(await viewsOf(kind, id), [1]);
    assert.is((await links('DELETE', kind, `${id}/links/${link.id}`, undefined, other.key)).status, 401);
    assert.is((await links('GET', kind, `${id}/links`, undefined, other.key)).status, 401);
    const page = await server.request('GET', `//web/share/${secretOf(link)}`);
    assert.is(page.status, 200);
    assert.equal(await viewsOf(kind, id), [2]);
    assert.is((await links('DELETE', kind, `${id}/links/${link.id}`)).status, 200);
    for (const path of [`/${kind}/shared/`, '//web/share/'])
      assert.is((await server.request('GET', `${path}${secretOf(link)}`)).status, 404, path);
    assert.is((await links('DELETE', kind, `${id}/links/${link.id}`)).status, 404);
  }
});

test('a secret opens what it was made for, and nothing else: every other answer is the same 404', async () => {
  const ofImage = await linkOf('image', await image());
  const ofPaste = await linkOf('paste', await paste());
  const made_up = { url: `http://x/${'A'.repeat(43)}` };
  const answers = await Promise.all([
    shared('paste', ofImage),
    shared('image', ofPaste),
    shared('image', made_up),
    server.request('GET', `/collection/shared/${secretOf(ofImage)}`),
  ]);
  for (const { status, body } of answers)
    assert.equal([status, body.message], [404, answers[2]?.body.message]);
});

test("the link's password counts, and not that of the item; wrong ones open nothing", async () => {
  const id = await image({ password: 'of the item' });
  const link = await linkOf('image', id, { password: 'of the link' });
  assert.is((await shared('image', link)).status, 403);
  assert.is((await shared('image', link, '?password=of%20the%20item')).status, 403);
  assert.is((await shared('image', link, '', { 'x-password': 'of the link' })).status, 200);
  assert.is((await links('PATCH', 'image', `${id}/links/${link.id}`, { password: null })).status, 200);
  assert.is((await shared('image', link)).status, 200);
  assert.is((await server.request('GET', `/image/get/${id}`)).status, 403);
});

test('views are counted exactly for the link and for the item, however many come at once', async () => {
  const id = await image({ maxViews: '5' });
  const [few, many] = [
    await linkOf('image', id, { maxViews: 3 }),
    await linkOf('image', id, { maxViews: 50 }),
  ];
  const open = async (link: { url: string }) =>
    (await Promise.all(Array.from({ length: 60 }, () => shared('image', link)))).filter(
      ({ status }) => status === 200,
    ).length;
  assert.is(await open(few), 3);
  assert.is(await open(many), 2, 'the item has two left');
  assert.equal(await viewsOf('image', id), [2, 3]);
  assert.is((await server.request('GET', `/image/get/${id}`, { key: user.key })).status, 200);
});

test('the page counts one view, and its picture none', async () => {
  const id = await image({}, await picture(20, 20), 'a.png');
  const link = await linkOf('image', id, { maxViews: 1 });
  const { status, text } = await server.request('GET', `//web/share/${secretOf(link)}`);
  assert.is(status, 200);
  const [, src = ''] = /src="(\/v1\/image\/shared\/[^"]+)"/.exec(text) ?? [];
  assert.match(src, 'ticket=');
  assert.is((await server.request('GET', `/${src.replaceAll('&amp;', '&')}`)).status, 200);
  assert.equal(await viewsOf('image', id), [1]);
  assert.is((await shared('image', link)).status, 404);
});

test('a link for smaller pictures gives none larger than 1,600 pixels, and no original', async () => {
  const id = await image({}, await picture(1800, 2400), 'a.png');
  const link = await linkOf('image', id, { renditionsOnly: true });
  assert.is(link.renditionsOnly, true);
  for (const search of ['', '?width=2560', '?download=true', '?raw=true']) {
    const response = await fetch(
      `http://127.0.0.1:${server.app.address.port}/v1/image/shared/${secretOf(link)}${search}`,
    );
    assert.is(response.status, 200, search);
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    assert.ok(width <= 1600 && height <= 1600, `${search}: ${width}×${height}`);
  }
  const page = await server.request('GET', `//web/share/${secretOf(link)}`);
  assert.not.match(page.text, 'download=true');
  const made = await server.request('POST', '/collection', {
    key: user.key,
    json: { title: 'Both', items: [{ uniqueId: id }, { uniqueId: await image() }] },
  });
  const { uniqueId } = made.body.message;
  const all = await server.request('POST', `/collection/${uniqueId}/links`, {
    key: user.key,
    json: { renditionsOnly: true },
  });
  const secret = secretOf(all.body.message);
  const opened = await server.request('GET', `/collection/shared/${secret}`);
  assert.equal([opened.body.message.zipUrl, opened.body.message.renditionsOnly], [null, true]);
  assert.is((await server.request('GET', `/collection/shared/${secret}/zip`)).status, 403);
  const [seen, text] = opened.body.message.items.map((item: { uniqueId: string }) => item.uniqueId);
  assert.is((await server.request('GET', `/collection/shared/${secret}/files/${text}`)).status, 403);
  assert.is((await server.request('GET', `/collection/shared/${secret}/files/${seen}`)).status, 200);
});

test('what cannot have a link, or not such a one, is refused', async () => {
  const [text, words] = [await image(), await paste()];
  const refused: [string, string, object][] = [
    ['paste', await paste({ burn: true }), {}],
    ['paste', words, { renditionsOnly: true }],
    ['image', text, { renditionsOnly: true }],
    ['image', text, { maxViews: 0 }],
    ['image', text, { maxViews: 'many' }],
    ['image', text, { password: 'ab' }],
    ['image', text, { label: 'x'.repeat(501) }],
    ['image', text, { expiresAt: 'soon' }],
  ];
  for (const [kind, id, fields] of refused)
    assert.is((await links('POST', kind, `${id}/links`, fields)).status, 400, JSON.stringify(fields));
  assert.is((await links('POST', 'image', 'NOTHING1/links', {})).status, 404);
  assert.is((await links('PATCH', 'image', `${text}/links/999999`, {})).status, 404);
});

test('revoked in the middle of a download: what runs ends or is whole, and nothing new begins', async () => {
  const bytes = randomBytes(24 * 1024 * 1024);
  const id = await image({}, bytes, 'a.bin');
  const made = await server.request('POST', '/collection', {
    key: user.key,
    json: { title: 'Large', isPublic: false, items: [{ uniqueId: id }] },
  });
  const { uniqueId } = made.body.message;
  const link = await linkOf('image', id);
  const all = (await server.request('POST', `/collection/${uniqueId}/links`, { key: user.key, json: {} }))
    .body.message;
  const ends = [
    [`/image/shared/${secretOf(link)}`, `/image/get/${id}/links/${link.id}`],
    [`/collection/shared/${secretOf(all)}/zip`, `/collection/${uniqueId}/links/${all.id}`],
  ] as const;
  for (const [path, revoked] of ends) {
    const address = `http://127.0.0.1:${server.app.address.port}/v1${path}`;
    const running = await fetch(address);
    assert.is(running.status, 200);
    const reader = running.body?.getReader();
    let size = (await reader?.read())?.value?.length ?? 0;
    assert.is((await server.request('DELETE', revoked, { key: user.key })).status, 200);
    const begun = await Promise.all([
      fetch(address),
      fetch(address, { headers: { range: `bytes=${size}-` } }),
      fetch(address, { method: 'HEAD' }),
    ]);
    assert.equal(
      begun.map(({ status }) => status),
      [404, 404, 404],
      path,
    );
    try {
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
        size += part.value.length;
      assert.ok(size >= bytes.length, `${path}: it ended as if it were whole, with ${size} bytes`);
    } catch (error) {
      // An error is how a download ends that is not whole.
      assert.instance(error, TypeError);
    }
  }
});

test('a link ends with its item: in the trash, expired, quarantined, deleted', async () => {
  const id = await image();
  const link = await linkOf('image', id);
  const set = (columns: object) =>
    server.app.services.db.write(async (trx) => {
      await trx('images').where('unique_id', id).update(columns);
    });
  for (const ended of [{ quarantine: 'x' }, { expires_at: 1 }, { trashed_at: 1 }]) {
    const [name = ''] = Object.keys(ended);
    await set(ended);
    assert.is((await shared('image', link)).status, 404, name);
    await set({ [name]: null });
    assert.is((await shared('image', link)).status, 200, name);
  }
  assert.is((await links('DELETE', 'image', `${id}?permanent=true`)).status, 200);
  assert.is((await shared('image', link)).status, 404);
  const left = await server.app.services.db.read('share_links').where('id', link.id);
  assert.is(left.length, 0);
});

test('a link ends at its own end, also for whoever has opened it before', async () => {
  const id = await image({}, await picture(20, 20), 'a.png');
  const link = await linkOf('image', id, { expiresAt: '2099-01-01' });
  const made = await server.request('POST', '/collection', {
    key: user.key,
    json: { title: 'Trip', isPublic: false, items: [{ uniqueId: id }] },
  });
  const all = await links('POST', 'image', `${id}/links`, {});
  const collection = await server.request('POST', `/collection/${made.body.message.uniqueId}/links`, {
    key: user.key,
    json: { password: 'open sesame' },
  });
  const secret = secretOf(collection.body.message);
  const opened = await server.request('GET', `/collection/shared/${secret}?password=open%20sesame`);
  const ticket = new URL(opened.body.message.zipUrl).searchParams.get('ticket');
  const page = await server.request('GET', `//web/share/${secretOf(link)}`);
  const [, src = ''] = /src="(\/v1\/image\/shared\/[^"]+)"/.exec(page.text) ?? [];
  const paths = [
    `/image/shared/${secretOf(link)}`,
    `/${src.replaceAll('&amp;', '&')}`,
    `//web/share/${secretOf(link)}`,
    `/collection/shared/${secret}?ticket=${ticket}`,
    `/collection/shared/${secret}/zip?ticket=${ticket}`,
    `/collection/shared/${secret}/files/${id}?ticket=${ticket}`,
  ];
  const statuses = async () =>
    Promise.all(paths.map(async (path) => (await server.request('GET', path)).status));
  assert.equal(await statuses(), [200, 200, 200, 200, 200, 200]);
  await server.app.services.db.write(async (trx) => {
    await trx('share_links').whereIn('id', [link.id, collection.body.message.id]).update({ expires_at: 1 });
  });
  assert.equal(await statuses(), [404, 404, 404, 404, 404, 404]);
  assert.is((await shared('image', all.body.message)).status, 200, 'the others still work');
});

test('the preview of a chat application says nothing of what a link opens, and uses none of its views', async () => {
  const slack = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' };
  const id = await image({ desc: 'Guarded words' }, await picture(20, 20), 'guarded.png');
  const json = { title: 'Guarded trip', isPublic: false, items: [{ uniqueId: id }] };
  const made = await server.request('POST', '/collection', { key: user.key, json });
  const ofAll = await server.request('POST', `/collection/${made.body.message.uniqueId}/links`, {
    key: user.key,
    json: { maxViews: 1 },
  });
  for (const link of [
    await linkOf('image', id, { maxViews: 1 }),
    await linkOf('paste', await paste({ title: 'Guarded title' }), { maxViews: 1 }),
    ofAll.body.message,
  ]) {
    const path = `//web/share/${secretOf(link)}`;
    for (let times = 0; times < 3; times += 1) {
      const { status, text } = await server.request('GET', path, { headers: slack });
      assert.is(status, 200);
      assert.not.match(text, /guarded|private text/i);
      assert.match(text, 'og:title');
    }
    const { status, text } = await server.request('GET', path);
    assert.is(status, 200);
    assert.match(text, /guarded/i);
    assert.is((await server.request('GET', path, { headers: slack })).status, 404, 'used up');
  }
  const made_up = `//web/share/${'A'.repeat(43)}`;
  assert.is((await server.request('GET', made_up, { headers: slack })).status, 404);
});

test('the owner makes and revokes links on a page without scripts', async () => {
  const id = await paste({ title: 'Minutes' });
  const browser = { key: user.key };
  const path = `//web/share-links/paste/${id}`;
  const form = new FormData();
  form.set('action', 'share');
  form.set('linkLabel', 'for Grace');
  assert.is((await server.request('POST', path, { ...browser, form })).status, 303);
  const { text } = await server.request('GET', path, browser);
  assert.match(text, 'for Grace');
  const [, link = ''] = /name="link" value="(\d+)"/.exec(text) ?? [];
  const revoke = new FormData();
  revoke.set('action', 'revoke');
  revoke.set('link', link);
  assert.is((await server.request('POST', path, { ...browser, form: revoke })).status, 303);
  assert.equal(await viewsOf('paste', id), []);
  assert.is((await server.request('GET', path, { key: other.key })).status, 403);
});

test.run();
