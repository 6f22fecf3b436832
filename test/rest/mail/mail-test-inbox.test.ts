// on both databases
/** Mailboxes for people who test: sending credentials, waiting for a mail, rules. */
import { networkInterfaces } from 'node:os';
import { createTransport } from 'nodemailer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { startWebhookReceiver } from '../../standins/webhook-receiver.js';
import { sessionOf } from '../../support/accounts/accounts.js';
import { Talk } from '../../support/mail/talk.js';
import { until } from '../../support/until.js';
import { LOOPBACK_ALLOWED, watched } from '../../support/web/webhook.js';

interface Given {
  server: TestServer;
  user: TestAccount;
}

const test = suite<Given>('test inboxes');

test.before(async (given) => {
  given.server = await startServer({
    SMTP_LISTEN: '0.0.0.0:0',
    MAIL_DOMAINS: 'mail.example.org',
    MAIL_AUTHENTICATION: 'false',
    ...LOOPBACK_ALLOWED,
  });
  given.user = await given.server.account();
});
test.after(({ server }) => server.close());

const portOf = ({ server }: Given): number => server.app.smtpAddress?.port ?? 0;

async function mailbox({ server, user }: Given): Promise<string> {
  const created = await server.request('POST', '/email/create', { key: user.key, json: {} });
  assert.is(created.status, 200, created.text);
  assert.is(created.body.message.sandbox, false);
  return created.body.message.email;
}

async function inbox(given: Given) {
  const email = await mailbox(given);
  const made = await given.server.request('POST', `/email/${email}/credentials`, { key: given.user.key });
  assert.is(made.status, 200, made.text);
  const { username, password } = made.body.message;
  assert.is(username, email);
  return { email, password };
}

const sender = (given: Given, user: string, pass: string, authMethod = 'PLAIN') =>
  createTransport({
    host: '127.0.0.1',
    port: portOf(given),
    ignoreTLS: true,
    auth: { user, pass },
    authMethod,
  });

const ask = ({ server, user }: Given, path: string, key: string | null = user.key) =>
  server.request('GET', path, key === null ? {} : { key });

async function deliver(given: Given, to: string, fields: object = {}): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: portOf(given), ignoreTLS: true });
  await transport.sendMail({ from: 'shop@b.example', to, subject: 'An order', text: 'thanks', ...fields });
  transport.close();
}

const listOf = async (given: Given, email: string) =>
  (await ask(given, `/email/${email}/messages`)).body.message.content;

test('what is sent with the credentials stays in the mailbox, whoever it is for', async (given) => {
  const { server, user } = given;
  const { email, password } = await inbox(given);
  const other = await mailbox(given);
  for (const method of ['PLAIN', 'LOGIN']) {
    const transport = sender(given, email, password, method);
    await transport.sendMail({
      from: 'app@company.example',
      to: ['ann@far.example', other],
      bcc: 'hidden@far.example',
      subject: `by ${method}`,
      text: 'see https://app.example/confirm?token=abc.',
    });
    transport.close();
  }
  const found = await listOf(given, email);
  assert.equal(
    found.map(({ subject }: { subject: string }) => subject),
    ['by LOGIN', 'by PLAIN'],
  );
  assert.equal(await listOf(given, other), []);
  const path = `/email/${email}/messages/${encodeURIComponent(found[0].messageId)}`;
  const { envelope } = (await ask(given, path)).body.message;
  assert.is(envelope.from, 'app@company.example');
  assert.equal(envelope.to.split(', ').sort(), ['ann@far.example', other, 'hidden@far.example'].sort());
  assert.is((await ask(given, `/email/${email}`)).body.message.sandbox, true);
  assert.equal(await server.app.services.db.read('mail_sendings').where('sender', email), []);
  await server.request('DELETE', `/email/${email}/credentials`, { key: user.key });
});

test('a wrong, a replaced and an ended password are refused, and nothing is kept', async (given) => {
  const { server, user } = given;
  const { email, password } = await inbox(given);
  const renewed = await server.request('POST', `/email/${email}/credentials`, { key: user.key });
  const refused = async (pass: string, name = email) => {
    const failure = await sender(given, name, pass)
      .sendMail({ from: 'a@b.example', to: 'x@far.example', text: 'x' })
      .then(
        () => null,
        (error: { responseCode: number }) => error.responseCode,
      );
    assert.is(failure, 535);
  };
  await refused(password);
  await refused('x');
  await refused('x'.repeat(5_000));
  await refused(password, 'nobody@mail.example.org');
  const talk = new Talk(portOf(given));
  await talk.answer();
  await talk.say('EHLO client.example');
  assert.match(await talk.say('AUTH CRAM-MD5'), /^504 /);
  assert.match(await talk.say('AUTH PLAIN !!!'), /^5\d\d /);
  await talk.end();
  assert.is((await server.request('DELETE', `/email/${email}/credentials`, { key: user.key })).status, 200);
  await refused(renewed.body.message.password);
  // Once more changes nothing.
  assert.is((await server.request('DELETE', `/email/${email}/credentials`, { key: user.key })).status, 200);
  assert.equal(await listOf(given, email), []);
  assert.is((await ask(given, `/email/${email}`)).body.message.sandbox, false);
});

