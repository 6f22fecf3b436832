/**
 * Trouble while mail comes in by SMTP: the database is locked or full, the server is told to end in the middle of a
 * message, several processes share the port. Senders see: 451 as long as nothing can be stored, 250 only for what is
 * stored, and a message that was arriving is taken to its end.
 */
import { createTransport } from 'nodemailer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSqliteFile, sqliteFile } from '../../db/engine/connect.js';
import { startServer, type TestServer } from '../harness.js';
import { Talk } from '../support/mail/talk.js';
import { freePort, OWNER, type ServerProcess } from '../support/servers/server-process.js';
import { openPlace } from './servers/place.js';

const ENV = { MAIL_DOMAINS: 'mail.example.org', MAIL_AUTHENTICATION: 'off' };

const test = suite('mail by SMTP in trouble');

/** Calls a server in a process of its own, as its owner. */
async function call(server: ServerProcess, method: string, path: string, json: object) {
  const headers = { 'x-api-key': OWNER.OWNER_API_KEY, 'content-type': 'application/json' };
  const answer = await fetch(`${server.origin}/v1${path}`, { method, headers, body: JSON.stringify(json) });
  return answer.status === 204 ? [] : (await answer.json()).message;
}

const idsOf = (mails: { messageId: string }[]): string[] => mails.map(({ messageId }) => messageId).sort();

/** Sends a message to a server in this process, and what is answered to it. */
async function deliver(server: TestServer, to: string, id: string): Promise<string> {
  const talk = await new Talk(server.app.smtpAddress?.port ?? 0).begin(to);
  const answer = await talk.say(`Message-ID: <${id}>\r\nSubject: x\r\n\r\n${'words '.repeat(1000)}\r\n.`);
  await talk.end();
  return answer;
}

async function withServer(work: (server: TestServer, box: string) => Promise<void>): Promise<void> {
  const server = await startServer({ ...ENV, SMTP_LISTEN: '127.0.0.1:0' });
  try {
    const made = await server.request('POST', '/email/create', { key: server.owner.key, json: {} });
    await work(server, made.body.message.email);
  } finally {
    await server.close();
  }
}

const stored = async (server: TestServer, mail: string): Promise<string[]> =>
  idsOf(
    (await server.request('POST', '/email/getmissing', { key: server.owner.key, json: { mail } })).body
      ?.message ?? [],
  );

test('while another program has locked the database the answer is 451, and then it is stored once', () =>
  withServer(async (server, box) => {
    const other = openSqliteFile(sqliteFile(server.dataDir));
    try {
      await other.raw('BEGIN IMMEDIATE');
      assert.match(await deliver(server, box, 'locked@x'), /^451 4\.3\.0 /);
      await other.raw('ROLLBACK');
    } finally {
      await other.destroy();
    }
    assert.equal(await stored(server, box), []);
    assert.match(await deliver(server, box, 'locked@x'), /^250 /);
    assert.match(await deliver(server, box, 'locked@x'), /^250 /);
    assert.equal(await stored(server, box), ['locked@x']);
  }));

test('while the database is full the answer is 451, and nothing is left behind', () =>
  withServer(async (server, box) => {
    const { db, storage } = server.app.services;
    const limitPages = (count: number) =>
      db.write(async (trx) => {
        await trx.raw(`PRAGMA max_page_count = ${count}`);
      });
    await limitPages(1);
    let answer = '';
    // There is room in pages that are there already.
    for (let mail = 0; mail < 500 && !answer.startsWith('4'); mail += 1)
      answer = await deliver(server, box, `full-${mail}@x`);
    assert.match(answer, /^451 4\.3\.0 /);
    assert.is(await storage.blobs.sweepStaging(-1000), 0);
    await limitPages(1_000_000);
    assert.match(await deliver(server, box, 'room@x'), /^250 /);
    assert.ok((await stored(server, box)).includes('room@x'));
  }));

test('a message that is arriving when the server is told to end is taken to its end', async () => {
  const place = await openPlace();
  try {
    const port = await freePort();
    const env = { ...ENV, SMTP_LISTEN: `127.0.0.1:${port}` };
    const server = await place.start({ env });
    const { email } = await call(server, 'POST', '/email/create', {});
    const talk = await new Talk(port).begin(email);
    talk.write('Message-ID: <half@x>\r\nSubject: x\r\n\r\nfirst half\r\n');
    const idle = new Talk(port);
    assert.match(await idle.answer(), /^220 /);
    const ended = server.stop();
    // The other one has nothing on its way.
    assert.match(await idle.answer(), /^421 /);
    assert.match(await talk.say('second half\r\n.'), /^250 /);
    assert.is(await ended, 0);
    const again = await place.start({ env });
    const [mail] = await call(again, 'POST', '/email/getmissing', { mail: email });
    assert.is(mail.text.trimEnd(), 'first half\nsecond half');
  } finally {
    await place.remove();
  }
});

test('several workers share the port and lose nothing', async () => {
  const place = await openPlace();
  try {
    const port = await freePort();
    const env = { ...ENV, SMTP_LISTEN: `127.0.0.1:${port}`, WORKERS: '2' };
    const server = await place.start({ env });
    const { email } = await call(server, 'POST', '/email/create', {});
    const ids = Array.from({ length: 40 }, (_, n) => `worker-${n}@x`);
    const waiting = [...ids];
    const deliverAll = async () => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
        await transport.sendMail({ from: 'a@b.example', to: email, messageId: `<${id}>`, text: id });
        transport.close();
      }
    };
    await Promise.all(Array.from({ length: 8 }, deliverAll));
    const mails = await call(server, 'POST', '/email/getmissing', { mail: email });
    assert.equal(idsOf(mails), [...ids].sort());
  } finally {
    await place.remove();
  }
});

test.run();
