/** Expired items and items with limited views: what their pages show, and to whom. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { sessionOf } from '../../support/accounts/accounts.js';
import { movie, pngPhoto } from '../../support/media/media-fixtures.js';
import { lapse } from '../../support/stores/lapse.js';

interface World {
  server: TestServer;
  owner: TestAccount;
}

const gone = suite<World>('pages: gone');

gone.before(async (world) => {
  world.server = await startServer();
});
gone.before.each(async (world) => {
  world.owner = await world.server.account();
});
gone.after(({ server }) => server.close());

const page = ({ server }: World, path: string, password?: string) =>
  server.request(password === undefined ? 'GET' : 'POST', `//web/${path}`, {
    ...(password === undefined ? {} : { form: new URLSearchParams({ password }) }),
  });

/** A picture with that many views. */
async function pictureOf({ server, owner }: World, fields: Record<string, string>): Promise<string> {
  const form = fileForm(await pngPhoto(), 'harbour.png', fields);
  return (await server.request('POST', '/image/upload', { key: owner.key, form })).body.uniqueId;
}

/** Creates an item through the API and returns its id. */
async function made({ server, owner }: World, path: string, json: object): Promise<string> {
  return (await server.request('POST', path, { key: owner.key, json })).body.uniqueId;
}

const password = 'open sesame';

gone('no password is requested for expired items', async (world) => {
  const { server } = world;
  const picture = await pictureOf(world, { maxViews: '1', password });
  const paste = await made(world, '/paste/create', { text: 'x', burn: true, password });
  const link = await made(world, '/url/create', { url: 'https://example.org', maxUses: 1, password });
  for (const [path, use] of [
    [`image-render/${picture}`, () => server.request('GET', `/image/get/${picture}?password=${password}`)],
    [`paste-render/${paste}`, () => page(world, `paste-render/${paste}`, password)],
    [`url-render/${link}`, () => page(world, `url-render/${link}`, password)],
  ] as const) {
    assert.match((await page(world, path)).text, 'is password-protected', path);
    for (const wrong of ['', 'close sesame']) {
      const again = await page(world, path, wrong);
      assert.is(again.status, 403, path);
      assert.match(again.text, 'is password-protected', path);
    }
    assert.is((await use()).status, 200, path);
    for (const given of [undefined, '', password]) {
      const answer = await page(world, path, given);
      assert.is(answer.status, 404, path);
      assert.match(answer.text, 'This link doesn’t exist, has expired or was deleted', path);
      assert.not.match(answer.text, 'is password-protected', path);
    }
  }
});

gone('the last view may be used up before somebody presses "Show it"', async (world) => {
  const id = await pictureOf(world, { maxViews: '1' });
  assert.match((await page(world, `image-render/${id}`)).text, 'Show it');
  assert.is((await world.server.request('GET', `/image/get/${id}`)).status, 200);
  const answer = await page(world, `image-render/${id}`, '');
  assert.is(answer.status, 404);
  assert.match(answer.text, 'This link doesn’t exist, has expired or was deleted');
});

gone('the owner of an expired item is told so, and gets no link to share', async (world) => {
  const { server, owner } = world;
  const headers = { cookie: `session_token=${await sessionOf(server, owner)}` };
  const look = (path: string) => server.request('GET', `//web/${path}`, { headers });
  const used = await pictureOf(world, { maxViews: '1' });
  const link = await made(world, '/url/create', { url: 'https://example.org', maxUses: 1 });
  const expiring = {
    images: await pictureOf(world, {}),
    pastes: await made(world, '/paste/create', { text: 'x' }),
    short_urls: await made(world, '/url/create', { url: 'https://example.org' }),
  };
  const items = [
    `image-render/${used}`,
    `url-render/${link}`,
    `image-render/${expiring.images}`,
    `paste-render/${expiring.pastes}`,
    `url-render/${expiring.short_urls}`,
  ];
  for (const path of items) {
    const { status, text } = await look(path);
    assert.is(status, 200, path);
    assert.match(text, 'All links and QR code', path);
    assert.not.match(text, 'only you can still see it', path);
  }
  await server.request('GET', `/image/get/${used}`);
  await server.request('GET', `/url/r/${link}`);
  for (const table of ['images', 'pastes', 'short_urls'] as const)
    await lapse(server, table, expiring[table]);
  for (const path of items) {
    const { status, text } = await look(path);
    assert.is(status, 404, path);
    assert.not.match(text, 'All links and QR code', path);
    assert.not.match(text, 'Open link', path);
    assert.match(
      text,
      /(?:Expired on <time.*?<\/time>|Its limit has been reached); only you can still see it\./,
      path,
    );
  }
});