test('without encryption, credentials are neither offered nor taken from another machine', async (given) => {
  const address = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  if (address === undefined) return;
  const talk = new Talk(portOf(given), address);
  await talk.answer();
  const offered = await talk.whole('EHLO client.example');
  assert.not.match(offered, /AUTH/);
  assert.match(await talk.say('AUTH PLAIN AGEAYg=='), /^5\d\d /);
  await talk.end();
  const here = new Talk(portOf(given));
  await here.answer();
  assert.match(await here.whole('EHLO client.example'), /AUTH PLAIN LOGIN/);
  await here.end();
});

test('nothing leaves a test inbox: no forwarding, no answer, no rule that forwards', async (given) => {
  const { server, user } = given;
  const email = await mailbox(given);
  const { key } = user;
  const forwarding = [
    { when: {}, do: [{ forward: user.email }, { tag: 'kept' }] },
    { when: {}, do: [{ forward: user.email }] },
  ];
  assert.is(
    (await server.request('PUT', `/email/${email}/rules`, { key, json: { rules: forwarding } })).status,
    200,
  );
  assert.is(
    (await server.request('PUT', `/email/${email}/forward`, { key, json: { to: 'ann@far.example' } })).status,
    200,
  );
  await server.request('POST', `/email/${email}/credentials`, { key });
  assert.equal((await ask(given, `/email/${email}/rules`)).body.message.rules, [
    { when: {}, do: [{ tag: 'kept' }] },
  ]);
  assert.equal((await ask(given, `/email/${email}/forward`)).body.message, { to: null, confirmed: false });
  for (const [path, json] of [
    ['forward', { to: 'ann@far.example' }],
    ['rules', { rules: forwarding }],
  ] as const)
    assert.is((await server.request('PUT', `/email/${email}/${path}`, { key, json })).status, 409, path);
  await deliver(given, email);
  const [{ messageId, tags }] = await listOf(given, email);
  assert.equal(tags, ['kept']);
  const json = { messageId, text: 'an answer' };
  assert.is((await server.request('POST', `/email/${email}/reply`, { key, json })).status, 409);
});

test('a wait answers the oldest mail that fits, with its codes and links, at once or when it comes', async (given) => {
  const email = await mailbox(given);
  await deliver(given, email, { subject: 'Welcome', text: 'first' });
  await deliver(given, email, {
    subject: 'Your CODE',
    text: 'Your code is 482913. Open https://app.example/in?a=1&b=2.',
    html: '<p>482913 <a href="https://app.example/other?a=1&amp;b=2">open</a></p>',
  });
  const there = await ask(given, `/email/${email}/wait?subject=your%20code&timeout=0`);
  assert.is(there.status, 200, there.text);
  const { message, codes, links } = there.body.message;
  assert.is(message.subject, 'Your CODE');
  assert.is(message.unread, true);
  assert.equal(codes, ['482913']);
  assert.equal(links, ['https://app.example/in?a=1&b=2', 'https://app.example/other?a=1&b=2']);
  assert.is((await ask(given, `/email/${email}/wait?timeout=0`)).body.message.message.subject, 'Welcome');
  const by = async (query: string) => (await ask(given, `/email/${email}/wait?timeout=0&${query}`)).status;
  assert.equal(
    [
      await by(`to=${email.slice(0, 6)}`),
      await by('to=nobody'),
      await by('from=SHOP'),
      await by('from=nobody'),
    ],
    [200, 204, 200, 204],
  );
  const after = new Date().toISOString();
  assert.is(await by(`after=${after}`), 204);
  // Many at once, each for its own mail, and one for anything that comes.
  const waits = Array.from({ length: 40 }, (_, n) =>
    ask(given, `/email/${email}/wait?timeout=60&after=${after}&subject=number%20${n}%20of`),
  );
  const any = ask(given, `/email/${email}/wait?timeout=60&after=${after}`);
  for (let n = 39; n >= 0; n -= 1) await deliver(given, email, { subject: `number ${n} of 40` });
  const answers = await Promise.all(waits);
  assert.equal(
    answers.map(({ body }) => body.message.message.subject),
    answers.map((_, n) => `number ${n} of 40`),
  );
  assert.is((await any).status, 200);
});

