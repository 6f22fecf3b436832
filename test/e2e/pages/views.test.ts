/** What the owner of files and pastes sees of how often they were opened. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { sessionOf } from '../../support/accounts/accounts.js';
import { jpegPhoto } from '../../support/media/media-fixtures.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';

interface World {
  server: TestServer;
  user: TestAccount;
  /** Opens a page as this account, or as nobody. */
  read(path: string, as?: TestAccount): Promise<{ status: number; text: string; location: string | null }>;
}

const test = suite<World>('pages of views');
test.before(async (world) => {
  world.server = await startServer();
  world.user = await world.server.account();
  world.read = async (path, as) => {
    const { server } = world;
    const cookie = as === undefined ? '' : `session_token=${await sessionOf(server, as)}`;
    const answer = await server.request('GET', `/${path}`, { headers: { accept: 'text/html', cookie } });
    return { status: answer.status, text: answer.text, location: answer.headers.get('location') };
  };
});
test.after(({ server }) => server.close());

async function made({ server, user }: World, kind: 'image' | 'paste'): Promise<string> {
  const { body } =
    kind === 'image'
      ? await server.request('POST', '/image/upload', {
          key: user.key,
          form: fileForm(await jpegPhoto(1, 80, 60), 'holiday.jpg'),
        })
      : await server.request('POST', '/paste/create', {
          key: user.key,
          json: { text: 'hello', title: 'A note' },
        });
  return body.uniqueId;
}

for (const [kind, title] of [
  ['image', 'holiday.jpg'],
  ['paste', 'A note'],
] as const) {
  test(`the page of the views of ${kind === 'image' ? 'a file' : 'a paste'} is for its owner and administrators`, async (world) => {
    const { server, user, read } = world;
    const id = await made(world, kind);
    const views = `/web/views/${kind}/${id}`;
    for (const agent of [FIREFOX, FIREFOX, 'Mozilla/5.0 (compatible; Discordbot/2.0)'])
      await server.request('GET', `/${kind}/get/${id}`, {
        headers: { 'user-agent': agent, referer: 'https://news.example/' },
      });
    for (const reader of [user, await server.account('ADMIN')]) {
      assert.match((await read(`/web/${kind}-render/${id}`, reader)).text, `href="${views}"`);
      const { status, text } = await read(views, reader);
      assert.is(status, 200);
      for (const shown of [
        title,
        'news.example',
        'Firefox',
        'Discord',
        `/v1/stats/${kind}/${id}/export?format=csv`,
      ])
        assert.match(text, shown);
    }
    // Two visits, and the page of the item once as owner and once as administrator, with no header of a browser.
    const { text } = await read(views, user);
    assert.match(text, /: 2 by people, 3 by bots</);
    for (const reader of [await server.account(), await server.account('MODERATOR')]) {
      assert.not.match((await read(`/web/${kind}-render/${id}`, reader)).text, `href="${views}"`);
      assert.is((await read(views, reader)).status, 403);
    }
    const stranger = await read(views);
    assert.equal([stranger.status, stranger.location], [303, `/web/login?next=${encodeURIComponent(views)}`]);
  });
}

test('chosen days are shown, and days without views', async (world) => {
  const id = await made(world, 'paste');
  const { text } = await world.read(`/web/views/paste/${id}?from=2020-02-28&to=2020-03-01`, world.user);
  assert.equal(
    [...text.matchAll(/class="tip">([^<]+)/g)].map(([, tip]) => tip),
    ['28 Feb', '29 Feb', '1 Mar'].map((day) => `${day} 2020: 0 by people, 0 by bots`),
  );
});

test('the overview shows visits and views of the last days, and what was opened most', async (world) => {
  const { server, read } = world;
  const user = await server.account();
  const empty = await read('/', user);
  assert.not.match(empty.text, 'Visits and views', 'a chart of nothing is not shown');
  assert.not.match(empty.text, 'Created in the last 30 days');
  assert.not.match(empty.text, 'Most visited');
  const theirs = { ...world, user };
  const image = await made(theirs, 'image');
  const link = await server.request('POST', '/url/create', {
    key: user.key,
    json: { url: 'https://example.org/' },
  });
  for (const path of [`/image/get/${image}`, `/url/r/${link.body.uniqueId}`, `/url/r/${link.body.uniqueId}`])
    await server.request('GET', path, { headers: { 'user-agent': FIREFOX } });
  const { text } = await read('/', user);
  assert.match(text, /: 3 by people, 0 by bots</);
  const order = ['Most visited', `/web/links/${link.body.uniqueId}`, `/web/views/image/${image}`];
  const places = order.map((part) => text.indexOf(part));
  assert.equal(
    [...places].sort((a, b) => a - b),
    places,
  );
  assert.ok(places.every((place) => place >= 0));
});

test.run();
