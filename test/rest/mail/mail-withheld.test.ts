/** Attachments that must not come in: the mail comes without them, and says so. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Scanner, ScannerUnreachable, type Verdict } from '../../../routers/base/ports/scanner.js';
import { examiner } from '../../../routers/features/mail/arrival/withhold.js';
import { type ClamdStandin, MALWARE, startClamd } from '../../standins/clamd.js';
import { type MailPlace, newBox, openMailPlace, WAYS } from '../../support/mail/ways.js';

interface World extends MailPlace {
  clamd: ClamdStandin;
}
const test = suite<World>('attachments that must not come in');

test.before(async (world) => {
  world.clamd = await startClamd();
  Object.assign(world, await openMailPlace({ CLAMD: world.clamd.address, CLAMD_TIMEOUT: '1' }));
});
test.after(async ({ server, clamd }) => {
  await server.close();
  await clamd.close();
});
test.before.each(({ clamd }) => {
  clamd.mood = 'well';
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

let mails = 0;
/** A message with a text and these files. */
function messageWith(files: Readonly<Record<string, string>>): Buffer {
  mails += 1;
  const parts = Object.entries(files).map(
    ([name, text]) =>
      `--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text).toString('base64')}\r\n`,
  );
  return Buffer.from(
    `Message-ID: <withheld-${mails}@x>\r\nFrom: Ada <ada@example.net>\r\nSubject: files\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nthe words\r\n${parts.join('')}--b--\r\n`,
  );
}

/** The only message of a mailbox, and its original. */
async function onlyMessage({ server, user }: MailPlace, box: string) {
  const { key } = user;
  const list = await server.request('GET', `/email/${box}/messages`, { key });
  assert.is(list.body.message.totalElements, 1);
  const path = `/email/${box}/messages/${encodeURIComponent(list.body.message.content[0].messageId)}`;
  const { message } = (await server.request('GET', path, { key })).body;
  const missing = await server.request('POST', '/email/getmissing', { key, json: { mail: box } });
  const raw = await server.request('GET', `${path}/raw`, { key });
  return { message, whole: missing.body.message[0], raw: raw.text };
}

for (const [way, deliver] of Object.entries(WAYS)) {
  test(`malware by ${way}: the mail comes with its text and its other files, and without the malware anywhere`, async (world) => {
    const box = await newBox(world);
    const raw = messageWith({ 'good.txt': 'a good file', 'bad.exe': `MZ ${MALWARE}` });
    assert.is(await deliver(world, box, raw), 200);
    const { message, whole, raw: original } = await onlyMessage(world, box);
    assert.match(message.text, 'the words');
    const [good, bad] = whole.attachments;
    assert.equal(
      [good.filename, good.withheld, Buffer.from(good.contentBase64, 'base64').toString()],
      ['good.txt', null, 'a good file'],
    );
    assert.equal([bad.filename, bad.withheld, bad.contentBase64], ['bad.exe', 'malware', '']);
    assert.ok(bad.size > MALWARE.length);
    assert.match(original, 'Subject: files');
    assert.match(original, Buffer.from('a good file').toString('base64'));
    assert.not.match(original, Buffer.from(`MZ ${MALWARE}`).toString('base64').slice(0, 20));
    const { db, storage } = world.server.app.services;
    assert.equal(await db.read('blobs').where('sha256', sha256(`MZ ${MALWARE}`)), []);
    assert.is(await storage.blobs.sweepStaging(-1000), 0);
  });

  test(`a scanner that is away, ${way}: the sender keeps the mail and brings it later`, async (world) => {
    const { clamd } = world;
    const box = await newBox(world);
    const raw = messageWith({ 'a.txt': 'file' });
    clamd.mood = 'rude';
    assert.is(await deliver(world, box, raw), way === 'SMTP' ? 451 : 503);
    assert.is(await deliver(world, box, Buffer.from('Subject: plain\r\n\r\nwords\r\n')), 200, 'no files');
    clamd.mood = 'well';
    assert.is(await deliver(world, box, raw), 200);
    const { key } = world.user;
    const list = await world.server.request('GET', `/email/${box}/messages`, { key });
    assert.equal(
      list.body.message.content.map(({ subject }: { subject: string }) => subject),
      ['files', 'plain'],
    );
  });
}

