// on both databases
/** Signing in with OpenID Connect at a provider that can lie. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeSignInLink } from '../../../routers/features/auth/sign-in-link.js';
import { type Answer, startServer, type TestServer } from '../../harness.js';
import { type OidcStandin, startOidc } from '../../standins/oidc.js';
import { cookieOf, cookies, newInvite, sessionOf } from '../../support/accounts/accounts.js';
import { comeBack, journey, oidcEnv, startFlow } from '../../support/accounts/oidc.js';

interface World {
  oidc: OidcStandin;
  server: TestServer;
}
const test = suite<World>('signing in with OpenID Connect');

test.before(async (world) => {
  world.oidc = await startOidc();
  world.server = await startServer(
    oidcEnv(world.oidc.url, {
      OIDC_HOUSE_AUTO_REGISTER: 'true',
      OIDC_HOUSE_ROLE_CLAIM: 'realm_access.roles',
      OIDC_HOUSE_ROLE_MAP: 'staff=MODERATOR,boss=ADMIN',
    }),
  );
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
  return {
    sub: `subject-${people}-${Date.now()}`,
    email: `person${people}@example.com`,
    email_verified: true,
    preferred_username: `person${people}`,
    ...more,
  };
};

const meOf = async (server: TestServer, token: string | null) =>
  (await server.request('GET', '/auth/me', { headers: cookies({ session_token: token }) })).body.message;

test('the providers are listed with their names, and nothing else of them', async ({ server }) => {
  const { body, text } = await server.request('GET', '/auth/providers');
  assert.equal(body.message.content, [
    {
      name: 'house',
      label: 'The House',
      startUrl: `${server.base}/auth/oidc/house/start`,
      registration: 'always',
    },
  ]);
  assert.equal(body.message.signIn, ['password', 'passkey', 'oidc']);
  assert.not.match(text, /canary/);
});

test('somebody new gets an account, and the same one the next time, whatever their address is then', async ({
  server,
  oidc,
}) => {
  const claims = somebody();
  oidc.claims = claims;
  const first = await journey(server, oidc, '?next=/web/upload');
  assert.is(first.status, 302, first.text);
  assert.is(first.headers.get('location'), `${server.origin}/web/upload`);
  const me = await meOf(server, cookieOf(first, 'session_token'));
  assert.is(me.email, claims.email);
  assert.is(me.status, 'ACTIVE');
  const victim = await server.account();
  oidc.claims = { ...claims, email: victim.email };
  const again = await journey(server, oidc);
  const same = await meOf(server, cookieOf(again, 'session_token'));
  assert.is(same.uid, me.uid, 'the address of another account changes nothing');
  assert.is(same.email, claims.email);
});

test('an address never signs in to the account that has it: its own sign-in has to come first', async ({
  server,
  oidc,
}) => {
  const holder = await server.account();
  oidc.claims = somebody({ email: holder.email });
  const refused = await journey(server, oidc);
  assert.is(refused.status, 403);
  assert.match(refused.body.message, /Sign in to it/);
  assert.is(cookieOf(refused, 'session_token'), null);
  const session = await sessionOf(server, holder);
  assert.is((await journey(server, oidc, '?intent=link', session)).status, 302);
  const entered = await journey(server, oidc);
  assert.is((await meOf(server, cookieOf(entered, 'session_token'))).uid, holder.id);
  const headers = cookies({ session_token: session });
  const listed = await server.request('GET', '/user/get/@me/identities', { headers });
  const [identity] = listed.body.message.content;
  assert.is(identity.label, 'The House');
  const other = await server.account();
  const taken = await journey(server, oidc, '?intent=link', await sessionOf(server, other));
  assert.is(taken.status, 400);
  const path = `/user/get/@me/identities/${identity.id}`;
  assert.is((await server.request('DELETE', path, { key: other.key })).status, 404);
  assert.is((await server.request('DELETE', path, { key: holder.key })).status, 403, 'a key proves nothing');
  assert.is((await server.request('DELETE', path, { headers })).status, 200);
  assert.is((await server.request('DELETE', path, { headers })).status, 404);
});

test('linking needs a session of its own holder', async ({ server }) => {
  const holder = await server.account();
  assert.is((await server.request('GET', '/auth/oidc/house/start?intent=link')).status, 401);
  const named = await server.request('POST', '/user/get/@me/keys', {
    key: holder.key,
    json: { name: 'x', scopes: ['account:write'] },
  });
  for (const key of [holder.key, named.body.message.key])
    assert.is((await server.request('GET', '/auth/oidc/house/start?intent=link', { key })).status, 403);
});

test('another site cannot lead a browser to link an account', async ({ server }) => {
  const session = await sessionOf(server, await server.account());
  const start = (query: string, headers: Record<string, string>) =>
    server.request('GET', `/auth/oidc/house/start${query}`, {
      headers: { ...cookies({ session_token: session }), ...headers },
    });
  for (const site of ['cross-site', 'same-site'])
    for (const query of ['?intent=link', '?next=/&intent=LINK', '?intent=%6cink'])
      for (const referer of ['', 'https://evil.example/', 'no address']) {
        const answer = await start(query, { 'sec-fetch-site': site, referer });
        assert.is(answer.status, 403, `${site} ${query}`);
        assert.is(cookieOf(answer, 'oidc_state'), null);
      }
  for (const headers of [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-site', referer: 'http://localhost:3000/settings' },
  ])
    assert.is((await start('?intent=link', headers as Record<string, string>)).status, 302);
  assert.is((await start('?intent=login&next=/web/links', { 'sec-fetch-site': 'cross-site' })).status, 302);
});

test('a paused account signs in and links nothing, whenever it was paused', async ({ server, oidc }) => {
  const user = await server.account();
  const session = await sessionOf(server, user);
  const headers = cookies({ session_token: session });
  oidc.claims = somebody();
  assert.is((await journey(server, oidc, '?intent=link', session)).status, 302);
  const linked = oidc.claims;
  oidc.claims = somebody();
  const { location, cookie } = await startFlow(server, '?intent=link', session);
  const paused = `/admin/limits/users/${user.id}/pause`;
  const { owner } = server;
  await server.request('POST', paused, { key: owner.key, json: { indefinite: true } });
  const refused = [
    await server.request('GET', '/auth/oidc/house/start?intent=link', { headers }),
    await comeBack(server, oidc.consent(location), cookie),
  ];
  for (const { status, body } of refused) {
    assert.is(status, 403);
    assert.match(body.message, /^Your account is paused/);
  }
  const list = await server.request('GET', '/user/get/@me/identities', { headers });
  assert.is(list.body.message.totalElements, 1);
  oidc.claims = linked;
  const entered = await journey(server, oidc);
  assert.is((await meOf(server, cookieOf(entered, 'session_token'))).uid, user.id);
});

for (const [lie, tell] of Object.entries<(oidc: OidcStandin) => void>({
  'another issuer': (oidc) => Object.assign(oidc, { claims: somebody({ iss: 'https://elsewhere.example' }) }),
  'another audience': (oidc) => Object.assign(oidc, { claims: somebody({ aud: 'another-client' }) }),
  'another nonce': (oidc) => Object.assign(oidc, { claims: somebody({ nonce: 'guessed' }) }),
  'an expired token': (oidc) =>
    Object.assign(oidc, { claims: somebody({ iat: 1_000_000_000, exp: 1_000_000_300 }) }),
  'no signature': (oidc) => Object.assign(oidc, { unsigned: true, claims: somebody() }),
  'a signature of somebody else': (oidc) => Object.assign(oidc, { strange: true, claims: somebody() }),
}))
  test(`${lie} gets no session and leaves nothing behind`, async ({ server, oidc }) => {
    const { location, cookie } = await startFlow(server);
    tell(oidc);
    const answer = await comeBack(server, oidc.consent(location), cookie);
    assert.is(answer.status, 502, answer.text);
    assert.is(cookieOf(answer, 'session_token'), null);
    const users = await server.request('GET', `/admin/user/get?search=${oidc.claims.email}`, {
      key: server.owner.key,
    });
    assert.is(users.body.message.length ?? users.body.message.content?.length, 0, users.text);
  });

test('keys that the provider has replaced meanwhile are fetched', async ({ server, oidc }) => {
  oidc.claims = somebody();
  const { location, cookie } = await startFlow(server);
  oidc.rotate();
  assert.is((await comeBack(server, oidc.consent(location), cookie)).status, 302);
});

test('a small difference between the clocks is no reason to refuse', async ({ server, oidc }) => {
  const now = Math.floor(Date.now() / 1000);
  oidc.claims = somebody({ iat: now + 240, nbf: now + 240, auth_time: now + 240, exp: now - 240 });
  assert.is((await journey(server, oidc)).status, 302);
});

test('a token whose times lie ahead is refused', async ({ server, oidc }) => {
  const ahead = Math.floor(Date.now() / 1000) + 3_600;
  for (const claim of ['iat', 'nbf', 'auth_time']) {
    oidc.claims = somebody({ [claim]: ahead, exp: ahead + 300 });
    const answer = await journey(server, oidc);
    assert.is(answer.status, 502, claim);
    assert.is(cookieOf(answer, 'session_token'), null);
  }
});

/** The flow cookies that an answer removes. */
const droppedBy = (answer: Answer): string[] =>
  answer.headers
    .getSetCookie()
    .flatMap((line) => /^(\w+_state)=;/.exec(line)?.[1] ?? [])
    .sort();

