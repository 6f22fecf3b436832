// on both databases
/** Rate limits over HTTP: nobody can evade a limit, and nobody can use up someone else's. */

import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PLAIN_WAY } from '../../db/content/link/link-way.js';
import { DomainError } from '../../routers/base/errors.js';
import { costOf } from '../../routers/features/link/import-store.js';
import { MAX_SPANS } from '../../server/drivers/limits/limit-store.js';
import { type Answer, fileForm, startServer, type TestServer } from '../harness.js';
import { cookies, registerNewcomer, signIn } from '../support/accounts/accounts.js';
import { digitsIn, mailsTo, newestMailTo } from '../support/accounts/outbox.js';
import {
  digitsOf,
  enableSecondFactor,
  forgetLastCode,
  wrongDigits,
} from '../support/accounts/second-factor.js';

interface World {
  server: TestServer;
}
const limits = suite<World>('rate limits');

const HERE = '203.0.113.9';
const ELSEWHERE = '198.51.100.7';
const ENV = { RATE_LIMIT: 'on', TRUST_PROXY: 'true' };
const from = (address: string) => ({ 'x-forwarded-for': address });

limits.before.each(async (world) => {
  world.server = await startServer(ENV);
});
limits.after.each(({ server }) => server.close());

/** The statuses of the same request, sent repeatedly. */
async function statuses(times: number, send: () => Promise<Answer>): Promise<number[]> {
  const found: number[] = [];
  for (let tries = 0; tries < times; tries += 1) found.push((await send()).status);
  return found;
}

limits(
  'attempts refused for an address do not count against the account, not even in a batch',
  async ({ server }) => {
    const counted = server.app.services.limits.rates;
    const account = await server.account();
    const wrong = { email: account.email, password: 'not the password' };
    await counted.take('loginAddress', HERE, 300);
    assert.equal(new Set(await statuses(20, () => signIn(server, wrong, from(HERE)))), new Set([429]));
    const calls = Array.from({ length: 20 }, (_, index) => [index, wrong]);
    const batch = await server.request('POST', `//trpc/${calls.map(() => 'auth.login').join(',')}?batch=1`, {
      json: Object.fromEntries(calls),
      headers: from(HERE),
    });
    assert.is(batch.status, 429);
    await counted.clear('loginAddress', HERE);
    assert.is((await signIn(server, account, from(HERE))).status, 200);
  },
);

limits(
  'a request refused because the server is busy does not count as a password attempt',
  async ({ server }) => {
    const { passwords } = server.app.services;
    const account = await server.account();
    // As many as the waiting line holds, which retry at once.
    let over = false;
    const stand = async () => {
      while (!over)
        await passwords
          .verify('no hash', '')
          .catch((error: unknown) => (error instanceof DomainError ? turn() : undefined));
    };
    const line = Promise.all(Array.from({ length: 202 }, stand));
    const wrong = { email: account.email, password: 'not the password' };
    const refused = await statuses(20, () => signIn(server, wrong, from(HERE)));
    over = true;
    await line;
    assert.ok(refused.filter((status) => status === 503).length > 15, refused.join());
    assert.is((await signIn(server, account, from(HERE))).status, 200);
  },
);

limits('passwords that an account sets on its items count like what it creates', async ({ server }) => {
  const { id, key } = await server.account();
  const { uniqueId } = (
    await server.request('POST', '/image/upload', { key, form: fileForm('text', 'a.txt') })
  ).body;
  await server.app.services.limits.rates.take('create', String(id), 1_198);
  const lock = () =>
    server.request('PUT', `/image/password/${uniqueId}`, { key, json: { password: 'open sesame' } });
  assert.equal(await statuses(2, lock), [200, 429]);
});

limits('what makes long texts or many links findable counts more than what is short', async ({ server }) => {
  const { id, key } = await server.account();
  const text = 'words '.repeat(100_000);
  const points = 1 + Math.floor(text.length / 16_384);
  const links = Array.from({ length: 200 }, (_, index) => ({ url: `https://example.org/${index}` }));
  // The request counts, and ten links count like one creation; the text of the import is shorter than what counts like one more.
  const pointsOfImport =
    1 +
    Math.ceil(
      links.reduce((sum, { url }) => sum + costOf({ target: url, note: null, way: PLAIN_WAY }), 0) / 10,
    );
  const counted = server.app.services.limits.rates;
  await counted.take('create', String(id), 1_200 - 4 * points - pointsOfImport);
  const made = await server.request('POST', '/paste/create', { key, json: { text } });
  assert.is(made.status, 200);
  const { uniqueId } = made.body.message;
  for (const [method, path, json] of [
    ['PATCH', `/paste/get/${uniqueId}`, { title: 'Another' }],
    ['POST', `/paste/get/${uniqueId}/fork`, {}],
    ['POST', '//trpc/library.changeMany', { kind: 'paste', ids: [uniqueId], tag: 'long' }],
    ['POST', '/url/import', links],
  ] as const)
    assert.is((await server.request(method, path, { key, json })).status, 200, path);
  assert.is((await server.request('POST', '/paste/create', { key, json: { text: 'short' } })).status, 429);
});

