// on both databases
/** The pages of collections, share links and request links, as browsers without scripts get them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { PIXEL } from '../support/web/webhook.js';

const test = suite('pages of collections and requests');
let server: TestServer;
let user: TestAccount;
let cookie: string;
test.before(async () => {
  server = await startServer();
  user = await server.account();
  const login = await server.request('POST', '/auth/login', {
    json: { email: user.email, password: user.password },
  });
  cookie = (login.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
});
test.after(() => server.close());

const at = (url: string) => url.replace(server.origin, `http://127.0.0.1:${server.app.address.port}`);
const visit = (path: string, init: RequestInit = {}) =>
  fetch(at(path.startsWith('http') ? path : `${server.origin}${path}`), { redirect: 'manual', ...init });
const post = (path: string, fields: Record<string, string>, signedIn = true) =>
  visit(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: signedIn ? { cookie, origin: server.origin } : {},
  });

async function shared(fields: object = {}) {
  const upload = async (bytes: Uint8Array | string, name: string) =>
    (
      await server.request('POST', '/image/upload', {
        key: user.key,
        form: fileForm(bytes, name, { private: 'true' }),
      })
    ).body.uniqueId as string;
  const items = [
    { uniqueId: await upload(PIXEL, 'dot.png'), path: 'pictures/dot.png' },
    { uniqueId: await upload('words', 'words.txt'), path: 'words.txt' },
  ];
  const made = await server.request('POST', '/collection', {
    key: user.key,
    json: { title: 'Holiday <b>', isPublic: false, items },
  });
  const link = await server.request('POST', `/collection/${made.body.uniqueId}/links`, {
    key: user.key,
    json: fields,
  });
  return { uniqueId: made.body.uniqueId as string, url: link.body.message.url as string };
}

test('a share link shows galleries by folders, with working addresses of each file, its page and the zip', async () => {
  const { uniqueId, url } = await shared();
  assert.is((await visit(`/web/collection/${uniqueId}`)).status, 403);
  const page = await visit(url);
  const html = await page.text();
  assert.is(page.status, 200);
  assert.match(html, 'Holiday &lt;b>');
  assert.match(html, '<h2 dir="auto">pictures</h2>');
  const secret = new URL(url).pathname.split('/').at(-1) ?? '';
  const addresses = [
    ...html.matchAll(/(?:href|src)="((?:\/v1\/collection\/shared|\/web\/share)\/[^"]+)"/g),
  ].map(([, address = '']) => address.replaceAll('&amp;', '&'));
  assert.ok(addresses.length >= 5, html);
  for (const address of new Set(addresses)) {
    assert.match(address, secret);
    const answer = await visit(address);
    assert.is(answer.status, address.endsWith('/random') ? 302 : 200, address);
    await answer.arrayBuffer();
  }
});

test('a link with a password asks for it, and exactly as many people open it as it has views', async () => {
  const locked = await shared({ password: 'open sesame' });
  const asked = await visit(locked.url);
  assert.is(asked.status, 403);
  assert.match(await asked.text(), 'This collection is password-protected');
  const path = new URL(locked.url).pathname;
  assert.is((await post(path, { password: 'wrong' }, false)).status, 403);
  assert.is((await post(path, { password: 'open sesame' }, false)).status, 200);
  const limited = await shared({ maxViews: 20 });
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => (await visit(limited.url)).status),
  );
  assert.is(answers.filter((status) => status === 200).length, 20);
  assert.is(answers.filter((status) => status === 404).length, 180);
});

test('the owner makes a collection, adds and orders its files, and makes and revokes a link', async () => {
  const made = await post('/web/collections', { title: 'Papers', private: 'true' });
  assert.is(made.status, 303, await made.text());
  const path = new URL(made.headers.get('location') ?? '', server.origin).pathname;
  const ids = await Promise.all(
    ['a.txt', 'b.txt'].map(
      async (name) =>
        (await server.request('POST', '/image/upload', { key: user.key, form: fileForm(name, name) })).body
          .uniqueId as string,
    ),
  );
  for (const id of ids) assert.is((await post(path, { action: 'add', id, path: '' })).status, 303);
  assert.is((await post(path, { action: 'up', id: ids[1] ?? '' })).status, 303);
  assert.is(
    (await post(path, { action: 'words', title: 'Letters', tags: 'a, b', private: 'true' })).status,
    303,
  );
  const links = path.replace('/collections/', '/share-links/collection/');
  assert.is((await post(links, { action: 'share', linkLabel: 'for Ada' })).status, 303);
  const uniqueId = path.split('/').at(-1);
  const { message } = (await server.request('GET', `/collection/${uniqueId}`, { key: user.key })).body;
  assert.equal(
    [message.title, message.tags, message.items.map((item: { uniqueId: string }) => item.uniqueId)],
    ['Letters', ['a', 'b'], [...ids].reverse()],
  );
  const html = await (await visit(links, { headers: { cookie } })).text();
  assert.match(html, 'for Ada');
  const [, link = ''] = /name="link" value="(\d+)"/.exec(html) ?? [];
  assert.is((await post(links, { action: 'revoke', link })).status, 303);
  assert.is((await post(path, { action: 'delete' })).status, 303);
  assert.is((await visit('/web/collections', { headers: { cookie } })).status, 200);
});

test('a guest sends a file without scripts and gets a receipt; the owner sees it', async () => {
  const made = await post('/web/requests', {
    title: 'Your photos',
    askName: 'true',
    maxFiles: '2',
    password: '',
  });
  assert.is(made.status, 303, await made.text());
  const owner = new URL(made.headers.get('location') ?? '', server.origin).pathname;
  const path = owner.replace('/requests/', '/request/');
  const page = await (await visit(path)).text();
  assert.match(page, 'asks you for files');
  const give = (name: string) =>
    visit(path, { method: 'POST', body: fileForm('bytes', name, { name: 'Ada' }) });
  const receipt = await give('one.txt');
  assert.is(receipt.status, 200);
  assert.match(await receipt.text(), 'Received: one.txt');
  assert.match(await (await give('two.txt')).text(), 'Received: two.txt');
  assert.is((await visit(path)).status, 404);
  assert.is((await give('three.txt')).status, 404);
  const seen = await (await visit(owner, { headers: { cookie } })).text();
  assert.match(seen, 'one.txt');
  assert.match(seen, 'Ada');
});

test('a locked request asks for its password first', async () => {
  const made = await server.request('POST', '/request/create', {
    key: user.key,
    json: { title: 'Secret', password: 'open sesame' },
  });
  const path = `/web/request/${made.body.uniqueId}`;
  assert.is((await visit(path)).status, 403);
  assert.is((await post(`${path}/unlock`, { password: 'wrong' }, false)).status, 403);
  const unlocked = await post(`${path}/unlock`, { password: 'open sesame' }, false);
  assert.is(unlocked.status, 303);
  const target = unlocked.headers.get('location') ?? '';
  assert.is((await visit(target)).status, 200);
  assert.is((await visit(target, { method: 'POST', body: fileForm('x', 'x.txt') })).status, 200);
  assert.is((await visit(path, { method: 'POST', body: fileForm('x', 'x.txt') })).status, 403);
});

/** Files in a collection of the account, one after the other, and their order. */
async function filled(count: number, fields: object = {}) {
  const ids = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const form = fileForm(`text ${index}`, `file ${index}.txt`);
      return (await server.request('POST', '/image/upload', { key: user.key, form })).body.uniqueId as string;
    }),
  );
  const items = ids.map((uniqueId) => ({ uniqueId }));
  const json = { title: 'Many', items, ...fields };
  const made = await server.request('POST', '/collection', { key: user.key, json });
  return { ids, uniqueId: made.body.uniqueId as string };
}