for (const sameSite of ['lax', 'strict'])
  test(`with ${sameSite} cookies, what one account began to link is finished in no other one's session`, async ({
    oidc,
  }) => {
    const server = await startServer(oidcEnv(oidc.url, { COOKIE_SAMESITE: sameSite }));
    try {
      const [ann, ben] = [await server.account(), await server.account()];
      const [hers, his] = [await sessionOf(server, ann), await sessionOf(server, ben)];
      const linkedTo = async (session: string) => {
        const headers = cookies({ session_token: session });
        const { body } = await server.request('GET', '/user/get/@me/identities', { headers });
        return body.message.totalElements;
      };
      const begin = async () => {
        oidc.claims = somebody();
        const { location, cookie } = await startFlow(server, '?intent=link', hers);
        return { callback: oidc.consent(location), state: cookie.split(';', 1)[0] ?? '' };
      };
      const stays = await begin();
      const other = await comeBack(server, stays.callback, `${stays.state}; session_token=${his}`);
      assert.is(other.status, 400, other.text);
      const nobody = await begin();
      // Browsers keep strict cookies back when the provider leads them here.
      const status = sameSite === 'strict' ? 302 : 400;
      assert.is((await comeBack(server, nobody.callback, nobody.state)).status, status);
      assert.equal([await linkedTo(hers), await linkedTo(his)], [sameSite === 'strict' ? 1 : 0, 0]);
      const { state } = await begin();
      const out = await server.request('POST', '/auth/logout', {
        headers: cookies({ oidc_state: state, oauth_state: 'x', session_token: hers }),
      });
      assert.is(out.status, 200, out.text);
      assert.equal(droppedBy(out), ['oauth_state', 'oidc_state']);
      const entered = await server.request('POST', '/auth/login', {
        json: { email: ben.email, password: ben.password },
        headers: cookies({ oidc_state: state }),
      });
      assert.is(entered.status, 200, entered.text);
      assert.equal(droppedBy(entered), ['oidc_state']);
    } finally {
      await server.close();
    }
  });

