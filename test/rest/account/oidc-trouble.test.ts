/** Linking with OpenID Connect under attack: races, providers that lie or hang, and addresses to continue to. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { type OidcStandin, startOidc } from '../../standins/oidc.js';
import { cookieOf, cookies, sessionOf } from '../../support/accounts/accounts.js';
import { comeBack, journey, oidcEnv, startFlow } from '../../support/accounts/oidc.js';
import { mailsTo } from '../../support/accounts/outbox.js';

interface World {
  oidc: OidcStandin;
  server: TestServer;
}
const test = suite<World>('OpenID Connect under attack');

test.before(async (world) => {
  world.oidc = await startOidc();
  world.server = await startServer(oidcEnv(world.oidc.url, { OIDC_HOUSE_AUTO_REGISTER: 'true' }));
});
test.after(async ({ server, oidc }) => {
  await server.close();
  await oidc.close();
});
test.before.each(({ oidc }) => {
  Object.assign(oidc, { mood: 'well', claims: {}, unsigned: false, strange: false });
});

let people = 0;
/** The claims of somebody new. */
const somebody = (more: object = {}) => {
  people += 1;
  const email = `someone${people}@example.com`;
  return { sub: `trouble-${people}`, email, email_verified: true, ...more };
};

const identitiesOf = (server: TestServer, { id }: TestAccount) =>
  server.app.services.db.read('identities').where('user_id', id);

const holdersOf = (server: TestServer, subject: string): Promise<number[]> =>
  server.app.services.db.read('identities').where('subject', subject).pluck('user_id');

const startLinking = async (server: TestServer, account: TestAccount) =>
  startFlow(server, '?intent=link', await sessionOf(server, account));

test('fifty callbacks with one code store one session, and fifty that link store one identity and send one mail', async ({
  server,
  oidc,
}) => {
  const account = await server.account();
  oidc.claims = somebody();
  const linking = await startLinking(server, account);
  const linked = oidc.consent(linking.location);
  const fifty = (callback: string, cookie: string) =>
    Promise.all(Array.from({ length: 50 }, () => comeBack(server, callback, cookie)));
  const links = await fifty(linked, linking.cookie);
  assert.is(links.filter(({ status }) => status === 302).length, 1);
  assert.is((await identitiesOf(server, account)).length, 1);
  assert.is((await mailsTo(server, account.email)).length, 1);

  const sessions = () => server.app.services.db.read('sessions').where('user_id', account.id).pluck('id');
  const before = await sessions();
  const signing = await startFlow(server);
  const answers = await fifty(oidc.consent(signing.location), signing.cookie);
  assert.is(answers.filter(({ status }) => status === 302).length, 1);
  assert.is(answers.map((answer) => cookieOf(answer, 'session_token')).filter(Boolean).length, 1);
  assert.is((await sessions()).length, before.length + 1);
});

test('two accounts that link one identity at once never share it', async ({ server, oidc }) => {
  for (let round = 0; round < 5; round += 1) {
    const claims = somebody();
    oidc.claims = claims;
    const both = [await server.account(), await server.account()];
    const flows = [];
    for (const account of both) flows.push(await startLinking(server, account));
    const answers = await Promise.all(
      flows.map(({ location, cookie }) => comeBack(server, oidc.consent(location), cookie)),
    );
    assert.equal(answers.map(({ status }) => status).sort(), [302, 400]);
    const [holder, ...others] = await holdersOf(server, claims.sub);
    assert.equal(others, []);
    assert.is(holder, both[answers.findIndex(({ status }) => status === 302)]?.id);
  }
});

test('an identity that signs in for the first time while an account links it belongs to one of them', async ({
  server,
  oidc,
}) => {
  for (let round = 0; round < 5; round += 1) {
    const claims = somebody();
    oidc.claims = claims;
    const linking = await startLinking(server, await server.account());
    const signing = await startFlow(server);
    const answers = await Promise.all(
      [linking, signing].map(({ location, cookie }) => comeBack(server, oidc.consent(location), cookie)),
    );
    assert.ok(answers.every(({ status }) => [302, 400, 403].includes(status)));
    assert.is((await holdersOf(server, claims.sub)).length, 1);
  }
});

