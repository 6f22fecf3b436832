/** Messages that nobody writes: what is found in them is stored by every way in, and what is too large is refused. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type MailPlace, newBox, openMailPlace, WAYS } from '../../support/mail/ways.js';

const MIB = 1024 * 1024;

const extremes = suite<MailPlace>('an extreme message');
extremes.before(async (given) => {
  Object.assign(given, await openMailPlace());
});
extremes.after(({ server }) => server.close());

const part = (text: string) =>
  `--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment\r\n\r\n${text}\r\n`;

/** Messages that nobody writes, and what is still found in them. */
const EXTREMES: readonly (readonly [name: string, raw: () => string, isCut: boolean])[] = [
  [
    'a message of 20 MB',
    () =>
      `Subject: extreme\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nfound\r\n--b\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n${`${'QUJD'.repeat(19)}\r\n`.repeat((20 * MIB) / 78)}--b--\r\n`,
    false,
  ],
  [
    '10,000 parts',
    () =>
      `Subject: extreme\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nfound\r\n${part('x').repeat(10_000)}--b--\r\n`,
    true,
  ],
  [
    '1,000 parts inside of each other',
    () => {
      const opened = Array.from(
        { length: 1_000 },
        (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`,
      );
      return `Subject: extreme\r\n${opened.join('')}\r\nfound\r\n`;
    },
    false,
  ],
  [
    'a header of 1 MB',
    () =>
      `X-Long: ${'x'.repeat(70)}${`\r\n ${'y'.repeat(70)}`.repeat(MIB / 73)}\r\nSubject: extreme\r\n\r\nfound\r\n`,
    true,
  ],
  ['100,000 headers', () => `Subject: extreme\r\n${'X-A: b\r\n'.repeat(100_000)}\r\nfound\r\n`, true],
];

for (const [name, raw, isCut] of EXTREMES)
  extremes(`${name}: a clear answer, and what it says`, async (given) => {
    const bytes = Buffer.from(raw(), 'latin1');
    for (const [way, deliver] of Object.entries(WAYS)) {
      // The same bytes as in base64.
      if (way === 'a worker, as text') continue;
      const box = await newBox(given);
      assert.is(await deliver(given, box, bytes), 200, `${name} by ${way}`);
      const { server, user } = given;
      const list = await server.request('GET', `/email/${box}/messages`, { key: user.key });
      const { messageId, subject } = list.body.message.content[0];
      assert.is(subject, 'extreme', `${name} by ${way}`);
      const path = `/email/${box}/messages/${encodeURIComponent(messageId)}`;
      const { body } = await server.request('GET', path, { key: user.key });
      assert.match(body.message.text, 'found', `${name} by ${way}`);
      assert.is(body.message.truncated, isCut, `${name} by ${way}`);
      assert.ok(body.message.originalSize >= bytes.length - 2);
    }
  });

extremes('what is too large is refused, and nothing of it is left', async (given) => {
  const { server } = given;
  const box = await newBox(given);
  const raw = Buffer.alloc(41 * MIB, `${'x'.repeat(998)}\r\n`);
  raw.write('Subject: x\r\n\r\n');
  assert.is(await WAYS['a form of a provider']?.(given, box, raw), 413);
  assert.is(await WAYS['a worker, as text']?.(given, box, raw), 413);
  const inbox = await server.request('GET', `/email/${box}/messages`, { key: given.user.key });
  assert.is(inbox.body.message.totalElements, 0);
  assert.is(await server.app.services.storage.blobs.sweepStaging(-1000), 0);
});

extremes.run();
