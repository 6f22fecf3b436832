/**
 * A server that is stopped (SIGTERM). Callers see: requests in progress are answered, for up to 20 seconds,
 * and then cut off; new connections are refused at once, idle ones closed, WebSockets told that the server is
 * shutting down. The process exits with 0 within 30 seconds, whatever clients, external servers and jobs do.
 * Nothing stays staged.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WebSocket } from 'ws';
import { serve } from '../standins/http.js';
import { zip } from '../support/media/archive-fixtures.js';
import { jpegPhoto } from '../support/media/media-fixtures.js';
import type { ServerProcess } from '../support/servers/server-process.js';
import { printed, until } from '../support/until.js';
import { sha256 } from './clients/client.js';
import { checkPromises } from './clients/guarantees.js';
import { runLoad } from './clients/load.js';
import { withComment } from './clients/samples.js';
import { beginDownload, beginIdleness, beginUpload } from './servers/halfway.js';
import { openPlace, type Place } from './servers/place.js';
import { newActor } from './servers/troubled.js';
import { checkBlobs, checkIntegrity } from './servers/verify.js';

/** More than fits between a server that writes and a client that does not read. */
const LARGE = 32 * 1024 * 1024;

const test = suite<{ place: Place }>('graceful shutdown');

test.before.each(async (given) => {
  given.place = await openPlace();
});
test.after.each(({ place }) => place.remove());

const refusesConnections = async ({ origin }: ServerProcess): Promise<boolean> =>
  fetch(`${origin}/status`, { headers: { connection: 'close' } }).then(
    () => false,
    (error) => error.cause?.code === 'ECONNREFUSED',
  );

for (const WORKERS of ['1', '2']) {
  test(`half an upload and half a download are finished, while new requests are refused (WORKERS=${WORKERS})`, async ({
    place,
  }) => {
    const server = await place.start({ env: { WORKERS } });
    const content = randomBytes(LARGE);
    const { uniqueId } = await place.clientOf(server).upload(content);
    const bytes = randomBytes(2_000_000);
    const upload = await beginUpload(server, place.dataDir, bytes);
    const download = await beginDownload(server, uniqueId);
    const idle = await beginIdleness(server);
    const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/ws/active`);
    await once(socket, 'open');
    const goodbye = once(socket, 'close');

    const code = server.stop();
    await printed(server, /draining/);
    await until(() => refusesConnections(server));
    await idle.over;
    assert.is((await goodbye)[0], 1001, 'the server is shutting down');
    assert.is(sha256((await download.finish()).body), sha256(content), 'the download is whole');
    const answer = await upload.finish();
    assert.is(answer.status, 200);
    assert.is(await code, 0);

    const next = place.clientOf(await place.start());
    const stored = await next.send('GET', `/image/get/${JSON.parse(answer.body.toString()).uniqueId}`);
    assert.is(sha256(stored.body), sha256(bytes));
    assert.equal(await readdir(join(place.dataDir, 'staging')), []);
  });
}

test('complete requests of clients that have gone are finished first: nothing fails, nothing stays staged', async ({
  place,
}) => {
  const server = await place.start({ env: { LOG_LEVEL: 'info' } });
  const photo = await jpegPhoto(6);
  const entries = Array.from({ length: 40 }, (_, at) => ({
    name: `${at}.jpg`,
    data: withComment(photo, randomBytes(20_000)),
  }));
  const upload = await beginUpload(server, place.dataDir, zip(entries), '/image/upload/zip');
  await upload.finishAndLeave();
  assert.is(await server.stop(), 0);
  assert.not.match(server.output(), /"level":[5-6]0/);
  assert.equal(await readdir(join(place.dataDir, 'staging')), []);
});

test('stalled clients are cut off, and neither they nor a hanging job delay the exit', async ({ place }) => {
  const silent = await serve(() => undefined);
  try {
    const server = await place.start({
      env: {
        MAIL_TRANSPORT: 'mailgun',
        MAILGUN_URL: silent.url,
        MAILGUN_API_KEY: 'k',
        MAILGUN_DOMAIN: 'm.org',
      },
    });
    const client = place.clientOf(server);
    const { uniqueId } = await client.upload(randomBytes(LARGE));
    const upload = await beginUpload(server, place.dataDir, randomBytes(2_000_000));
    const download = await beginDownload(server, uniqueId);
    const { message } = await client.json('POST', '/admin/invite/create', {});
    const person = { username: 'newcomer', email: 'newcomer@example.org', password: 'long enough' };
    await client.json('POST', '/auth/register', { ...person, inviteCode: message.code });
    await until(() => silent.requests.length > 0);

    assert.is(await server.stop(), 0);
    assert.match(server.output(), /stopped before all work was finished/);
    await upload.over;
    assert.is(await upload.finish().catch(() => 'cut'), 'cut');
    assert.is(await download.finish().catch(() => 'cut'), 'cut');
    await checkIntegrity(place.dataDir);
    assert.equal(await readdir(join(place.dataDir, 'staging')), [], 'half an upload is not kept');
  } finally {
    await silent.close();
  }
});

test('under load: everything that was answered persists', async ({ place }) => {
  const server = await place.start({ env: { LOG_LEVEL: 'warn' } });
  const actor = await newActor(place.clientOf(server));
  const { ledger } = actor;
  const load = runLoad(actor);
  await until(() => ledger.acknowledged > 50);
  assert.is(await server.stop(), 0);
  await load;
  await checkIntegrity(place.dataDir);
  const next = await place.start();
  await checkPromises(place.clientOf(next), ledger);
  await next.stop();
  await checkBlobs(place.dataDir);
});

test.run();
