// on both databases
/** POST /email/inbound: what is accepted, exactly once, and what is refused. */
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { MAILGUN_SIGNING_KEY, signRoute } from '../../standins/mailgun.js';

const TOKEN = 'worker-token';

interface Given {
  server: TestServer;
  user: TestAccount;
}

function withServer(name: string, env: Record<string, string> = {}) {
  const test = suite<Given>(name);
  test.before(async (given) => {
    given.server = await startServer({
      MAILGUN_DOMAIN: 'mail.example.org',
      MAILGUN_SIGNING_KEY,
      EMAIL_INBOUND_TOKEN: TOKEN,
      ...env,
    });
    given.user = await given.server.account();
  });
  test.after(({ server }) => server.close());
  return test;
}

let mailboxes = 0;
/** Creates a separate mailbox for a test. */
async function mailbox({ server, user }: Given): Promise<string> {
  mailboxes += 1;
  const json = { name: `box${mailboxes}` };
  return (await server.request('POST', '/email/create', { key: user.key, json })).body.message.email;
}

const missing = async ({ server, user }: Given, mail: string, messageIds: string[] = []) => {
  const answer = await server.request('POST', '/email/getmissing', {
    key: user.key,
    json: { mail, messageIds },
  });
  return answer.status === 204 ? [] : answer.body.message;
};

/** The fields of a forwarded mail, as Mailgun posts them. */
const forwarded = (recipient: string, fields: Record<string, string> = {}) => ({
  recipient,
  sender: 'bounce@example.net',
  from: 'Ada <ada@example.net>',
  subject: 'Hello',
  'body-plain': 'plain text',
  'Message-Id': '<m1@example.net>',
  'message-headers': JSON.stringify([
    ['From', 'Ada <ada@example.net>'],
    ['To', recipient],
    ['Message-Id', '<m1@example.net>'],
    ['Date', 'Sat, 21 Nov 2026 10:00:00 +0000'],
    ['X-Note', 'kept'],
  ]),
  ...signRoute(),
  ...fields,
});

const post = (server: TestServer, fields: Record<string, string>): Promise<Answer> =>
  server.request('POST', '/email/inbound', { form: new URLSearchParams(fields) });

const work = (server: TestServer, json: unknown, token = TOKEN): Promise<Answer> =>
  server.request('POST', '/email/inbound', { json, headers: { 'x-email-token': token } });

/** A file that the HTML of its mail does not name. */
const unnamed = { contentId: null, disposition: null, withheld: null };

const takes = withServer('takes');

takes('the urlencoded form of a route', async (given) => {
  const email = await mailbox(given);
  const answer = await post(given.server, forwarded(email, { 'body-html': '<p>Hi</p>' }));
  assert.is(answer.status, 200, answer.text);
  const [mail] = await missing(given, email);
  assert.is(mail.messageId, 'm1@example.net');
  assert.is(mail.from, 'Ada <ada@example.net>');
  assert.is(mail.to, email);
  assert.is(mail.subject, 'Hello');
  assert.is(mail.text, 'plain text');
  assert.is(mail.content, 'plain text');
  assert.is(mail.html, '<p>Hi</p>');
  assert.is(mail.date, '2026-11-21T10:00:00.000Z');
  assert.equal(mail.envelope, { from: 'bounce@example.net', to: email });
  assert.is(mail.headers['X-Note'], 'kept');
  assert.equal(mail.attachments, []);
});

