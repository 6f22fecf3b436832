/** What SPF, DKIM and DMARC say about mail that comes by SMTP, as a real DNS server answers. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openAuthentication } from '../../../server/drivers/mail/smtp-in/authenticate.js';
import { readConfig } from '../../../server/runtime/config/config.js';
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

test('mails of senders whose name servers are silent delay nobody else', async (given) => {
  const { dns } = given;
  const slow = Array.from({ length: 12 }, (_, index) => `s${index}.slow.test`);
  for (const name of slow) dns.silent.add(name);
  const order: string[] = [];
  const sent = slow.map((name) => verdict(given, name, {}).then(() => order.push(name)));
  while (!slow.every((name) => dns.asked.includes(`${name} TXT`)))
    await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await verdict(given, 'honest.example', {}, dkim), {
    spf: 'pass',
    dkim: 'pass',
    dmarc: 'pass',
  });
  order.push('honest');
  await Promise.all(sent);
  assert.ok(order.indexOf('honest') < 6, order.join());
});

test('a name that got no answer is not asked again for some minutes', async ({ dns }) => {
  const options = { mta: 'mail.example.org', resolvers: [dns.address], answerMs: 200 };
  const check = openAuthentication(options, createLogs('silent').log);
  const peer = { address: '127.0.0.1', name: 'client.example' };
  const message = Buffer.from('From: a@mute.example\r\n\r\nx\r\n');
  const envelope = { sender: 'a@mute.example', recipients: [] };
  dns.silent.add('mute.example');
  assert.is(await check(message, envelope, peer), null);
  const asked = dns.asked.filter((name) => name === 'mute.example TXT').length;
  assert.is((await check(message, envelope, peer))?.spf, 'temperror');
  assert.is(dns.asked.filter((name) => name === 'mute.example TXT').length, asked);
});

test('a DNS server that refuses to answer about others is one; without any, the log says so once', async ({
  dns,
}) => {
  const { log } = createLogs('silent');
  const warnings: unknown[] = [];
  const listening = Object.assign(Object.create(log), { warn: (fields: unknown) => warnings.push(fields) });
  const peer = { address: '127.0.0.1', name: 'client.example' };
  const message = Buffer.from('From: a@honest.example\r\n\r\nx\r\n');
  const envelope = { sender: 'a@honest.example', recipients: [] };
  dns.refused.add('example.com');
  const refusing = openAuthentication({ mta: 'mail.example.org', resolvers: [dns.address] }, listening);
  assert.is((await refusing(message, envelope, peer))?.spf, 'pass');
  assert.equal(warnings, []);
  const without = openAuthentication({ mta: 'mail.example.org', resolvers: ['127.0.0.1:1'] }, listening);
  for (let again = 0; again < 3; again += 1) assert.is(await without(message, envelope, peer), null);
  assert.is(warnings.length, 1);
});

const relay = suite<Given>('a trusted relay');
relay.before(async (given) => {
  given.dns = await startDns();
  given.server = await startServer({
    SMTP_LISTEN: '127.0.0.1:0',
    SMTP_TRUSTED: '10.0.0.0/8, 127.0.0.1',
    MAIL_DOMAINS: 'mail.example.org',
    MAIL_RESOLVERS: given.dns.address,
  });
  const { key } = given.server.owner;
  const made = await given.server.request('POST', '/email/create', { key, json: {} });
  given.box = made.body.message.email;
  given.dns.records.set('strict.example TXT', ['v=spf1 ip4:192.0.2.1 ip4:127.0.0.1 -all']);
});
relay.after(async ({ server, dns }) => {
  await server.close();
  await dns.close();
});

relay('SPF is that of whoever gave the mail to the relay, as the relay itself says it', async (given) => {
  const genuine = 'from out.strict.example (out.strict.example [192.0.2.1])';
  const foreign = 'from liar.example (unknown [198.51.100.9])';
  const inside = 'from inner.example (inner.example [10.1.2.3])';
  for (const [received, spf] of [
    [[genuine], 'pass'],
    [[foreign], 'fail'],
    // What a sender writes is below what the relay writes.
    [[foreign, genuine], 'fail'],
    [[inside, genuine], 'pass'],
    [['from [192.0.2.1] (unknown [198.51.100.9])'], 'fail'],
    [[inside], 'none'],
    [['by relay.example with local', genuine], 'none'],
    [[], 'none'],
  ] as const) {
    const messageId = `<${received.join().replace(/\W/g, '')}@strict.example>`;
    const trace = received.map((from) => `Received: ${from}\r\n\tby relay.example; today\r\n`).join('');
    const raw = `${trace}From: a@strict.example\r\nMessage-ID: ${messageId}\r\nSubject: x\r\n\r\nwords\r\n`;
    const envelope = { from: 'a@strict.example', to: given.box };
    const found = await verdict(given, 'strict.example', { raw, envelope, messageId });
    assert.is(found.spf, spf, received.join());
  }
});

relay('it may open as many connections as it likes', async ({ server }) => {
  const port = server.app.smtpAddress?.port ?? 0;
  const sockets = Array.from({ length: 30 }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) {
    const [greeting] = await once(socket, 'data');
    assert.match(String(greeting), /^220 /);
  }
  for (const socket of sockets) socket.destroy();
});

relay('what is no address and no network is a mistake in the configuration', async () => {
  for (const wrong of ['relay.example', '10.0.0.0/33', '10.0.0.0/', '::1/129'])
    assert.throws(() =>
      readConfig({ SMTP_LISTEN: '127.0.0.1:0', MAIL_DOMAINS: 'a.example', SMTP_TRUSTED: wrong }),
    );
});

test.run();
relay.run();
