// on both databases
/** What became of the mails that an account sent: for each recipient, at once and by reports that come back later. */
import { createTransport } from 'nodemailer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { type SmtpStandin, startSmtp } from '../../standins/smtp.js';

const DOMAIN = 'mail.example.org';
const TOKEN = 'worker-token';

interface Given {
  server: TestServer;
  smtp: SmtpStandin;
  user: TestAccount;
}

interface Sent {
  messageId: string;
  kind: string;
  mailbox: string | null;
  from: string;
  subject: string;
  about: string | null;
  recipients: {
    address: string;
    state: string;
    answer: string | null;
    changedAt: string;
    report: string | null;
  }[];
}

const sent = suite<Given>('sent mail');
sent.before(async (given) => {
  given.smtp = await startSmtp();
  given.server = await startServer({
    MAIL_TRANSPORT: 'smtp',
    SMTP_URL: given.smtp.url,
    SMTP_LISTEN: '127.0.0.1:0',
    MAIL_DOMAINS: DOMAIN,
    MAIL_AUTHENTICATION: 'false',
    MAIL_FROM: `Holdall <no-reply@${DOMAIN}>`,
    EMAIL_INBOUND_TOKEN: TOKEN,
  });
  given.user = await given.server.account();
});
sent.after(async ({ server, smtp }) => {
  await server.close();
  await smtp.close();
});
sent.before.each(({ smtp }) => {
  smtp.statuses.clear();
  smtp.recipientStatus = 250;
  smtp.mails.length = 0;
});

async function newBox({ server, user }: Given): Promise<string> {
  return (await server.request('POST', '/email/create', { key: user.key, json: {} })).body.message.email;
}

async function deliver({ server }: Given, to: string, mail: Record<string, unknown>): Promise<void> {
  const json = {
    from: 'ada@example.net',
    to,
    envelope: { from: 'ada@example.net', to },
    subject: 'Question',
    text: 'x',
    ...mail,
  };
  const headers = { 'x-email-token': TOKEN };
  const answer = await server.request('POST', '/email/inbound', { json, headers });
  assert.is(answer.status, 200, answer.text);
}

async function list({ server, user }: Given, query = '', key = user.key): Promise<Sent[]> {
  const answer = await server.request('GET', `/email/sent${query}`, { key });
  assert.is(answer.status, 200, answer.text);
  return answer.body.message.content;
}

/** Delivers a bounce by SMTP, as servers do. */
async function bounce({ server }: Given, to: string, raw: string): Promise<void> {
  const port = server.app.smtpAddress?.port ?? 0;
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  try {
    await transport.sendMail({ envelope: { from: '', to }, raw: raw.replaceAll('\n', '\r\n') });
  } finally {
    transport.close();
  }
}

async function reply(given: Given, box: string, messageId: string): Promise<Sent> {
  const { server, user } = given;
  await deliver(given, box, { messageId });
  const answer = await server.request('POST', `/email/${box}/reply`, {
    key: user.key,
    json: { messageId, text: 'An answer' },
  });
  assert.is(answer.status, 200, answer.text);
  await server.app.services.jobs.settle();
  const [made] = await list(given, `?messageId=${messageId}`);
  assert.is(made?.messageId, answer.body.messageId);
  return made as Sent;
}

const dsn = (
  id: string,
  recipient: string,
  action: string,
  status: string,
  copy = '',
) => `From: MAILER-DAEMON@mx.example.net
To: x@y
Subject: Undelivered Mail Returned to Sender
Message-ID: <report-${action}-${id}>
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b

I'm sorry to have to inform you about ${recipient}.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; ${recipient}
Original-Recipient: rfc822;${recipient}
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp; 550 ${status}
    <${recipient}>: no such user
--b
Content-Type: text/rfc822-headers

From: x@y
To: ${recipient}
Message-ID: <${id}>
${copy}--b--
`;