test('waiting is for those who may read the mailbox, for at most a minute', async (given) => {
  const { server } = given;
  const email = await mailbox(given);
  const stranger = await server.account();
  const path = `/email/${email}/wait`;
  assert.is((await ask(given, `${path}?timeout=0`, null)).status, 401);
  assert.is((await ask(given, `${path}?timeout=0`, stranger.key)).status, 404);
  for (const query of ['timeout=61', 'timeout=-1', 'timeout=soon', 'after=yesterday'])
    assert.is((await ask(given, `${path}?${query}`)).status, 400, query);
  // A mailbox that is deleted meanwhile answers nothing of what came.
  const waiting = ask(given, `${path}?timeout=1`);
  await server.request('DELETE', `/email/${email}`, { key: given.user.key });
  assert.ok([204, 404].includes((await waiting).status));
});

test('all rules that fit apply, in order: read, tags, forwarding, deleting', async (given) => {
  const { server, user } = given;
  const email = await mailbox(given);
  const { key } = user;
  const rules = [
    { when: { from: 'SHOP@' }, do: [{ tag: 'shop' }, 'read'] },
    { when: { subject: 'invoice', hasAttachment: true }, do: [{ tag: 'Paid' }, { tag: 'paid' }] },
    { when: { codes: true }, do: [{ tag: 'code' }] },
    { when: { subject: 'forget' }, do: ['delete'] },
    { when: { subject: 'send on' }, do: [{ forward: user.email }, 'delete'] },
  ];
  const set = await server.request('PUT', `/email/${email}/rules`, { key, json: { rules } });
  assert.is(set.status, 200, set.text);
  assert.equal((await ask(given, `/email/${email}/rules`)).body.message, { rules });
  await deliver(given, email, { subject: 'An invoice', attachments: [{ filename: 'a.txt', content: 'x' }] });
  await deliver(given, email, { subject: 'Please forget', messageId: '<forget@b.example>' });
  await deliver(given, email, { subject: 'Please forget', messageId: '<forget@b.example>' });
  await deliver(given, email, { subject: 'Your code', text: 'Your code is 482913', from: 'else@b.example' });
  await deliver(given, email, { subject: 'send on', from: 'else@b.example' });
  const found = await listOf(given, email);
  assert.equal(
    found.map(({ subject, tags, unread }: Record<string, unknown>) => [subject, tags, unread]),
    [
      ['send on', [], true],
      ['Your code', ['code'], true],
      ['An invoice', ['shop', 'paid'], false],
    ],
  );
  const sent = await ask(given, `/email/sent?email=${email}`);
  assert.equal(
    sent.body.message.content.map((one: { subject: string }) => one.subject),
    ['send on'],
  );
});

test('rules that are none are refused, and forward only to who has agreed', async (given) => {
  const { server, user } = given;
  const email = await mailbox(given);
  const put = (rules: unknown, key = user.key) =>
    server.request('PUT', `/email/${email}/rules`, { key, json: { rules } });
  for (const rules of [
    null,
    {},
    [{}],
    [{ when: {}, do: [] }],
    [{ when: {}, do: ['burn'] }],
    [{ when: { body: 'x' }, do: ['read'] }],
    [{ when: { from: '' }, do: ['read'] }],
    [{ when: {}, do: [{ tag: '' }] }],
    [{ when: {}, do: [{ webhook: 'https://far.example' }] }],
    [{ when: {}, do: [{ forward: 'stranger@far.example' }] }],
    Array.from({ length: 21 }, () => ({ when: {}, do: ['read'] })),
  ])
    assert.is((await put(rules)).status, 400, JSON.stringify(rules));
  assert.is((await put([], (await server.account()).key)).status, 404);
  assert.equal((await ask(given, `/email/${email}/rules`)).body.message, { rules: [] });
});

