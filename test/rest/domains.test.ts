// on both databases
/** Hosts of accounts: how they are proven, approved, lost and given back, and the links on them. */
import { request } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkDomains } from '../../routers/features/domain/check.js';
import { openDomainProofs } from '../../server/drivers/domains/proof.js';
import { parseAllowList } from '../../server/drivers/outbound/addresses.js';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { type DnsStandin, startDns } from '../standins/dns.js';
import { serve } from '../standins/http.js';
import { mailsTo } from '../support/accounts/outbox.js';

interface Given {
  server: TestServer;
  dns: DnsStandin;
  ann: TestAccount;
  bob: TestAccount;
}

const test = suite<Given>('domains of accounts');
test.before(async (given) => {
  given.dns = await startDns();
  given.server = await startServer({
    MAIL_RESOLVERS: given.dns.address,
    SHORT_URL_URL: 'https://home.example',
  });
  given.ann = await given.server.account();
  given.bob = await given.server.account();
});
test.after(async ({ server, dns }) => {
  await server.close();
  await dns.close();
});

const DAY = 86_400_000;
const add = ({ server }: Given, { key }: TestAccount, host: string) =>
  server.request('POST', '/domains', { key, json: { host } });
const check = ({ server }: Given, { key }: TestAccount, host: string) =>
  server.request('POST', `/domains/${host}/check`, { key });
const approve = ({ server }: Given, host: string, approved = true) =>
  server.request('PUT', `/admin/domains/${host}`, { key: server.owner.key, json: { approved } });
const record = ({ dns }: Given, host: string, ...tokens: string[]) => {
  dns.records.set(`${host} TXT`, ['v=spf1 -all', ...tokens.map((token) => `holdall=${token}`)]);
};
const prove = async (given: Given, account: TestAccount, host: string) => {
  const { body } = await add(given, account, host);
  record(given, host, body.message.token);
  return (await check(given, account, host)).body.message.state;
};
const active = async (given: Given, account: TestAccount, host: string) => {
  await prove(given, account, host);
  const { status, body } = await approve(given, host);
  assert.equal([status, body.message.state], [200, 'active'], JSON.stringify(body));
};
const create = async ({ server }: Given, { key }: TestAccount, json: object) =>
  server.request('POST', '/url/create', { key, json: { url: 'https://target.example/', ...json } });

/** What a host answers: where it leads, or the status. */
const at = ({ server }: Given, host: string, path: string, headers = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port } = server.app.address;
    request({ hostname: '127.0.0.1', port, path, headers: { host, ...headers } }, (answer) => {
      answer.resume();
      resolve(answer.headers.location ?? String(answer.statusCode));
    })
      .on('error', reject)
      .end();
  });

test('a host waits for its proof, then for an administrator, and then has links', async (given) => {
  const { server, ann } = given;
  const host = 'go.ann.example';
  const added = await add(given, ann, 'GO.Ann.example.');
  assert.equal([added.status, added.body.message.host, added.body.message.state], [200, host, 'pending']);
  assert.is((await check(given, ann, host)).body.message.state, 'pending');
  assert.is((await create(given, ann, { domain: host })).status, 400);
  record(given, host, added.body.message.token);
  assert.is((await check(given, ann, host)).body.message.state, 'waiting');
  assert.is(await at(given, 'home.example', `/domains/ask?domain=${host}`), '404');
  const waiting = await server.request('GET', '/admin/domains?state=waiting', { key: server.owner.key });
  assert.is(waiting.body.message.items[0].host, host);
  assert.is(waiting.body.message.items[0].token, undefined);
  assert.is((await approve(given, host)).body.message.state, 'active');
  assert.is(await at(given, 'home.example', `/domains/ask?domain=${host}`), '200');
  const made = await create(given, ann, { domain: host, uniqueId: 'Promo' });
  assert.equal(
    [made.body.message.uniqueId, made.body.message.domain, made.body.message.urlSet.shortUrl],
    ['Promo', host, `https://${host}/Promo`],
  );
  assert.is(await at(given, host, '/promo'), 'https://target.example/');
  assert.is(await at(given, `${host}:8443`, '/promo', { accept: 'text/html' }), 'https://target.example/');
  assert.is(await at(given, 'home.example', '/r/promo'), '404');
  assert.equal((await server.request('GET', '/domains', { key: ann.key })).body.message.length, 1);
});