test('a provider that is away, lies or floods is a 502 that says so', async ({ server, oidc }) => {
  for (const mood of ['down', 'lie', 'redirect', 'flood'] as const) {
    const { location, cookie } = await startFlow(server);
    const callback = oidc.consent(location);
    oidc.mood = mood;
    assert.is((await comeBack(server, callback, cookie)).status, 502, mood);
    const page = await server.request('GET', '/auth/oidc/house/start', { headers: { accept: 'text/html' } });
    assert.ok([302, 502].includes(page.status), `${mood}: ${page.status}`);
    oidc.mood = 'well';
  }
});

test('a provider that hangs is a 502 after its time-out, and holds nobody else up', async ({
  server,
  oidc,
}) => {
  oidc.claims = somebody();
  const flows = await Promise.all(Array.from({ length: 20 }, () => startFlow(server)));
  oidc.mood = 'hang';
  let waiting = flows.length;
  const answers = flows.map(({ location, cookie }) =>
    comeBack(server, oidc.consent(location), cookie).finally(() => {
      waiting -= 1;
    }),
  );
  assert.is((await server.request('GET', '/auth/providers')).status, 200);
  assert.is(waiting, flows.length, 'others are answered meanwhile');
  assert.equal(new Set((await Promise.all(answers)).map(({ status }) => status)), new Set([502]));
  oidc.mood = 'well';
  assert.is((await journey(server, oidc)).status, 302);
});

test('fifty callbacks with one code make one session', async ({ server, oidc }) => {
  oidc.claims = somebody();
  const { location, cookie } = await startFlow(server);
  const callback = oidc.consent(location);
  const answers = await Promise.all(Array.from({ length: 50 }, () => comeBack(server, callback, cookie)));
  assert.is(answers.filter(({ status }) => status === 302).length, 1);
  assert.is(answers.filter(({ status }) => status === 400).length, 49);
});

test('two first sign-ins of one identity make one account', async ({ server, oidc }) => {
  oidc.claims = somebody();
  const flows = await Promise.all([startFlow(server), startFlow(server), startFlow(server)]);
  const answers = await Promise.all(
    flows.map(({ location, cookie }) => comeBack(server, oidc.consent(location), cookie)),
  );
  assert.ok(answers.some(({ status }) => status === 302));
  assert.ok(answers.every(({ status }) => status < 500));
  const users = await server.request('GET', `/admin/user/get?search=${oidc.claims.email}`, {
    key: server.owner.key,
  });
  assert.is((users.text.match(/"uid"/g) ?? []).length > 0, true);
});

test('a callback without its browser, with another state, or used before is refused', async ({
  server,
  oidc,
}) => {
  oidc.claims = somebody();
  const { location, cookie } = await startFlow(server);
  const callback = oidc.consent(location);
  assert.is((await comeBack(server, callback, 'another')).status, 400);
  assert.is((await comeBack(server, callback.replace('state=', 'state=x'), cookie)).status, 400);
  assert.is((await comeBack(server, callback, cookie)).status, 302);
  assert.is((await comeBack(server, callback, cookie)).status, 400);
});