sent('every recipient has the state that its own server gave it', async (given) => {
  const { server, smtp } = given;
  smtp.statuses.set('later@example.net', 450).set('never@example.net', 550);
  const to = ['good@example.net', 'later@example.net', 'Never <never@example.net>'];
  const answer = await server.request('POST', '/email/send', {
    key: server.owner.key,
    json: { to, subject: 'To all', content: 'x' },
  });
  assert.equal([answer.status, answer.body.message], [200, 'Queued']);
  await server.app.services.jobs.settle();
  const [mail] = await list(given, '', server.owner.key);
  assert.equal(
    [mail?.messageId, mail?.kind, mail?.mailbox, mail?.from, mail?.subject],
    [answer.body.messageId, 'WRITTEN', null, `no-reply@${DOMAIN}`, 'To all'],
  );
  const states = mail?.recipients.map(({ address, state, answer }) => [address, state, answer]);
  assert.equal(states, [
    ['good@example.net', 'SENT', null],
    ['later@example.net', 'DELAYED', '450 mailbox unavailable'],
    ['never@example.net', 'FAILED', '550 mailbox unavailable'],
  ]);
  assert.is((await list(given, '?state=FAILED', server.owner.key)).length, 1);
  assert.is((await list(given, '?state=DELIVERED', server.owner.key)).length, 0);
  assert.is((await list(given)).length, 0);

  smtp.statuses.clear();
  const { db, jobs } = server.app.services;
  await db.write((trx) => trx('jobs').update({ run_at: 0 }));
  await jobs.settle();
  const [after] = await list(given, '', server.owner.key);
  assert.equal(
    after?.recipients.map(({ state }) => state),
    ['SENT', 'SENT', 'FAILED'],
  );
});

sent('every attempt and every recipient has the same Message-Id and Date', async (given) => {
  const { server, smtp } = given;
  const json = { to: ['a@example.net', 'b@example.net'], subject: 'Once', content: 'x' };
  smtp.statuses.set('b@example.net', 451);
  const { body } = await server.request('POST', '/email/send', { key: server.owner.key, json });
  const { db, jobs } = server.app.services;
  await jobs.settle();
  smtp.statuses.clear();
  await db.write((trx) => trx('jobs').update({ run_at: 0 }));
  await jobs.settle();
  const heads = smtp.mails.map(({ raw }) => [
    /^Message-ID: .*/im.exec(raw)?.[0],
    /^Date: .*/im.exec(raw)?.[0],
  ]);
  assert.is(heads.length, 2);
  assert.equal(heads[0], heads[1]);
  assert.is(heads[0]?.[0], `Message-ID: <${body.messageId}>`);
});

sent(
  'a report by SMTP is joined with the answer that it is about, and kept in its mailbox',
  async (given) => {
    const box = await newBox(given);
    const mail = await reply(given, box, 'question-1');
    assert.equal([mail.kind, mail.mailbox, mail.about, mail.from], ['REPLY', box, 'question-1', box]);
    assert.equal(mail.recipients[0]?.state, 'SENT');
    await bounce(given, box, dsn(mail.messageId, 'ADA@example.net', 'delayed', '4.4.1'));
    const [late] = await list(given, '?messageId=question-1');
    assert.is(late?.recipients[0]?.state, 'DELAYED');
    await bounce(given, box, dsn(mail.messageId, 'ADA@example.net', 'failed', '5.1.1'));
    const report = `report-failed-${mail.messageId}`;
    const [failed] = await list(given, `?messageId=${report}`);
    assert.equal(failed?.recipients, [
      {
        address: 'ada@example.net',
        state: 'FAILED',
        answer: '550 5.1.1 <ADA@example.net>: no such user',
        changedAt: failed?.recipients[0]?.changedAt ?? '',
        report,
      },
    ]);
    // What is late is no longer news.
    await bounce(given, box, dsn(mail.messageId, 'ada@example.net', 'delivered', '2.0.0'));
    assert.is((await list(given, '?messageId=question-1'))[0]?.recipients[0]?.state, 'FAILED');
    const { server, user } = given;
    const inbox = await server.request('GET', `/email/${box}/messages`, { key: user.key });
    assert.is(inbox.body.message.totalElements, 4);
  },
);

