/** Link previews in chat applications: pages fetched as their crawlers fetch them. */
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import { movie } from '../../support/media/media-fixtures.js';

const crawlers = {
  discord: {
    'user-agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    accept: '*/*',
  },
  slack: {
    'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    accept: '*/*',
    range: 'bytes=0-32768',
  },
  telegram: { 'user-agent': 'TelegramBot (like TwitterBot)', accept: 'text/html,application/xhtml+xml,*/*' },
};

interface Place {
  server: TestServer;
}

const previews = suite<Place>('pages: previews');

previews.before(async (place) => {
  place.server = await startServer();
});
previews.after(({ server }) => server.close());

const picture = () =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: '#864' } })
    .jpeg()
    .toBuffer();

/** All meta tags of a page, by property or name. */
function metaOf(html: string): Map<string, string> {
  const decode = (text: string) =>
    text
      .replace(/&quot;/g, '"')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&amp;/g, '&');
  return new Map(
    [...html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"\/?>/g)].map(
      ([, name, content]) => [name ?? '', decode(content ?? '')],
    ),
  );
}

/** The picture of a preview as it loads; its size must be what the page says, and its bytes what applications show. */
async function shownIn(meta: Map<string, string>) {
  const loaded = await fetch(meta.get('og:image') ?? '');
  const bytes = Buffer.from(await loaded.arrayBuffer());
  const { format, width, height } = await sharp(bytes).metadata();
  assert.is(loaded.headers.get('content-type'), `image/${format}`);
  assert.is(meta.get('og:image:type'), `image/${format}`);
  assert.equal([meta.get('og:image:width'), meta.get('og:image:height')], [String(width), String(height)]);
  assert.is(meta.get('twitter:image'), meta.get('og:image'));
  assert.ok(bytes.length <= 300_000, `${bytes.length} bytes`);
  return { type: format, width, height };
}

