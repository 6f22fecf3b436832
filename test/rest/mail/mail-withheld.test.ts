/** Attachments that must not come in: the mail comes without them, and says so. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
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