const EXIM = (
  id: string,
  to: string,
  copy: string,
) => `From: Mail Delivery System <Mailer-Daemon@mx.example.net>
To: x@y
Auto-Submitted: auto-replied
Subject: Mail delivery failed: returning message to sender
Message-ID: <exim-${id}>

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ${to}
    host mx.example.net [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<${to}>:
    550 5.7.1 Relaying denied

------ This is a copy of the message, including all the headers. ------

Message-ID: <${id}>
${copy}To: ${to}, other@example.net
`;

const QMAIL = (id: string, to: string, copy: string) => `From: MAILER-DAEMON@mx.example.net
Subject: failure notice
Message-ID: <qmail-${id}>

Hi. This is the qmail-send program at mx.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.

<${to}>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Return-Path: <x@y>
Message-ID: <${id}>
${copy}To: ${to}, other@example.net
`;

/** The line that only the copy for one recipient has. */
function markFor({ smtp }: Given, recipient: string): string {
  const copy = smtp.mails.findLast(({ recipients }) => recipients.includes(recipient));
  return /^X-Holdall-Recipient: .*$/im.exec(copy?.raw ?? '')?.[0] ?? 'no mark';
}

sent('reports that only people can read are understood by every way in', async (given) => {
  const { server } = given;
  for (const [form, expected] of [
    [EXIM, '550 5.7.1 Relaying denied'],
    [QMAIL, 'Sorry, no mailbox here by that name. (#5.1.1)'],
  ] as const) {
    const box = await newBox(given);
    const json = { from: box, to: ['gone@example.net', 'other@example.net'], subject: 'Two', content: 'x' };
    const { body } = await server.request('POST', '/email/send', { key: server.owner.key, json });
    await server.app.services.jobs.settle();
    const raw = form(body.messageId, 'gone@example.net', `${markFor(given, 'gone@example.net')}\n`);
    await deliver(given, box, {
      from: '',
      envelope: { from: '', to: box },
      raw,
      subject: undefined,
      text: undefined,
    });
    const [mail] = await list(
      given,
      `?messageId=${raw.match(/<((?:exim|qmail)[^>]+)>/)?.[1]}`,
      server.owner.key,
    );
    assert.equal(
      mail?.recipients.map(({ address, state, answer }) => [address, state, answer]),
      [
        ['gone@example.net', 'FAILED', expected],
        ['other@example.net', 'SENT', null],
      ],
    );
  }
});

sent('a report comes back to an address without a mailbox, and nothing else does', async (given) => {
  const { server } = given;
  const json = { to: 'gone@example.net', subject: 'From nobody', content: 'x' };
  const { body } = await server.request('POST', '/email/send', { key: server.owner.key, json });
  await server.app.services.jobs.settle();
  const address = `no-reply@${DOMAIN}`;
  await bounce(given, address, dsn(body.messageId, 'gone@example.net', 'failed', '5.1.1'));
  const [mail] = await list(given, '?state=FAILED', server.owner.key);
  assert.equal([mail?.messageId, mail?.recipients[0]?.state], [body.messageId, 'FAILED']);
  const other = dsn('nobody@elsewhere', 'gone@example.net', 'failed', '5.1.1');
  const refused = await bounce(given, address, other).catch((error: { response: string }) => error.response);
  assert.match(String(refused), /^550 5\.1\.1 /);
});

sent('neither an absence note nor the report to another address changes anything', async (given) => {
  const box = await newBox(given);
  const other = await newBox(given);
  const mail = await reply(given, box, 'question-2');
  await bounce(
    given,
    box,
    `From: Ada <ada@example.net>
Subject: Out of office
Auto-Submitted: auto-replied
In-Reply-To: <${mail.messageId}>
Message-ID: <away-1@x>

I am away. My mail to you failed 550 times. <${mail.messageId}>
`,
  );
  await bounce(given, other, dsn(mail.messageId, 'ada@example.net', 'failed', '5.1.1'));
  assert.equal((await list(given, '?messageId=question-2'))[0]?.recipients[0]?.state, 'SENT');
});

