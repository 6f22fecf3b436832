/** The language of pages: the account's choice, else the best one of `Accept-Language`, else that of the installation. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { sessionOf } from '../support/accounts/accounts.js';

const test = suite('language');
let server: TestServer;

test.before(async () => {
  server = await startServer();
});
test.after(() => server.close());

/** The sign-in page for these headers: its languages, whether it varies, and whether it says this. */
async function page(path: string, headers: Record<string, string>, from = server) {
  const answer = await from.request('GET', path, { headers: { accept: 'text/html', ...headers } });
  const said = /<html lang="(\w+)"/.exec(answer.text)?.[1];
  assert.is(answer.headers.get('content-language'), said);
  assert.match(answer.headers.get('vary') ?? '', 'Accept-Language');
  return { language: said, text: answer.text };
}

test('an open page speaks the best language that its reader asks for, and says which', async () => {
  const german = await page('//web/login', { 'accept-language': 'fr, de-AT;q=0.9, en;q=0.5' });
  assert.is(german.language, 'de');
  assert.match(german.text, 'Anmelden');
  assert.is((await page('//web/login', { 'accept-language': 'fr' })).language, 'en');
  assert.is((await page('//web/login', {})).language, 'en');
  assert.is((await page('//web/nosuchpage', { 'accept-language': 'uk' })).language, 'uk');
});

test('what an account has chosen goes before what its browser asks for, until it is taken back', async () => {
  const account = await server.account();
  const cookie = `session_token=${await sessionOf(server, account)}`;
  const change = (language: unknown) =>
    server.request('PATCH', '/user/get/@me/settings/language', { key: account.key, json: { language } });
  const chosen = async () =>
    (await server.request('GET', '/user/get/@me/settings/language', { key: account.key })).body.message;
  const shown = async () => (await page('//web/settings', { cookie, 'accept-language': 'pl' })).language;
  assert.equal(await chosen(), { language: null });
  assert.is(await shown(), 'pl');
  assert.is((await change('sk')).status, 204);
  assert.equal(await chosen(), { language: 'sk' });
  assert.is(await shown(), 'sk');
  assert.is((await change('fr')).status, 400);
  assert.is((await change(null)).status, 204);
  assert.is(await shown(), 'pl');
});

test('words of tables, and those that a handler makes, are in the language of the page', async () => {
  const account = await server.account();
  const headers = { cookie: `session_token=${await sessionOf(server, account)}`, 'accept-language': 'de' };
  const form = fileForm('x'.repeat(1536), 'words.txt', {}, 'text/plain');
  await server.request('POST', '/image/upload', { key: account.key, form });
  const { body } = await server.request('POST', '/url/create', {
    key: account.key,
    json: { url: 'https://example.org/' },
  });
  for (const [path, ...words] of [
    ['settings/security/keys', 'Bilder und Dateien sehen'],
    ['settings/account', 'Benutzer'],
    ['library', '1,5 KB', 'Neueste zuerst'],
    ['links', 'Besuche'],
    [`links/${body.uniqueId}`, 'Betriebssysteme', ' bis '],
  ]) {
    const { text } = await page(`//web/${path}?days=90`, headers);
    for (const word of words) assert.match(text, word, path);
  }
});

test('a page says in its language why a form was refused, with the values of the refusal', async () => {
  const account = await server.account();
  const cookie = `session_token=${await sessionOf(server, account)}`;
  const made = await server.request('POST', '/image/playlist/create', {
    key: account.key,
    json: { title: 'Songs' },
  });
  const { status, text } = await server.request('POST', `//web/collections/${made.body.uniqueId}`, {
    headers: { cookie, accept: 'text/html', origin: server.origin, 'accept-language': 'de' },
    form: new URLSearchParams({ action: 'add', id: 'NOSUCHID' }),
  });
  assert.is(status, 400);
  assert.match(text, 'Sie haben keine Datei NOSUCHID');
});

test('a page says in its language what a schema refuses, beside its field; the API says it in English', async () => {
  const account = await server.account();
  const cookie = `session_token=${await sessionOf(server, account)}`;
  const send = async (path: string, fields: Record<string, string>, language: string) => {
    const { status, text } = await server.request('POST', `//web/${path}`, {
      headers: { cookie, accept: 'text/html', origin: server.origin, 'accept-language': language },
      form: new URLSearchParams(fields),
    });
    assert.is(status, 400, path);
    return text;
  };
  assert.match(
    await send('url-create', { url: 'mailto:x@example.org' }, 'cs'),
    'Zkrátit lze jen adresy http a https',
  );
  const link = { url: 'https://example.org/', uniqueId: 'two words' };
  assert.match(await send('url-create', link, 'pl'), 'Użyj od 1 do 128 liter i cyfr dowolnego pisma');
  assert.match(
    await send('url-create', { ...link, uniqueId: '', maxUses: '0' }, 'de'),
    'Muss mindestens 1 sein',
  );
  assert.match(
    await send('url-import', { text: 'url\nhttps://example.org/\nftp://example.org/\n' }, 'uk'),
    'рядок 3: Скоротити можна лише адреси http і https',
  );
  const api = await server.request('POST', '/url/create', {
    key: account.key,
    json: link,
    headers: { 'accept-language': 'pl' },
  });
  assert.equal(
    [api.status, api.body.message],
    [
      400,
      'uniqueId: use 1 to 128 letters and digits of any script, -, _, . and ~, with slashes only between them',
    ],
  );
});