/** The files that a page links to, and the address of its next page. */
async function listed(url: string, init: RequestInit = {}) {
  const page = await visit(url, init);
  const html = await page.text();
  const files = [...html.matchAll(/class="(?:words|what)"><a href="[^"?]*?([\w-]+)(?:\?[^"]*)?"/g)].map(
    ([, id]) => id,
  );
  const next = /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null;
  return { status: page.status, html, files, next };
}

test('a long collection is shown in pages, which together have every file once, and count one view', async () => {
  const { ids, uniqueId } = await filled(130);
  const seen: (string | undefined)[] = [];
  let next: string | null = `/web/collection/${uniqueId}`;
  let pages = 0;
  while (next !== null) {
    const page = await listed(next);
    assert.is(page.status, 200);
    assert.match(page.html, '130 files');
    seen.push(...page.files);
    next = page.next;
    pages += 1;
  }
  assert.equal(seen, ids);
  assert.is(pages, 3);
  const whole = await server.request('GET', `/collection/${uniqueId}`, { key: user.key });
  assert.is(whole.body.message.views, 1);
  assert.equal(
    whole.body.message.items.map((item: { uniqueId: string }) => item.uniqueId),
    ids,
  );
});

test('the pages of a collection with counted views belong to one view, and need its ticket', async () => {
  const { uniqueId } = await filled(61, { maxViews: 1 });
  const first = await listed(`/web/collection/${uniqueId}`);
  assert.is(first.files.length, 60);
  assert.is((await listed(first.next ?? '')).files.length, 1);
  assert.is((await visit(`/web/collection/${uniqueId}?page=1`)).status, 404);
});

test('a file that is moved over the end of a page is shown on its new page', async () => {
  const { ids, uniqueId } = await filled(61);
  const moved = await post(`/web/collections/${uniqueId}`, { action: 'down', id: ids[59] ?? '' });
  assert.match(moved.headers.get('location') ?? '', `page=1#item-${ids[59]}`);
  const html = await (await visit(`/web/collections/${uniqueId}?page=1`, { headers: { cookie } })).text();
  assert.match(html, `id="item-${ids[59]}"`);
  assert.not.match(html, `id="item-${ids[60]}"`);
});

test('a private collection with a password asks for it once, for all its pages and files', async () => {
  const { uniqueId } = await filled(61, { isPublic: false, password: 'open sesame' });
  const path = `/web/collection/${uniqueId}`;
  assert.is((await visit(path)).status, 403);
  const first = await listed(path, {
    method: 'POST',
    body: new URLSearchParams({ password: 'open sesame' }),
  });
  assert.is(first.files.length, 60);
  const second = await listed(first.next ?? '');
  assert.equal([second.status, second.files.length], [200, 1]);
  const [, file = ''] = /class="what"><a href="([^"]+)"/.exec(second.html) ?? [];
  assert.is((await visit(file.replaceAll('&amp;', '&'))).status, 200);
  assert.is((await visit(`${path}?page=1`)).status, 403);
});