takes('the multipart form with its files, in any order', async (given) => {
  const email = await mailbox(given);
  const form = new FormData();
  const binary = new Uint8Array(3000).map((_, index) => index % 251);
  form.set('attachment-1', new File([binary], 'größe.bin', { type: 'application/x-thing' }));
  for (const [name, value] of Object.entries(forwarded(email))) form.set(name, value);
  form.set('attachment-2', new File(['second'], 'b.txt', { type: 'text/plain' }));
  form.set('attachment-3', new File([], 'empty.txt', { type: 'text/plain' }));
  assert.is((await given.server.request('POST', '/email/inbound', { form })).status, 200);
  const [mail] = await missing(given, email);
  assert.equal(mail.attachments, [
    {
      filename: 'größe.bin',
      contentType: 'application/x-thing',
      size: 3000,
      contentBase64: Buffer.from(binary).toString('base64'),
      ...unnamed,
    },
    { filename: 'b.txt', contentType: 'text/plain', size: 6, contentBase64: 'c2Vjb25k', ...unnamed },
    { filename: 'empty.txt', contentType: 'text/plain', size: 0, contentBase64: '', ...unnamed },
  ]);
});

takes('the JSON of a mail worker', async (given) => {
  const email = await mailbox(given);
  const mail = {
    messageId: '<w1@example.net>',
    from: 'ada@example.net',
    to: email,
    subject: 'From a worker',
    text: 'body',
    attachments: [{ filename: 'a.txt', contentType: 'text/plain', contentBase64: 'aGVsbG8=' }],
  };
  assert.is((await work(given.server, mail)).status, 200);
  const [stored] = await missing(given, email);
  assert.is(stored.messageId, 'w1@example.net');
  assert.is(stored.attachments[0].contentBase64, 'aGVsbG8=');
});

takes('an object of many megabytes from a mail worker, announced or not, with its files', async (given) => {
  const bytes = Buffer.alloc(3 * 1024 * 1024, 'file ');
  for (const chunked of [false, true]) {
    const email = await mailbox(given);
    const mail = {
      ...{ messageId: `large-${chunked}@example.net`, from: 'ada@example.net', to: email, subject: 'Grüße' },
      text: '"'.repeat(300 * 1024),
      attachments: [
        { filename: 'a.bin', contentType: 'text/plain', contentBase64: bytes.toString('base64') },
      ],
    };
    const json = JSON.stringify(mail);
    const answer = await given.server.request('POST', '/email/inbound', {
      body: chunked ? new Blob([json]).stream() : json,
      headers: { 'content-type': 'application/json; charset=UTF-8', 'x-email-token': TOKEN },
    });
    assert.is(answer.status, 200, answer.text);
    const [stored] = await missing(given, email);
    assert.equal([stored.subject, stored.content.trim()], [mail.subject, mail.text]);
    assert.is(stored.attachments[0].size, bytes.length);
  }
});

takes('only sanitised HTML without remote content', async (given) => {
  const email = await mailbox(given);
  const html =
    '<p onclick="x()">Hi</p><script>x()</script><img src="https://spy.example/p.png"><a href="javascript:x()">a</a>';
  await work(given.server, { messageId: 'h1', from: 'a@b.cd', to: email, html });
  const [{ html: shown, blockedContent }] = await missing(given, email);
  assert.not.match(shown, /script|onclick|javascript/);
  assert.not.match(shown, /\ssrc=/);
  assert.is(blockedContent, 1);
});

takes('unknown recipients with 200, storing nothing', async ({ server }) => {
  assert.is((await post(server, forwarded('nobody@mail.example.org'))).status, 200);
  assert.is((await server.app.services.db.read('mail_messages').where('message_id', 'm1@nobody')).length, 0);
});

takes('one mail for every open mailbox it names', async (given) => {
  const { server } = given;
  const [a, b] = [await mailbox(given), await mailbox(given)];
  const attachments = [{ filename: 'a', contentType: 'text/plain', contentBase64: 'c2hhcmVkIGJ5IHR3bw==' }];
  await work(server, { messageId: 'both', from: 'x@y.zz', recipients: [a, b], attachments });
  for (const email of [a, b])
    assert.is((await missing(given, email))[0].attachments[0].contentBase64, 'c2hhcmVkIGJ5IHR3bw==');
  // Shared bytes stay until the last message that uses them is gone.
  const { key } = given.user;
  await server.request('DELETE', `/email/${a}`, { key });
  assert.is((await missing(given, b))[0].attachments[0].contentBase64, 'c2hhcmVkIGJ5IHR3bw==');
  await server.request('DELETE', `/email/${b}`, { key });
  const blobs = await server.app.services.db.read('blobs').where('refs', '>', 0);
  assert.not.ok(blobs.some(({ size }) => size === 13));
});