test('a page says in its language which limit of an account is exceeded, and the API in English', async () => {
  const account = await server.account();
  const cookie = `session_token=${await sessionOf(server, account)}`;
  const limited = await server.request('PUT', `/admin/limits/users/${account.id}`, {
    key: server.owner.key,
    json: { limits: { URL: { dailyCount: 0 } } },
  });
  assert.is(limited.status, 200);
  const { status, text } = await server.request('POST', '//web/url-create', {
    headers: { cookie, accept: 'text/html', origin: server.origin, 'accept-language': 'sk' },
    form: new URLSearchParams({ url: 'https://example.org/' }),
  });
  assert.is(status, 403);
  assert.match(text, 'Denný limit počtu krátkych odkazov je prekročený (využité 0, limit 0)');
  const api = await server.request('POST', '/url/create', {
    key: account.key,
    json: { url: 'https://example.org/' },
    headers: { 'accept-language': 'sk' },
  });
  assert.is(api.body.message, 'Daily url count limit exceeded (used 0, limit 0)');
});

test('the API answers in English', async () => {
  const headers = { 'accept-language': 'de' };
  const answer = await server.request('GET', '/paste/get/NOSUCHID', { headers });
  assert.equal([answer.status, answer.body.message], [404, 'Resource not found']);
});

test('an installation speaks its own language to those who ask for none', async () => {
  const czech = await startServer({ DEFAULT_LANGUAGE: 'cs' });
  try {
    assert.is((await page('//web/login', {}, czech)).language, 'cs');
    assert.is((await page('//web/login', { 'accept-language': 'en' }, czech)).language, 'en');
  } finally {
    await czech.close();
  }
});

test('the API refuses in the language that a request without a key asks for, but what is not found in English', async () => {
  const account = await server.account();
  const cookie = `session_token=${await sessionOf(server, account)}`;
  const refusal = async (path: string, headers: Record<string, string>) => {
    const {
      status,
      body,
      headers: answered,
    } = await server.request('POST', path, {
      headers,
      json: { url: 'not an address' },
    });
    return [status, body.message, answered.get('content-language')];
  };
  const german = { cookie, 'accept-language': 'de-AT, en;q=0.5' };
  const [status, said, language] = await refusal('/url/create', german);
  assert.equal([status, language], [400, 'de']);
  assert.is(said, 'Das ist keine gültige URL');
  const asked = [{ cookie }, { cookie, 'accept-language': 'fr, *' }, { ...german, 'x-api-key': account.key }];
  const inEnglish = await Promise.all(asked.map((headers) => refusal('/url/create', headers)));
  assert.equal(new Set(inEnglish.map(String)).size, 1);
  assert.equal(inEnglish[0], [400, 'This is not a valid URL', null]);
  const missing = await server.request('GET', '/paste/get/NOSUCHID?raw=false', { headers: german });
  assert.equal([missing.status, missing.body.message], [404, 'Resource not found']);
  const foreign = { ...german, origin: 'https://elsewhere.example' };
  assert.equal(await refusal('/url/create', foreign), [
    403,
    'Anfragen von anderen Websites werden abgelehnt, außer von denen, die ein Betreiber in CORS_ORIGINS einträgt',
    'de',
  ]);
});

test('a page loads the texts of its scripts in its own language only, before the scripts, to be kept for ever', async () => {
  const sources = ({ text }: { readonly text: string }) =>
    Array.from(text.matchAll(/<script type="module" src="([^"]+)"/g), ([, src = '']) => src);
  const german = sources(await page('//web/login', { 'accept-language': 'de' }));
  const [texts = '', ...rest] = german;
  assert.match(texts, /^\/web\/assets\/core\.de-[A-Z0-9]{8}\.js$/);
  assert.ok(rest.some((src) => /\/core-/.test(src)));
  const english = sources(await page('//web/login', {}));
  assert.equal(
    english,
    german.filter((src) => !src.includes('.de-')),
  );
  const { headers, text } = await server.request('GET', `/${texts}`);
  assert.match(text, '"Copied":"Kopiert"');
  assert.match(headers.get('cache-control') ?? '', 'immutable');
  assert.match(headers.get('content-type') ?? '', 'text/javascript; charset=utf-8');
});

test.run();