sent(
  'a report without headers on a mail to several people is taken, and joined if its envelope names one',
  async (given) => {
    const { server, smtp } = given;
    const to = ['gone@example.net', 'good@example.net'];
    const json = { to, subject: 'To two', content: 'x' };
    const { body } = await server.request('POST', '/email/send', { key: server.owner.key, json });
    await server.app.services.jobs.settle();
    const states = async () =>
      (await list(given, '', server.owner.key))
        .find(({ messageId }) => messageId === body.messageId)
        ?.recipients.map(({ state }) => state);
    const address = `no-reply@${DOMAIN}`;
    const bare = dsn(body.messageId, 'gone@example.net', 'failed', '5.1.1');
    await bounce(given, address, bare);
    assert.equal(await states(), ['SENT', 'SENT'], 'nobody can say for whom');
    const copy = smtp.mails.findLast(({ recipients }) => recipients.includes('gone@example.net'));
    const envid = copy?.envelopeId ?? '';
    assert.match(envid, body.messageId);
    const named = bare
      .replace('Reporting-MTA', `Original-Envelope-Id: ${envid}\nReporting-MTA`)
      .replace(/--b\nContent-Type: text\/rfc822-headers[\s\S]*--b--/, '--b--')
      .replace('<report', '<named');
    await bounce(given, address, named);
    assert.equal(await states(), ['FAILED', 'SENT']);
  },
);

sent('no recipient can say that another one has not got a mail', async (given) => {
  const { server } = given;
  const box = await newBox(given);
  const [liar, other] = ['liar@example.net', 'other@example.net'];
  const json = { from: box, to: [liar, other], subject: 'Both', content: 'x' };
  const { body } = await server.request('POST', '/email/send', { key: server.owner.key, json });
  await server.app.services.jobs.settle();
  const states = async () =>
    (await list(given, '', server.owner.key))
      .find(({ messageId }) => messageId === body.messageId)
      ?.recipients.map(({ state }) => state);
  const [own, others] = [liar, other].map((address) => `${markFor(given, address)}\n`);
  assert.is.not(own, others);
  for (const copy of ['', own, `X-Holdall-Recipient: ${'0'.repeat(32)}\n`])
    for (const raw of [
      dsn(body.messageId, other, 'failed', '5.1.1', copy),
      EXIM(body.messageId, other, copy ?? ''),
      QMAIL(body.messageId, other, copy ?? ''),
    ])
      await bounce(given, box, raw.replace('<report', `<${Math.random()}report`));
  assert.is((await states())?.[1], 'SENT');
  await bounce(given, box, dsn(body.messageId, other, 'failed', '5.1.1', others));
  assert.is((await states())?.[1], 'FAILED');
});

sent('a report with NUL in what it encloses is joined like any other', async (given) => {
  const box = await newBox(given);
  for (const [n, by] of (['SMTP', 'worker'] as const).entries()) {
    const mail = await reply(given, box, `nul-${n}`);
    const raw = dsn(mail.messageId, 'ada@example.net', 'failed', '5.1.1')
      .replace('no such user', 'no\0such\0user')
      .replace(
        'Content-Type: text/rfc822-headers\n\nFrom: x@y',
        'Content-Type: message/rfc822\n\nFrom: \0x@y\nX-Nul: \0',
      );
    if (by === 'SMTP') await bounce(given, box, raw);
    else
      await deliver(given, box, {
        from: '',
        envelope: { from: '', to: box },
        raw,
        subject: undefined,
        text: undefined,
      });
    const [failed] = await list(given, `?messageId=nul-${n}`);
    assert.is(failed?.recipients[0]?.state, 'FAILED', by);
    assert.is(failed?.recipients[0]?.answer, '550 5.1.1 <ada@example.net>: nosuchuser', by);
  }
});

/** A mailbox that sends its mail on. */
async function forwardingBox(given: Given, to: string): Promise<string> {
  const { server, user, smtp } = given;
  const box = await newBox(given);
  await server.request('PUT', `/email/${box}/forward`, { key: user.key, json: { to } });
  await server.app.services.jobs.settle();
  const asked = smtp.mails.at(-1)?.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '';
  const form = new URLSearchParams({ code: /code=([\w-]+)/.exec(asked)?.[1] ?? '' });
  const agreed = await server.request('POST', '//web/mail-forward', { form });
  assert.is(agreed.status, 200, agreed.text);
  smtp.mails.length = 0;
  return box;
}