test('a collection that is made private closes the pages of those who have opened it', async () => {
  const { uniqueId } = await filled(61, { password: 'open sesame' });
  const body = new URLSearchParams({ password: 'open sesame' });
  const { next } = await listed(`/web/collection/${uniqueId}`, { method: 'POST', body });
  assert.is((await visit(next ?? '')).status, 200);
  const change = (json: object) =>
    server.request('PATCH', `/collection/${uniqueId}`, { key: user.key, json });
  assert.is((await change({ isPublic: false })).status, 200);
  assert.is((await visit(next ?? '')).status, 403);
  assert.is((await change({ password: null })).status, 200);
  assert.is((await visit(next ?? '')).status, 403);
});

/** A playlist of these files that strangers may open once. */
async function listedOnce(ids: readonly string[]): Promise<string> {
  const json = { imagesUids: ids, title: 'Counted' };
  const made = await server.request('POST', '/image/playlist/create', { key: user.key, json });
  const { uniqueId } = made.body.message;
  const limit = { key: user.key, json: { maxViews: 1 } };
  assert.is((await server.request('PATCH', `/collection/${uniqueId}`, limit)).status, 200);
  return uniqueId;
}

test('the pages of a playlist with counted views, and those of its items, belong to one view', async () => {
  const { ids } = await filled(61);
  const uniqueId = await listedOnce(ids);
  const linkIn = (html: string, link: RegExp) => (link.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
  const read = async (path: string) => {
    const answer = await visit(path);
    return { status: answer.status, html: await answer.text() };
  };
  const first = await read(`/web/collection/${uniqueId}`);
  assert.match(first.html, `tile-${ids[59]}`);
  assert.not.match(first.html, `tile-${ids[60]}`);
  const second = await read(linkIn(first.html, /href="([^"]+)" rel="next"/));
  assert.is(second.status, 200);
  assert.match(second.html, `tile-${ids[60]}`);
  assert.is((await read(linkIn(second.html, /href="([^"]+)" rel="prev"/))).status, 200);
  const item = await read(linkIn(second.html, new RegExp(`href="([^"]+/view/${ids[60]}[^"]*)"`)));
  const before = linkIn(item.html, new RegExp(`href="([^"]+/view/${ids[59]}[^"]*)"`));
  assert.match((await read(before)).html, `/view/${ids[58]}`);
  assert.is((await read(linkIn(item.html, new RegExp(`href="([^"]+)#tile-${ids[60]}"`)))).status, 200);
  // The addresses alone open nothing.
  for (const path of [`/web/collection/${uniqueId}`, `/web/collection/${uniqueId}?page=1`])
    assert.is((await read(path)).status, 404);
  assert.is((await read(`/web/collection/${uniqueId}/view/${ids[60]}`)).status, 404);
});

test('the preview of a playlist shows its cover first, on each of its pages', async () => {
  const { ids } = await filled(61);
  const picture = async (name: string) => {
    const form = fileForm(PIXEL, name);
    return (await server.request('POST', '/image/upload', { key: user.key, form })).body.uniqueId as string;
  };
  const [early, cover] = [await picture('early.png'), await picture('cover.png')];
  const json = { imagesUids: [early, ...ids, cover], title: 'Covered' };
  const made = await server.request('POST', '/image/playlist/create', { key: user.key, json });
  const { uniqueId } = made.body.message;
  const chosen = { key: user.key, json: { cover } };
  assert.is((await server.request('PATCH', `/image/playlist/get/${uniqueId}`, chosen)).status, 200);
  for (const page of ['', '?page=1']) {
    const html = await (await visit(`/web/collection/${uniqueId}${page}`)).text();
    const shown = [...html.matchAll(/og:image" content="[^"]*\/image\/get\/([\w-]+)/g)].map(([, id]) => id);
    assert.equal(shown, [cover, early], page);
  }
});

test('the addresses of playlists lead to the pages of collections', async () => {
  const { ids } = await filled(61);
  const json = { imagesUids: ids, title: 'Long' };
  const { uniqueId } = (await server.request('POST', '/image/playlist/create', { key: user.key, json })).body
    .message;
  for (const [old, present] of [
    [`/web/playlist/${uniqueId}?page=1`, `/web/collection/${uniqueId}?page=1`],
    [`/web/playlists/${uniqueId}`, `/web/collections/${uniqueId}`],
    ['/web/playlists?page=2', '/web/collections?page=2'],
  ] as const) {
    const answer = await visit(old, { headers: { cookie } });
    assert.equal([answer.status, answer.headers.get('location')], [301, present]);
  }
  const moved = await post(`/web/collections/${uniqueId}`, { action: 'place', id: ids[0] ?? '', to: '60' });
  assert.is(moved.status, 303);
  const after = await server.request('GET', `/image/playlist/get/${uniqueId}`, { key: user.key });
  assert.is(after.body.message.images[60].uniqueId, ids[0]);
});

test.run();
