// on both databases
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createTransport } from 'nodemailer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { query } from '../../../db/engine/query.js';
import { GUEST_MAILBOX_BYTES, MAILBOX_BYTES } from '../../../routers/features/mail/bounds.js';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { solutionOf } from '../../support/web/challenge.js';

const DOMAIN = 'mail.example.org';
const TOKEN = 'worker-token';
const ENVIRONMENT = {
  SMTP_LISTEN: '127.0.0.1:0',
  MAIL_DOMAINS: `${DOMAIN}, second.example.org`,
  MAIL_AUTHENTICATION: 'false',
  SMTP_MAX_BYTES: '100000',
  EMAIL_INBOUND_TOKEN: TOKEN,
  PUBLIC_MAIL: 'proof-of-work',
};

interface Given {
  server: TestServer;
  user: TestAccount;
  folder: string;
}

const smtp = suite<Given>('mail by SMTP');

smtp.before(async (given) => {
  given.folder = await mkdtemp(join(tmpdir(), 'holdall-smtp-'));
  const [cert, key] = [join(given.folder, 'cert.pem'), join(given.folder, 'key.pem')];
  const subject = ['-subj', `/CN=${DOMAIN}`, '-days', '2'];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert],
    ...subject,
  ]);
  given.server = await startServer({ ...ENVIRONMENT, SMTP_TLS_CERT: cert, SMTP_TLS_KEY: key });
  given.user = await given.server.account();
});
smtp.after(async ({ server, folder }) => {
  await server.close();
  await rm(folder, { recursive: true });
});

async function mailbox({ server, user }: Given, json: object = {}, key = user.key): Promise<string> {
  const created = await server.request('POST', '/email/create', { key, json });
  assert.is(created.status, 200, created.text);
  return created.body.message.email;
}

const mailsOf = async ({ server, user }: Given, mail: string, key = user.key) =>
  (await server.request('POST', '/email/getmissing', { key, json: { mail } })).body?.message ?? [];

