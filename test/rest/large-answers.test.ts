import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { logVisits } from '../../db/statistics/visit.js';
import { SHOWN_LENGTH } from '../../routers/features/mail/bounds.js';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { MAILGUN_SIGNING_KEY, signRoute } from '../standins/mailgun.js';

const test = suite('large answers');
let server: TestServer;
let user: TestAccount;

test.before(async () => {
  server = await startServer({ MAILGUN_SIGNING_KEY });
  user = await server.account();
});
test.after(() => server.close());

/** A link of the user with these visits, each row being several alike; returns its id. */
async function visitedLink(rows: readonly (readonly [agent: string, visits: number])[]): Promise<string> {
  const json = { url: 'https://example.org/' };
  const { body } = await server.request('POST', '/url/create', { key: user.key, json });
  const { uniqueId } = body.message;
  const { db, load } = server.app.services;
  const link = await load.url(uniqueId);
  const urlId = link?.id ?? 0;
  const total = rows.reduce((sum, [, visits]) => sum + visits, 0);
  await db.write(async (trx) => {
    for (const [userAgent, visits] of rows)
      await logVisits(db, trx, [
        {
          urlId,
          visits,
          userAgent,
          ipAddress: '192.0.2.1',
          referrerHost: null,
          country: null,
          variant: null,
          visitedAt: Date.now(),
          prefetch: false,
        },
      ]);
    await trx('short_urls').where('id', urlId).update({ visits: total });
  });
  return uniqueId;
}

const batch = (name: string, inputs: readonly object[]) =>
  `//trpc/${inputs.map(() => name).join(',')}?batch=1&input=${encodeURIComponent(JSON.stringify({ ...inputs }))}`;

test('a small request is answered before the calls of many batches are, all of which came before it', async () => {
  const calls = Array.from({ length: 20 }, () => ({ format: 'csv' }));
  let answered = 0;
  const batches = Array.from({ length: 30 }, async () => {
    const { status, body } = await server.request('GET', batch('stats.export', calls), { key: user.key });
    answered += 1;
    return [status, body.length];
  });
  while (answered === 0) await new Promise((resolve) => setImmediate(resolve));
  const { status } = await server.request('GET', '/stats/export', { key: user.key });
  assert.is(status, 200);
  assert.ok(answered < batches.length / 2, `${answered} batches were answered first`);
  for (const one of await Promise.all(batches)) assert.equal(one, [200, 20]);
});

test('a visit log has the newest 1,000 visits, and older ones on further pages', async () => {
  const id = await visitedLink([
    ['oldest', 3],
    ['many', 1_200],
    ['some', 500],
    ['newest', 1],
  ]);
  const log = async (query = '') => {
    const { body } = await server.request('GET', `/url/get/${id}/logs${query}`, { key: user.key });
    const agents = body.message.map(({ userAgent }: { userAgent: string }) => userAgent);
    const seen = [...new Set<string>(agents)];
    return seen.map((agent) => `${agent} ${agents.filter((one: string) => one === agent).length}`);
  };
  assert.equal(await log(), ['newest 1', 'some 500', 'many 499']);
  assert.equal(await log('?page=1'), ['many 701', 'oldest 3']);
  assert.equal(await log('?page=2'), []);
  assert.equal(await log('?size=2'), ['newest 1', 'some 1']);
  assert.equal(await log('?page=250&size=2'), ['some 1', 'many 1']);
  assert.equal(await log('?page=850&size=2'), ['many 1', 'oldest 1']);
  const { body } = await server.request('GET', `/url/get/${id}?logs=true`, { key: user.key });
  assert.is(body.message.logs.length, 1_000);
  assert.equal(body.message.urlLogs, body.message.logs);
  for (const query of ['?size=1001', '?size=0', '?page=-1', '?page=100&size=1000']) {
    const { status } = await server.request('GET', `/url/get/${id}/logs${query}`, { key: user.key });
    assert.is(status, 400, query);
  }
});

test('a list of links shows 100 visits of each, and so many together', async () => {
  const guest = await server.account();
  const keep = user;
  user = guest;
  for (let made = 0; made < 30; made += 1) await visitedLink([['x', 101]]);
  user = keep;
  const path = `/admin/user/${guest.id}/urls?logs=true&limit=1000`;
  const { body } = await server.request('GET', path, { key: server.owner.key });
  const lengths = body.message.map(({ logs }: { logs: unknown[] }) => logs.length);
  assert.equal(lengths, [...Array(25).fill(100), ...Array(5).fill(0)]);
});

