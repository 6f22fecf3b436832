/** How pages answer cross-site requests. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Role } from '../../../routers/base/roles.js';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import { sessionOf } from '../../support/accounts/accounts.js';

const refused = suite<{ server: TestServer }>('pages: refused');

/** A picture of one pixel. */
const onePixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAAAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

refused.before(async (world) => {
  world.server = await startServer();
});
refused.after(({ server }) => server.close());

for (const path of [
  '/web/login',
  '/web/register',
  '/web/url-create',
  '/v1/web/url-create',
  '/web/settings',
]) {
  refused(`a cross-site form at ${path} is refused with a page`, async ({ server }) => {
    const cookie = `session_token=${await sessionOf(server, server.owner)}`;
    const answer = await server.request('POST', `/${path}`, {
      headers: { cookie, origin: 'https://other.example' },
      form: new URLSearchParams({ url: 'https://target.example' }),
    });
    assert.is(answer.status, 403);
    assert.match(answer.headers.get('content-type') ?? '', 'text/html');
    assert.match(answer.text, /Requests from other sites are refused, .* CORS_ORIGINS/);
    assert.ok(answer.headers.get('content-security-policy'));
  });
}

refused('a form sent through another host name of this site is told the correct one', async () => {
  const server = await startServer({ BASE_URL: 'http://files.example' });
  try {
    const answer = await server.request('POST', '//web/login', {
      headers: { origin: `http://127.0.0.1:${server.app.address.port}` },
      form: new URLSearchParams({ email: server.owner.email, password: server.owner.password }),
    });
    assert.is(answer.status, 403);
    assert.match(answer.text, 'Open this site as http://files.example');
  } finally {
    await server.close();
  }
});

refused(
  'an address that is too long to return to still leads to the login, and on from there',
  async (world) => {
    const { server } = world;
    const long = `/web/settings?x=${'%5B'.repeat(4_000)}`;
    const headers = { cookie: `session_token=${await sessionOf(server, server.owner)}` };
    for (const [path, headers_, to] of [
      [`/${long}`, {}, '/web/login?next=%2Fweb%2Fsettings'],
      [`//web/links/${'a'.repeat(4_000)}`, {}, '/web/login?next=%2F'],
      ['//web/settings?tab=1', {}, '/web/login?next=%2Fweb%2Fsettings%3Ftab%3D1'],
      [`//web/login?next=${encodeURIComponent(long.slice(0, 4_000))}`, headers, '/'],
    ] as const) {
      const answer = await server.request('GET', path, { headers: headers_ });
      assert.equal([answer.status, answer.headers.get('location')], [303, to]);
    }
    const found = await server.request('GET', `//web/image-render?id=${'%26'.repeat(4_000)}`);
    assert.ok((found.headers.get('location') ?? '').length < 600);
  },
);

refused('the deletion confirmation names the item only to those who may delete it', async ({ server }) => {
  const owner = await server.account();
  const cookieOf = async (account: typeof owner) => `session_token=${await sessionOf(server, account)}`;
  const cookies = { owner: await cookieOf(owner), other: await cookieOf(await server.account()) };
  const image = fileForm(onePixel, 'the harbour.gif');
  const made = {
    image: await server.request('POST', '/image/upload', { key: owner.key, form: image }),
    paste: await server.request('POST', '/paste/create', {
      key: owner.key,
      json: { text: 'x', title: 'the harbour', burn: true, private: true },
    }),
    url: await server.request('POST', '/url/create', {
      key: owner.key,
      json: { url: 'https://example.org/the harbour' },
    }),
  };
  for (const [kind, { body }] of Object.entries(made)) {
    const path = `//web/delete/${kind}/${body.uniqueId}`;
    const ask = (cookie: string, method = 'GET', at = path) =>
      server.request(method, at, { headers: { cookie } });
    const question = await ask(cookies.owner);
    assert.is(question.status, 200);
    assert.match(question.text, /<p class="clip">[^<]*the(?: |%20)harbour/);
    for (const method of ['GET', 'POST']) {
      const refusal = await ask(cookies.other, method);
      assert.is(refusal.status, 403, `${method} ${kind}`);
      assert.match(refusal.text, 'Access denied');
      assert.not.match(refusal.text, 'harbour');
      for (const cookie of [...Object.values(cookies), '']) {
        const unknown = await ask(cookie, method, `//web/delete/${kind}/NOSUCHID`);
        assert.is(unknown.status, 404, `${method} ${kind} of nobody`);
      }
    }
    const stranger = await ask('');
    assert.equal(
      [stranger.status, stranger.headers.get('location')],
      [303, `/web/login?next=${encodeURIComponent(path.slice(1))}`],
    );
    assert.is((await ask('', 'POST')).status, 401);
    const gone = await ask(cookies.owner, 'POST');
    assert.is(gone.status, 303, `${kind} was still there`);
    assert.is((await ask(cookies.owner)).status, 404);
  }
});