test('a webhook hears of mail where it names the event, or where a rule asks', async (given) => {
  const receiver = await startWebhookReceiver();
  const user = await watched(given.server, receiver);
  const own = { ...given, user };
  const [asked, silent] = [await mailbox(own), await mailbox(own)];
  const rules = [{ when: { subject: 'code' }, do: [{ webhook: true }] }];
  await given.server.request('PUT', `/email/${asked}/rules`, { key: user.key, json: { rules } });
  const heard = () =>
    receiver.requests
      .map(({ body }) => JSON.parse(body.toString('utf8')))
      .filter(({ type }) => type === 'mail.received');
  await deliver(own, silent, { subject: 'code for nobody' });
  await deliver(own, asked, { subject: 'other' });
  await deliver(own, asked, { subject: 'Your code', text: 'Your code is 482913' });
  await until(() => heard().length > 0);
  const settings = { events: ['mail.received'] };
  await given.server.request('PATCH', '/user/get/@me/settings/webhook', {
    key: user.key,
    json: settings,
  });
  await deliver(own, silent, { subject: 'named' });
  await until(() => heard().length > 1);
  assert.equal(
    heard().map(({ item }) => [item.kind, item.title, item.codes]),
    [
      ['mail', 'Your code', ['482913']],
      ['mail', 'named', []],
    ],
  );
  await receiver.close();
});

test('credentials and rules end when the account is recovered', async (given) => {
  const { server } = given;
  const own = { ...given, user: await server.account() };
  const { email, password } = await inbox(own);
  const { key } = own.user;
  await server.request('PUT', `/email/${email}/rules`, {
    key,
    json: { rules: [{ when: {}, do: ['delete'] }] },
  });
  const json = { password: 'another horse battery' };
  assert.is(
    (await server.request('PUT', `/admin/user/${own.user.id}`, { key: server.owner.key, json })).status,
    200,
  );
  const [row] = await server.app.services.db.read('mailboxes').where('address', email);
  assert.equal([row.sending_hash, row.rules], [null, null]);
  const sent = sender(own, email, password).sendMail({ from: 'a@b.example', to: 'x@far.example', text: 'x' });
  assert.is(await sent.catch((error: { responseCode: number }) => error.responseCode), 535);
});

test('one mailbox cannot take all the places of those who wait', async (given) => {
  const email = await mailbox(given);
  const waits = Array.from({ length: 251 }, () => ask(given, `/email/${email}/wait?timeout=60`));
  const refused = await Promise.race(waits);
  assert.is(refused.status, 503);
  const other = await mailbox(given);
  assert.is((await ask(given, `/email/${other}/wait?timeout=0`)).status, 204);
  await deliver(given, email);
  const statuses = (await Promise.all(waits)).map(({ status }) => status).sort();
  assert.equal([statuses[0], statuses[249], statuses[250]], [200, 200, 503]);
});

test('a page makes a test inbox, says how to send into it, and changes rules', async (given) => {
  const { server, user } = given;
  const email = await mailbox(given);
  const cookie = `session_token=${await sessionOf(server, user)}`;
  const headers = { accept: 'text/html', cookie, origin: server.origin };
  const page = (path = '') => server.request('GET', `/web/mailboxes/${email}${path}`, { headers });
  const send = (path: string, form: Record<string, string>) =>
    server.request('POST', `/web/mailboxes/${email}${path}`, { headers, form: new URLSearchParams(form) });
  const made = await send('/settings', { action: 'make-credentials' });
  const password = /id="copy-password" [^>]*value="([^"]+)"/.exec(made.text)?.[1] ?? '';
  assert.match(made.text, `smtp.login(&#39;${email}&#39;, &#39;${password}&#39;)`.replaceAll('&#39;', "'"));
  await sender(given, email, password).sendMail({
    from: 'a@b.example',
    to: 'c@d.example',
    subject: 'Hi there',
  });
  const shown = (await page()).text;
  assert.match(shown, 'Hi there');
  assert.not.match((await page('/settings')).text, password);
  const fields = (all: Record<string, string>) =>
    Object.fromEntries(Object.entries(all).map(([name, value]) => [`rules.0.${name}`, value]));
  const rule = { 'when.from': 'shop@', 'when.codes': 'true', tag: 'Shop', read: 'true' };
  assert.is((await send('/rules', fields({ ...rule, forward: user.email }))).status, 409);
  assert.is((await send('/rules', fields(rule))).status, 303);
  const { body } = await ask(given, `/email/${email}/rules`);
  assert.equal(body.message.rules, [{ when: { from: 'shop@', codes: true }, do: ['read', { tag: 'Shop' }] }]);
  assert.match((await page('/rules')).text, 'value="Shop"');
  assert.is((await send('/rules', fields({ ...rule, tag: '', read: '' }))).status, 303);
  assert.equal((await ask(given, `/email/${email}/rules`)).body.message.rules, []);
  await send('/settings', { action: 'end-credentials' });
  assert.is((await ask(given, `/email/${email}/info`)).body.message?.sandbox ?? false, false);
  assert.not.match((await page('/settings')).text, 'smtp.login');
});

test.run();
