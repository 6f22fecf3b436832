// on both databases
/** Mail that is refused for now, because its files cannot be looked at: it comes again, and nothing of it is lost. */
import { createHmac, randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ClamdStandin, startClamd } from '../../standins/clamd.js';
import {
  MAILGUN_DOMAIN,
  MAILGUN_KEY,
  MAILGUN_SIGNING_KEY,
  type MailgunStandin,
  startMailgun,
} from '../../standins/mailgun.js';
import { type MailPlace, newBox, openMailPlace, WAYS } from '../../support/mail/ways.js';

interface World extends MailPlace {
  clamd: ClamdStandin;
  mailgun: MailgunStandin;
  box: string;
}
const test = suite<World>('mail that is refused for now');

test.before(async (world) => {
  world.clamd = await startClamd();
  world.mailgun = await startMailgun();
  const env = {
    RATE_LIMIT: 'on',
    CLAMD: world.clamd.address,
    MAILGUN_URL: world.mailgun.url,
    MAILGUN_API_KEY: MAILGUN_KEY,
    MAILGUN_DOMAIN,
    MAIL_DOMAINS: MAILGUN_DOMAIN,
  };
  Object.assign(world, await openMailPlace(env));
});
test.after(async ({ server, clamd, mailgun }) => {
  await server.close();
  await clamd.close();
  await mailgun.close();
});
test.before.each(async (world) => {
  world.mailgun.stored.length = 0;
  world.clamd.mood = 'rude';
  world.box = await newBox(world);
});

const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1000) - minutes * 60;

/** A form of Mailgun with a file, signed at some time with some token. */
function formOf({ box }: World, id: string, { token = randomBytes(25).toString('hex'), at = minutesAgo(0) }) {
  const form = new FormData();
  const signature = createHmac('sha256', MAILGUN_SIGNING_KEY).update(`${at}${token}`).digest('hex');
  const fields = { recipient: box, sender: 'ada@example.net', subject: id, 'Message-Id': `<${id}@x>` };
  for (const [name, value] of Object.entries({ ...fields, timestamp: String(at), token, signature }))
    form.append(name, value);
  form.append('attachment-1', new Blob([id]), 'f.txt');
  return form;
}

const post = async ({ server }: World, form: FormData | URLSearchParams): Promise<number> =>
  (await server.request('POST', '/email/inbound', { form })).status;

async function mailsIn({ server, user, box }: World) {
  const { body } = await server.request('POST', '/email/getmissing', { key: user.key, json: { mail: box } });
  return (body?.message ?? []).map(
    ({
      subject,
      attachments,
    }: {
      subject: string;
      attachments: { contentBase64: string; withheld: string }[];
    }) => [
      subject,
      attachments.map(
        ({ contentBase64, withheld }) => withheld ?? Buffer.from(contentBase64, 'base64').toString(),
      ),
    ],
  );
}

test('may be repeated with its old signature, for itself only', async (world) => {
  const token = randomBytes(25).toString('hex');
  assert.is(await post(world, formOf(world, 'first', { token, at: minutesAgo(1) })), 503);
  world.clamd.mood = 'well';
  const at = minutesAgo(120);
  assert.is(await post(world, formOf(world, 'other', { token, at })), 406, 'not another mail');
  assert.is(await post(world, formOf(world, 'first', { at })), 406, 'not with another token');
  assert.is(
    await post(world, formOf(world, 'first', { token, at: minutesAgo(13 * 60) })),
    406,
    'not for ever',
  );
  assert.equal(await mailsIn(world), []);
  for (let repeat = 0; repeat < 2; repeat += 1)
    assert.is(await post(world, formOf(world, 'first', { token, at })), 200);
  assert.equal(await mailsIn(world), [['first', ['first']]]);
});

test('does not use up what its mailbox may get in an hour', async (world) => {
  const { db, limits } = world.server.app.services;
  const { id } = await db.read('mailboxes').where('address', world.box).first('id');
  await limits.rates.take('mailbox', String(id), 599);
  for (let attempt = 0; attempt < 3; attempt += 1)
    assert.is(await post(world, formOf(world, 'counted', {})), 503);
  world.clamd.mood = 'well';
  assert.is(await post(world, formOf(world, 'counted', {})), 200);
  assert.is(await post(world, formOf(world, 'more', {})), 429);
});

