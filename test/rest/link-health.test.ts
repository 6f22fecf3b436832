// on both databases
/** Whether the targets of links answer: looked at now and in turn, by robots.txt, never at private addresses. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sendDigests } from '../../routers/features/link/digest.js';
import { checkTargets } from '../../routers/features/link/health.js';
import { parseAllowList } from '../../server/drivers/outbound/addresses.js';
import { openTargetLooks } from '../../server/drivers/outbound/look-at-target.js';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { type Standin, serve } from '../standins/http.js';
import { sessionOf } from '../support/accounts/accounts.js';
import { mailsTo } from '../support/accounts/outbox.js';

interface Given {
  server: TestServer;
  site: Standin;
  user: TestAccount;
}

const health = suite<Given>('the health of targets');
health.before(async (given) => {
  given.server = await startServer({ OUTBOUND_ALLOW: '127.0.0.0/8' });
  given.user = await given.server.account();
  given.site = await serve(({ method, url }, response) => {
    const answer = (status: number, headers = {}) =>
      response.writeHead(status, headers).end('x'.repeat(9_000));
    if (url.pathname === '/robots.txt') return void response.end('User-agent: *\nDisallow: /private');
    if (url.pathname === '/moved') return void answer(301, { location: '/there' });
    if (url.pathname === '/circle') return void answer(302, { location: '/circle' });
    if (url.pathname === '/get-only') return void answer(method === 'GET' ? 200 : 405);
    answer({ '/gone': 404, '/failing': 500, '/asks': 401 }[url.pathname] ?? 200);
  });
});
health.after(async ({ server, site }) => {
  await server.close();
  await site.close();
});

health('each answer says what it is', async ({ site }) => {
  const { look } = openTargetLooks(parseAllowList(['127.0.0.0/8']), 0);
  const at = (path: string) => look(`${site.url}${path}`);
  for (const [path, expected] of [
    ...[['/there', 'ok'] as const, ['/moved', 'ok'] as const, ['/get-only', 'ok'] as const],
    ...[['/gone', 'broken'] as const, ['/failing', 'broken'] as const, ['/circle', 'broken'] as const],
    ...[['/asks', 'unknown'] as const, ['/private/x', 'unknown'] as const],
  ])
    assert.is(await at(path), expected, path);
  assert.not.ok(site.requests.some(({ url }) => url.pathname.startsWith('/private')));
  assert.is(site.requests.filter(({ url }) => url.pathname === '/robots.txt').length, 1);
  assert.is(await look('http://127.0.0.1:9/'), 'broken');
});

health('private addresses are not asked', async ({ site }) => {
  const before = site.requests.length;
  assert.is(await openTargetLooks([], 0).look(`${site.url}/there`), 'unknown');
  assert.is(site.requests.length, before);
});

health(
  'a link is looked at when its owner asks, and when its turn comes; broken ones are listed',
  async (given) => {
    const { server, user } = given;
    const { db } = server.app.services;
    // A name that is no loopback address for the rules of targets is not needed: the row is what is looked at.
    const make = async (path: string) => {
      const json = { url: 'https://target.example/' };
      const { body } = await server.request('POST', '/url/create', { key: user.key, json });
      await db.write((trx) =>
        trx('short_urls')
          .where({ unique_id: body.uniqueId })
          .update({ original_url: `${given.site.url}${path}` }),
      );
      return body.uniqueId as string;
    };
    const [fine, gone] = [await make('/there'), await make('/gone')];
    const stranger = await server.account();
    const check = (id: string, key: string) => server.request('POST', `/url/get/${id}/check`, { key });
    assert.is((await check(fine, stranger.key)).status, 401);
    const unseen = await server.request('GET', '/user/get/@me/items?health=unknown', { key: user.key });
    assert.equal(
      unseen.body.message.content.map((item: { uniqueId: string }) => item.uniqueId).sort(),
      [fine, gone].sort(),
    );
    assert.is(
      (await server.request('GET', `/url/get/${fine}`, { key: user.key })).body.message.health,
      'unknown',
    );
    const checked = await check(fine, user.key);
    assert.is(checked.body.message.health, 'ok');
    assert.ok(Date.parse(checked.body.message.checkedAt) > 0);
    await checkTargets(server.app.services, new AbortController().signal);
    const record = async (key: string) =>
      (await server.request('GET', `/url/get/${gone}`, { key })).body.message;
    assert.is((await record(user.key)).health, 'broken');
    assert.is((await record(user.key)).revision, 1);
    assert.is((await record(stranger.key)).health, null);
    const broken = await server.request('GET', '/user/get/@me/items?health=broken', { key: user.key });
    assert.equal(
      broken.body.message.content.map((item: { uniqueId: string }) => item.uniqueId),
      [gone],
    );
    assert.is((await server.request('GET', '/user/get/@me/items?health=bad', { key: user.key })).status, 400);
    const asked = given.site.requests.length;
    await checkTargets(server.app.services, new AbortController().signal);
    assert.is(given.site.requests.length, asked, 'not before a week has passed');
  },
);

health(
  'who asked for it is told by mail once a week, and only of broken targets',
  async ({ server, site }) => {
    const { db, jobs } = server.app.services;
    const accounts = [await server.account(), await server.account(), await server.account()] as const;
    const [told, whole] = accounts;
    for (const [index, path] of ['/gone', '/there', '/gone'].entries()) {
      const key = accounts[index]?.key;
      const { body } = await server.request('POST', '/url/create', {
        key,
        json: { url: 'https://a.example/' },
      });
      const change = { original_url: `${site.url}${path}` };
      await db.write((trx) => trx('short_urls').where({ unique_id: body.uniqueId }).update(change));
      await server.request('POST', `/url/get/${body.uniqueId}/check`, { key });
    }
    const digest = (key: string, weekly: unknown) =>
      server.request('PUT', '/user/get/@me/link-digest', { key, json: { weekly } });
    assert.is((await digest(told.key, 'perhaps')).status, 400);
    for (const { key } of [told, whole]) assert.is((await digest(key, true)).body.message.weekly, true);
    const send = () => sendDigests(server.app.services, new AbortController().signal);
    const mails = async () => {
      await jobs.settle();
      return (await Promise.all(accounts.map(({ email }) => mailsTo(server, email)))).map(
        (list) => list.length,
      );
    };
    const due = () => db.write((trx) => trx('link_digests').update({ due_at: 1 }));
    await send();
    assert.equal(await mails(), [0, 0, 0], 'not before its turn');
    await due();
    await Promise.all([send(), send()]);
    await send();
    assert.equal(await mails(), [1, 0, 0]);
    assert.match((await mailsTo(server, told.email))[0]?.text ?? '', `${site.url}/gone`);
    const cookie = `session_token=${await sessionOf(server, told)}`;
    const shown = await server.request('GET', '/web/links?health=broken', {
      headers: { accept: 'text/html', cookie },
    });
    assert.match(shown.text, `${site.url}/gone`.replace('http://', ''));
    assert.match(shown.text, 'Its target does not answer');
    await digest(told.key, false);
    await due();
    await send();
    assert.equal(await mails(), [1, 0, 0]);
  },
);

health.run();