const base64 = (bytes: Buffer | string): string =>
  `Content-Transfer-Encoding: base64\r\n\r\n${(
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\r\n')}\r\n`;
const mixed = (head: string, ...parts: string[]): string =>
  `${head}Content-Type: multipart/mixed; boundary=m${head.length}\r\n\r\n${parts.map((part) => `--m${head.length}\r\n${part}`).join('')}--m${head.length}--\r\n`;
const WORDS = 'Content-Type: text/plain\r\n\r\nthe words\r\n';
const named = (type: string, text: string) => `Content-Type: ${type}; name="a file"\r\n${base64(text)}`;
const enclosing = (message: string) => `Content-Type: message/rfc822\r\n\r\n${message}`;

/** Places in a message that are no attachment of it, or in one, with what is in them. */
const PLACES: Readonly<Record<string, (file: string) => string>> = {
  'a text with a name': (file) => mixed('Subject: t\r\n', named('text/plain', file), WORDS),
  'HTML with a name': (file) => mixed('Subject: h\r\n', named('text/html', file), WORDS),
  'an attachment beyond those that a mail may have': (file) =>
    mixed(
      'Subject: many\r\n',
      WORDS,
      ...Array.from({ length: 200 }, () => named('application/x-file', 'fine')),
      named('application/x-file', file),
    ),
  'a message in it': (file) =>
    mixed(
      'Subject: fwd\r\n',
      WORDS,
      enclosing(mixed('Subject: inside\r\n', WORDS, named('text/x-file', file))),
    ),
  'a text with a name in a message in an encoded message in it': (file) =>
    mixed(
      'Subject: fwd: fwd\r\n',
      WORDS,
      `Content-Type: Message/RFC822\r\n${base64(mixed('Subject: in\r\n', WORDS, enclosing(mixed('To: a\r\n', named('text/plain', file)))))}`,
    ),
};

for (const [place, message] of Object.entries(PLACES)) {
  test(`what must not come in does not come in ${place}, either`, async (world) => {
    const { key } = world.server.owner;
    const blocked = `blocked in ${place}`;
    const json = { kind: 'hash', value: sha256(blocked) };
    assert.is((await world.server.request('POST', '/admin/blocks', { key, json })).status, 200);
    for (const way of ['SMTP', 'a form of a provider'])
      for (const [file, why] of [
        [`MZ ${MALWARE}`, 'malware'],
        [blocked, 'blocked'],
      ] as const) {
        const box = await newBox(world);
        assert.is(await WAYS[way]?.(world, box, Buffer.from(message(file))), 200);
        const { message: shown, whole, raw } = await onlyMessage(world, box);
        const all = `${JSON.stringify(shown)}${JSON.stringify(whole)}${raw}`.replace(/\\r\\n|\s/g, '');
        for (const form of [file, base64(file).split('\r\n\r\n')[1] ?? ''])
          assert.not.ok(all.includes(form.replace(/\s/g, '').replace(/=*$/, '')), `${way}: ${why}`);
        assert.match(shown.text, 'the words');
        assert.ok(raw.includes('the words') || raw.includes(Buffer.from('the words').toString('base64')));
        const listed = shown.attachments.filter((one: { withheld: string | null }) => one.withheld !== null);
        if (shown.attachments.length < 200)
          assert.equal(
            listed.map(({ withheld }: { withheld: string }) => withheld),
            [why],
          );
        else assert.is(shown.truncated, true);
      }
    const box = await newBox(world);
    const fine = message('a fine file');
    assert.is(await WAYS.SMTP?.(world, box, Buffer.from(fine)), 200);
    assert.ok((await onlyMessage(world, box)).raw.endsWith(fine), 'kept as it came');
    assert.is(await world.server.app.services.storage.blobs.sweepStaging(-1000), 0);
  });
}