test('two providers may call different people by one name: issuer and subject together are the identity', async ({
  server,
  oidc,
}) => {
  const other = await startOidc();
  const house = await startServer(
    oidcEnv(oidc.url, {
      OIDC_PROVIDERS: 'house,annex',
      OIDC_HOUSE_AUTO_REGISTER: 'true',
      OIDC_ANNEX_ISSUER: other.url,
      OIDC_ANNEX_CLIENT_ID: 'holdall',
      OIDC_ANNEX_CLIENT_SECRET: 'oidc-secret-canary',
      OIDC_ANNEX_AUTO_REGISTER: 'true',
    }),
  );
  try {
    const claims = somebody();
    oidc.claims = claims;
    other.claims = { ...somebody(), sub: claims.sub };
    const first = await journey(house, oidc);
    const start = await house.request('GET', '/auth/oidc/annex/start');
    const back = other.consent(start.headers.get('location') ?? '');
    const second = await comeBack(house, back, cookieOf(start, 'oidc_state') ?? '');
    const uids = await Promise.all(
      [first, second].map(async (answer) => {
        const headers = cookies({ session_token: cookieOf(answer, 'session_token') });
        return (await house.request('GET', '/auth/me', { headers })).body.message.uid;
      }),
    );
    assert.is.not(uids[0], uids[1]);
  } finally {
    await house.close();
    await other.close();
  }
  assert.is((await server.request('GET', '/auth/providers')).status, 200);
});

for (const [lie, tell] of Object.entries<(oidc: OidcStandin) => void>({
  'another issuer': (oidc) => Object.assign(oidc, { claims: somebody({ iss: 'https://elsewhere.example' }) }),
  'another audience': (oidc) => Object.assign(oidc, { claims: somebody({ aud: 'another-client' }) }),
  'another nonce': (oidc) => Object.assign(oidc, { claims: somebody({ nonce: 'guessed' }) }),
  'no signature': (oidc) => Object.assign(oidc, { unsigned: true, claims: somebody() }),
  'a key that it does not publish': (oidc) => Object.assign(oidc, { strange: true, claims: somebody() }),
  'no subject': (oidc) => Object.assign(oidc, { claims: somebody({ sub: undefined }) }),
  silence: (oidc) => Object.assign(oidc, { mood: 'hang' }),
}))
  test(`a provider that answers a link with ${lie} links nothing and mails nobody`, async ({
    server,
    oidc,
  }) => {
    const account = await server.account();
    const { location, cookie } = await startLinking(server, account);
    const callback = oidc.consent(location);
    tell(oidc);
    assert.is((await comeBack(server, callback, cookie)).status, 502);
    Object.assign(oidc, { mood: 'well', unsigned: false, strange: false, claims: somebody() });
    assert.is((await comeBack(server, callback, cookie)).status, 400, 'the flow is over');
    assert.equal(await identitiesOf(server, account), []);
    assert.equal(await mailsTo(server, account.email), []);
  });

test('a token that was signed by a key which is replaced before the keys are asked for is refused, and the next one works', async ({
  server,
  oidc,
}) => {
  oidc.claims = somebody();
  const { location, cookie } = await startFlow(server);
  const callback = oidc.consent(location);
  oidc.rotateAfterToken = true;
  assert.is((await comeBack(server, callback, cookie)).status, 502);
  assert.is((await journey(server, oidc)).status, 302);
});

test('the address of a linked identity may become that of another account, and stays a mere note', async ({
  server,
  oidc,
}) => {
  const [holder, victim] = [await server.account(), await server.account()];
  const claims = somebody();
  oidc.claims = claims;
  const { location, cookie } = await startLinking(server, holder);
  assert.is((await comeBack(server, oidc.consent(location), cookie)).status, 302);
  oidc.claims = { ...claims, email: victim.email };
  const entered = await journey(server, oidc);
  const headers = cookies({ session_token: cookieOf(entered, 'session_token') });
  const me = (await server.request('GET', '/auth/me', { headers })).body.message;
  assert.equal([me.uid, me.email], [holder.id, holder.email]);
  assert.equal(await identitiesOf(server, victim), []);
});