for (const [name, headers] of Object.entries(crawlers)) {
  previews(`${name} sees an image with its real size, and the image itself loads`, async ({ server }) => {
    const { body } = await server.request('POST', '/image/upload', {
      key: server.owner.key,
      form: fileForm(await picture(), 'view "from" <here>.jpg', { desc: 'A view' }),
    });
    const page = await server.request('GET', `//web/image-render/${body.uniqueId}`, { headers });
    assert.is(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', 'text/html');
    const meta = metaOf(page.text);
    assert.is(meta.get('og:title'), 'view "from" <here>.jpg');
    assert.is(meta.get('og:description'), 'A view');
    assert.is(meta.get('og:url'), body.message.urlSet.webUrl);
    assert.is(meta.get('og:image'), body.message.urlSet.rawUrl);
    assert.is(meta.get('og:image:width'), '640');
    assert.is(meta.get('og:image:height'), '480');
    assert.is(meta.get('twitter:card'), 'summary_large_image');
    const image = await fetch(meta.get('og:image') ?? '', {
      headers: { 'user-agent': headers['user-agent'] },
    });
    assert.is(image.headers.get('content-type'), 'image/jpeg');
    await image.arrayBuffer();
  });
}

const noise = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp(randomBytes(width * height * channels), { raw: { width, height, channels } });
const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#0a84' } });
const wide = { type: 'jpeg', width: 1280, height: 960 };
const shown: readonly (readonly [string, string, () => Promise<Buffer>, object])[] = [
  ['a large photograph', 'a.jpg', () => noise(1600, 1200).jpeg({ quality: 95 }).toBuffer(), wide],
  ['a large PNG', 'a.png', () => noise(1600, 1200).png().toBuffer(), wide],
  [
    'a large PNG with transparency',
    'a.png',
    () => noise(800, 800, 4).png().toBuffer(),
    { type: 'jpeg', width: 800, height: 800 },
  ],
  [
    'a gray PNG of 16 bits',
    'a.png',
    () => noise(900, 600).toColourspace('grey16').png().toBuffer(),
    { type: 'jpeg', width: 900, height: 600 },
  ],
  [
    'pure noise',
    'a.webp',
    () => noise(1280, 1280).webp({ lossless: true, effort: 0 }).toBuffer(),
    { type: 'jpeg', width: 1280, height: 1280 },
  ],
  ['an AVIF', 'a.avif', () => flat(300, 200).avif().toBuffer(), { type: 'jpeg', width: 300, height: 200 }],
  ['a WebP', 'a.webp', () => flat(300, 200).webp().toBuffer(), { type: 'jpeg', width: 300, height: 200 }],
  ['a TIFF', 'a.tif', () => flat(301, 200).tiff().toBuffer(), { type: 'jpeg', width: 301, height: 200 }],
  ['a small PNG', 'a.png', () => flat(300, 200).png().toBuffer(), { type: 'png', width: 300, height: 200 }],
  ['a small GIF', 'a.gif', () => flat(300, 200).gif().toBuffer(), { type: 'gif', width: 300, height: 200 }],
  [
    'few bytes with many pixels',
    'a.png',
    () => flat(5000, 4000).png().toBuffer(),
    { type: 'jpeg', width: 1280, height: 1024 },
  ],
  ['a tall strip', 'a.png', () => flat(61, 4999).png().toBuffer(), { type: 'jpeg', width: 16, height: 1280 }],
  [
    'a photograph that lies on its side',
    'a.jpg',
    () => noise(1600, 1200).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer(),
    { type: 'jpeg', width: 960, height: 1280 },
  ],
];
for (const [name, file, make, expected] of shown)
  previews(
    `${name} is shown as a picture that chat applications load, in its real size`,
    async ({ server }) => {
      const form = fileForm(await make(), file);
      const { body } = await server.request('POST', '/image/upload', { key: server.owner.key, form });
      const page = await server.request('GET', `//web/image-render/${body.uniqueId}`);
      const meta = metaOf(page.text);
      assert.equal(await shownIn(meta), expected);
      const address = encodeURIComponent(body.message.urlSet.webUrl);
      const photo = (await server.request('GET', `//web/oembed?url=${address}`)).body;
      assert.equal([photo.url, String(photo.width)], [meta.get('og:image'), meta.get('og:image:width')]);
    },
  );

previews('a description ends between characters and begins with words', async ({ server }) => {
  const of = async (text: string) => {
    const { body } = await server.request('POST', '/paste/create', { key: server.owner.key, json: { text } });
    const page = await server.request('GET', `//web/paste-render/${body.uniqueId}`);
    return metaOf(page.text).get('og:description');
  };
  for (const character of [
    '\u{1f389}',
    '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}',
    'e\u0301',
    '\u{1f1e9}\u{1f1ea}',
  ])
    assert.is(await of(`${'x'.repeat(279)}${character}y`), 'x'.repeat(279), character);
  assert.is(await of('\n\r\n \n\n\n\n\n\nwords\nmore'), 'words\nmore');
});

previews('the oEmbed address of a page matches the page', async ({ server }) => {
  const { body } = await server.request('POST', '/image/upload', {
    key: server.owner.key,
    form: fileForm(await picture(), 'embed.jpg'),
  });
  const page = await server.request('GET', `//web/image-render/${body.uniqueId}`);
  const href =
    /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const answer = await (await fetch(href.replace(/&amp;/g, '&'))).json();
  assert.is(answer.version, '1.0');
  assert.is(answer.type, 'photo');
  assert.is(answer.url, body.message.urlSet.rawUrl);
  assert.equal([answer.width, answer.height], [640, 480]);
  const within = async (bounds: string) => (await fetch(`${href.replace(/&amp;/g, '&')}&${bounds}`)).json();
  for (const bounds of ['maxwidth=640&maxheight=480', 'maxwidth=0&maxheight=x', 'format=json'])
    assert.is((await within(bounds)).url, body.message.urlSet.rawUrl, bounds);
  for (const bounds of ['maxwidth=639', 'maxheight=240', 'maxwidth=500&maxheight=300']) {
    const small = await within(bounds);
    assert.equal([small.type, small.width, small.height], ['photo', 320, 240], bounds);
    const facts = await sharp(Buffer.from(await (await fetch(small.url)).arrayBuffer())).metadata();
    assert.equal([facts.width, facts.height], [320, 240], bounds);
  }
  const none = await within('maxwidth=100');
  assert.equal([none.type, none.url, none.width], ['link', undefined, undefined]);
  assert.is((await fetch(`${href.replace(/&amp;/g, '&')}&format=xml`)).status, 501);
});

previews('a paste without a title is called by its first line or its first file', async ({ server }) => {
  const nameOf = async (json: object) => {
    const { body } = await server.request('POST', '/paste/create', { key: server.owner.key, json });
    const { text } = await server.request('GET', `//web/paste-render/${body.uniqueId}`);
    assert.match(text, `<h1 dir="auto">${metaOf(text).get('og:title')}</h1>`);
    return metaOf(text).get('og:title');
  };
  assert.is(await nameOf({ text: '\n---\n## Three days\nin June' }), 'Three days');
  assert.is(await nameOf({ files: [{ name: 'a.sh', text: '#!/bin/sh' }] }), 'a.sh');
  assert.is(await nameOf({ text: '---\n' }), 'Untitled');
});

previews('a paste and a link show their texts', async ({ server }) => {
  const { key } = server.owner;
  const paste = await server.request('POST', '/paste/create', {
    key,
    json: { title: 'List', text: 'milk\nbread' },
  });
  const seen = metaOf((await server.request('GET', `//web/paste-render/${paste.body.uniqueId}`)).text);
  assert.is(seen.get('og:type'), 'website');
  assert.is(seen.get('og:title'), 'List');
  assert.is(seen.get('og:description'), 'milk\nbread');
  const url = await server.request('POST', '/url/create', { key, json: { url: 'https://example.org/x' } });
  const link = metaOf((await server.request('GET', `//web/url-render/${url.body.uniqueId}`)).text);
  assert.is(link.get('og:description'), 'https://example.org/x');
  for (const [path, title] of [
    [`paste-render/${paste.body.uniqueId}`, 'List'],
    [`url-render/${url.body.uniqueId}`, 'A link to example.org'],
  ]) {
    for (const end of ['', '/', '?theme=dark', '/?theme=dark#L2']) {
      const address = encodeURIComponent(`${server.origin}/web/${path}${end}`);
      assert.is((await server.request('GET', `//web/oembed?url=${address}`)).body.title, title, end);
    }
    const below = encodeURIComponent(`${server.origin}/web/${path}/more`);
    assert.is((await server.request('GET', `//web/oembed?url=${below}`)).status, 404);
  }
});

previews('a protected item reveals only that it exists', async ({ server }) => {
  const { key, username } = await server.account();
  const upload = async (fields: Record<string, string>) =>
    (
      await server.request('POST', '/image/upload', {
        key,
        form: fileForm(await picture(), 'very secret.jpg', { desc: 'very secret', ...fields }),
      })
    ).body.uniqueId;
  const paste = async (fields: object) =>
    (
      await server.request('POST', '/paste/create', {
        key,
        json: { title: 'very secret', text: 'very secret', ...fields },
      })
    ).body.uniqueId;
  const url = await server.request('POST', '/url/create', {
    key,
    json: { url: 'https://example.org/very secret', password: 'open sesame' },
  });
  for (const path of [
    `image-render/${await upload({ password: 'open sesame' })}`,
    `image-render/${await upload({ private: 'true' })}`,
    `paste-render/${await paste({ password: 'open sesame' })}`,
    `paste-render/${await paste({ private: 'true' })}`,
    `paste-render/${await paste({ burn: true })}`,
    `url-render/${url.body.uniqueId}`,
  ]) {
    const page = await server.request('GET', `//web/${path}`);
    assert.is(page.status, 200, path);
    const meta = metaOf(page.text);
    assert.is(meta.get('og:title'), 'A protected item', path);
    assert.is(meta.has('og:image'), false, path);
    assert.not.match(page.text, 'very secret', path);
    assert.not.match(page.text, username, path);
    const oembed = await server.request(
      'GET',
      `//web/oembed?url=${encodeURIComponent(`${server.origin}/web/${path}`)}`,
    );
    assert.is(oembed.status, 404, path);
  }
});

previews('a preview uses up no view and names no media of an item with limited views', async ({ server }) => {
  const { body } = await server.request('POST', '/image/upload', {
    key: server.owner.key,
    form: fileForm(await picture(), 'once.jpg', { maxViews: '1' }),
  });
  for (const headers of Object.values(crawlers)) {
    const page = await server.request('GET', `//web/image-render/${body.uniqueId}`, { headers });
    const meta = metaOf(page.text);
    for (const name of ['og:image', 'og:video', 'twitter:image']) assert.is(meta.has(name), false, name);
    assert.not.match(page.text, 'data:image/png');
    assert.not.match(page.text, /(?:src|srcset|poster)="[^"]*image\/get/);
  }
  assert.is((await server.request('GET', `/image/get/${body.uniqueId}`)).status, 200);
  assert.is((await server.request('GET', `/image/get/${body.uniqueId}`)).status, 404);
});

