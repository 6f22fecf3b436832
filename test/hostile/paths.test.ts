/**
 * Paths and ids with a special meaning elsewhere: a clear answer, and never another item than the one named.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../harness.js';
import { isClear } from './guarantees.js';
import { places, trickyIds } from './inputs/paths.js';
import { ask, headOf, type RawAnswer } from './raw.js';

const test = suite('hostile paths');
let server: TestServer;
let link: string;
let paste: string;
test.before(async () => {
  server = await startServer();
  const key = server.owner.key;
  const url = await server.request('POST', '/url/create', {
    key,
    json: { url: 'https://example.com/there' },
  });
  const text = await server.request('POST', '/paste/create', { key, json: { text: 'the text' } });
  [link, paste] = [url.body.uniqueId, text.body.uniqueId];
});
test.after(() => server.close());

const send = (method: string, target: string, headers: Readonly<Record<string, string>> = {}) =>
  ask(server.app.address.port, headOf(method, target, { 'X-API-Key': server.owner.key, ...headers }));

/** What no path may ever return. */
const SECRETS = /root:.*:0:0|SQLite format|CREATE TABLE|BEGIN [A-Z ]*PRIVATE KEY|"dependencies"/;

function isHarmless(answer: RawAnswer, what: string, envelope: boolean): void {
  assert.ok(answer.status < 500, `${what}: ${answer.status} ${answer.body.toString('latin1', 0, 300)}`);
  if (envelope) isClear(answer, what);
  assert.not.match(answer.body.toString('latin1'), SECRETS, what);
  assert.is(answer.headers.get('set-cookie'), undefined, what);
  // A path never leads to another host.
  assert.not.match(answer.headers.get('location')?.[0] ?? '', /^(?:\/\/|\/\\|\\)/, what);
}

for (const place of places) {
  test(`${place} with ${trickyIds.length} ids`, async () => {
    const pages = /^\/(?:web|r|v1\/web)?\/?$|^\/(?:v1\/)?web/.test(place);
    const envelope = /^\/v1\/[^w]/.test(place);
    for (const id of trickyIds) {
      const what = `${place}${id}`.slice(0, 80);
      isHarmless(await send('GET', `${place}${id}`), `GET ${what}`, envelope);
      if (pages)
        isHarmless(await send('GET', `${place}${id}`, { Accept: 'text/html' }), `page ${what}`, false);
      // The owner must still exist.
      else if (place !== '/v1/user/get/')
        isHarmless(await send('DELETE', place + id), `DELETE ${what}`, envelope);
    }
  });
}

test('all spellings of an id mean the same item, and nothing else does', async () => {
  for (const same of [
    link,
    link.toLowerCase(),
    `%${link.charCodeAt(0).toString(16)}${link.slice(1)}`,
    `${link}/`,
    // What a text may have right behind a link.
    `${link}.`,
    `${link}%20`,
    `${link}%2f`,
  ])
    assert.is((await send('GET', `/r/${same}`)).status, 301, same);
  for (const other of [`${link}%00`, `${link}.exe`, `${link}.0`, `x/../${link}`, `.%2f${link}`])
    for (const place of ['/r/', '/v1/url/r/'])
      assert.is((await send('GET', place + other)).status === 301, false, place + other);
  for (const other of [`${paste}%00`, `${paste}.txt`, `${paste}%2f..`, `%ef%bc%a1${paste.slice(1)}`])
    assert.not.match((await send('GET', `/v1/paste/get/${other}`)).body.toString(), /the text/, other);
});

test('prefixes are matched exactly: case, doubled slashes and dots do not bypass them', async () => {
  for (const target of [
    '/V1/status',
    '/v1//status',
    '//v1/status',
    '/v1/./status',
    '/v1/x/../status',
    '/v1%2fstatus',
  ])
    assert.ok([200, 404].includes((await send('GET', target)).status), target);
  for (const target of [
    '/web/assets/../../package.json',
    '/web/assets/..%2f..%2fpackage.json',
    '/web/assets/%2e%2e/manifest.json',
    '/web/assets/manifest.json',
    '/.env',
    '/.git/config',
    '/package.json',
    '/data/secret',
    '/v1/../data/secret',
  ])
    assert.is((await send('GET', target)).status, 404, target);
});

test('request targets of every form are accepted or refused', async () => {
  for (const [target, statuses] of [
    ['http://evil.example/v1/status', [200]],
    ['HTTP://localhost?x', [200, 302]],
    ['https://evil.example:99999/v1/status', [200]],
    [`http://localhost/r/${link}`, [301]],
    ['http://', [400]],
    ['ftp://localhost/v1/status', [400]],
    ['v1/status', [400]],
    ['*', [400]],
    ['//evil.example/v1/status', [404]],
    ['//evil.example/web/login', [404]],
    ['/\\evil.example/web', [404]],
    ['?', [400]],
    ['', [400]],
    ['/v1/status#fragment', [200, 404]],
    ['/v1/status?%', [200]],
    ['/v1/status?%ff=%ff&a[b]=c&&&==', [200]],
    [`/v1/status?${'a&'.repeat(7_000)}`, [200]],
    ['/v1/status?\xff\xfe', [200, 400]],
    [`/v1/status?${'x'.repeat(20_000)}`, [431]],
  ] as [string, number[]][]) {
    const answer = await send('GET', target);
    const what = target.slice(0, 60);
    isHarmless(answer, what, false);
    assert.ok(statuses.includes(answer.status), `${what} ${answer.status}`);
  }
});

test('unknown procedure names are rejected', async () => {
  for (const name of [
    '__proto__',
    'constructor',
    'paste.__proto__',
    '_def',
    'paste._def',
    'toString',
    '',
    '.',
    ',,,,',
  ])
    for (const method of ['GET', 'POST']) {
      const answer = await send(method, `/trpc/${name}`, { 'Content-Length': '0' });
      assert.ok([400, 404, 405, 415].includes(answer.status), `${method} ${name} ${answer.status}`);
    }
  const many = Array.from({ length: 500 }, () => 'auth.me').join(',');
  assert.is((await send('GET', `/trpc/${many}?batch=1`)).status, 400);
});

test.run();