test('the same slug is on several hosts, each with its own counts', async (given) => {
  const { server, ann } = given;
  const host = 'same.ann.example';
  await active(given, ann, host);
  await create(given, ann, { uniqueId: 'same', url: 'https://target.example/home' });
  await create(given, ann, { uniqueId: 'same', domain: host, url: 'https://target.example/host' });
  assert.is((await create(given, ann, { uniqueId: 'SAME', domain: host })).status, 400);
  assert.is(await at(given, host, '/same'), 'https://target.example/host');
  assert.is(await at(given, 'home.example', '/r/same'), 'https://target.example/home');
  assert.is(await at(given, host, '/same'), 'https://target.example/host');
  const get = async (path: string) =>
    (await server.request('GET', `/url/get/same${path}`, { key: ann.key })).body.message;
  assert.is((await get('')).visits, 1);
  assert.is((await get(`?domain=${host}`)).visits, 2);
  assert.is((await get('?domain=home.example')).visits, 1);
  assert.is((await get(`/stats?domain=${host}`)).visits, 2);
  assert.is((await get(`/logs?domain=${host}`)).length, 2);
  assert.is(
    (await server.request('GET', '/url/get/same?domain=nobody.example', { key: ann.key })).status,
    404,
  );
  const { fullId } = await get(`?domain=${host}`);
  const again = await server.request('GET', `/url/get/${fullId}`, { key: ann.key });
  assert.is(again.body.message.originalUrl, 'https://target.example/host');
  const qr = async (query: string) => (await fetch(`${server.origin}/qr/same.svg${query}`)).text();
  assert.is.not(await qr(''), await qr(`?domain=${host}`));
  const sums = (await server.request('GET', `/stats/links?domain=${host}`, { key: ann.key })).body.message;
  assert.equal([sums.visits, sums.domains], [2, [{ name: host, visits: 2 }]]);
  const deleted = await server.request('DELETE', `/url/get/same?domain=${host}`, { key: ann.key });
  assert.is(deleted.status, 200);
  assert.is(await at(given, host, '/same'), '404');
  assert.is(await at(given, 'home.example', '/r/same'), 'https://target.example/home');
});

test('a link moves between hosts, keeps its visits, and is found under its former address', async (given) => {
  const { server, ann } = given;
  const host = 'moves.ann.example';
  await active(given, ann, host);
  await create(given, ann, { uniqueId: 'moving' });
  assert.is(await at(given, 'home.example', '/r/moving'), 'https://target.example/');
  const change = (path: string, json: object) =>
    server.request('PATCH', `/url/get/${path}`, { key: ann.key, json });
  const moved = await change('moving', { domain: host });
  assert.equal([moved.body.message.domain, moved.body.message.visits], [host, 1]);
  assert.is(await at(given, host, '/moving'), 'https://target.example/');
  assert.is(await at(given, 'home.example', '/r/moving'), 'https://target.example/');
  const renamed = await change(`moving?domain=${host}`, { uniqueId: 'moved' });
  assert.is(renamed.body.message.urlSet.shortUrl, `https://${host}/moved`);
  assert.is(await at(given, host, '/moving'), 'https://target.example/');
  const back = await change(`moved?domain=${host}`, { domain: '' });
  assert.equal([back.body.message.uniqueId, back.body.message.domain], ['moved', null]);
  assert.is((await change('moved', { domain: 'nobody.example' })).status, 400);
});

test('unknown ids of a host lead to its fallback, and never in circles', async (given) => {
  const { server, ann } = given;
  const host = 'fallback.ann.example';
  await active(given, ann, host);
  const change = (fallbackUrl: string | null) =>
    server.request('PATCH', `/domains/${host}`, { key: ann.key, json: { fallbackUrl } });
  assert.is(await at(given, host, '/none'), '404');
  assert.is(await at(given, host, '/none', { accept: 'text/html' }), '404');
  assert.is(await at(given, host, '/'), '404');
  assert.is((await change('https://target.example/else')).status, 200);
  assert.is(await at(given, host, '/none'), 'https://target.example/else');
  assert.is(await at(given, host, '/'), 'https://target.example/else');
  for (const own of [`https://${host}/x`, 'https://go.ann.example/', 'https://home.example/'])
    assert.is((await change(own)).status, 400, own);
  for (const url of [`https://${host}/x`, `http://${host.toUpperCase()}:8443`])
    assert.is((await create(given, ann, { url })).status, 400, url);
  const rules = [{ when: { bot: true }, url: `https://${host}/x` }];
  assert.is((await create(given, ann, { rules })).status, 400);
  assert.is((await create(given, ann, { fallbackUrl: `https://${host}/x` })).status, 400);
  const { body } = await create(given, ann, {});
  const json = { split: [1, 2].map((weight) => ({ weight, url: `https://${host}/` })) };
  const changed = await server.request('PATCH', `/url/get/${body.uniqueId}`, { key: ann.key, json });
  assert.is(changed.status, 400);
  await change('');
  assert.is(await at(given, host, '/none'), '404');
});