previews('a video preview has its poster, its type and its size', async ({ server }) => {
  const { body } = await server.request('POST', '/image/upload', {
    key: server.owner.key,
    form: fileForm(movie({}), 'clip.mp4'),
  });
  const page = await server.request('GET', `//web/image-render/${body.uniqueId}`, {
    headers: crawlers.discord,
  });
  const meta = metaOf(page.text);
  assert.is(meta.get('og:type'), 'video.other');
  assert.is(meta.get('og:video:type'), 'video/mp4');
  assert.is(meta.get('og:video:width'), String(body.message.width));
  // A player card needs a page of its own; without one there would be no card.
  assert.is(meta.get('twitter:card'), 'summary_large_image');
  assert.is(meta.get('twitter:image'), body.message.urlSet.posterUrl);
  assert.equal(await shownIn(meta), { type: 'jpeg', width: body.message.width, height: body.message.height });
  assert.is(meta.get('og:image'), body.message.urlSet.posterUrl ?? undefined);
  const video = await fetch(meta.get('og:video') ?? '', { headers: { range: 'bytes=0-99' } });
  assert.is(video.status, 206);
  assert.is(video.headers.get('content-type'), 'video/mp4');
  await video.arrayBuffer();
});

previews('the page of an image is the image for clients that prefer one', async ({ server }) => {
  const { body } = await server.request('POST', '/image/upload', {
    key: server.owner.key,
    form: fileForm(await picture(), 'both.jpg'),
  });
  const path = `//web/image-render/${body.uniqueId}`;
  const image = await server.request('GET', path, {
    headers: { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' },
  });
  assert.is(image.headers.get('content-type'), 'image/jpeg');
  assert.match(image.headers.get('vary') ?? '', 'Accept');
  const past = await server.request('GET', path, { headers: { accept: 'image/*', range: 'bytes=9999999-' } });
  assert.equal([past.status, past.body.error, past.body.uniqueId], [416, true, body.uniqueId]);
  assert.match(past.headers.get('content-range') ?? '', /^bytes \*\/\d+$/);
  const page = await server.request('GET', path, {
    headers: { accept: 'text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8' },
  });
  assert.match(page.headers.get('content-type') ?? '', 'text/html');
  assert.match(page.headers.get('vary') ?? '', 'Accept');
});

previews('a playlist is found by its bare id like items, and unknown ids are not', async ({ server }) => {
  const { key } = server.owner;
  const made = await server.request('POST', '/image/playlist/create', { key, json: { title: 'Summer' } });
  const page = await server.request('GET', `//web/site/render/${made.body.uniqueId}`);
  assert.is(page.status, 200);
  assert.match(page.text, 'Summer');
  assert.is((await server.request('GET', '//web/site/render/nothing')).status, 404);
});

const closed: readonly (readonly [string, Record<string, string>, string])[] = [
  ['private', { private: 'true' }, 'This item is private'],
  ['locked', { password: 'open sesame' }, 'This item requires a password'],
];
for (const [name, fields, sentence] of closed) {
  previews(
    `clients that prefer the image of a ${name} item get a refusal that reveals nothing of it`,
    async ({ server }) => {
      const { body } = await server.request('POST', '/image/upload', {
        key: server.owner.key,
        form: fileForm(await picture(), 'holiday.jpg', { desc: 'By the lake', ...fields }),
      });
      for (const path of ['image-render', 'site/render']) {
        const answer = await server.request('GET', `//web/${path}/${body.uniqueId}`, {
          headers: { accept: 'image/*' },
        });
        assert.equal(
          [answer.status, answer.headers.get('content-type')],
          [403, 'application/json; charset=utf-8'],
        );
        assert.match(answer.headers.get('vary') ?? '', 'Accept');
        const { timestamp: _, ...rest } = answer.body;
        assert.equal(rest, { error: true, uniqueId: body.uniqueId, message: sentence, count: 0 });
      }
    },
  );
}

previews.run();
