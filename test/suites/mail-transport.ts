import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MailTransport, OutgoingMail } from '../../routers/base/ports/mail/mail.js';
import { MailRefused } from '../../routers/base/ports/mail/mail.js';
import type { ReadableMail } from '../standins/mime.js';

/** A driver with the mail server that it sends to. */
export interface MailTransportUnderTest {
  readonly transport: MailTransport;
  /** The received mails, oldest first, without those of earlier tests. */
  received(): Promise<ReadableMail[]>;
  /** Makes the server temporarily unable to take mail. */
  breakDown(): Promise<void>;
  /** Makes the server refuse every mail for good; null if it cannot refuse. */
  refuseAll: (() => void) | null;
  close(): Promise<void>;
}

const mail: OutgoingMail = {
  to: 'Ada Lovelace <ada@example.org>',
  subject: 'Grüße 😀 from Holdall',
  text: `Your code is 123456.\n\nA long line: ${'wörd '.repeat(60)}\n.\nFrom here on: ${'-'.repeat(5)}\n`,
  html: '<p>Your code is <b>123456</b> &amp; a "quote"</p>',
};

/** The guarantees of `MailTransport`, run against each driver with a real server behind it. */
export function mailTransportSuite(name: string, open: () => Promise<MailTransportUnderTest>): void {
  const driver = suite<{ world: MailTransportUnderTest }>(`mail transport: ${name}`);

  driver.before.each(async (context) => {
    context.world = await open();
  });
  driver.after.each(({ world }) => world.close());

  driver('a mail arrives complete, with text, HTML and other scripts intact', async ({ world }) => {
    await world.transport.send(mail);
    const [arrived, ...more] = await world.received();
    assert.is(more.length, 0);
    assert.is(arrived?.subject, mail.subject);
    assert.is(lines(arrived?.text), lines(mail.text));
    assert.is(lines(arrived?.html), lines(mail.html));
    assert.match(arrived?.from ?? '', /^"?Holdall"? <no-reply@holdall\.example>$/);
    assert.match(arrived?.to[0] ?? '', /^"?Ada Lovelace"? <ada@example\.org>$/);
  });

  driver('sender, several recipients and an HTML-less mail are handled', async ({ world }) => {
    await world.transport.send({
      from: 'team@holdall.example',
      to: 'a@example.org, B <b@example.org>',
      subject: 's',
      text: 't',
    });
    const [arrived] = await world.received();
    assert.is(arrived?.from, 'team@holdall.example');
    assert.is(arrived?.to.length, 2);
    assert.is(arrived?.html ?? null, null);
  });

  driver(
    'headers cannot be injected: line breaks are refused for good and nothing is sent',
    async ({ world }) => {
      const evil = [
        'x\r\nBcc: evil@example.net',
        'x\nBcc: evil@example.net',
        'x\rBcc: y',
        'x\0y',
        'x\u2028y',
      ];
      for (const text of evil) {
        const address = `${text} <ada@example.org>`;
        await refuses(() => world.transport.send({ ...mail, subject: text }));
        await refuses(() => world.transport.send({ ...mail, to: address }));
        await refuses(() => world.transport.send({ ...mail, from: address }));
        await refuses(() => world.transport.send({ ...mail, to: `ada${text}@example.org` }));
      }
      assert.equal(await world.received(), []);
    },
  );

  driver('an invalid address is refused for good', async ({ world }) => {
    for (const to of [
      '',
      'ada',
      'ada@',
      '@example.org',
      'ada@example.org@example.net',
      '"a b"@example.org',
      'group: ada@example.org;',
      'ada@exa mple.org',
      'ada@example.org,',
      ', ada@example.org',
      'Ada ada@example.org',
      '<ada@example.org> <eve@example.net>',
      'ada@example.org (comment)',
      `${'a'.repeat(65)}@example.org`,
      Array.from({ length: 51 }, (_, n) => `a${n}@example.org`).join(', '),
    ]) {
      await refuses(() => world.transport.send({ ...mail, to }), to);
    }
    assert.equal(await world.received(), []);
  });

  driver('header syntax in a display name stays part of the display name', async ({ world }) => {
    await world.transport.send({ ...mail, to: '"Ada, <evil@example.net>; \\"x\\"" <ada@example.org>' });
    const [arrived] = await world.received();
    assert.match(arrived?.to.join(', ') ?? '', /<ada@example\.org>$/);
  });

  driver('a server that is down causes a temporary error', async ({ world }) => {
    await world.breakDown();
    const error = await failure(() => world.transport.send(mail));
    assert.not.instance(error, MailRefused);
  });

  driver('a mail that the server refuses for good throws MailRefused', async ({ world }) => {
    if (world.refuseAll === null) return;
    world.refuseAll();
    await refuses(() => world.transport.send(mail));
  });

  driver('many concurrent mails arrive one by one', async ({ world }) => {
    const subjects = Array.from({ length: 12 }, (_, n) => `mail ${n}`);
    await Promise.all(subjects.map((subject) => world.transport.send({ ...mail, subject })));
    const arrived = (await world.received()).map(({ subject }) => subject);
    assert.equal(arrived.sort(), subjects.sort());
  });

  driver.run();
}

/** Mail servers may change line endings and add one at the end. */
function lines(text: string | null | undefined): string {
  return (text ?? '').replaceAll('\r\n', '\n').trimEnd();
}

async function failure(call: () => Promise<unknown>, about = ''): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return assert.unreachable(`must fail: ${about}`);
}

async function refuses(call: () => Promise<unknown>, about = ''): Promise<void> {
  assert.instance(await failure(call, about), MailRefused, about);
}
