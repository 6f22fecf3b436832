import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type InboundForm, type InboundPart, InboundRefused } from '../../../routers/base/ports/mail/mail.js';
import { openInbound } from '../../../server/drivers/mail/inbound.js';
import { openReadingApart } from '../../../server/drivers/mail/reading/apart.js';
import { readConfig } from '../../../server/runtime/config/config.js';
import { MAILGUN_SIGNING_KEY, signRoute } from '../../standins/mailgun.js';

const inbound = suite('inbound mail');
const configured = { MAILGUN_SIGNING_KEY, EMAIL_INBOUND_TOKEN: 'worker-canary' };
const reading = openReadingApart();
const reader = openInbound(readConfig(configured), reading);

const forwarded = {
  recipient: 'Ada@Holdall.example',
  sender: 'bounce+1@example.net',
  from: 'Bob Lee <bob@example.net>',
  subject: 'Grüße',
  'body-plain': 'Hello\r\nAda',
  'stripped-text': 'Hello',
  'body-html': '<p>Hello</p>',
  'message-headers': JSON.stringify([
    ['Received', 'by a'],
    ['Received', 'by b'],
    ['Date', 'Fri, 06 Feb 2026 10:00:00 +0100'],
    ['To', '"Lovelace, Ada" <ada@holdall.example>, carl@example.org'],
    ['Cc', 'dora@example.org'],
    ['Message-Id', '<one@example.net>'],
  ]),
};

/** Nothing here reads the bytes of a part. */
const source = Buffer.alloc(0);

/** A mail from a route of the provider. */
const routed = (fields: InboundForm['fields'], parts: readonly InboundPart[], by = reader) =>
  by.read({ fields, parts }, null);

/** A mail from a mail worker with this token. */
const worked = async (token: string | null, fields: object, by = reader) =>
  (await by.read({ fields: { ...fields }, parts: [] }, token)).mail;

async function refused(reason: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    assert.instance(error, InboundRefused);
    assert.is((error as InboundRefused).reason, reason);
    return;
  }
  assert.unreachable(`must be refused as ${reason}`);
}

inbound('a mail whose form names no other author is from its sender', async () => {
  const { from: _, 'message-headers': __, ...bare } = forwarded;
  const { mail } = await routed({ ...bare, ...signRoute(), 'Message-Id': '<two@example.net>' }, []);
  assert.is(mail.from, 'bounce+1@example.net');
});

inbound('a forwarded route becomes one mail', async () => {
  const signed = signRoute();
  const parts = [
    { field: 'attachment-1', filename: 'a/../ö.pdf', contentType: 'Application/PDF; x=1', size: 3, source },
  ];
  const { mail, token } = await routed({ ...forwarded, ...signed, 'attachment-count': '1' }, parts);
  assert.is(token, signed.token);
  assert.is(mail.messageId, 'one@example.net');
  assert.equal(mail.recipients, ['ada@holdall.example']);
  assert.is(mail.sender, 'bounce+1@example.net');
  assert.is(mail.from, 'Bob Lee <bob@example.net>');
  assert.equal(mail.to, ['"Lovelace, Ada" <ada@holdall.example>', 'carl@example.org']);
  assert.equal(mail.cc, ['dora@example.org']);
  assert.is(mail.subject, 'Grüße');
  assert.is(mail.date, Date.UTC(2026, 1, 6, 9));
  assert.is(mail.text, 'Hello\r\nAda');
  assert.is(mail.html, '<p>Hello</p>');
  assert.is(mail.headers.Received, 'by a\nby b');
  assert.equal(mail.attachments, [
    {
      filename: 'ö.pdf',
      contentType: 'application/pdf',
      size: 3,
      content: { kind: 'part', field: 'attachment-1' },
      contentId: null,
      disposition: null,
    },
  ]);
});

inbound('a notifying route names its attachments at the provider', async () => {
  const url = 'https://storage-us-east4.api.mailgun.net/v3/domains/mg.example.org/messages/K/attachments/0';
  const attachments = JSON.stringify([{ url, name: 'a.png', 'content-type': 'image/png', size: 9 }]);
  const { mail } = await routed({ ...forwarded, ...signRoute(), attachments, 'message-url': 'x' }, []);
  assert.equal(mail.attachments, [
    {
      filename: 'a.png',
      contentType: 'image/png',
      size: 9,
      content: { kind: 'stored', url },
      contentId: null,
      disposition: null,
    },
  ]);
});