test('messages too deep in each other to be looked at are withheld', async (world) => {
  const box = await newBox(world);
  const deep = Array.from({ length: 25 }).reduce<string>(
    (inside, _, depth) => mixed(`Subject: ${'d'.repeat(depth)}\r\n`, WORDS, enclosing(inside)),
    'Subject: x\r\n\r\nx\r\n',
  );
  assert.is(await WAYS.SMTP?.(world, box, Buffer.from(deep)), 200);
  const { message } = await onlyMessage(world, box);
  assert.match(message.text, 'the words');
  assert.is(message.attachments[0].withheld, 'unscanned');
});

test('a mail whose bytes are blocked as a whole comes in other bytes', async (world) => {
  const { server, user } = world;
  const deliver = WAYS['a form of a provider'];
  const raw = Buffer.from('Message-ID: <whole@x>\r\nSubject: whole\r\n\r\nthe words\r\n');
  const json = { kind: 'hash', value: sha256(raw.toString()) };
  assert.is((await server.request('POST', '/admin/blocks', { key: server.owner.key, json })).status, 200);
  const [first, second] = [await newBox(world), await newBox(world)];
  for (const box of [first, second]) {
    assert.is(await deliver?.(world, box, raw), 200);
    const { message, raw: kept } = await onlyMessage({ server, user }, box);
    assert.match(message.text, 'the words');
    assert.match(kept, 'Subject: whole');
    assert.is.not(kept, raw.toString());
  }
});

test('a mail whose files need several attempts to be looked at comes through: no clean file is looked at twice', async (world) => {
  const { clamd } = world;
  const box = await newBox(world);
  const files = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`${n}.txt`, `slow file ${n}`]));
  const raw = messageWith(files);
  const before = clamd.seen.length;
  for (const patience of [2, 4]) {
    clamd.patience = patience - (clamd.seen.length - before);
    assert.is(await WAYS.SMTP?.(world, box, raw), 451);
    assert.is(clamd.seen.length - before, patience);
  }
  clamd.patience = Number.POSITIVE_INFINITY;
  assert.is(await WAYS.SMTP?.(world, box, raw), 200);
  assert.is(clamd.seen.length - before, 6);
  const { message } = await onlyMessage(world, box);
  assert.is(message.attachments.length, 6);
});

test('a file that the scanner does not take is withheld, as it never will; blocked bytes are, too', async (world) => {
  const { server, clamd } = world;
  const deliver = WAYS.SMTP;
  clamd.mood = 'overfed';
  const large = await newBox(world);
  assert.is(await deliver?.(world, large, messageWith({ 'large.bin': 'large' })), 200);
  assert.is((await onlyMessage(world, large)).message.attachments[0].withheld, 'unscanned');
  clamd.mood = 'well';
  const json = { kind: 'hash', value: sha256('blocked bytes') };
  assert.is((await server.request('POST', '/admin/blocks', { key: server.owner.key, json })).status, 200);
  const box = await newBox(world);
  assert.is(await deliver?.(world, box, messageWith({ 'b.txt': 'blocked bytes', 'c.txt': 'fine' })), 200);
  const { message, raw } = await onlyMessage(world, box);
  assert.equal(
    message.attachments.map(({ withheld }: { withheld: string | null }) => withheld),
    ['blocked', null],
  );
  assert.not.match(raw, Buffer.from('blocked bytes').toString('base64'));
  const page = `//web/mailboxes/${encodeURIComponent(box)}/message?id=${encodeURIComponent(message.messageId)}`;
  const { text } = await server.request('GET', page, { key: world.user.key });
  assert.match(text, 'Not kept: this file is blocked here');
});