/** The targets of links with this text, and whether they open in a new tab. */
const linksTo = (text: string, words: string) =>
  [
    ...text.matchAll(
      /<a class="button[^"]*" href="([^"]*)"( target="_blank")?[^>]*>(?:<svg.*?<\/svg>)?([^<]*)</g,
    ),
  ]
    .filter(([, , , label]) => label === words)
    .map(([, href, target]) => ({ href: href?.replaceAll('&amp;', '&'), beside: target !== undefined }));

gone(
  'links that use up a view say so, open beside the page, and disappear with the last view',
  async (world) => {
    const id = await pictureOf(world, { maxViews: '3' });
    const path = `image-render/${id}`;
    const taken = ['Download', 'Original'];
    const offered = ({ text }: { text: string }) => taken.flatMap((words) => linksTo(text, words));
    assert.equal(offered(await page(world, path)), []);
    const shown = await page(world, path, '');
    assert.is(offered(shown).length, 2);
    assert.ok(
      offered(shown).every(({ beside }) => beside),
      'the page of a form stays open',
    );
    assert.match(shown.text, '2 views left. Opening or downloading the file uses one.');
    assert.match(shown.text, '1 of 3');
    assert.match(shown.text, 'Copy link');
    for (let view = 0; view < 2; view += 1) await world.server.request('GET', `/image/get/${id}`);
    const last = await page(world, path, '');
    assert.match(last.text, 'class="shot"');
    assert.equal(offered(last), []);
    assert.not.match(last.text, 'Copy link', 'nobody else will see it');
  },
);

gone('downloading is offered for a video with limited views: that uses one view', async (world) => {
  const { server, owner } = world;
  const form = fileForm(movie(), 'walk.mp4', { maxViews: '3' });
  const { body } = await server.request('POST', '/image/upload', { key: owner.key, form });
  const veil = await page(world, `image-render/${body.uniqueId}`);
  assert.match(veil.text, 'Playing it may use several views. Downloading it uses only one.');
  const [download] = linksTo(veil.text, 'Download');
  const way = await server.request('GET', `/${download?.href}`);
  assert.is(way.status, 302);
  assert.is((await fetch(way.headers.get('location') ?? '')).status, 200);
  const { views } = (await server.request('GET', `/image/info/${body.uniqueId}`)).body.message;
  assert.is(views, 1);
  const shown = await page(world, `image-render/${body.uniqueId}`, '');
  assert.match(shown.text, /<video[^>]* preload="none"/);
  assert.match(
    shown.text,
    '2 views left. Opening or downloading the file uses one; playing it may use several',
  );
});

gone('the visits page of a link shows its expiry like every other page', async (world) => {
  const { server, owner } = world;
  const expiresAt = '2099-05-06T07:08:00.000Z';
  const link = await made(world, '/url/create', { url: 'https://example.org', expiresAt });
  const headers = { cookie: `session_token=${await sessionOf(server, owner)}` };
  const { text } = await server.request('GET', `//web/links/${link}`, { headers });
  assert.match(text, '6 May 2099, 07:08 UTC');
});

gone.run();