test('what nobody can have for themselves is refused', async (given) => {
  for (const host of [
    ...['192.0.2.1', '127.1', '0x7f000001', '[::1]', '2001:db8::1', 'co.uk', 'com', 'github.io', 'localhost'],
    ...[
      'home.example',
      'HOME.example:443',
      'https://go.example',
      'a.example/b',
      'a b.example',
      '',
      '-.example',
    ],
    ...[
      'user@a.example',
      `${'a'.repeat(64)}.example`,
      `${'a.'.repeat(130)}example`,
      '*.a.example',
      'a..example',
    ],
  ])
    assert.is((await add(given, given.ann, host)).status, 400, host);
  const made = await add(given, given.ann, 'münchen.example');
  assert.is(made.body.message.host, 'xn--mnchen-3ya.example');
  const guest = await given.server.request('POST', '/domains', { json: { host: 'a.guest.example' } });
  assert.is(guest.status, 401);
});

test('two accounts that prove a host at the same time: one has it', async (given) => {
  const { server, ann, bob } = given;
  const host = 'race.example';
  const tokens = await Promise.all(
    [ann, bob].map(async (account) => (await add(given, account, host)).body.message.token),
  );
  record(given, host, ...tokens);
  for (const { id: uid } of [ann, bob])
    await server.request('PUT', `/admin/domains/${host}`, {
      key: server.owner.key,
      json: { approved: true, uid },
    });
  const answers = await Promise.all([check(given, ann, host), check(given, bob, host)]);
  assert.equal(answers.map(({ status }) => status).sort(), [200, 409]);
  const states = await server.request('GET', '/admin/domains?state=active&size=100', {
    key: server.owner.key,
  });
  assert.is(states.body.message.items.filter((domain: { host: string }) => domain.host === host).length, 1);
});

test('a host that another DNS owner takes over is theirs, without the links of the one before', async (given) => {
  const { server, ann, bob } = given;
  const host = 'taken.example';
  await active(given, ann, host);
  await create(given, ann, { uniqueId: 'old', domain: host });
  const mine = await server.request('GET', `/url/get/old?domain=${host}`, { key: ann.key });
  const { body } = await add(given, bob, host);
  await server.request('PUT', `/admin/domains/${host}`, {
    key: server.owner.key,
    json: { approved: true, uid: bob.id },
  });
  given.dns.records.set(`${host} TXT`, [
    ...(given.dns.records.get(`${host} TXT`) ?? []),
    `holdall=${body.message.token}`,
  ]);
  assert.is((await check(given, bob, host)).status, 409, 'the proof of the first is still there');
  record(given, host, body.message.token);
  assert.is((await check(given, bob, host)).body.message.state, 'active');
  assert.is(
    (await server.request('GET', '/domains', { key: ann.key })).body.message.find(
      (domain: { host: string }) => domain.host === host,
    ).state,
    'paused',
  );
  assert.is(await at(given, host, '/old'), '404');
  assert.is((await create(given, bob, { uniqueId: 'old', domain: host })).status, 200);
  assert.is((await create(given, ann, { domain: host })).status, 400);
  const kept = await server.request('GET', `/url/get/${mine.body.message.fullId}`, { key: ann.key });
  assert.is(kept.body.message.domain, host);
});

test('a host without proof is paused after seven days, not before, and comes back with it', async (given) => {
  const { server, ann } = given;
  const host = 'lost.example';
  await active(given, ann, host);
  await create(given, ann, { uniqueId: 'still', domain: host });
  const { db } = server.app.services;
  const age = (days: number) =>
    db.write((trx) =>
      trx('domains')
        .where({ host })
        .update({ checked_at: Date.now() - 2 * DAY, proven_at: Date.now() - days * DAY }),
    );
  const run = () => checkDomains(server.app.services, new AbortController().signal);
  const records = given.dns.records.get(`${host} TXT`) ?? [];
  given.dns.records.delete(`${host} TXT`);
  await age(6);
  await run();
  assert.is(await at(given, host, '/still'), 'https://target.example/');
  const mails = async () =>
    (await mailsTo(server, ann.email)).filter(({ subject }) => subject.includes(host));
  assert.is((await mails()).length, 0);
  await age(8);
  // Two processes look at once: one mail.
  await Promise.all([run(), run()]);
  await age(9);
  await run();
  assert.is(await at(given, host, '/still'), '404');
  assert.is((await mails()).length, 1);
  assert.is(await at(given, 'home.example', `/domains/ask?domain=${host}`), '404');
  given.dns.records.set(`${host} TXT`, records);
  assert.is((await check(given, ann, host)).body.message.state, 'active');
  assert.is(await at(given, host, '/still'), 'https://target.example/');
});