takes('no mail for a mailbox that is closed, suspended, expired or deleted', async (given) => {
  const { server, user } = given;
  for (const action of ['close', 'suspend']) {
    const email = await mailbox(given);
    await server.request('POST', `/email/${email}/${action}`, { key: user.key });
    assert.is((await work(server, { messageId: 'c1', from: 'a@b.cd', to: email, text: 'x' })).status, 200);
    await server.request('POST', `/email/${email}/open`, { key: user.key });
    assert.equal(await missing(given, email), [], action);
  }
});

takes('a message of 25 MB', async (given) => {
  const email = await mailbox(given);
  const form = new FormData();
  for (const [name, value] of Object.entries(forwarded(email))) form.set(name, value);
  const bytes = Buffer.alloc(25 * 1024 * 1024, 7);
  form.set('attachment-1', new File([bytes], 'large.bin'));
  assert.is((await given.server.request('POST', '/email/inbound', { form })).status, 200);
  const [mail] = await missing(given, email);
  assert.is(mail.attachments[0].size, bytes.length);
  const json = {
    messageId: 'large',
    from: 'a@b.cd',
    to: email,
    attachments: [{ filename: 'l', contentType: 'x/y', contentBase64: bytes.toString('base64') }],
  };
  assert.is((await work(given.server, json)).status, 200);
  const [second] = await missing(given, email, ['m1@example.net']);
  assert.is(second.attachments[0].size, bytes.length);
});

takes.run();

const once = withServer('once');

once('five times concurrently, with five signatures', async (given) => {
  const email = await mailbox(given);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => post(given.server, forwarded(email, signRoute()))),
  );
  assert.equal(
    answers.map(({ status }) => status),
    Array(5).fill(200),
  );
  assert.is((await missing(given, email)).length, 1);
});

once('five times concurrently with files, and the bytes are counted once', async (given) => {
  const email = await mailbox(given);
  const attachments = [{ filename: 'a', contentType: 'x/y', contentBase64: 'b25jZQ==' }];
  const mail = { messageId: 'five', from: 'a@b.cd', to: email, attachments };
  await Promise.all(Array.from({ length: 5 }, () => work(given.server, mail)));
  const { db } = given.server.app.services;
  const [attachment] = await db.read('mail_attachments').where('size', 4);
  const blob = await db.read('blobs').where('sha256', attachment.sha256).first();
  assert.is(blob.refs, 1);
});

