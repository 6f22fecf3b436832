/** What SPF, DKIM and DMARC say about mail that comes by SMTP, as a real DNS server answers. */
import { generateKeyPairSync } from 'node:crypto';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openAuthentication } from '../../../server/drivers/mail/smtp-in/authenticate.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { startServer, type TestServer } from '../../harness.js';
import { type DnsStandin, startDns } from '../../standins/dns.js';

interface Given {
  server: TestServer;
  dns: DnsStandin;
  box: string;
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const KEY = publicKey.replace(/-----[^-]+-----|\s/g, '');
const dkim = { domainName: 'honest.example', keySelector: 'sel', privateKey };

const test = suite<Given>('the senders of mail by SMTP');
test.before(async (given) => {
  given.dns = await startDns();
  given.server = await startServer({
    SMTP_LISTEN: '127.0.0.1:0',
    MAIL_DOMAINS: 'mail.example.org',
    MAIL_RESOLVERS: given.dns.address,
  });
  const { key } = given.server.owner;
  const made = await given.server.request('POST', '/email/create', { key, json: {} });
  given.box = made.body.message.email;
  for (const [name, value] of [
    ['honest.example', 'v=spf1 ip4:127.0.0.0/8 -all'],
    ['sel._domainkey.honest.example', `v=DKIM1; k=rsa; p=${KEY}`],
    ['_dmarc.honest.example', 'v=DMARC1; p=reject'],
    ['strict.example', 'v=spf1 ip4:192.0.2.1 -all'],
    ['_dmarc.strict.example', 'v=DMARC1; p=quarantine'],
    ['included.example', 'v=spf1 include:strict.example a:hosts.example ~all'],
  ] as const)
    given.dns.records.set(`${name} TXT`, [value]);
  given.dns.records.set('hosts.example A', ['127.0.0.1']);
});
test.after(async ({ server, dns }) => {
  await server.close();
  await dns.close();
});

async function verdict({ server, box }: Given, domain: string, mail: SendMailOptions, dkimOf?: typeof dkim) {
  const transport = createTransport({
    host: '127.0.0.1',
    port: server.app.smtpAddress?.port ?? 0,
    ignoreTLS: true,
    ...(dkimOf === undefined ? {} : { dkim: dkimOf }),
  });
  const { messageId } = await transport.sendMail({
    from: `a@${domain}`,
    to: box,
    subject: 'x',
    text: 'words',
    ...mail,
  });
  transport.close();
  const path = `/email/${box}/messages/${encodeURIComponent(messageId)}`;
  const { body } = await server.request('GET', path, { key: server.owner.key });
  return body.message.authentication;
}

test('a sender who is who they say passes all three', async (given) => {
  assert.equal(await verdict(given, 'honest.example', {}, dkim), {
    spf: 'pass',
    dkim: 'pass',
    dmarc: 'pass',
  });
});

test('a signature of an honest domain survives a server that may not send for it', async (given) => {
  given.dns.records.set('honest.example TXT', ['v=spf1 -all']);
  assert.equal(await verdict(given, 'honest.example', {}, dkim), {
    spf: 'fail',
    dkim: 'pass',
    dmarc: 'pass',
  });
  given.dns.records.set('honest.example TXT', ['v=spf1 ip4:127.0.0.0/8 -all']);
});

test('a forged sender fails, and the mail is there with what is known', async (given) => {
  assert.equal(await verdict(given, 'strict.example', {}), { spf: 'fail', dkim: 'none', dmarc: 'fail' });
});

test('a message that was changed on its way fails DKIM', async (given) => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows', dkim });
  const { message } = await transport.sendMail({
    from: 'a@honest.example',
    to: given.box,
    subject: 'x',
    text: 'words',
    messageId: '<changed@honest.example>',
  });
  const raw = message.toString().replace('words', 'other words');
  const envelope = { from: 'a@honest.example', to: given.box };
  const found = await verdict(given, 'honest.example', {
    raw,
    envelope,
    messageId: '<changed@honest.example>',
  });
  assert.is(found.dkim, 'neutral');
  assert.is(found.spf, 'pass');
});

