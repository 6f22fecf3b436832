// on both databases
/** Text that no database can store: NUL, unpaired surrogates, excessive nesting. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../harness.js';

interface Given {
  server: TestServer;
  user: TestAccount;
}
const text = suite<Given>('invalid text');

text.before(async (given) => {
  given.server = await startServer();
  given.user = await given.server.account();
});
text.after(({ server }) => server.close());

text('NUL is 400 in every field', async ({ server, user: { key } }) => {
  const asked = [
    await server.request('POST', '/image/playlist/create', { key, json: { title: 'a\u0000b' } }),
    await server.request('POST', '/url/create', { key, json: { url: 'https://example.org/\u0000' } }),
    await server.request('PATCH', '/user/me/socials', { key, json: { website: '\u0000' } }),
    await server.request('POST', '/email/getmissing', { key, json: { mail: 'x', messageIds: ['\u0000'] } }),
    await server.request('GET', '/email/getinfo?email=%00', { key }),
    await server.request('GET', '/user/get/a%00b', { key }),
    await server.request('GET', '/url/get/a%00b', { key }),
    await server.request('POST', '/auth/login', { json: { email: '\u0000', password: 'x' } }),
    await server.request('DELETE', '/image/playlist/get/a%00b', { key }),
  ];
  assert.equal(
    asked.map(({ status }) => status),
    asked.map(() => 400),
  );
});

text('a file for an address that never existed is 404', async ({ server }) => {
  const { status } = await server.request('PUT', '/image/reserved/a%00b?token=x', { body: 'text' });
  assert.is(status, 404);
});

text('a refused form is shown again whatever its fields hold', async ({ server }) => {
  const json = { code: { toString: 1 }, password: 'x'.repeat(201) };
  assert.is((await server.request('POST', '//web/password-reset/confirm', { json })).status, 400);
  const next = { toString: 1 };
  assert.is((await server.request('POST', '//web/theme', { json: { next } })).status, 303);
});

text('a missing key is reported first', async ({ server }) => {
  const { status } = await server.request('POST', '/image/playlist/create', { json: { title: '\u0000' } });
  assert.is(status, 401);
});

text('an unpaired surrogate becomes U+FFFD', async ({ server, user: { key } }) => {
  const json = { text: 'cut off \ud83d', title: '\udc4d' };
  const { body } = await server.request('POST', '/paste/create', { key, json });
  const { message } = (await server.request('GET', `/paste/get/${body.uniqueId}`)).body;
  assert.equal([message.content, message.title], ['cut off \ufffd', '\ufffd']);
});

text(
  'a lookup by an impossible id does not affect others in the same batch',
  async ({ server, user: { key } }) => {
    const { uniqueId } = (
      await server.request('POST', '/url/create', { key, json: { url: 'https://example.org' } })
    ).body;
    const port = server.app.address.port;
    const log = (id: string) =>
      fetch(
        `http://127.0.0.1:${port}/trpc/url.logs?input=${encodeURIComponent(JSON.stringify({ uniqueId: id }))}`,
        {
          headers: { 'x-api-key': key },
        },
      );
    const answers = await Promise.all([
      log(uniqueId),
      log('\ud800'),
      log(uniqueId),
      log('\u0000'),
      log(uniqueId),
    ]);
    assert.equal(
      answers.map(({ status }) => status),
      [200, 404, 200, 400, 200],
    );
  },
);

text('excessive nesting is 400', async ({ server, user: { key } }) => {
  const body = `{"text":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  const headers = { 'content-type': 'application/json' };
  assert.is((await server.request('POST', '/paste/create', { key, body, headers })).status, 400);
});

text.run();
