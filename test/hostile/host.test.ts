/** Forged hosts and addresses: no answer, mail or page contains them, and no limit trusts them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { jpegPhoto } from '../support/media/media-fixtures.js';
import { isClear } from './guarantees.js';
import { ask, headOf } from './raw.js';

const EVIL = 'evil.example';
const BASE = 'https://files.example.org';
const port = (server: TestServer) => server.app.address.port;

/** Headers that some servers accept as a host. */
const lies: readonly Readonly<Record<string, string>>[] = [
  { Host: EVIL },
  { Host: `${EVIL}:443` },
  { Host: `files.example.org@${EVIL}` },
  { Host: `files.example.org:${EVIL}` },
  { Host: 'files.example.org', host: EVIL },
  { 'X-Forwarded-Host': EVIL, 'X-Forwarded-Proto': 'http', 'X-Forwarded-Port': '1' },
  { Forwarded: `for=1.2.3.4;host=${EVIL};proto=http` },
  { 'X-Host': EVIL, 'X-Forwarded-Server': EVIL, 'X-HTTP-Host-Override': EVIL },
  { 'X-Original-URL': `http://${EVIL}/`, 'X-Rewrite-URL': '/v1/admin', 'X-Forwarded-Prefix': `//${EVIL}` },
  { 'X-HTTP-Method-Override': 'DELETE', 'X-Forwarded-Scheme': EVIL, 'X-Real-IP': EVIL },
];

for (const trust of ['false', 'true']) {
  const test = suite(`forged hosts, TRUST_PROXY=${trust}`);
  let server: TestServer;
  test.before(async () => {
    server = await startServer({
      BASE_URL: BASE,
      TRUST_PROXY: trust,
      SHORT_URL_URL: 'https://go.example.org',
    });
  });
  test.after(() => server.close());

  test('links are those of BASE_URL, whatever the request says', async () => {
    const key = server.owner.key;
    const image = await server.request('POST', '/image/upload', {
      key,
      form: fileForm(await jpegPhoto(1), 'a.jpg'),
    });
    const paste = await server.request('POST', '/paste/create', { key, json: { text: 'hello' } });
    const link = await server.request('POST', '/url/create', { key, json: { url: 'https://example.com/' } });
    const json = { imagesUids: [image.body.uniqueId] };
    const playlist = await server.request('POST', '/image/playlist/create', { key, json });
    assert.is(image.body.message.urlSet.rawUrl, `${BASE}/v1/image/get/${image.body.uniqueId}`);
    assert.is(link.body.message.urlSet.shortUrl, `https://go.example.org/${link.body.uniqueId}`);
    const targets = [
      `/v1/image/info/${image.body.uniqueId}`,
      `/v1/paste/get/${paste.body.uniqueId}`,
      `/v1/url/get/${link.body.uniqueId}`,
      `/v1/image/playlist/get/${playlist.body.uniqueId}`,
      `/v1/auth/me`,
      '/v1/user/get/@me/uploaders/holdall-image.sxcu',
      `/web/image-render/${image.body.uniqueId}`,
      `/web/oembed?url=${encodeURIComponent(`${BASE}/web/image-render/${image.body.uniqueId}`)}`,
      `/web/paste-render/${paste.body.uniqueId}`,
      `/r/${link.body.uniqueId}`,
      '/web/login',
      '/web/nowhere',
      '/web',
      '/web/settings',
      '/v1/nowhere',
      '/v1/openapi.json',
      '/',
    ];
    for (const lie of lies)
      for (const target of targets) {
        const Accept = target.startsWith('/v1') ? '*/*' : 'text/html';
        const answer = await ask(port(server), headOf('GET', target, { 'X-API-Key': key, Accept, ...lie }));
        const what = `${target} ${JSON.stringify(lie)}`;
        assert.ok(answer.status < 500, what);
        assert.is(`${JSON.stringify([...answer.headers])}${answer.body}`.includes(EVIL), false, what);
      }
    for (const target of targets) {
      const absolute = await ask(
        port(server),
        headOf('GET', `http://${EVIL}${target}`, { 'X-API-Key': key }),
      );
      assert.is(`${JSON.stringify([...absolute.headers])}${absolute.body}`.includes(EVIL), false, target);
    }
  });

  test('mails contain links of BASE_URL', async () => {
    const body = JSON.stringify({ email: server.owner.email });
    for (const lie of lies) {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length), ...lie };
      await ask(port(server), `${headOf('POST', '/v1/auth/reset/request', headers)}${body}`);
    }
    await server.app.services.jobs.settle();
    const outbox = join(server.dataDir, 'outbox');
    const mails = await Promise.all(
      (await readdir(outbox)).map((name) => readFile(join(outbox, name), 'utf8')),
    );
    assert.ok(mails.length > 0);
    for (const mail of mails) {
      assert.is(mail.includes(EVIL), false);
      assert.match(mail, /https:\/\/files\.example\.org\/web\/password-reset/);
    }
  });

  test('the address of a visitor comes from the proxy if it is trusted, and is always a valid address', async () => {
    const key = server.owner.key;
    for (const [forwarded, trusted] of [
      ['203.0.113.7', '203.0.113.7'],
      ['6.6.6.6, 203.0.113.8', '203.0.113.8'],
      ['::ffff:203.0.113.9', '203.0.113.9'],
      ['2001:db8::1', '2001:db8::1'],
      [EVIL, '127.0.0.1'],
      ['', '127.0.0.1'],
      [',,,', '127.0.0.1'],
      ['<script>', '127.0.0.1'],
      ['203.0.113.7\x00', null],
      ['1'.repeat(8_000), '127.0.0.1'],
    ] as const) {
      const link = await server.request('POST', '/url/create', {
        key,
        json: { url: 'https://example.com/' },
      });
      const target = `/r/${link.body.uniqueId}`;
      const answer = await ask(port(server), headOf('GET', target, { 'X-Forwarded-For': forwarded }));
      assert.is(answer.status, trusted === null ? 400 : 301, forwarded);
      if (trusted === null) continue;
      const logs = await server.request('GET', `/url/get/${link.body.uniqueId}/logs`, { key });
      const [visit] = logs.body.message.logs ?? logs.body.message;
      assert.is(visit.ipAddress, trust === 'true' ? trusted : '127.0.0.1', forwarded.slice(0, 40));
    }
  });

  test('a request without a host is refused; unusual hosts are answered like any other', async () => {
    const bare = (host: string, version = '1.1') => `GET /v1/status HTTP/${version}\r\n${host}\r\n`;
    const none = await ask(port(server), bare(''));
    isClear(none, 'no host');
    assert.is(none.status, 400);
    assert.is((await ask(port(server), bare('', '1.0'))).status, 200);
    for (const host of [
      '',
      ' ',
      '[::1',
      '..',
      'x'.repeat(8_000),
      'a b',
      '/',
      '@',
      '\xff',
      'go.example.org.',
      ':0',
      '%00',
    ]) {
      const answer = await ask(port(server), bare(`Host: ${host}\r\n`));
      assert.ok([200, 400, 404].includes(answer.status), `${host.slice(0, 20)} ${answer.status}`);
      isClear(answer, host.slice(0, 20));
    }
  });
  test.run();
}