test('a client of Shlink makes links on a host, changes where its unknown ids lead, and sees both', async (given) => {
  const { server, bob } = given;
  const ann = await server.account();
  const host = 'shlink.example';
  await active(given, ann, host);
  const ask = async (method: string, path: string, json?: unknown, { key } = ann) =>
    server.request(method, `//rest/v3/${path}`, { key, ...(json === undefined ? {} : { json }) });
  const longUrl = 'https://target.example/by-shlink';
  const made = await ask('POST', 'short-urls', { longUrl, customSlug: 'Sh', domain: host });
  assert.equal([made.status, made.body.domain, made.body.shortCode], [200, host, 'Sh'], made.text);
  assert.is(await at(given, host, '/sh'), longUrl);
  assert.is((await ask('GET', 'short-urls/sh')).status, 404);
  assert.is((await ask('GET', `short-urls/sh?domain=${host}`)).body.longUrl, longUrl);
  const url = 'https://target.example/unknown';
  const change = (json: object, account = ann) =>
    ask('PATCH', 'domains/redirects', { domain: host, ...json }, account);
  const changed = await change({ invalidShortUrlRedirect: url });
  assert.equal(
    [changed.status, changed.body],
    [200, { baseUrlRedirect: null, regular404Redirect: url, invalidShortUrlRedirect: url }],
  );
  assert.is(await at(given, host, '/nobody-has-this'), url);
  // What is absent stays as it is.
  assert.is((await change({})).body.invalidShortUrlRedirect, url);
  const { data, defaultRedirects } = (await ask('GET', 'domains')).body.domains;
  assert.equal(
    [data[0].domain, data[0].isDefault, defaultRedirects.baseUrlRedirect],
    ['home.example', true, null],
  );
  assert.is(
    data.find((one: { domain: string }) => one.domain === host).redirects.invalidShortUrlRedirect,
    url,
  );
  assert.is((await change({ invalidShortUrlRedirect: null })).body.invalidShortUrlRedirect, null);
  assert.is(await at(given, host, '/nobody-has-this'), '404');
  assert.is((await change({ baseUrlRedirect: url })).status, 400);
  assert.is((await change({ regular404Redirect: url, invalidShortUrlRedirect: `${url}/2` })).status, 400);
  assert.is((await change({ invalidShortUrlRedirect: url }, bob)).status, 404);
  assert.is((await ask('PATCH', 'domains/redirects', { domain: 'home.example' })).status, 403);
  assert.is((await ask('DELETE', `short-urls/sh?domain=${host}`)).status, 204);
  assert.is(await at(given, host, '/sh'), '404');
});

test('links of a removed host stay, and are reached again when it comes back', async (given) => {
  const { server, ann } = given;
  const host = 'removed.example';
  await active(given, ann, host);
  await create(given, ann, { uniqueId: 'kept', domain: host });
  assert.is((await server.request('DELETE', `/domains/${host}`, { key: ann.key })).status, 200);
  assert.is((await server.request('DELETE', `/domains/${host}`, { key: ann.key })).status, 404);
  assert.is(await at(given, host, '/kept'), '404');
  await active(given, ann, host);
  assert.is(await at(given, host, '/kept'), 'https://target.example/');
});

test('the host of a deleted account is free', async (given) => {
  const { server, bob } = given;
  const host = 'left.example';
  const eve = await server.account();
  await active(given, eve, host);
  await create(given, eve, { uniqueId: 'x', domain: host });
  await server.request('DELETE', `/admin/user/${eve.id}`, { key: server.owner.key });
  assert.is(await at(given, host, '/x'), '404');
  await active(given, bob, host);
  assert.is(await at(given, host, '/x'), '404');
});

test('an account has ten hosts at most', async (given) => {
  const many = await given.server.account();
  const hosts = Array.from({ length: 11 }, (_, index) => `h${index}.many.example`);
  const answers = await Promise.all(hosts.map((host) => add(given, many, host)));
  assert.equal(answers.map(({ status }) => status).sort(), [...Array(10).fill(200), 400]);
});