/** A conversation, line by line. */
class Talk {
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string>;
  constructor({ server }: Given) {
    this.#socket = connect(server.app.smtpAddress?.port ?? 0, '127.0.0.1');
    this.#lines = createInterface({ input: this.#socket })[Symbol.asyncIterator]();
  }
  async answer(): Promise<string> {
    for (;;) {
      const { value = 'closed' } = await this.#lines.next();
      if (!/^\d{3}-/.test(value)) return value;
    }
  }
  say(text: string): Promise<string> {
    this.#socket.write(`${text}\r\n`);
    return this.answer();
  }
  async open(sender = 'a@b.example'): Promise<this> {
    assert.match(await this.answer(), /^220 mail\.example\.org ESMTP/);
    assert.match(await this.say('EHLO client.example'), /^250 /);
    assert.match(await this.say(`MAIL FROM:<${sender}>`), /^250 /);
    return this;
  }
  close(): Promise<unknown> {
    this.#socket.end('QUIT\r\n');
    return once(this.#socket, 'close');
  }
}

smtp('a message is taken with TLS, read as by every other way, and kept as it came', async (given) => {
  const email = await mailbox(given);
  const transport = createTransport({
    host: '127.0.0.1',
    port: given.server.app.smtpAddress?.port ?? 0,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
  });
  const raw = [
    'From: =?utf-8?Q?Andr=C3=A9?= <a@b.example>',
    'Subject: =?utf-8?B?R3LDvMOfZQ==?=',
    'Message-ID: <smtp-1@b.example>',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'text',
    '.a line with a dot',
    '--b',
    'Content-Type: image/png',
    'Content-Transfer-Encoding: base64',
    '',
    'iVBORw==',
    '--b--',
    '',
  ].join('\r\n');
  await transport.sendMail({ envelope: { from: 'a@b.example', to: email }, raw });
  transport.close();
  const [mail] = await mailsOf(given, email);
  assert.is(mail.subject, 'Grüße');
  assert.is(mail.from, 'André <a@b.example>');
  assert.is(mail.text, 'text\n.a line with a dot');
  assert.equal(mail.envelope, { from: 'a@b.example', to: email });
  assert.is(mail.attachments[0].filename, 'attachment-1.png');
  assert.match(mail.headers.Received, 'ESMTPS');

  const { server, user } = given;
  const path = `/email/${email}/messages/${encodeURIComponent('<smtp-1@b.example>')}/raw`;
  const original = await server.request('GET', path, { key: user.key });
  assert.is(original.status, 200);
  assert.is(original.headers.get('content-type'), 'message/rfc822');
  assert.ok(original.text.endsWith(raw), original.text);
  const part = await server.request('GET', path, { key: user.key, headers: { range: 'bytes=0-10' } });
  assert.equal([part.status, part.text], [206, 'Return-Path']);

  // By a worker and by a route, the same message says the same.
  for (const fields of [{ raw }, { raw: Buffer.from(raw).toString('base64'), rawEncoding: 'base64' }]) {
    const other = await mailbox(given);
    const json = { from: 'a@b.example', to: other, ...fields };
    const headers = { 'x-email-token': TOKEN };
    assert.is((await server.request('POST', '/email/inbound', { json, headers })).status, 200);
    const [same] = await mailsOf(given, other);
    assert.equal(
      [same.subject, same.text, same.attachments, same.from],
      [mail.subject, mail.text, mail.attachments, mail.from],
    );
  }
  const { db } = server.app.services;
  await server.request('DELETE', `/email/${email}/inbox`, { key: user.key });
  assert.is((await server.request('GET', path, { key: user.key })).status, 404);
  const hash = original.headers.get('etag')?.replaceAll('"', '') ?? '';
  assert.not.ok(await db.read('blobs').where('sha256', hash).where('refs', '>', 0).first());
});

smtp('recipients get the exact answers, and nothing is relayed', async (given) => {
  const [open, closed, suspended] = [await mailbox(given), await mailbox(given), await mailbox(given)];
  const { server, user } = given;
  await server.request('POST', `/email/${closed}/close`, { key: user.key });
  await server.request('POST', `/email/${suspended}/suspend`, { key: user.key });
  const talk = await new Talk(given).open();
  assert.match(await talk.say(`RCPT TO:<nobody@${DOMAIN}>`), /^550 5\.1\.1 /);
  assert.match(await talk.say(`RCPT TO:<${closed}>`), /^550 5\.2\.1 /);
  assert.match(await talk.say(`RCPT TO:<${suspended}>`), /^550 5\.2\.1 /);
  assert.match(await talk.say('RCPT TO:<a@elsewhere.example>'), /^550 5\.7\.1 /);
  assert.match(await talk.say('DATA'), /^503 /);
  assert.match(await talk.say(`RCPT TO:<${open.toUpperCase()}>`), /^250 /);
  await talk.close();
});

smtp('a message that is too large is 552 5.3.4, when it is announced and when it has come', async (given) => {
  const email = await mailbox(given);
  const talk = await new Talk(given).open();
  assert.match(await talk.say('RSET'), /^250 /);
  assert.match(await talk.say('MAIL FROM:<a@b.example> SIZE=100001'), /^552 5\.3\.4 /);
  await talk.say('MAIL FROM:<a@b.example>');
  await talk.say(`RCPT TO:<${email}>`);
  assert.match(await talk.say('DATA'), /^354 /);
  const line = 'x'.repeat(100);
  assert.match(await talk.say(`Subject: x\r\n\r\n${`${line}\r\n`.repeat(1100)}.`), /^552 5\.3\.4 /);
  // The connection goes on, and so it does if most of the message is still to come when it is too large.
  assert.match(await talk.say('MAIL FROM:<a@b.example>'), /^250 /);
  await talk.say(`RCPT TO:<${email}>`);
  assert.match(await talk.say('DATA'), /^354 /);
  assert.match(await talk.say(`Subject: x\r\n\r\n${`${line}\r\n`.repeat(200_000)}.`), /^552 5\.3\.4 /);
  assert.match(await talk.say('MAIL FROM:<a@b.example>'), /^250 /);
  await talk.close();
  assert.equal(await mailsOf(given, email), []);
  assert.is(await given.server.app.services.storage.blobs.sweepStaging(-1000), 0);
});

smtp('what has no headers at all is a text', async (given) => {
  const email = await mailbox(given);
  const talk = await new Talk(given).open('');
  await talk.say(`RCPT TO:<${email}>`);
  await talk.say('DATA');
  assert.match(await talk.say('only a text\r\n.'), /^250 /);
  await talk.close();
  const [mail] = await mailsOf(given, email);
  assert.match(mail.text, 'only a text');
  assert.is(mail.envelope.from, '');
});

smtp('a tag belongs to its name, and a catch-all gets what has no mailbox', async (given) => {
  const { server } = given;
  const email = await mailbox(given, { name: 'tagged' });
  const all = await mailbox(given, { name: '*', domain: 'second.example.org' }, server.owner.key);
  assert.is(all, '*@second.example.org');
  const own = await mailbox(given, { name: 'own', domain: 'second.example.org' });
  const refused = await server.request('POST', '/email/create', { key: given.user.key, json: { name: '*' } });
  assert.is(refused.status, 403);
  for (const key of [given.user.key, server.owner.key]) {
    const json = { name: 'tagged+news' };
    assert.is((await server.request('POST', '/email/create', { key, json })).status, 400, 'nobody gets it');
  }
  const foreign = { name: 'x', domain: 'elsewhere.example' };
  assert.is(
    (await server.request('POST', '/email/create', { key: given.user.key, json: foreign })).status,
    400,
  );

  const talk = await new Talk(given).open();
  for (const to of ['tagged+news@mail.example.org', 'any@second.example.org', own])
    assert.match(await talk.say(`RCPT TO:<${to}>`), /^250 /);
  await talk.say('DATA');
  assert.match(await talk.say('Subject: all\r\nMessage-ID: <all@x>\r\n\r\nx\r\n.'), /^250 /);
  await talk.close();
  assert.is((await mailsOf(given, email))[0].envelope.to, 'tagged+news@mail.example.org');
  assert.is((await mailsOf(given, own)).length, 1);
  assert.is((await mailsOf(given, all, server.owner.key))[0].envelope.to, 'any@second.example.org');
});

smtp(
  'a catch-all that was deleted can be made again, empty; another address stays reserved',
  async (given) => {
    const { server } = given;
    const { key } = server.owner;
    const json = { name: '*', domain: 'second.example.org' };
    const mail = { from: 'a@b.example', to: 'any@second.example.org', text: 'x', messageId: '<caught@x>' };
    const deliver = () =>
      server.request('POST', '/email/inbound', { json: mail, headers: { 'x-email-token': TOKEN } });
    await server.request('DELETE', '/email/*@second.example.org', { key });
    const all = await mailbox(given, json, key);
    await deliver();
    assert.is((await mailsOf(given, all, key)).length, 1);
    assert.is((await server.request('POST', '/email/create', { key, json })).status, 400);
    assert.is((await server.request('DELETE', `/email/${all}`, { key })).status, 200);
    assert.is(await mailbox(given, json, key), all);
    assert.equal(await mailsOf(given, all, key), []);
    await deliver();
    assert.is((await mailsOf(given, all, key)).length, 1);

    const own = await mailbox(given, { name: 'once' }, key);
    assert.is((await server.request('DELETE', `/email/${own}`, { key })).status, 200);
    const again = await server.request('POST', '/email/create', { key, json: { name: 'once' } });
    assert.is(again.status, 400);
  },
);

smtp(
  'a full mailbox is answered before the message comes, also if only this message is too much',
  async (given) => {
    const { server } = given;
    const { token } = {
      token: solutionOf((await server.request('GET', '/email/create/public')).body.message),
    };
    const made = await server.request('POST', '/email/create/public', { json: { token } });
    const guest = made.body.message.email;
    const own = await mailbox(given);
    for (const [box, capacity] of [
      [guest, GUEST_MAILBOX_BYTES],
      [own, MAILBOX_BYTES],
    ]) {
      const json = { messageId: `<${box}>`, from: 'a@example.net', to: box, text: 'x' };
      await server.request('POST', '/email/inbound', { json, headers: { 'x-email-token': TOKEN } });
      const fill = (free: number) =>
        server.app.services.db.write((trx) =>
          query(
            trx,
            'UPDATE mail_messages SET size = ? WHERE mailbox_id = (SELECT id FROM mailboxes WHERE address = ?)',
            [capacity - free, box],
          ),
        );
      await fill(60_000);
      const talk = new Talk(given);
      assert.match(await talk.answer(), /^220 /);
      assert.match(await talk.say('EHLO client.example'), /^250 /);
      assert.match(await talk.say('MAIL FROM:<a@b.example> SIZE=70000'), /^250 /);
      assert.match(await talk.say(`RCPT TO:<${box}>`), /^452 4\.2\.2 /);
      assert.match(await talk.say('RSET'), /^250 /);
      assert.match(await talk.say('MAIL FROM:<a@b.example> SIZE=50000'), /^250 /);
      assert.match(await talk.say(`RCPT TO:<${box}>`), /^250 /);
      await fill(0);
      assert.match(await talk.say(`RCPT TO:<${box}>`), /^452 4\.2\.2 /);
      await talk.close();
    }
    const { text } = await server.request('GET', '/metrics');
    assert.match(text, /^holdall_mails_refused_total\{reason="full"\} 4$/m);
    assert.match(text, /^holdall_mails_pending\{state="waiting"\} 0$/m);
  },
);

smtp.run();
