import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { openPage, signIn } from '../../support/web/browser.js';
import { pageSuite } from '../../support/web/pages.js';

/** Injection through text, an attribute, a URL, a script or a style. */
const corpus = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(2)>',
  "' onmouseover='alert(3)' x='",
  '</title><svg onload=alert(4)>',
  '</textarea><script>alert(5)</script>',
  'javascript:alert(6)//',
  '<iframe srcdoc="<script>alert(7)</script>">',
  '{{constructor.constructor("alert(8)")()}}',
  '</code></pre><details open ontoggle=alert(9)>',
  '<style>@import "//evil.example/x"</style>',
  '\u202e\u0000<math><mi//xlink:href="data:x,<script>alert(10)</script>">'.replace('\u0000', ''),
  '--><!--<img src=x onerror=alert(11)>-->',
];

const { check, run } = pageSuite('hostile text');

check('titles, texts, names, descriptions and metadata are never executed', async ({ server, browser }) => {
  const { request, owner } = server;
  const { page, faults, close } = await openPage(browser, server);
  await signIn(page, owner);
  for (const text of corpus) {
    const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#777' } })
      .withExif({ IFD0: { ImageDescription: text, Artist: text, Copyright: text } })
      .jpeg()
      .toBuffer();
    const form = new FormData();
    form.set('file', new File([new Uint8Array(bytes)], `${text}.jpg`));
    form.set('desc', text.slice(0, 200));
    const image = await request('POST', '/image/upload', { key: owner.key, form });
    assert.is(image.status, 200, image.text);
    const paste = await request('POST', '/paste/create', { key: owner.key, json: { text, title: text } });
    const html = await request('POST', '/paste/create', {
      key: owner.key,
      json: { text, title: text, language: 'xml' },
    });
    const url = await request('POST', '/url/create', {
      key: owner.key,
      json: { url: `https://example.org/?q=${encodeURIComponent(text)}#${text.replace(/[\s\u202e]/g, '')}` },
    });
    await request('GET', `/url/r/${url.body.uniqueId}`, {
      headers: { 'user-agent': text.replace(/[^\u0020-\u007e]/g, ''), referer: 'https://example.org/' },
    });
    for (const path of [
      `/web/image-render/${image.body.uniqueId}`,
      `/web/paste-render/${paste.body.uniqueId}`,
      `/web/paste-render/${html.body.uniqueId}`,
      `/web/url-render/${url.body.uniqueId}`,
      `/web/links/${url.body.uniqueId}`,
      `/web/library?search=${encodeURIComponent(text)}`,
      `/web/login?next=${encodeURIComponent(text)}`,
      `/web/register?inviteCode=${encodeURIComponent(text)}`,
      `/web/image-render/${encodeURIComponent(text.slice(0, 60))}`,
      `/web/login?done=${encodeURIComponent(text)}`,
    ]) {
      await page.goto(path, { waitUntil: 'load' });
    }
    await page.goto(`/web/paste-render/${paste.body.uniqueId}`);
    assert.is(await page.locator('.code .line > span').first().textContent(), `${text}\n`);
    const reordered = text.includes('\u202e');
    const warning = page.getByText('characters that make it look different from what a program reads');
    assert.is(await warning.isVisible(), reordered);
    const mark = page.locator('.code .codepoint[data-name="U+202E"]');
    if (reordered) assert.ok(((await mark.boundingBox())?.width ?? 0) > 20, 'the name is shown');
  }
  assert.equal(
    faults.filter((fault) => !fault.includes('404')),
    [],
  );
  await close();
});

check(
  'an uploaded page or drawing with a script is inert, opened directly and on its page',
  async ({ server, browser }) => {
    const { request, owner } = server;
    const files = [
      ['x.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>'],
      ['x.html', '<!doctype html><script>alert(3)</script>'],
    ] as const;
    const { page, faults, close } = await openPage(browser, server);
    for (const [name, text] of files) {
      const form = new FormData();
      form.set('file', new File([text], name));
      const { body } = await request('POST', '/image/upload', { key: owner.key, form });
      await page.goto(`/web/image-render/${body.uniqueId}`, { waitUntil: 'load' });
      await page.goto(body.message.urlSet.rawUrl, { waitUntil: 'load' }).catch(() => undefined);
    }
    assert.equal(
      faults.filter((fault) => fault.startsWith('dialog')),
      [],
    );
    await close();
  },
);

check('a form that redirects never leads to another site', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, { javaScriptEnabled: false });
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)']) {
    await page.context().clearCookies();
    await page.goto(`/web/login?next=${encodeURIComponent(next)}`);
    await page.getByLabel('E-mail address').fill(server.owner.email);
    await page.getByLabel('Password').fill(server.owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((url) => url.pathname !== '/web/login');
    assert.is(new URL(page.url()).origin, server.origin);
  }
  await close();
});

run();