test('the answers of a batch are limited together; those beyond the limit are 413', async () => {
  const uniqueId = await visitedLink([['"'.repeat(512), 1_000]]);
  const inputs = Array.from({ length: 20 }, () => ({ uniqueId, logs: true }));
  const answer = await server.request('GET', batch('url.get', inputs), { key: user.key });
  assert.is(answer.status, 207);
  assert.ok(answer.text.length < 34 * 1024 * 1024, `${answer.text.length} bytes`);
  const statuses = answer.body.map(
    (one: { error?: { data: { httpStatus: number } } }) => one.error?.data.httpStatus ?? 200,
  );
  assert.ok(statuses.filter((status: number) => status === 200).length > 10, statuses.join());
  assert.ok(statuses.includes(413), statuses.join());
  assert.equal([...new Set(statuses)].sort(), [200, 413]);
  const refused = answer.body[statuses.indexOf(413)].error;
  assert.match(refused.message, /too large together, ask for fewer/);
  const alone = await server.request('GET', batch('url.get', inputs.slice(0, 1)), { key: user.key });
  assert.is(alone.status, 200);
});

test('many clients that do not read their large answers make others wait, and do not use up the memory', async () => {
  const uniqueId = await visitedLink([['x', 1_000]]);
  const { answerMemory } = server.app.services.limits;
  const held = answerMemory.take(64 * 1024 * 1024, '127.0.0.1');
  const path = `/url/get/${uniqueId}/logs`;
  const busy = await server.request('GET', path, { key: user.key });
  assert.equal([busy.status, busy.headers.get('retry-after')], [503, '1']);
  assert.is((await server.request('GET', `/url/get/${uniqueId}`)).status, 200);
  held?.();
  assert.is((await server.request('GET', path, { key: user.key })).status, 200);
});

/** Delivers a mail and returns what names it. */
async function deliver(subject: string, text: string, html: string) {
  const made = await server.request('POST', '/email/create', { key: user.key, json: {} });
  const { email } = made.body.message;
  const form = new FormData();
  const fields = {
    recipient: email,
    from: 'ada@example.net',
    subject,
    'body-plain': text,
    'body-html': html,
    'Message-Id': `<${subject}@example.net>`,
    ...signRoute(),
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  assert.is((await server.request('POST', '/email/inbound', { form })).status, 200);
  return { email, messageId: `${subject}@example.net` };
}

const message = (input: object) =>
  server.request('GET', `//trpc/email.message?input=${encodeURIComponent(JSON.stringify(input))}`, {
    key: user.key,
  });

test('of a long mail the beginning is shown, and the whole can be downloaded', async () => {
  const text = `${'x'.repeat(SHOWN_LENGTH - 1)}😀 and the end`;
  const html = `<p>${'y &amp; '.repeat(SHOWN_LENGTH / 5)}</p>`;
  const named = await deliver('long', text, html);
  const shown = (await message(named)).body.result.data;
  assert.is(shown.text, 'x'.repeat(SHOWN_LENGTH - 1), 'no half characters');
  assert.ok(shown.html.length <= SHOWN_LENGTH);
  assert.match(shown.html, /(y|y |&amp;|&amp; )$/, 'no half character reference');
  assert.is(shown.truncated, true);
  const whole = (await message({ ...named, whole: true })).body.result.data;
  assert.equal([whole.text, whole.truncated], [text, false]);
  const get = (part: string) =>
    server.request('GET', `//web/mailboxes/${named.email}/${part}?id=${named.messageId}`, {
      key: user.key,
      headers: { accept: 'text/html' },
    });
  const page = await get('message');
  assert.match(page.text, /only its beginning is shown/);
  assert.ok(page.text.length < 2 * SHOWN_LENGTH);
  const file = await get('text');
  assert.is(file.text, text);
  assert.is(file.headers.get('content-disposition'), 'attachment; filename="long.txt"');
  assert.ok((await get('html')).text.length > 1.5 * SHOWN_LENGTH);
});

test('a short mail is shown in full', async () => {
  const named = await deliver('short', 'hello', '<p>hello</p>');
  const { text, html, truncated } = (await message(named)).body.result.data;
  assert.equal([text, html.includes('hello'), truncated], ['hello', true, false]);
});

test('mails that are read count against the memory for mails', async () => {
  const named = await deliver('counted', 'x'.repeat(100_000), '');
  const { mailMemory } = server.app.services.limits;
  const held = mailMemory.take(64 * 1024 * 1024, String(user.id));
  const busy = await message(named);
  assert.equal([busy.status, busy.headers.get('retry-after')], [503, '1']);
  held?.();
  assert.is((await message(named)).status, 200);
});

test.run();