/** A mail that Mailgun keeps with its file. */
const keep = ({ mailgun, box }: World, key: string, hoursAgo: number): void => {
  mailgun.stored.push({
    key,
    messageId: `${key}@x`,
    recipient: box,
    from: 'Ada <ada@example.net>',
    subject: key,
    text: 'words',
    storedAt: Date.now() - hoursAgo * 3_600_000,
    attachments: [{ name: 'f.txt', type: 'text/plain', bytes: Buffer.from(key) }],
  });
};

test('waits in the queue if its files stay with the provider', async (world) => {
  keep(world, 'kept', 0);
  world.mailgun.stored[0] = { ...world.mailgun.stored[0], recipient: 'else@x' } as never;
  const url = `${world.mailgun.url}/v3/domains/${MAILGUN_DOMAIN}/messages/kept/attachments/0`;
  const form = new URLSearchParams(
    [...formOf(world, 'kept', {})].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
  form.set('attachments', JSON.stringify([{ name: 'f.txt', 'content-type': 'text/plain', size: 4, url }]));
  assert.is(await post(world, form), 200);
  assert.equal(await mailsIn(world), []);
  world.clamd.mood = 'well';
  const { db, jobs } = world.server.app.services;
  await jobs.settle();
  await db.write((trx) => trx('jobs').where('kind', 'mailArrival').update({ run_at: 0 }));
  await jobs.settle();
  assert.equal(await mailsIn(world), [['kept', ['kept']]]);
});

test('never waits in the queue if its files are here, be they attachments or not', async (world) => {
  const text = 'Content-Type: text/plain; name="words.txt"\r\n\r\nthe words\r\n';
  const raw = Buffer.from(`Message-ID: <named@x>\r\nFrom: a@b.example\r\nSubject: named\r\n${text}`);
  for (const way of ['a form of a provider', 'a worker, as text']) {
    const { clamd } = world;
    const box = await newBox(world);
    clamd.mood = 'rude';
    assert.is(await WAYS[way]?.(world, box, raw), 503, way);
    clamd.mood = 'well';
    assert.is(await WAYS[way]?.(world, box, raw), 200, way);
    assert.equal(await mailsIn({ ...world, box }), [['named', []]]);
  }
});

test('is collected again, and without its files before the provider removes it', async (world) => {
  const { db } = world.server.app.services;
  await db.write((trx) => trx('installation').where('name', 'mail_collected_until').delete());
  keep(world, 'new', 1);
  keep(world, 'old', 50);
  keep(world, 'oldest', 67);
  assert.equal(await mailsIn(world), [['oldest', ['unscanned']]]);
  world.clamd.mood = 'well';
  assert.equal((await mailsIn(world)).sort(), [
    ['new', ['new']],
    ['old', ['old']],
    ['oldest', ['unscanned']],
  ]);
});

test('is tried whole before it comes without files, however old it is', async (world) => {
  const { db } = world.server.app.services;
  await db.write((trx) => trx('installation').where('name', 'mail_collected_until').delete());
  world.clamd.mood = 'well';
  keep(world, 'whole', 67);
  world.mailgun.heldBack = 1;
  assert.equal(await mailsIn(world), [['whole', ['whole']]]);
});

test('that nobody may ask for again in time is tried on without anybody', async (world) => {
  const { db, jobs } = world.server.app.services;
  await db.write((trx) => trx('installation').where('name', 'mail_collected_until').delete());
  keep(world, 'young', 40);
  keep(world, 'waiting', 50);
  for (let asked = 0; asked < 2; asked += 1) assert.equal(await mailsIn(world), []);
  await jobs.settle();
  world.clamd.mood = 'well';
  await db.write((trx) => trx('jobs').where('kind', 'mailArrival').update({ run_at: 0 }));
  await jobs.settle();
  world.mailgun.stored.length = 0;
  assert.equal(await mailsIn(world), [['waiting', ['waiting']]]);
});

test.run();