inbound('forged, foreign and incomplete signatures are rejected as forged', async () => {
  const good = signRoute();
  for (const fields of [
    {},
    { ...good, signature: good.signature.replace(/^./, (c) => (c === '0' ? '1' : '0')) },
    { ...good, signature: '' },
    { ...good, signature: good.signature.slice(0, 60) },
    { ...good, token: `${good.token}0` },
    { ...good, token: '' },
    { ...good, timestamp: `${good.timestamp}0` },
    { ...good, timestamp: 'now' },
    signRoute(undefined, 'another key'),
  ]) {
    await refused('forged', () => routed({ ...forwarded, ...fields }, []));
  }
});

inbound(
  'a genuine signature older than 15 minutes is late, and stale after 12 hours or from the future',
  async () => {
    const now = Math.floor(Date.now() / 1000);
    const later = openInbound(readConfig(configured), reading, () => now * 1000);
    for (const age of [-900, 0, 900, 901, 43_200]) {
      const { late } = await routed({ ...forwarded, ...signRoute(now - age) }, [], later);
      assert.is(late, age > 900);
    }
    for (const age of [-901, 43_201, 86_400]) {
      await refused('stale', () => routed({ ...forwarded, ...signRoute(now - age) }, [], later));
    }
    await refused('stale', () => routed(signRoute(now - 901), [], later));
  },
);

inbound('a form whose secret is not configured is rejected, even with an empty secret', async () => {
  const bare = openInbound(readConfig({}), reading);
  await refused('forged', () => routed({ ...forwarded, ...signRoute(undefined, '') }, [], bare));
  for (const token of [null, '', 'undefined', 'null']) await refused('forged', () => worked(token, {}, bare));
  for (const token of [null, '', 'worker-canar', 'worker-canary '])
    await refused('forged', () => worked(token, {}));
});

inbound('damaged fields lead to a mail with less content, not to an error', async () => {
  const fields = {
    ...signRoute(),
    recipient: 'ada@holdall.example',
    'message-headers': '[["Date"',
    attachments: '{"',
  };
  const { mail } = await routed(fields, []);
  assert.is(mail.subject, '');
  assert.is(mail.html, null);
  assert.is(mail.date, null);
  assert.equal(mail.headers, {});
  assert.equal(mail.attachments, []);
  assert.ok(mail.truncated);
});

inbound('a mail without recipient is malformed', async () => {
  await refused('malformed', () => routed({ ...signRoute(), subject: 'x' }, []));
  await refused('malformed', () => worked('worker-canary', { subject: 'x' }));
});

inbound(
  'a mail without Message-Id gets the same id each time, and different mails get different ids',
  async () => {
    const id = async (text: string) =>
      (await routed({ ...signRoute(), recipient: 'ada@holdall.example', 'body-plain': text }, [])).mail
        .messageId;
    assert.is(await id('one'), await id('one'));
    assert.is.not(await id('one'), await id('two'));
  },
);

inbound('hostile names and values remain plain text', async () => {
  const headers = [
    ['__proto__', 'x'],
    ['constructor', 'y'],
    ['X-A', 'a\0b\r\nc'],
  ];
  const parts = ['..', '../../etc/passwd', 'C:\\x\\y.txt', '', 'a\r\nb\0'].map((filename, n) => ({
    field: `attachment-${n}`,
    filename,
    contentType: 'text/html"\r\nX: y',
    size: 1,
    source,
  }));
  const fields = {
    ...forwarded,
    ...signRoute(),
    'message-headers': JSON.stringify(headers),
    subject: 'a\0\r\nb\ud800',
  };
  const { mail } = await routed(fields, parts);
  assert.is(mail.subject, 'a b\ufffd');
  assert.is(mail.headers['X-A'], 'ab c');
  assert.ok(Object.hasOwn(mail.headers, '__proto__'));
  assert.is(Object.getPrototypeOf(mail.headers), Object.prototype);
  assert.equal(
    mail.attachments.map(({ filename }) => filename),
    ['attachment-1.html', 'passwd', 'y.txt', 'attachment-4.html', 'a b'],
  );
  assert.equal(new Set(mail.attachments.map(({ contentType }) => contentType)), new Set(['text/html']));
});

