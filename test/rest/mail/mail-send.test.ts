/** POST /email/send: administrators only, validated at once, stored durably, retried. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../../harness.js';
import { type SmtpStandin, startSmtp } from '../../standins/smtp.js';

interface Given {
  server: TestServer;
  smtp: SmtpStandin;
}

const mail = { from: 'Holdall <me@example.org>', to: 'ada@example.net', subject: 'Grüße', content: 'Hello' };
const send = (server: TestServer, json: object, key = server.owner.key) =>
  server.request('POST', '/email/send', { key, json });

const outbox = suite<Given>('POST /email/send to the outbox');
outbox.before(async (given) => {
  given.server = await startServer();
});
outbox.after(({ server }) => server.close());

outbox('sends text and HTML', async ({ server }) => {
  const answer = await send(server, { ...mail, html: '<p>Hello</p>' });
  assert.is(answer.status, 200);
  await server.app.services.jobs.settle();
  const folder = join(server.dataDir, 'outbox');
  const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.eml'));
  const written = await readFile(join(folder, file), 'utf8');
  assert.match(written, /^To: ada@example\.net/m);
  assert.match(written, /text\/plain/);
  assert.match(written, /text\/html/);
  assert.is((await server.app.services.db.read('jobs')).length, 0);
});

outbox('an HTML-only mail gets a text part as well', async ({ server }) => {
  await send(server, {
    ...mail,
    subject: 'H',
    content: undefined,
    html: '<h1>Title</h1><p>One &amp; two</p><script>x</script>',
  });
  await server.app.services.jobs.settle();
  const folder = join(server.dataDir, 'outbox');
  const files = (await readdir(folder)).sort();
  const written = await readFile(join(folder, files.at(-1) ?? ''), 'utf8');
  assert.match(written, /Title\r\nOne & two/);
});

outbox('answers 401 and 403 to everybody else', async ({ server }) => {
  assert.is((await server.request('POST', '/email/send', { json: mail })).status, 401);
  for (const role of ['USER', 'MODERATOR'] as const) {
    assert.is((await send(server, mail, (await server.account(role)).key)).status, 403);
  }
  assert.is((await send(server, mail, (await server.account('ADMIN')).key)).status, 200);
});

outbox('answers 400 to invalid mails and to header injection', async ({ server }) => {
  for (const change of [
    { to: '' },
    { to: 'nobody' },
    { to: undefined },
    { to: [] },
    { to: 'a@b.cd\r\nBcc: c@d.ef' },
    { from: 'a@b.cd\nX: y' },
    { from: 'a@b.cd, e@f.gh' },
    { subject: 'x\r\nBcc: c@d.ef' },
    { content: '' },
    { content: undefined },
    { content: {} },
  ]) {
    const answer = await send(server, { ...mail, ...change });
    assert.is(answer.status, 400, JSON.stringify(change));
    assert.type(answer.body.message, 'string');
  }
});

outbox.run();

const smtp = suite<Given>('POST /email/send over SMTP');
smtp.before(async (given) => {
  given.smtp = await startSmtp();
  given.server = await startServer({ MAIL_TRANSPORT: 'smtp', SMTP_URL: given.smtp.url });
});
smtp.after(async ({ server, smtp: standin }) => {
  await server.close();
  await standin.close();
});

smtp('mails are kept encrypted while the server is down, and sent once it is back', async (given) => {
  const { server, smtp: standin } = given;
  const { jobs, db } = server.app.services;
  standin.recipientStatus = 450;
  assert.is((await send(server, mail)).status, 200);
  await jobs.settle();
  const [waiting] = await db.read('jobs').where('kind', 'mail');
  assert.ok(waiting.attempts >= 1);
  assert.not.match(waiting.payload, /example/);
  assert.is(standin.mails.length, 0);
  standin.recipientStatus = 250;
  await db.write((trx) => trx('jobs').update({ run_at: 0 }));
  await jobs.settle();
  assert.equal(standin.mails[0]?.recipients, ['ada@example.net']);
  assert.is((await db.read('jobs')).length, 0);
});

smtp.run();