test('a provider that hangs when one starts is a 502 that the page explains', async ({ oidc }) => {
  oidc.mood = 'hang';
  const server = await startServer(oidcEnv(oidc.url));
  try {
    const [api, page] = await Promise.all([
      server.request('GET', '/auth/oidc/house/start'),
      server.request('GET', '/auth/oidc/house/start', { headers: { accept: 'text/html' } }),
    ]);
    assert.equal([api.status, page.status], [502, 302]);
    assert.match(page.headers.get('location') ?? '', /^\/web\/login\?failed=/);
    const told = await server.request('GET', `/${page.headers.get('location')}`);
    assert.match(told.text.replaceAll('&#39;', "'"), api.body.message.slice(0, 20));
  } finally {
    await server.close();
  }
});

test('neither codes nor tokens nor the secret of a provider are stored in plain text', async ({
  server,
  oidc,
}) => {
  oidc.claims = somebody();
  const { location, cookie } = await startFlow(server);
  const callback = oidc.consent(location);
  assert.is((await comeBack(server, callback, cookie)).status, 302);
  const code = new URL(callback).searchParams.get('code') ?? '';
  for (const name of ['holdall.db', 'holdall.db-wal']) {
    const bytes = await readFile(join(server.dataDir, name)).catch(() => Buffer.alloc(0));
    for (const secret of ['access-canary', 'oidc-secret-canary', 'eyJhbGciOiJSUzI1NiIs', cookie, code])
      assert.not.ok(bytes.includes(secret), `${name}: ${secret}`);
  }
});

/** Addresses that browsers take for another site, or that are none. */
const ELSEWHERE = [
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/%09/evil.example'.replace('%09', '\t'),
  '/..//evil.example',
  '/.//evil.example',
  'javascript:alert("evil.example")',
  'data:text/html,evil.example',
  ' https://evil.example',
  '@evil.example',
];

test('next leads to this site alone, by every way in', async ({ server, oidc }) => {
  const account = await server.account();
  const session = cookies({ session_token: await sessionOf(server, account) });
  const wrong: string[] = [];
  const stays = (way: string, next: string, location: string | null) => {
    const url = URL.canParse(location ?? 'none:', server.origin)
      ? new URL(location ?? '', server.origin)
      : null;
    if (url?.origin !== server.origin || url.pathname.startsWith('//'))
      wrong.push(`${way} ${next}: ${location}`);
  };
  for (const next of ELSEWHERE) {
    const asked = encodeURIComponent(next);
    const signedIn = await server.request('GET', `//web/login?next=${asked}`, { headers: session });
    stays('the page while signed in', next, signedIn.headers.get('location'));
    const form = new URLSearchParams({ email: account.email, password: account.password, next });
    const posted = await server.request('POST', '//web/login', { form, headers: { origin: server.origin } });
    stays('the form', next, posted.headers.get('location'));
    for (const path of ['/web/login', '/web/login/code']) {
      const { text } = await server.request('GET', `/${path}?next=${asked}`);
      const kept = [...text.matchAll(/(?:name="next" value|data-next)="([^"]*)"/g)];
      assert.ok(kept.length > 0);
      for (const [, value = ''] of kept) stays(path, next, value);
    }
    oidc.claims = somebody();
    stays('a provider', next, (await journey(server, oidc, `?next=${asked}`)).headers.get('location'));
    const linker = await server.account();
    oidc.claims = somebody();
    const linked = await journey(server, oidc, `?intent=link&next=${asked}`, await sessionOf(server, linker));
    stays('linking', next, linked.headers.get('location'));
  }
  assert.equal(wrong, []);
});

test.run();