for (const [how, end] of Object.entries<(given: Given, box: string) => Promise<unknown>>({
  'its forwarding ended': ({ server, user }, box) =>
    server.request('PUT', `/email/${box}/forward`, { key: user.key, json: { to: null } }),
  'its message was deleted': ({ server, user }, box) =>
    server.request('DELETE', `/email/${box}/inbox/waits`, { key: user.key }),
  'its mailbox was closed': ({ server, user }, box) =>
    server.request('POST', `/email/${box}/close`, { key: user.key }),
}))
  sent(`what waits to be sent on when ${how} has failed, and what was sent stays so`, async (given) => {
    const { server, smtp } = given;
    const box = await forwardingBox(given, 'ends@example.net');
    const { db, jobs } = server.app.services;
    await deliver(given, box, { messageId: 'went' });
    await jobs.settle();
    smtp.statuses.set('ends@example.net', 450);
    await deliver(given, box, { messageId: 'waits' });
    await jobs.settle();
    await end(given, box);
    smtp.statuses.clear();
    await db.write((trx) => trx('jobs').update({ run_at: 0 }));
    await jobs.settle();
    const made = await list(given, `?email=${box}`);
    assert.equal(
      made.map(({ about, recipients: [one] }) => [about, one?.state, one?.answer]),
      [
        ['waits', 'FAILED', 'It was removed, or its forwarding ended, before it was sent'],
        ['went', 'SENT', null],
      ],
    );
    assert.is(smtp.mails.filter(({ recipients }) => recipients.includes('ends@example.net')).length, 1);
  });

sent('what a mailbox sends on is listed, with the same Message-Id in every attempt', async (given) => {
  const { server, smtp } = given;
  const box = await forwardingBox(given, 'home@example.net');
  smtp.statuses.set('home@example.net', 450);
  await deliver(given, box, { messageId: 'to-forward' });
  const { db, jobs } = server.app.services;
  await jobs.settle();
  const [waiting] = await list(given, `?email=${box}`);
  assert.equal(
    [waiting?.kind, waiting?.about, waiting?.recipients[0]?.state],
    ['FORWARD', 'to-forward', 'DELAYED'],
  );
  smtp.statuses.clear();
  await db.write((trx) => trx('jobs').update({ run_at: 0 }));
  await jobs.settle();
  assert.match(smtp.mails[0]?.raw ?? '', `Message-ID: <${waiting?.messageId}>`);
  assert.is((await list(given, `?email=${box}`))[0]?.recipients[0]?.state, 'SENT');
});

sent('what an account has sent goes with its mailbox, with the account, and with time', async (given) => {
  const { server, user } = given;
  const box = await newBox(given);
  await reply(given, box, 'question-3');
  assert.is((await list(given, `?email=${box}`)).length, 1);
  await server.request('DELETE', `/email/${box}`, { key: user.key });
  assert.is((await list(given, `?email=${box}`)).length, 0);
  const admin = await server.account('ADMIN');
  const json = { to: 'a@example.net', subject: 'x', content: 'x' };
  await server.request('POST', '/email/send', { key: admin.key, json });
  const { db } = server.app.services;
  const count = () =>
    db
      .read('mail_sendings')
      .where('account_id', admin.id)
      .count({ n: '*' })
      .then(([row]) => Number(row?.n));
  assert.is(await count(), 1);
  await server.request('DELETE', `/admin/user/${admin.id}`, { key: server.owner.key });
  assert.is(await count(), 0);
});

for (const query of ['?size=0', '?size=101', '?page=-1', '?state=perhaps'])
  sent(`refuses ${query}`, async ({ server, user }) => {
    assert.is((await server.request('GET', `/email/sent${query}`, { key: user.key })).status, 400);
  });

sent.run();