limits('attempts refused for an account do not count against the address', async ({ server }) => {
  const [account, other] = [await server.account(), await server.account()];
  const counted = server.app.services.limits.rates;
  await counted.take('login', `${account.email}|${HERE}`, 15);
  const refused = await statuses(310, () => signIn(server, account, from(HERE)));
  assert.equal(new Set(refused), new Set([429]));
  assert.is((await signIn(server, other, from(HERE))).status, 200);
});

limits('wrong codes refused for an address do not count against the account', async ({ server }) => {
  const { verifyToken } = await registerNewcomer(server);
  const counted = server.app.services.limits.rates;
  const guess = (address: string) =>
    server.request('POST', '/auth/verify/email', {
      json: { code: '000000' },
      headers: { ...cookies({ verify_token: verifyToken }), ...from(address) },
    });
  await counted.take('verifyAddress', HERE, 100);
  assert.equal(new Set(await statuses(40, () => guess(HERE))), new Set([429]));
  assert.is((await guess(ELSEWHERE)).status, 400);
});

limits(
  'wrong codes from one address lock out neither the holder elsewhere nor other accounts at that address',
  async ({ server }) => {
    const victim = await registerNewcomer(server);
    const neighbour = await registerNewcomer(server);
    const enter = async (who: typeof victim, code: string, address: string) =>
      server.request('POST', '/auth/verify/email', {
        json: { code },
        headers: { ...cookies({ verify_token: who.verifyToken }), ...from(address) },
      });
    const digits = digitsIn(await newestMailTo(server, victim.email));
    // Ten wrong attempts invalidate a code; this test is about the rate limit.
    const counted = server.app.services.limits.rates;
    const [{ id }] = await server.app.services.db.read('users').where({ email: victim.email });
    await counted.take('code', `verify|${id}|${HERE}`, 30);
    await counted.take('verifyAddress', HERE, 30);
    assert.is((await enter(victim, digits, HERE)).status, 429);
    const theirs = digitsIn(await newestMailTo(server, neighbour.email));
    assert.is((await enter(neighbour, theirs, HERE)).status, 200);
    assert.is((await enter(victim, digits, ELSEWHERE)).status, 200);
  },
);

limits('password reset requests by a stranger do not block the account holder', async ({ server }) => {
  const account = await server.account();
  const ask = (address: string) =>
    server.request('POST', '/auth/reset/request', {
      json: { email: account.email },
      headers: from(address),
    });
  const asked = await statuses(20, () => ask(HERE));
  assert.equal([asked[0], asked.at(-1)], [200, 429]);
  assert.is((await mailsTo(server, account.email)).length, 1);
  // Two minutes later, when an account may have the next mail.
  await server.app.services.db.write((trx) => trx('codes').update({ created_at: 1 }));
  assert.is((await ask(ELSEWHERE)).status, 200);
  assert.is((await mailsTo(server, account.email)).length, 2);
});

limits('an exhausted limit stays exhausted, whatever flood of other addresses follows', async () => {
  const server = await startServer({ ...ENV, DATABASE_URL: '' });
  try {
    const account = await server.account();
    const wrong = { ...account, password: 'not the password' };
    while ((await signIn(server, wrong, from(HERE))).status === 403);
    const counted = server.app.services.limits.rates;
    for (let n = 0; n < MAX_SPANS + 1_000; n += 1)
      await counted.take('login', `${n}@example.net|${n % 250}.0.0.1`);
    const fresh = (n: number) => ({ email: `fresh-${n}@example.net`, password: 'some password' });
    await counted.take('loginAddress', HERE, 280);
    for (let n = 0; n < 100; n += 1) await signIn(server, fresh(n), from(HERE));
    await counted.clear('loginAddress', HERE);
    assert.is((await signIn(server, account, from(HERE))).status, 429);
    assert.is((await signIn(server, account, from(ELSEWHERE))).status, 200);
  } finally {
    await server.close();
  }
});

limits(
  'wrong second-factor codes from one address do not lock out the account elsewhere',
  async ({ server }) => {
    const account = await server.account();
    const { secret, recoveryCodes } = await enableSecondFactor(server, account);
    const guess = (address: string, code = wrongDigits(secret)) =>
      signIn(server, { ...account, code }, from(address));
    const found = await statuses(32, () => guess(HERE));
    assert.equal([found[0], found.at(-1)], [403, 429]);
    await forgetLastCode(server, account);
    assert.is((await guess(ELSEWHERE, digitsOf(secret))).status, 200);
    // Wrong digits from many addresses exhaust the limit of the account, but not where the holder is signed in,
    // and not for the other codes.
    for (const last of [11, 12, 13]) await statuses(30, () => guess(`203.0.113.${last}`));
    const NEW = '203.0.113.99';
    await forgetLastCode(server, account);
    assert.is((await guess(NEW, digitsOf(secret))).status, 429);
    assert.is((await guess(NEW, recoveryCodes[0])).status, 200);
    assert.is((await guess(ELSEWHERE, digitsOf(secret))).status, 200);
    assert.is((await guess(HERE, recoveryCodes[1])).status, 200);
  },
);

limits.run();