once('the same token for the same mail is a repeat', async (given) => {
  const email = await mailbox(given);
  const fields = forwarded(email);
  const answers = [...(await Promise.all([post(given.server, fields), post(given.server, fields)]))];
  answers.push(await post(given.server, fields));
  assert.equal(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.is((await missing(given, email)).length, 1);
});

once('the same token for another mail or recipient is 406', async (given) => {
  const [email, other] = [await mailbox(given), await mailbox(given)];
  const fields = forwarded(email);
  await post(given.server, fields);
  const forged = await post(given.server, {
    ...fields,
    'Message-Id': '<forged@example.net>',
    'message-headers': '[]',
  });
  assert.is(forged.status, 406);
  assert.is((await post(given.server, { ...fields, recipient: other })).status, 406);
  assert.is((await missing(given, email)).length, 1);
  assert.equal(await missing(given, other), []);
});

once('a removed message is not stored again', async (given) => {
  const email = await mailbox(given);
  const { server, user } = given;
  await post(server, forwarded(email));
  const path = `/email/${email}/inbox/${encodeURIComponent('<m1@example.net>')}`;
  const removed = await server.request('DELETE', path, { key: user.key });
  assert.equal([removed.status, removed.body.message], [200, 'Message deleted']);
  assert.is((await server.request('DELETE', path, { key: user.key })).status, 404);
  await post(server, forwarded(email, signRoute()));
  assert.equal(await missing(given, email), []);
});

once('message ids are compared without angle brackets, and clearing removes all', async (given) => {
  const email = await mailbox(given);
  await work(given.server, { messageId: '<a@x>', from: 'a@b.cd', to: email, text: '1' });
  await work(given.server, { messageId: 'b@x', from: 'a@b.cd', to: email, text: '2' });
  const ids = (mails: { messageId: string }[]) => mails.map(({ messageId }) => messageId);
  assert.equal(ids(await missing(given, email)), ['b@x', 'a@x']);
  assert.equal(ids(await missing(given, email, ['a@x'])), ['b@x']);
  assert.equal(ids(await missing(given, email, ['<b@x>'])), ['a@x']);
  assert.equal(await missing(given, email, ['<a@x>', 'b@x']), []);
  await given.server.request('DELETE', `/email/${email}/inbox`, { key: given.user.key });
  assert.equal(await missing(given, email), []);
});

once('the address of a deleted account cannot be taken by another', async ({ server }) => {
  const leaver = await server.account();
  const json = { name: 'leaver' };
  const { email } = (await server.request('POST', '/email/create', { key: leaver.key, json })).body.message;
  const attachments = [
    { filename: 'a', contentType: 'x/y', contentBase64: 'b3duIGZpbGUgb2YgdGhlIGxlYXZlcg==' },
  ];
  await work(server, { messageId: 'l', from: 'a@b.cd', to: email, attachments });
  const { db } = server.app.services;
  const blob = async () => (await db.read('blobs').where('refs', '>', 0)).some(({ size }) => size === 22);
  assert.ok(await blob());
  await server.request('DELETE', '/user/get/@me', { key: leaver.key, json: { password: leaver.password } });
  assert.not.ok(await blob());
  const again = await server.request('POST', '/email/create', { key: server.owner.key, json });
  assert.is(again.status, 400);
  assert.is((await work(server, { messageId: 'l2', from: 'a@b.cd', to: email, text: 'x' })).status, 200);
  assert.is((await server.request('GET', '/email/getall', { key: server.owner.key })).status, 200);
});

once.run();

const refuses = withServer('refuses');

refuses('forgeries with 401', async (given) => {
  const { server } = given;
  const email = await mailbox(given);
  const wrong = { ...signRoute(undefined, 'another key') };
  for (const fields of [
    forwarded(email, wrong),
    forwarded(email, { signature: '' }),
    forwarded(email, { token: 'x' }),
    forwarded(email, { timestamp: 'now' }),
    { recipient: email },
  ]) {
    const answer = await post(server, fields);
    assert.is(answer.status, 401);
    assert.is(answer.body.error, true);
  }
  const mail = { messageId: 'x', from: 'a@b.cd', to: email };
  for (const token of ['wrong', ' ', `${TOKEN}x`]) assert.is((await work(server, mail, token)).status, 401);
  assert.is((await server.request('POST', '/email/inbound', { json: mail })).status, 401);
  assert.is((await server.request('POST', '/email/inbound')).status, 401);
  assert.equal(await missing(given, email), []);
});

refuses('stale signatures with 406', async (given) => {
  const email = await mailbox(given);
  const now = Math.floor(Date.now() / 1000);
  for (const timestamp of [now - 16 * 60, now + 16 * 60]) {
    assert.is((await post(given.server, forwarded(email, signRoute(timestamp)))).status, 406);
  }
  assert.is((await post(given.server, forwarded(email, signRoute(now - 14 * 60)))).status, 200);
});

refuses('malformed bodies with 400', async ({ server }) => {
  const send = (body: string, type: string) =>
    server.request('POST', '/email/inbound', {
      body,
      headers: { 'content-type': type, 'x-email-token': TOKEN },
    });
  assert.is((await send('{"from":', 'application/json')).status, 400);
  assert.is((await send('[]', 'application/json')).status, 400);
  const long = ' '.repeat(300 * 1024);
  for (const json of [`{"from":${long}`, `[]${long}`, `null${long}`, `{"from":"a@b.cd"}${long}`])
    assert.is((await send(json, 'application/json')).status, 400, json.trim());
  assert.is((await send('{"from":"a@b.cd"}', 'application/json')).status, 400);
  assert.is((await send('{"to":"a@b.cd","attachments":5}', 'application/json')).status, 400);
  assert.is((await send('--x\r\nnonsense', 'multipart/form-data; boundary=x')).status, 400);
  assert.is((await send('anything', 'multipart/form-data')).status, 400);
});

refuses('more than 40 MiB with 413, announced or not, keeping nothing of it', async ({ server }) => {
  const large = Buffer.alloc(41 * 1024 * 1024, 32);
  const announced = await work(server, { messageId: 'x', to: 'a@b.cd', text: large.toString() });
  assert.is(announced.status, 413);
  const boundary = 'b';
  const chunks = function* () {
    yield Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="attachment-1"; filename="a"\r\n\r\n`,
    );
    for (let sent = 0; sent < large.length; sent += 1024 * 1024)
      yield large.subarray(sent, sent + 1024 * 1024);
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  };
  const streamed = await server.request('POST', '/email/inbound', {
    body: Readable.toWeb(Readable.from(chunks())) as unknown as BodyInit,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  assert.is(streamed.status, 413);
  assert.is(await server.app.services.storage.blobs.sweepStaging(-1000), 0);
});

refuses('long JSON whose sender nothing tells, before it is parsed', async ({ server }) => {
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    const body = `{"to":"a@b.cd","text":"${'x'.repeat(300 * 1024)}"}`;
    const headers = { 'content-type': type };
    assert.is((await server.request('POST', '/email/inbound', { body, headers })).status, 413, type);
  }
});

refuses('a form that says nothing of a mail but whom it is for', async (given) => {
  const email = await mailbox(given);
  for (const json of [{ to: email }, { to: email, from: '', subject: null }])
    assert.is((await work(given.server, json)).status, 400);
  assert.equal(await missing(given, email), []);
  assert.is((await work(given.server, { to: email, subject: 'only this' })).status, 200);
});

refuses.run();

const unset = withServer('without secrets', { MAILGUN_SIGNING_KEY: '', EMAIL_INBOUND_TOKEN: '' });

unset('every form is refused with 401', async ({ server }) => {
  assert.is((await post(server, forwarded('a@mail.example.org'))).status, 401);
  assert.is((await post(server, forwarded('a@mail.example.org', signRoute(undefined, '')))).status, 401);
  assert.is((await work(server, { from: 'a@b.cd', to: 'a@mail.example.org' })).status, 401);
  assert.is((await work(server, { from: 'a@b.cd', to: 'a@mail.example.org' }, '')).status, 401);
});

unset.run();

const bounded = withServer('is bounded', { RATE_LIMIT: 'on' });

bounded(
  'a mailbox accepts a limited number of mails per period, without affecting other mailboxes',
  async (given) => {
    const limits = given.server.app.services.limits.rates;
    const [flooded, quiet] = [await mailbox(given), await mailbox(given)];
    const [row] = await given.server.app.services.db.read('mailboxes').where('address', flooded);
    await limits.take('mailbox', String(row.id), 600);
    const mail = forwarded(flooded);
    const refused = await post(given.server, mail);
    assert.is(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.is((await post(given.server, forwarded(quiet))).status, 200);

    await limits.clear('mailbox', String(row.id));
    assert.is((await post(given.server, mail)).status, 200, 'the same call is good later');
    assert.is((await missing(given, flooded)).length, 1);
  },
);

bounded('mails refused for one mailbox do not count against another', async (given) => {
  const {
    limits: { rates: limits },
    db,
  } = given.server.app.services;
  const [quiet, flooded] = [await mailbox(given), await mailbox(given)];
  const numberOf = async (address: string) =>
    String((await db.read('mailboxes').where('address', address).first('id')).id);
  await limits.take('mailbox', await numberOf(flooded), 600);
  await limits.take('mailbox', await numberOf(quiet), 595);
  const both = { messageId: 'both', from: 'x@y.zz', recipients: [quiet, flooded] };
  for (let tries = 0; tries < 10; tries += 1) assert.is((await work(given.server, both)).status, 429);
  const mail = { messageId: 'one', from: 'x@y.zz', to: quiet };
  assert.is((await work(given.server, mail)).status, 200);
});

bounded('an address that sends forgeries is refused before its mails are read', async (given) => {
  const email = await mailbox(given);
  for (let good = 0; good < 120; good += 1) {
    const mail = { from: 'a@example.net', to: email, subject: 'x', text: 'x', messageId: `<good-${good}@x>` };
    assert.is((await work(given.server, mail)).status, 200);
  }
  let refused = await work(given.server, {}, 'wrong');
  for (let tries = 0; refused.status === 401 && tries < 200; tries += 1)
    refused = await work(given.server, {}, 'wrong');
  assert.is(refused.status, 429);
});

bounded('mails refused for another reason do not count as forgeries', async (given) => {
  const { server } = given;
  await server.app.services.limits.rates.clear('mailForged', '127.0.0.1');
  const email = await mailbox(given);
  for (let tries = 0; tries < 110; tries += 1)
    assert.is((await work(server, { from: 'a@b.cd', text: 'to nobody' })).status, 400);
  for (let tries = 0; tries < 110; tries += 1) {
    const headers = { 'x-email-token': TOKEN, 'content-type': 'application/json' };
    assert.is((await server.request('POST', '/email/inbound', { headers, body: '{' })).status, 400);
  }
  assert.is((await work(server, { from: 'a@b.cd', to: email, text: 'x' })).status, 200);
});

bounded('headers count towards the size of a mailbox', async (given) => {
  const email = await mailbox(given);
  const headers = { 'X-Long': 'x'.repeat(10_000) };
  assert.is((await work(given.server, { from: 'a@b.cd', to: email, text: 'x', headers })).status, 200);
  const { db } = given.server.app.services;
  const { id } = await db.read('mailboxes').where('address', email).first('id');
  const { size } = await db.read('mail_messages').where('mailbox_id', id).first('size');
  assert.ok(Number(size) > 10_000, `${size}`);
});

bounded('forgeries count over tRPC too, each of a batch; a valid mail never counts', async (given) => {
  const { server } = given;
  const email = await mailbox(given);
  const batch = (calls: object[]) =>
    server.request('POST', `//trpc/${calls.map(() => 'email.inbound').join(',')}?batch=1`, {
      json: Object.fromEntries(calls.entries()),
    });
  const good = (messageId: string) => {
    const fields = { from: 'a@example.net', to: email, subject: 'x', text: 'x', messageId };
    return { workerToken: TOKEN, fields };
  };
  const forged = { workerToken: 'wrong', fields: {} };
  const twenty = (call: object) => Array.from({ length: 20 }, () => call);
  await server.app.services.limits.rates.clear('mailForged', '127.0.0.1');
  for (let n = 0; n < 6; n += 1) assert.is((await batch(twenty(good('one')))).status, 200);
  for (let n = 0; n < 5; n += 1) assert.is((await batch(twenty(forged))).status, 401);
  assert.is((await batch([forged])).status, 429);
  assert.is((await batch([good('two')])).status, 429);
  assert.is((await work(server, {})).status, 429, 'by either way');
  assert.is((await missing(given, email)).length, 1);
});

bounded.run();
