/** A reader of mail that takes too long is killed: the mail is kept with what is left of it, and the next one is read. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openReadingApart } from '../../../server/drivers/mail/reading/apart.js';
import { endedWorkers } from '../../../server/drivers/media/workers/worker-process.js';

const test = suite('killed readers of mail');

const ENOUGH_MS = 60_000;
/** No reader answers within it: the mail alone takes longer to reach one. */
const TOO_LITTLE_MS = 1;

const task = (lines: readonly string[]) => ({
  message: Buffer.from(lines.join('\r\n'), 'latin1'),
  envelope: { sender: 'a@b.example', recipients: ['box@holdall.example'] },
  withheld: new Set<string>(),
  plain: false,
});

const large = task(['Subject: large', 'X-Kept: yes', '', ...Array(500_000).fill('a line of a long text')]);

test('a mail is kept with its headers and the beginning of its body, and others are read after it', async () => {
  const limits = { mailMs: ENOUGH_MS, plainMs: ENOUGH_MS, partMs: ENOUGH_MS };
  const reading = openReadingApart(limits);
  // Both run before they are given too little time, of which a start would be a part.
  await Promise.all([1, 2].map((one) => reading.mail(task([`Subject: ${one}`, '', 'text']))));
  const { killed } = { ...endedWorkers() };

  limits.mailMs = TOO_LITTLE_MS;
  const { mail } = await reading.mail(large);
  assert.is(endedWorkers().killed, killed + 1);
  assert.is(mail.subject, 'large');
  assert.is(mail.headers['X-Kept'], 'yes');
  assert.match(mail.text ?? '', /^a line of a long text/);

  limits.mailMs = ENOUGH_MS;
  assert.is((await reading.mail(task(['Subject: next', '', 'text']))).mail.subject, 'next');
});

test('HTML that takes too long is shown as nothing, and its words are none', async () => {
  const limits = { mailMs: ENOUGH_MS, plainMs: ENOUGH_MS, partMs: ENOUGH_MS };
  const reading = openReadingApart(limits);
  await Promise.all([1, 2].map(() => reading.sanitise('<p>text</p>')));
  limits.partMs = TOO_LITTLE_MS;
  const html = '<p>word</p>'.repeat(90_000);
  assert.equal(await reading.sanitise(html), { html: '', blocked: 0, text: '' });
  limits.partMs = ENOUGH_MS;
  assert.match((await reading.sanitise('<p>next</p>')).html, /next/);
});

test.run();