refused('the root of the pages leads to the start page', async ({ server }) => {
  for (const path of ['//web', '//web/', '//v1/web']) {
    const { status, headers } = await server.request('GET', path);
    assert.equal([status, headers.get('location')], [303, '/'], path);
  }
});

for (const role of ['USER', 'MODERATOR'] as const) {
  refused(
    `a signed-in ${role} who is refused is told so instead of being sent to the login and back`,
    async ({ server }) => {
      const owner = await server.account();
      const made = await server.request('POST', '/url/create', {
        key: owner.key,
        json: { url: 'https://target.example' },
      });
      const { uniqueId } = made.body.message;
      const headers = { cookie: `session_token=${await sessionOf(server, await server.account(role))}` };
      const answer = await server.request('GET', `//web/links/${uniqueId}`, { headers });
      assert.is(answer.status, 403);
      assert.match(answer.text, 'Only the owner may do this');
      assert.not.match(answer.text, 'Sign in');
      const link = await server.request('GET', `//web/url-render/${uniqueId}`, { headers });
      assert.not.match(link.text, `/web/links/${uniqueId}`);
    },
  );
}

refused(
  'visits are shown to the owner of a link and administrators; visitors are sent to the login',
  async (world) => {
    const { server } = world;
    const owner = await server.account();
    const made = await server.request('POST', '/url/create', {
      key: owner.key,
      json: { url: 'https://target.example' },
    });
    const visits = `/web/links/${made.body.message.uniqueId}`;
    for (const account of [owner, await server.account('ADMIN')]) {
      const headers = { cookie: `session_token=${await sessionOf(server, account)}` };
      const link = await server.request('GET', `//web/url-render/${made.body.message.uniqueId}`, { headers });
      assert.match(link.text, visits);
      assert.is((await server.request('GET', `/${visits}`, { headers })).status, 200);
    }
    const stranger = await server.request('GET', `/${visits}`);
    assert.equal(
      [stranger.status, stranger.headers.get('location')],
      [303, `/web/login?next=${encodeURIComponent(visits)}`],
    );
  },
);

refused('an account that may only read is shown no form that would refuse it', async ({ server }) => {
  const seen = async (role: Role, path: string) => {
    const headers = { cookie: `session_token=${await sessionOf(server, await server.account(role))}` };
    return server.request('GET', `/${path}`, { headers });
  };
  for (const path of ['/web/image-upload', '/web/paste-create', '/web/url-create']) {
    const guest = await seen('GUEST', path);
    assert.is(guest.status, 403);
    assert.match(guest.text, 'Your account is read-only');
    assert.not.match(guest.text, 'button primary create');
    const user = await seen('USER', path);
    assert.is(user.status, 200);
    assert.match(user.text, 'button primary create');
  }
});

refused('administrators are offered no role above their own', async ({ server }) => {
  const offered = async (role: Role) => {
    const headers = { cookie: `session_token=${await sessionOf(server, await server.account(role))}` };
    return (await server.request('GET', '//web/admin/users', { headers })).text.includes('value="OWNER"');
  };
  assert.equal([await offered('OWNER'), await offered('ADMIN')], [true, false]);
});

refused('bulk actions on items require signing in first', async ({ server }) => {
  const form = new URLSearchParams({ ids: 'SOMETHING', action: 'delete' });
  const answer = await server.request('POST', '//web/library', { form });
  assert.is(answer.status, 401);
  assert.not.match(answer.text, 'SOMETHING');
});

refused('an API operation is refused with the envelope', async ({ server }) => {
  const cookie = `session_token=${await sessionOf(server, server.owner)}`;
  const headers = { cookie, origin: 'https://other.example', accept: 'text/html' };
  const answer = await server.request('POST', '/url/create', { headers, json: { url: 'a.example' } });
  assert.is(answer.status, 403);
  assert.is(answer.body.error, true);
});

refused.run();