test('links on hosts go out and come in with them', async (given) => {
  const { server, ann } = given;
  const host = 'export.example';
  await active(given, ann, host);
  await create(given, ann, { uniqueId: 'travels/far', domain: host });
  const { body } = await server.request('GET', '/url/export?format=json', { key: ann.key });
  const exported = body.message.find((link: { uniqueId: string }) => link.uniqueId === 'travels/far');
  assert.equal([exported.domain, exported.shortUrl], [host, `https://${host}/travels/far`]);
  await server.request('DELETE', `/url/get/travels%2Ffar?domain=${host}&permanent=true`, { key: ann.key });
  const send = (links: object[]) =>
    server.request('POST', '/url/import?format=json', {
      ...{ key: ann.key, type: 'application/json', body: JSON.stringify(links) },
    });
  const made = await send([exported]);
  assert.is(made.status, 200, made.body.message);
  assert.is(await at(given, host, '/travels/far'), 'https://target.example/');
  const refused = await send([{ url: 'https://target.example', domain: 'nobody.example' }]);
  assert.is(refused.status, 400);
  assert.match(refused.body.message, /nobody\.example/);
});

test('a host that leads here proves itself, through a proxy', async (given) => {
  const { server, dns, bob } = given;
  const host = 'proxied.example';
  const { body } = await server.request('POST', '/domains', { key: bob.key, json: { host } });
  const { token } = body.message;
  assert.is(await at(given, host, `/.well-known/holdall/${token}`), '200');
  assert.is(await at(given, 'other.example', `/.well-known/holdall/${token}`), '404');
  const proxy = await serve(async ({ url, headers }, response) => {
    const { port } = server.app.address;
    request(
      { hostname: '127.0.0.1', port, path: url.pathname, headers: { host: headers.host ?? '' } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502);
        answer.pipe(response);
      },
    ).end();
  });
  dns.records.set(`${host} A`, ['127.0.0.1']);
  const port = Number(new URL(proxy.url).port);
  const proofs = (allow: string[]) =>
    openDomainProofs({
      ...{ resolvers: [dns.address], allow: parseAllowList(allow) },
      ports: { http: port, https: port },
    });
  assert.is(await proofs(['127.0.0.0/8']).find(host, token), 'http');
  assert.is(await proofs(['127.0.0.0/8']).find(host, 'f'.repeat(40)), 'none');
  assert.is(await proofs([]).find(host, token), 'none', 'private addresses are not asked');
  dns.records.set('other.example A', ['127.0.0.1']);
  assert.is(await proofs(['127.0.0.0/8']).find('other.example', token), 'none', 'the token is of one host');
  dns.silent.add('silent.example');
  assert.is(await proofs([]).find('silent.example', token), 'unknown');
  await proxy.close();
});

test('without domains nothing is added, and hosts lead nowhere', async () => {
  const server = await startServer({ DOMAINS: 'off' });
  const { status } = await server.request('POST', '/domains', {
    key: server.owner.key,
    json: { host: 'go.off.example' },
  });
  assert.is(status, 403);
  await server.close();
});

test('clients of Shlink list the links and visits of one host', async (given) => {
  const account = await given.server.account();
  const host = 'shlink.example.org';
  await active(given, account, host);
  const ask = (operation: string, json?: object) => {
    const [method = '', path = ''] = operation.split(' ');
    return given.server.request(method, `//rest/v3/${path}`, {
      key: account.key,
      ...(json === undefined ? {} : { json }),
    });
  };
  for (const domain of [undefined, host])
    await ask('POST short-urls', { longUrl: 'https://target.example/', customSlug: 'both-hosts', domain });
  await at(given, host, '/both-hosts');
  const codes = async (domain: string) =>
    (await ask(`GET short-urls?domain=${domain}`)).body.shortUrls.data.map(
      (link: { shortCode: string; domain: string | null }) => `${link.domain}/${link.shortCode}`,
    );
  assert.equal(await codes(host), [`${host}/both-hosts`]);
  assert.equal(await codes('DEFAULT'), ['null/both-hosts']);
  assert.is((await ask(`GET short-urls/both-hosts?domain=${host}`)).body.visitsSummary.total, 1);
  assert.is((await ask('GET short-urls/both-hosts')).body.visitsSummary.total, 0);
  const visits = async (path: string) => (await ask(`GET ${path}`)).body.visits.pagination.totalItems;
  assert.is(await visits(`domains/${host}/visits`), 1);
  assert.is(await visits('domains/DEFAULT/visits'), 0);
  assert.is(await visits(`short-urls/both-hosts/visits?domain=${host}`), 1);
});

test.run();
