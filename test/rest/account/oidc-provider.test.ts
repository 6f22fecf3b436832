// on both databases
/** Signing in at a real provider, `oidc-provider`, over HTTP. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../../harness.js';
import { OIDC_CLIENT } from '../../standins/oidc.js';
import { cookieOf, cookies } from '../../support/accounts/accounts.js';
import { comeBack, oidcEnv, startFlow } from '../../support/accounts/oidc.js';

interface World {
  server: TestServer;
  stop(): Promise<void>;
}
const test = suite<World>('signing in at a real provider');

test.before(async (world) => {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  world.server = await startServer(
    oidcEnv(issuer, {
      OIDC_HOUSE_AUTO_REGISTER: 'true',
      OIDC_HOUSE_ROLE_CLAIM: 'groups',
      OIDC_HOUSE_ROLE_MAP: 'admins=ADMIN',
      OIDC_HOUSE_SCOPES: 'openid profile email groups',
    }),
  );
  const { base, origin } = world.server;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: OIDC_CLIENT.id,
        client_secret: OIDC_CLIENT.secret,
        redirect_uris: [`${base}/auth/oidc/house/callback`],
        post_logout_redirect_uris: [`${origin}/`],
      },
    ],
    scopes: ['openid', 'groups'],
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'name'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        preferred_username: id,
        email: `${id}@provider.example`,
        email_verified: true,
        groups: id === 'ada' ? ['people', 'admins'] : ['people'],
      }),
    }),
    pkce: { required: () => true },
    cookies: { keys: ['a', 'b'] },
    features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
  });
  listener.on('request', provider.callback());
  world.stop = async () => {
    listener.closeAllConnections();
    await new Promise((resolve) => listener.close(resolve));
  };
});
test.after(async ({ server, stop }) => {
  await server.close();
  await stop();
});

/** Walks through the provider's pages as somebody; returns the address that it sends the browser back to. */
async function visit(address: string, person: string, home: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = address;
  let form: URLSearchParams | null = null;
  for (let step = 0; step < 15; step += 1) {
    const response: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === null ? {} : { method: 'POST', body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) {
      url = new URL(location, url).href;
      form = null;
      if (url.startsWith(home)) return url;
      continue;
    }
    const page = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    assert.ok(prompt, page.slice(0, 500));
    url = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? url, url).href;
    form = new URLSearchParams({ prompt: prompt ?? '', login: person, password: 'anything' });
  }
  throw new Error('the provider never sent the browser back');
}

async function enter(server: TestServer, person: string) {
  const { location, cookie } = await startFlow(server);
  const back = await comeBack(server, await visit(location, person, server.base), cookie);
  assert.is(back.status, 302, back.text);
  const token = cookieOf(back, 'session_token');
  return { token, headers: cookies({ session_token: token }) };
}

test('people sign in with their names, addresses and groups from the userinfo', async ({ server }) => {
  const ada = await enter(server, 'ada');
  const me = (await server.request('GET', '/auth/me', { headers: ada.headers })).body.message;
  assert.is(me.username, 'ada');
  assert.is(me.email, 'ada@provider.example');
  assert.is(me.role, 'ADMIN');
  const again = await enter(server, 'ada');
  assert.is((await server.request('GET', '/auth/me', { headers: again.headers })).body.message.uid, me.uid);
  const bob = await enter(server, 'bob');
  assert.is((await server.request('GET', '/auth/me', { headers: bob.headers })).body.message.role, 'USER');
});

test('a code works once, and signing out reaches the provider', async ({ server }) => {
  const { location, cookie } = await startFlow(server);
  const callback = await visit(location, 'carl', server.base);
  assert.is((await comeBack(server, callback, cookie)).status, 302);
  const next = await startFlow(server);
  const code = new URL(callback).searchParams.get('code') ?? '';
  const replay = new URL(await visit(next.location, 'carl', server.base));
  replay.searchParams.set('code', code);
  assert.is((await comeBack(server, replay.href, next.cookie)).status, 400);
  const { headers } = await enter(server, 'carl');
  const out = await server.request('POST', '/auth/logout', { headers });
  const there = await server.request('GET', '/auth/oidc/house/logout', {
    headers: cookies({ oidc_logout: decodeURIComponent(cookieOf(out, 'oidc_logout') ?? '') }),
  });
  const page = await fetch(there.headers.get('location') ?? '');
  assert.is(page.status, 200);
});

test.run();