test('the time for all files of a mail together ends, whatever each of them may take', async () => {
  const clamd = await startClamd();
  const { server } = await openMailPlace({ CLAMD: clamd.address, CLAMD_TIMEOUT: '3600' });
  try {
    const { services } = server.app;
    const time = new AbortController();
    const clock = { now: () => 0, after: () => time.signal };
    const examine = examiner(services, { patience: true, clock });
    const last = examiner(services, { patience: false, clock });
    assert.is(await examine.bytes(Buffer.from('first')), null);
    clamd.mood = 'silent';
    const refusals = [examine.bytes(Buffer.from('second'))];
    time.abort();
    refusals.push(examine.bytes(Buffer.from('third')));
    for (const refusal of await Promise.allSettled(refusals)) {
      assert.is(refusal.status, 'rejected');
      assert.match(String((refusal as PromiseRejectedResult).reason), 'try again later');
    }
    assert.is(await last.bytes(Buffer.from('first')), null, 'known from the refused mail');
    assert.is(await last.bytes(Buffer.from('second')), 'unscanned');
    assert.is(await services.storage.blobs.sweepStaging(-1000), 0);
  } finally {
    await server.close();
    await clamd.close();
  }
});

for (const required of [true, false])
  test(`only scanning takes the time for it, and nothing comes in unseen behind many files (needed: ${required})`, async ({
    server,
  }) => {
    const { services } = server.app;
    let at = 0;
    const given: number[] = [];
    const clock = {
      now: () => at,
      after: (ms: number) => {
        given.push(ms);
        return new AbortController().signal;
      },
    };
    const scan = async (path: string, signal?: AbortSignal): Promise<Verdict> => {
      at += 40_000;
      return (services.scanner as Scanner).scan(path, signal);
    };
    const app = { ...services, scanner: { required, scan } };
    const files = [0, 1, 2, 3, 4].map((n) => Buffer.from(`slow ${n} ${required}`));
    const attempt = async (patience: boolean) => {
      const examine = examiner(app, { patience, clock });
      const found: (string | null)[] = [];
      for (const file of files) {
        // Until it has been fetched.
        at += 3_600_000;
        found.push(await examine.bytes(file).catch((error) => error.reason));
      }
      return found;
    };
    assert.equal(await attempt(false), [null, null, null, 'unscanned', 'unscanned']);
    assert.equal(given, [90_000, 50_000, 10_000]);
    assert.equal(await attempt(true), [null, null, null, 'UNAVAILABLE', 'UNAVAILABLE']);
    assert.equal(await attempt(true), [null, null, null, null, null], 'the next attempt knows the first');
  });

test('a scanner whose word is not needed, and that says none in all the time, lets files in', async ({
  server,
}) => {
  const { services } = server.app;
  let at = 0;
  const clock = { now: () => at, after: () => new AbortController().signal };
  const scan = async (): Promise<Verdict> => {
    at += 90_000;
    throw new ScannerUnreachable('silent');
  };
  const examine = examiner({ ...services, scanner: { required: false, scan } }, { patience: true, clock });
  for (const file of ['one', 'two']) assert.is(await examine.bytes(Buffer.from(file)), null);
});

test('a scanner whose word is not needed lets a file in when it is silent, waiting for it once a mail', async () => {
  const clamd = await startClamd();
  const place = await openMailPlace({ CLAMD: clamd.address, CLAMD_TIMEOUT: '1', CLAMD_POLICY: 'accept' });
  try {
    clamd.mood = 'silent';
    const box = await newBox(place);
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`${n}.txt`, `file ${n}`]));
    assert.is(await WAYS.SMTP?.(place, box, messageWith(files)), 200);
    const { message } = await onlyMessage(place, box);
    assert.equal(
      new Set(message.attachments.map(({ withheld }: { withheld: null }) => withheld)),
      new Set([null]),
    );
    assert.is(message.attachments.length, 40);
  } finally {
    await place.server.close();
    await clamd.close();
  }
});

test.run();
