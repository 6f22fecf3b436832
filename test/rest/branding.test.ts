// on both databases
/** The operator's house: what an administrator sets is in effect at once, in every process, and nobody else sets it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { sessionOf } from '../support/accounts/accounts.js';
import { newestMailTo } from '../support/accounts/outbox.js';
import { jpegPhoto } from '../support/media/media-fixtures.js';
import { until } from '../support/until.js';

const test = suite('the operator’s house');
let first: TestServer;
let second: TestServer;
let admin: TestAccount;
let user: TestAccount;

const HTML = { headers: { accept: 'text/html' } };
const NOTHING = {
  name: null,
  tagline: null,
  logo: null,
  accent: null,
  footerLinks: null,
  banner: null,
  privacy: null,
  imprint: null,
  unknownUrl: null,
};

test.before(async () => {
  first = await startServer();
  second = await startServer({ DATA_DIR: first.dataDir });
  admin = await first.account('ADMIN');
  user = await first.account();
});
test.after(async () => {
  await second.close();
  await first.close();
});
test.after.each(async () => {
  await patch(NOTHING);
});

const patch = (json: unknown, key = admin.key) => first.request('PATCH', '/admin/branding', { key, json });
const pageAt = async (path: string, server = first) => (await server.request('GET', `/${path}`, HTML)).text;

async function picture(fields: Record<string, string> = {}): Promise<string> {
  const form = fileForm(await jpegPhoto(120, 80), 'logo.jpg', fields, 'image/jpeg');
  return (await first.request('POST', '/image/upload', { key: admin.key, form })).body.uniqueId;
}

test('an installation that nobody has given a look has the name of the software and nothing else', async () => {
  const plain = { ...NOTHING, name: 'Holdall', footerLinks: [] };
  assert.equal((await first.request('GET', '/branding')).body.message, plain);
  const settings = await first.request('GET', '/admin/branding', { key: admin.key });
  assert.equal(settings.body.message, plain);
});

test('a change answers with the whole, keeps absent fields, and null or "" clears', async () => {
  const footerLinks = [{ label: 'Status', url: 'https://status.example.com/' }];
  const made = await patch({ name: ' My  Place ', tagline: 'For us', accent: '#AA3300', footerLinks });
  assert.is(made.status, 200, made.text);
  const whole = { ...NOTHING, name: 'My Place', tagline: 'For us', accent: '#aa3300', footerLinks };
  assert.equal(made.body.message, whole);
  assert.equal((await patch({ tagline: '', other: 1 })).body.message, { ...whole, tagline: null });
  assert.equal((await patch({ name: '', footerLinks: '' })).body.message.footerLinks, []);
  assert.is((await first.request('GET', '/branding')).body.message.name, 'Holdall');
});

test('is in effect at once on the pages, previews and oEmbed answers of every process', async () => {
  const { uniqueId } = (
    await first.request('POST', '/url/create', { key: user.key, json: { url: 'https://example.com/' } })
  ).body.message;
  await pageAt('/', second);
  await patch({
    name: 'Ünser <Haus>',
    accent: '#ffcc00',
    banner: { text: 'Maintenance <tonight>', kind: 'warning' },
    footerLinks: [{ label: 'Mail us', url: 'mailto:us@example.com' }],
    privacy: '# We keep nothing',
  });
  for (const server of [first, second]) {
    const html = await pageAt('/', server);
    assert.match(html, '<title>Ünser &lt;Haus></title>');
    assert.match(html, 'Maintenance &lt;tonight>');
    assert.match(html, 'href="mailto:us@example.com"');
    assert.match(html, '/web/assets/accent-ffcc00.css');
    assert.match(html, 'href="/web/privacy"');
    assert.not.match(html, 'href="/web/imprint"');
    const page = await pageAt(`/web/url-render/${uniqueId}`, server);
    assert.match(page, 'content="Ünser &lt;Haus>"');
    const { text } = await server.request(
      'GET',
      `//web/oembed?url=${server.origin}/web/url-render/${uniqueId}`,
    );
    assert.is(JSON.parse(text).provider_name, 'Ünser <Haus>');
  }
});

test('a banner is over at its end, and an end in the past is refused', async () => {
  const past = await patch({ banner: { text: 'x', until: '2001-01-01' } });
  assert.is(past.status, 400);
  assert.match(past.body.message, 'banner.until');
  const until = '2999-01-31T18:00:00.000Z';
  assert.equal((await patch({ banner: { text: 'Soon', until } })).body.message.banner, {
    text: 'Soon',
    kind: 'info',
    until,
  });
  await first.app.services.db.write(async (trx) => {
    await trx('branding').update({ banner: JSON.stringify({ text: 'Soon', kind: 'info', until: 1 }) });
  });
  assert.is((await first.request('GET', '/branding')).body.message.banner, null);
  assert.not.match(await pageAt('/'), 'Soon');
});

test('only a picture that everybody may see becomes the logo, and it is gone once that ends', async () => {
  const hidden = await picture({ private: 'true' });
  const counted = await picture({ maxViews: '3' });
  for (const logo of [hidden, counted, 'NOSUCH11']) assert.is((await patch({ logo })).status, 400, logo);
  const logo = await picture();
  assert.is((await patch({ logo })).body.message.logo, logo);
  assert.match(await pageAt('/', second), `/v1/image/get/${logo}?width=`);
  const shown = await first.request('GET', `/image/get/${logo}?width=96&format=png`);
  assert.is(shown.headers.get('content-type'), 'image/png');
  await first.request('PUT', '/user/get/@me/images/private', {
    key: admin.key,
    json: { uids: [logo], private: true },
  });
  await first.request('PATCH', `/image/get/${logo}`, { key: admin.key, json: { private: true } });
  assert.is((await first.request('GET', '/branding')).body.message.logo, null);
  assert.not.match(await pageAt('/', second), logo);
});

test('policies are rendered as Markdown in which nothing runs or loads', async () => {
  const imprint = [
    '# Who we are',
    '<script>alert(1)</script> <b onclick="x()">b</b>',
    '[run](javascript:alert(1)) [data](data:text/html,x) [file](file:///etc/passwd) [vb]( VBSCRIPT:x )',
    '![track](https://tracker.example/p.png) [fine](https://example.com/) <https://example.org>',
    '| a | b |\n| - | - |\n| 1 | 2 |',
    '```js\nconst a = "<b>";\n```',
  ].join('\n\n');
  await patch({ imprint });
  // Where the process that renders it is busy for too long, the page shows it as it was written.
  await until(async () => (await pageAt('/web/imprint')).includes('hljs-keyword'));
  const html = await pageAt('/web/imprint');
  assert.match(html, '<h2>Who we are</h2>');
  assert.match(html, '&lt;script&gt;alert(1)&lt;/script&gt;');
  for (const bad of [/<script>/, /<b /, /<img[^>]*tracker/, /href="(?:javascript|data|file|vbscript|\s)/i])
    assert.not.match(html, bad);
  assert.match(
    html,
    '<a href="https://tracker.example/p.png" rel="nofollow noopener noreferrer ugc">track</a>',
  );
  assert.match(html, '<td>1</td>');
  assert.match(html, 'hljs-keyword');
  assert.is((await first.request('GET', '//web/privacy', HTML)).status, 404);
});

test('a logo of somebody who is no administrator is refused, and its file is not kept', async () => {
  const member = await first.account();
  const headers = { cookie: `session_token=${await sessionOf(first, member)}`, origin: first.origin };
  const form = fileForm(await jpegPhoto(120, 80), 'logo.jpg', {}, 'image/jpeg');
  const { status } = await first.request('POST', '//web/admin/branding/logo/file', { headers, form });
  assert.is(status, 403);
  const { content } = (await first.request('GET', '/user/get/@me/items', { key: member.key })).body.message;
  assert.equal(content, []);
});

test('the page takes a logo as a file or from the library, and the usual colour as none', async () => {
  const headers = { cookie: `session_token=${await sessionOf(first, admin)}`, origin: first.origin };
  const send = async (path: string, form: FormData | URLSearchParams) => {
    const answer = await first.request('POST', `//web/admin/branding${path}`, { headers, form });
    assert.is(answer.status, 303, answer.text);
    return (await first.request('GET', '/branding')).body.message;
  };
  const file = fileForm(await jpegPhoto(120, 80), 'logo.jpg', {}, 'image/jpeg');
  const { logo } = await send('/logo/file', file);
  assert.match(await pageAt('/'), `/v1/image/get/${logo}?width=`);
  const other = (await first.request('POST', '/image/upload', { key: admin.key, form: file })).body.uniqueId;
  assert.is((await send('/logo', new URLSearchParams({ logo: other }))).logo, other);
  assert.is((await send('', new URLSearchParams({ accent: '#aa3311' }))).accent, '#aa3311');
  assert.is(
    (await send('', new URLSearchParams({ accent: '#aa3311', action: 'usual-accent' }))).accent,
    null,
  );
  const saved = await send('', new URLSearchParams({ accent: '#0c6a57', name: 'Later' }));
  assert.equal([saved.accent, saved.name, saved.logo], [null, 'Later', other]);
  assert.is((await send('/logo', new URLSearchParams({ action: 'remove' }))).logo, null);
});

test('mails are sent in the name of the operator', async () => {
  await patch({ name: 'Our House' });
  const form = new URLSearchParams({ email: user.email });
  await first.request('POST', '//web/password-reset', { form });
  // Either process may send it.
  await second.app.services.jobs.settle();
  assert.match((await newestMailTo(first, user.email)).subject, 'Our House');
});

test('what cannot be shown is refused with what to do, and nothing is changed', async () => {
  await patch({ name: 'Before' });
  const link = (url: string) => ({ footerLinks: [{ label: 'x', url }] });
  for (const json of [
    { name: 'x'.repeat(61) },
    { accent: 'red' },
    { accent: '#12345' },
    link('javascript:alert(1)'),
    link('//evil.example'),
    link('/\\evil.example'),
    link('example.com'),
    { footerLinks: [{ label: '', url: '/' }] },
    { footerLinks: Array.from({ length: 13 }, () => ({ label: 'x', url: '/' })) },
    { banner: { text: '' } },
    { banner: { text: 'x', kind: 'loud' } },
    { privacy: 'x'.repeat(50_001) },
    { name: ['x'] },
    { banner: 'x' },
  ]) {
    const answer = await patch({ tagline: 'changed', ...json });
    assert.is(answer.status, 400, JSON.stringify(json).slice(0, 80));
  }
  const { name, tagline } = (await first.request('GET', '/branding')).body.message;
  assert.equal([name, tagline], ['Before', null]);
});

test('changes of different fields at once are all kept, and each is in the audit log', async () => {
  await Promise.all([
    patch({ name: 'A' }),
    patch({ tagline: 'B' }),
    patch({ accent: '#000000' }),
    patch({ privacy: 'C' }),
  ]);
  const { name, tagline, accent, privacy } = (await second.request('GET', '/branding')).body.message;
  assert.equal([name, tagline, accent, privacy], ['A', 'B', '#000000', 'C']);
  const { body } = await first.request(
    'GET',
    '/admin/system/auditlog?page=0&size=10&event=branding.changed',
    { key: admin.key },
  );
  assert.ok(body.message.length >= 4, JSON.stringify(body.message));
});

test('people who do not administer neither change nor read the settings', async () => {
  const moderator = await first.account('MODERATOR');
  for (const key of [user.key, moderator.key]) {
    assert.is((await patch({ name: 'Mine' }, key)).status, 403);
    assert.is((await first.request('GET', '/admin/branding', { key })).status, 403);
  }
  assert.is((await first.request('GET', '/admin/branding')).status, 401);
});

test('a logo that is hidden meanwhile does not keep the rest from being saved', async () => {
  const logo = await picture();
  assert.is((await patch({ logo })).status, 200);
  await first.request('PATCH', `/image/get/${logo}`, { key: admin.key, json: { private: true } });
  const { status, body } = await patch({ logo, name: 'Later' });
  assert.equal([status, body.message.logo, body.message.name], [200, logo, 'Later']);
  assert.is((await patch({ logo: await picture({ private: 'true' }) })).status, 400);
});

test.run();
