/**
 * PostgreSQL goes away while mail comes in, behind a proxy that cuts every connection. Senders see 451 as long as it is
 * away, and 250 only for what is there afterwards; a sender who tries again loses nothing and doubles nothing.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../harness.js';
import { MAILGUN_SIGNING_KEY, signRoute } from '../standins/mailgun.js';
import { Talk } from '../support/mail/talk.js';
import { freePort } from '../support/servers/server-process.js';
import { skipping } from '../support/skip.js';
import { openMigratedDatabase, postgresUrl } from '../support/stores/postgres.js';
import { until } from '../support/until.js';

/** A way to the database that can be cut and mended. */
interface Way {
  readonly url: string;
  /** Ends every connection, and takes no new one. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

interface World {
  server: TestServer;
  /** Another process of the same installation. */
  other: TestServer;
  way: Way;
  box: string;
  remove(): Promise<void>;
}

/** Opens a way on a port of its own to the database at this address. */
async function openWay(address: string): Promise<Way> {
  const url = new URL(address);
  const [host, target] = [url.hostname, Number(url.port || 5432)];
  const port = await freePort();
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const open = new Set<Socket>();
  let listener: Server | null = null;
  const mend = async () => {
    listener = createServer((near) => {
      const far = connect(target, host);
      for (const socket of [near, far]) {
        open.add(socket);
        socket.on('close', () => open.delete(socket));
      }
      pipeline(near, far, near, () => undefined);
    });
    await once(listener.listen(port, '127.0.0.1'), 'listening');
  };
  await mend();
  return {
    url: url.href,
    mend,
    cut: async () => {
      const closed = listener === null ? null : once(listener, 'close');
      listener?.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

const address = postgresUrl();
const test = suite<World>('PostgreSQL goes away while mail comes in');

test.before(async (world) => {
  if (address === null) return;
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-mail-away-'));
  const database = await openMigratedDatabase(address, randomUUID());
  world.way = await openWay(database.url);
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: world.way.url,
    SMTP_LISTEN: '127.0.0.1:0',
    MAIL_DOMAINS: 'mail.example.org',
    MAIL_AUTHENTICATION: 'false',
    EMAIL_INBOUND_TOKEN: 'token',
    MAILGUN_SIGNING_KEY,
    RATE_LIMIT: 'on',
  };
  world.server = await startServer(env);
  world.other = await startServer(env);
  const { server, other } = world;
  const made = await server.request('POST', '/email/create', { key: server.owner.key, json: {} });
  world.box = made.body.message.email;
  world.remove = async () => {
    for (const one of [server, other]) await one.close();
    await world.way.cut();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
});
test.after((world) => world.remove?.());

const portOf = ({ server }: World): number => server.app.smtpAddress?.port ?? 0;

/** The ids of all messages, once the database answers again. */
async function stored({ server, box }: World): Promise<string[]> {
  const found: string[] = [];
  const { key } = server.owner;
  for (let page = 0, pages = 1; page < pages; page += 1) {
    let answer = await server.request('GET', `/email/${box}/messages?size=100&page=${page}`, { key });
    await until(async () => {
      if (answer.status !== 200)
        answer = await server.request('GET', `/email/${box}/messages?size=100&page=${page}`, { key });
      return answer.status === 200;
    });
    pages = answer.body.message.totalPages;
    found.push(...answer.body.message.content.map(({ messageId }: { messageId: string }) => messageId));
  }
  return found.sort();
}

/** The answer to a message, from its recipient on: whatever refuses it first. */
async function deliver(world: World, id: string): Promise<string> {
  const talk = new Talk(portOf(world));
  try {
    for (const line of [null, 'EHLO client.example', 'MAIL FROM:<a@b.example>', `RCPT TO:<${world.box}>`]) {
      const answer = line === null ? await talk.answer() : await talk.say(line);
      if (!answer.startsWith('2')) return answer;
    }
    const ready = await talk.say('DATA');
    if (!ready.startsWith('354')) return ready;
    return await talk.say(`Message-ID: <${id}>\r\nSubject: x\r\n\r\n${'words '.repeat(500)}\r\n.`);
  } finally {
    await talk.end();
  }
}

if (address === null) skipping('PostgreSQL: TEST_DATABASE_URL is not set');
else {
  test('a message whose database goes away in its middle is 451, and is taken when it is back', async (world) => {
    const { way, server, box } = world;
    const talk = await new Talk(portOf(world)).begin(box);
    talk.write('Message-ID: <middle@x>\r\nSubject: x\r\n\r\nfirst half\r\n');
    await way.cut();
    assert.match(await talk.say('second half\r\n.'), /^451 4\.3\.0 /);
    await talk.end();
    assert.match(await deliver(world, 'early@x'), /^451 4\.3\.0 /, 'a recipient that nobody can look up');
    const json = { from: 'a@b.example', to: box, text: 'x', messageId: '<worker@x>' };
    const headers = { 'x-email-token': 'token' };
    const refused = await server.request('POST', '/email/inbound', { json, headers });
    assert.is(refused.status, 503, refused.text);
    await way.mend();
    assert.equal(await stored(world), []);
    for (const id of ['middle@x', 'early@x']) assert.match(await deliver(world, id), /^250 /);
    assert.is((await server.request('POST', '/email/inbound', { json, headers })).status, 200);
    assert.equal(await stored(world), ['early@x', 'middle@x', 'worker@x']);
    assert.is(await server.app.services.storage.blobs.sweepStaging(-1000), 0);
  });

  test('a signed mail that was refused then may be repeated with its old signature, and no other', async (world) => {
    const { way, server, box } = world;
    const before = await stored(world);
    const token = randomUUID();
    const post = async (id: string, minutesAgo: number, key = MAILGUN_SIGNING_KEY): Promise<number> => {
      const signed = signRoute(Math.floor(Date.now() / 1000) - 60 * minutesAgo, key, token);
      const fields = { recipient: box, sender: 'a@b.example', subject: id, 'Message-Id': `<${id}>` };
      const form = new URLSearchParams({ ...fields, ...signed });
      return (await server.request('POST', '/email/inbound', { form })).status;
    };
    await way.cut();
    assert.is(await post('other@x', 0, 'guessed'), 503);
    assert.is(await post('signed@x', 1), 503);
    assert.is(await post('signed@x', 25), 503);
    await way.mend();
    assert.equal(await stored(world), before);
    assert.is(await post('other@x', 25), 406);
    for (let repeat = 0; repeat < 2; repeat += 1) assert.is(await post('signed@x', 60), 200);
    assert.equal(await stored(world), [...before, 'signed@x'].sort());
  });

  test('what one process refused then, another one takes when it is repeated there', async (world) => {
    const { way, server, other, box } = world;
    const before = await stored(world);
    const post = async ({ request }: TestServer, id: string, minutesAgo: number): Promise<number> => {
      const at = Math.floor(Date.now() / 1000) - 60 * minutesAgo;
      const fields = { recipient: box, sender: 'a@b.example', subject: id, 'Message-Id': `<${id}>` };
      const form = new URLSearchParams({
        ...fields,
        ...signRoute(at, MAILGUN_SIGNING_KEY, `token of ${id}`),
      });
      return (await request('POST', '/email/inbound', { form })).status;
    };
    const ids = ['elsewhere-1@x', 'elsewhere-2@x'];
    await way.cut();
    for (const id of ids) assert.is(await post(server, id, 1), 503);
    await way.mend();
    for (const id of ids) await until(async () => (await post(other, id, 60)) === 200);
    assert.is(await post(other, 'unknown@x', 60), 406);
    assert.equal(await stored(world), [...before, ...ids].sort());
  });

  test('what got 250 around three failures is there, once, and what got none comes with the next attempt', async (world) => {
    const { way } = world;
    const before = await stored(world);
    const ids: string[] = [];
    const refused: string[] = [];
    const refusals: string[] = [];
    let taken = 0;
    let over = false;
    /** As many as it takes until the failures are over; each is sent until it is taken. */
    const nextId = (): string | undefined => {
      const again = refused.shift();
      if (again !== undefined || over) return again;
      const id = `away-${ids.length}@x`;
      ids.push(id);
      return id;
    };
    const deliverAll = async () => {
      for (let id = nextId(); id !== undefined; id = nextId()) {
        const answer = await deliver(world, id);
        if (answer.startsWith('250 ')) taken += 1;
        else {
          refusals.push(answer);
          refused.push(id);
        }
      }
    };
    const breaking = async () => {
      for (let times = 1; times <= 3; times += 1) {
        const before = taken;
        await until(() => taken >= before + 15);
        const seen = refusals.length;
        await way.cut();
        await until(() => refusals.length > seen + 2);
        await way.mend();
      }
      over = true;
    };
    await Promise.all([breaking(), ...Array.from({ length: 6 }, deliverAll)]);
    assert.equal(new Set(refusals.map((answer) => answer.slice(0, 9))), new Set(['451 4.3.0']));
    assert.equal(await stored(world), [...before, ...ids].sort());
  });
}

test.run();