test('next leads to this site alone', async ({ server, oidc }) => {
  for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    oidc.claims = somebody();
    const answer = await journey(server, oidc, `?next=${encodeURIComponent(next)}`);
    assert.ok(answer.headers.get('location')?.startsWith(`${server.origin}/`), next);
    assert.not.match(answer.headers.get('location') ?? '', /evil/);
  }
});

test('the claim gives the role, and takes it away; nobody becomes an owner', async ({ server, oidc }) => {
  const claims = somebody();
  const roleWith = async (roles: unknown) => {
    oidc.claims = { ...claims, realm_access: { roles } };
    return (await meOf(server, cookieOf(await journey(server, oidc), 'session_token'))).role;
  };
  assert.is(await roleWith(['staff', 'boss']), 'ADMIN');
  assert.is(await roleWith('staff'), 'MODERATOR');
  assert.is(await roleWith({ boss: { 1: 'house.example.org' }, other: {} }), 'ADMIN');
  assert.is(await roleWith(['OWNER', 'nothing']), 'USER');
});

test('an address that the provider has not verified has to be verified here', async ({ server, oidc }) => {
  oidc.claims = somebody({ email_verified: false });
  const answer = await journey(server, oidc);
  assert.is(answer.headers.get('location'), `${server.origin}/web/verify`);
  assert.is(cookieOf(answer, 'session_token'), null);
});

test('signing out names the address that signs out at the provider, too', async ({ server, oidc }) => {
  oidc.claims = somebody();
  const token = cookieOf(await journey(server, oidc), 'session_token');
  const out = await server.request('POST', '/auth/logout', { headers: cookies({ session_token: token }) });
  assert.is(out.body.logoutUrl, `${server.base}/auth/oidc/house/logout`);
  const there = await server.request('GET', '/auth/oidc/house/logout', {
    headers: cookies({ oidc_logout: decodeURIComponent(cookieOf(out, 'oidc_logout') ?? '') }),
  });
  const url = new URL(there.headers.get('location') ?? '');
  assert.is(url.origin, oidc.url);
  assert.ok((url.searchParams.get('id_token_hint') ?? '').split('.').length === 3);
});

test('registration by invite uses it up; without one it says so; never makes no account', async ({
  oidc,
}) => {
  for (const [register, invite, status] of [
    ['invite', false, 403],
    ['invite', true, 302],
    ['false', true, 403],
  ] as const) {
    const server = await startServer(oidcEnv(oidc.url, { OIDC_HOUSE_AUTO_REGISTER: register }));
    try {
      oidc.claims = somebody();
      const code = await newInvite(server);
      const answer = await journey(server, oidc, invite ? `?invite=${code}` : '');
      assert.is(answer.status, status, answer.text);
      oidc.claims = somebody();
      if (status === 302) assert.is((await journey(server, oidc, `?invite=${code}`)).status, 403);
    } finally {
      await server.close();
    }
  }
});

test('SIGN_IN=oidc leaves no other way in', async ({ oidc }) => {
  const server = await startServer(oidcEnv(oidc.url, { SIGN_IN: 'oidc', OIDC_HOUSE_AUTO_REGISTER: 'true' }));
  try {
    const { email, password } = server.owner;
    for (const [path, json] of [
      ['/auth/login', { email, password }],
      ['/auth/register', { username: 'abc', email: 'a@b.example', password: 'long enough' }],
      ['/auth/reset/request', { email }],
      ['/auth/passkey/login/options', {}],
    ] as const)
      assert.is((await server.request('POST', path, { json })).status, 403, path);
    oidc.claims = somebody();
    assert.is((await journey(server, oidc)).status, 302);
    const link = new URL(await makeSignInLink(server.app.services, server.owner.id));
    assert.is(link.origin, server.origin);
    // Mail scanners open links: that neither signs in nor uses the link up.
    for (let times = 0; times < 2; times += 1) {
      const looked = await server.request('GET', `/${link.pathname}${link.search}`);
      assert.equal([looked.status, cookieOf(looked, 'session_token')], [200, null]);
      assert.match(looked.text, link.searchParams.get('code') ?? 'none');
    }
    const press = (headers: Record<string, string> = {}) =>
      server.request('POST', `/${link.pathname}`, {
        form: link.searchParams,
        headers,
      });
    assert.is((await press({ origin: 'https://evil.example' })).status, 403);
    const token = cookieOf(await press(), 'session_token');
    assert.is((await meOf(server, token)).uid, server.owner.id);
    assert.is(cookieOf(await press(), 'session_token'), null, 'it works once');
  } finally {
    await server.close();
  }
});

test.run();