test('SPF follows includes and addresses; a domain that says nothing has none', async (given) => {
  assert.is((await verdict(given, 'included.example', {})).spf, 'pass');
  assert.equal(await verdict(given, 'nobody.example', {}), { spf: 'none', dkim: 'none', dmarc: 'none' });
});

test('a check that takes too long is given up, and nothing of it goes on', async ({ dns }) => {
  const log = createLogs('silent').log;
  const options = { mta: 'mail.example.org', resolvers: [dns.address] };
  const peer = { address: '127.0.0.1', name: 'client.example' };
  const message = Buffer.from('From: a@slow.example\r\n\r\nx\r\n');
  const envelope = { sender: 'a@slow.example', recipients: [] };
  dns.silent.add('slow.example');
  const hasty = openAuthentication({ ...options, answerMs: 200 }, log);
  assert.is(await hasty(message, envelope, peer), null);
  assert.ok(dns.asked.includes('slow.example TXT'));
  // After whole other checks, the first one would have gone on.
  const patient = openAuthentication(options, log);
  const honest = { sender: 'a@honest.example', recipients: [] };
  const other = Buffer.from('From: a@honest.example\r\n\r\nx\r\n');
  for (let again = 0; again < 3; again += 1) assert.is((await patient(other, honest, peer))?.spf, 'pass');
  assert.not.ok(dns.asked.includes('_dmarc.slow.example TXT'));
});

test('hundreds of signatures are not checked, and cost no names', async ({ dns }) => {
  const check = openAuthentication(
    { mta: 'mail.example.org', resolvers: [dns.address] },
    createLogs('silent').log,
  );
  const signature = 'DKIM-Signature: v=1; a=rsa-sha256; d=many.example; s=s; h=from; bh=x; b=x\r\n';
  const message = Buffer.from(`${signature.repeat(300)}From: a@many.example\r\n\r\nx\r\n`);
  const peer = { address: '127.0.0.1', name: 'client.example' };
  assert.is(await check(message, { sender: 'a@many.example', recipients: [] }, peer), null);
  assert.not.ok(dns.asked.some((name) => name.includes('many.example')));
});

test('signatures behind a long head are counted too; behind one that is too long, nothing is checked', async ({
  dns,
}) => {
  const check = openAuthentication(
    { mta: 'mail.example.org', resolvers: [dns.address] },
    createLogs('silent').log,
  );
  const peer = { address: '127.0.0.1', name: 'client.example' };
  const filler = (bytes: number) => `X-Filler: ${'x'.repeat(64)}\r\n`.repeat(bytes / 76);
  const signed = (domain: string, count: number) =>
    `DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=s; h=from; bh=x; b=x\r\n`.repeat(count);
  for (const [name, head] of [
    ['behind', `${filler(900_000)}${signed('behind.example', 21)}`],
    ['around', `${signed('around.example', 10)}${filler(900_000)}${signed('around.example', 11)}`],
    ['bare', `${filler(900_000)}${signed('bare.example', 21)}`.replaceAll('\r\n', '\n')],
    ['beyond', `${filler(1_100_000)}${signed('beyond.example', 1)}`],
  ] as const) {
    const message = Buffer.from(`From: a@${name}.example\r\n${head}\r\nx\r\n`);
    assert.is(await check(message, { sender: `a@${name}.example`, recipients: [] }, peer), null, name);
    assert.not.ok(
      dns.asked.some((asked) => asked.includes(`${name}.example`)),
      name,
    );
  }
});

test('an honest signature behind a long head is found', async (given) => {
  const headers = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, n) => [`x-filler-${n}`, 'x'.repeat(64)]),
  );
  const found = await verdict(given, 'honest.example', { headers }, dkim);
  assert.equal(found, { spf: 'pass', dkim: 'pass', dmarc: 'pass' });
});

test.run();