inbound('excessive amounts are truncated', async () => {
  const many = Array.from({ length: 5000 }, (_, n) => [`X-${n}`, 'v'.repeat(50)]);
  const fields = {
    ...signRoute(),
    'message-headers': JSON.stringify(many),
    recipient: Array.from({ length: 5000 }, (_, n) => `a${n}@x.example`).join(','),
    'Message-Id': `<${'i'.repeat(5000)}>`,
    'body-plain': 'x'.repeat(1_000_000),
  };
  const { mail } = await routed(fields, []);
  assert.ok(mail.recipients.length <= 500);
  assert.is(Object.keys(mail.headers).length, 1000);
  assert.match(mail.messageId, /@without-message-id$/);
  assert.is(mail.text.length, 1_000_000);
});

inbound('the formats of all mail workers give the same mail', async () => {
  const bytes = Buffer.from('file');
  const first = await worked('worker-canary', {
    messageId: '<two@example.net>',
    envelope: { from: 'bob@example.net', to: ['ada@holdall.example'] },
    from: 'Bob <bob@example.net>',
    to: 'ada@holdall.example',
    subject: 'Hi',
    date: '2026-02-06T09:00:00Z',
    text: 'Hello',
    html: '<p>Hello</p>',
    headers: { 'X-One': ['a', 'b'] },
    attachments: [
      { filename: 'f.txt', contentType: 'text/plain', size: 4, contentBase64: bytes.toString('base64') },
    ],
  });
  const second = await worked('worker-canary', {
    'message-id': 'two@example.net',
    recipients: [{ address: 'Ada@holdall.example' }],
    sender: 'bob@example.net',
    from: { name: 'Bob', address: 'bob@example.net' },
    to: [{ address: 'ada@holdall.example', name: '' }],
    subject: 'Hi',
    date: Date.UTC(2026, 1, 6, 9),
    content: 'Hello',
    html: '<p>Hello</p>',
    headers: [
      { key: 'X-One', value: 'a' },
      { name: 'x-one', value: 'b' },
    ],
    attachments: [{ filename: 'f.txt', mimeType: 'text/plain', content: bytes.toString('base64') }],
  });
  assert.is(first.from, 'Bob <bob@example.net>');
  assert.equal(first.headers, { 'X-One': 'a\nb' });
  assert.equal(second, first);
  assert.equal(first.attachments[0]?.content, { kind: 'bytes', bytes });
});

inbound('a mail without its own From and To headers shows those of its envelope', async () => {
  const mail = await worked('worker-canary', {
    'Message-Id': '<three@example.net>',
    from: '',
    envelope: { from: 'bob@example.net', to: ['ada@holdall.example'] },
    'body-plain': 'Hello',
    'body-html': '<p>Hello</p>',
  });
  assert.is(mail.messageId, 'three@example.net');
  assert.is(mail.from, 'bob@example.net');
  assert.equal(mail.to, ['ada@holdall.example']);
  assert.is(mail.text, 'Hello');
  assert.is(mail.html, '<p>Hello</p>');
});

inbound('headers are bounded in total, and an id by its bytes', async () => {
  const long = Array.from({ length: 100 }, (_, n) => [`X-${n}`, 'x'.repeat(10_000)]);
  const mail = await worked('worker-canary', {
    messageId: '漢'.repeat(400),
    from: 'bob@example.net',
    to: 'ada@holdall.example',
    text: 'Hello',
    headers: Object.fromEntries(long),
  });
  const { length } = JSON.stringify(mail.headers);
  assert.ok(length > 100_000 && length <= 300_000, `${length}`);
  assert.match(mail.messageId, /@without-message-id$/);
});

inbound('input that is not a mail is malformed', async () => {
  for (const body of [{}, { to: 7 }, { to: 'ada@x.example', headers: 'no' }]) {
    await refused('malformed', () => worked('worker-canary', body));
  }
});

inbound.run();
