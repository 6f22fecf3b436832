/** What several processes over one database guarantee together. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WebSocket } from 'ws';
import { bitmap } from '../support/media/media-fixtures.js';
import { type Fleet, type FleetAnswer, fleetKinds, OWNER_KEY as key } from '../support/servers/fleet.js';
import { until } from '../support/until.js';

/** A separate front end. */
const PORTAL = 'https://portal.example.net';

/** How often each status was answered. */
function tally(answers: readonly FleetAnswer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

for (const { name, start } of fleetKinds()) {
  const test = suite<{ fleet: Fleet }>(name);
  test.before(async (context) => {
    context.fleet = await start({
      ...{ EMAIL_INBOUND_TOKEN: 'worker-token', METRICS_TOKEN: 'sesame' },
      ...{ FRONTEND_URL: PORTAL, CORS_ORIGINS: PORTAL, MAX_RENDITION_BYTES: '1' },
    });
  });
  test.after(({ fleet }) => fleet.close());

  test('of concurrent visits exactly maxUses succeed, and as many are counted', async ({ fleet }) => {
    const { body } = await fleet.send('POST', '/url/create', {
      key,
      json: { url: 'https://example.org', maxUses: 25 },
    });
    const visits = await times(80, () => fleet.send('GET', `/url/r/${body.uniqueId}`));
    assert.equal(tally(visits), { 301: 25, 404: 55 });
    const { body: record } = await fleet.send('GET', `/url/get/${body.uniqueId}?logs=true`, { key });
    assert.is(record.message.visits, 25);
    assert.is(record.message.logs.length, 25);
  });

  test('a requested id and an invite go to one of many', async ({ fleet }) => {
    const wishes = await times(12, (index) =>
      fleet.send('POST', '/paste/create', { key, json: { text: `wish ${index}`, uniqueId: 'wished' } }),
    );
    assert.equal(tally(wishes), { 200: 1, 400: 11 });
    const invite = await fleet.send('POST', '/admin/invite/create', { key, json: {} });
    const { code } = invite.body.message;
    const registrations = await times(8, (index) =>
      fleet.send('POST', '/auth/register', {
        json: {
          username: `guest${index}`,
          email: `guest${index}@example.org`,
          password: 'long enough',
          inviteCode: code,
        },
      }),
    );
    assert.equal(tally(registrations), { 200: 1, 403: 7 });
  });

  test('of 200 guests at once exactly as many send a file as a request link takes', async ({ fleet }) => {
    const json = { title: 'Send me', maxFiles: 30 };
    const made = await fleet.send('POST', '/request/create', { key, json });
    const id = made.body.message.uniqueId;
    const send = async (index: number): Promise<number> => {
      const form = new FormData();
      form.set('file', new Blob([`guest ${index}`]), `${index}.txt`);
      const origin = fleet.origins[index % fleet.origins.length];
      const sent = await fetch(`${origin}/v1/request/open/${id}/files`, { method: 'POST', body: form });
      await sent.text();
      // A server that has more to do than it takes at once says so.
      return sent.status === 503 ? send(index) : sent.status;
    };
    const answers = await times(200, send);
    assert.is(answers.filter((status) => status === 200).length, 30);
    assert.equal([...new Set(answers)].sort(), [200, 404]);
    const files = await fleet.send('GET', `/request/get/${id}/files`, { key });
    assert.is(files.body.message.totalElements, 30);
    const items = await fleet.send('GET', '/user/get/@me/items?kind=image', { key });
    assert.is(items.body.message.totalElements, 30, 'nothing of the others is left');
  });

  test('a burn-after-reading paste is read once', async ({ fleet }) => {
    const { body } = await fleet.send('POST', '/paste/create', { key, json: { text: 'once', burn: true } });
    const reads = await times(10, () => fleet.send('POST', `/paste/get/${body.uniqueId}`, { json: {} }));
    assert.equal(tally(reads), { 200: 1, 404: 9 });
  });

  test('a deletion and a password take effect at once, in every process', async ({ fleet }) => {
    for (let round = 0; round < 5; round += 1) {
      const { body } = await fleet.send('POST', '/paste/create', { key, json: { text: 'soon gone' } });
      const path = `/paste/get/${body.uniqueId}`;
      assert.equal(tally(await times(4, () => fleet.send('GET', path))), { 200: 4 });
      await fleet.send('DELETE', path, { key });
      assert.equal(tally(await times(4, () => fleet.send('GET', path))), { 404: 4 });
      const open = await fleet.send('POST', '/url/create', { key, json: { url: 'https://example.org' } });
      const link = `/url/r/${open.body.uniqueId}`;
      assert.equal(tally(await times(4, () => fleet.send('GET', link))), { 301: 4 });
      await fleet.send('DELETE', `/url/get/${open.body.uniqueId}`, { key });
      assert.equal(tally(await times(4, () => fleet.send('GET', link))), { 404: 4 });
    }
    const paste = await fleet.send('POST', '/paste/create', { key, json: { text: 'of its owner' } });
    // Each process uses its own port in the addresses it makes.
    const pathOf = (url: string | null) => (url === null ? null : new URL(url).pathname);
    const preferences = async () =>
      (await times(4, () => fleet.send('GET', `/paste/get/${paste.body.uniqueId}`))).map(({ body }) =>
        pathOf(body.message.urlSet.userPreference),
      );
    for (const preference of ['RAW', null]) {
      await fleet.send('PATCH', '/user/get/@me/settings/url', { key, json: { paste: preference } });
      const shown = pathOf(preference === null ? null : paste.body.message.urlSet.rawUrl);
      assert.equal(await preferences(), [shown, shown, shown, shown], 'of a record, too');
    }
    const image = await upload(fleet);
    const path = `/image/get/${image}`;
    assert.equal(tally(await times(4, () => fleet.send('GET', path))), { 200: 4 });
    await fleet.send('PUT', `/image/password/${image}`, { key, json: { password: 'secret' } });
    assert.equal(tally(await times(4, () => fleet.send('GET', path))), { 403: 4 });
    await fleet.send('DELETE', path, { key });
    assert.equal(tally(await times(4, () => fleet.send('GET', path))), { 404: 4 });
  });

  test('each mail is sent once, whichever process got the request', async ({ fleet }) => {
    const accounts = 10;
    const invite = await fleet.send('POST', '/admin/invite/create', { key, json: { maxUses: accounts } });
    const outbox = join(fleet.dataDir, 'outbox');
    const sent = async () =>
      (await readdir(outbox).catch(() => [])).filter((file) => file.endsWith('.eml')).length;
    await allMailed(fleet);
    const before = await sent();
    const registered = await times(accounts, (index) =>
      fleet.send('POST', '/auth/register', {
        json: {
          username: `mailed${index}`,
          email: `mailed${index}@example.org`,
          password: 'long enough',
          inviteCode: invite.body.message.code,
        },
      }),
    );
    assert.equal(tally(registered), { 200: accounts });
    await allMailed(fleet);
    assert.is(await sent(), before + accounts);
  });

  test('renditions over their budget are sent by whichever process makes them, and the oldest go', async ({
    fleet,
  }) => {
    const [batches, together] = [3, 8];
    const blobs = async () =>
      (await readdir(join(fleet.dataDir, 'blobs'), { recursive: true, withFileTypes: true })).filter(
        (entry) => entry.isFile(),
      ).length;
    const before = await blobs();
    for (let batch = 0; batch < batches; batch += 1) {
      const ids = await times(together, (index) => upload(fleet, pictureOf(batch * together + index)));
      const answers = await Promise.all(ids.map((id) => fleet.send('GET', `/image/get/${id}?format=webp`)));
      assert.equal(tally(answers), { 200: together });
    }
    const made = (await blobs()) - before - batches * together;
    assert.ok(made >= together && made <= 2 * together, `${made} of ${batches * together} are left`);
  });

  test('new mail reaches the WebSocket, whichever process received it', async ({ fleet }) => {
    const { body } = await fleet.send('POST', '/email/create', { key, json: {} });
    const { email } = body.message;
    const sockets = fleet.origins.flatMap((origin) => {
      const url = `${origin.replace('http', 'ws')}/ws/email?email=${email}&apiKey=${key}`;
      return [new WebSocket(url), new WebSocket(url)];
    });
    try {
      await Promise.all(sockets.map((socket) => once(socket, 'open')));
      const heard = Promise.all(sockets.map((socket) => once(socket, 'message')));
      const taken = await fleet.send('POST', '/email/inbound', {
        json: { messageId: 'pushed', from: 'a@b.cd', to: email, text: 'hello' },
        headers: { 'x-email-token': 'worker-token' },
      });
      assert.is(taken.status, 200);
      for (const [data] of await heard) assert.is(JSON.parse(String(data)).messageId, 'pushed');
    } finally {
      for (const socket of sockets) socket.terminate();
    }
  });

  test('pages that are open in any process are listed in every process, and told from each', async ({
    fleet,
  }) => {
    const portal = { origin: PORTAL };
    const open = (page: string) =>
      fleet.origins.flatMap((origin) => {
        const url = `${origin.replace('http', 'ws')}/ws/active?page=${encodeURIComponent(page)}`;
        return [1, 2].map((visit) => {
          const headers = { ...portal, 'user-agent': `Browser/${origin}/${visit}` };
          return new WebSocket(url, { headers });
        });
      });
    const sockets = open('/shared');
    interface Live {
      readonly wsSessionId: string;
      readonly currentPage: string;
    }
    const listed = async (): Promise<Live[]> => {
      const { body } = await fleet.send('GET', '/admin/active-sessions', { key });
      return body.message.filter(({ currentPage }: Live) => currentPage === '/shared');
    };
    try {
      await Promise.all(sockets.map((socket) => once(socket, 'open')));
      // Each process is asked in turn.
      for (let turn = 0; turn < 4; turn += 1)
        await until(async () => (await listed()).length === sockets.length);
      const heard = Promise.all(sockets.map((socket) => once(socket, 'message')));
      for (const { wsSessionId } of await listed()) {
        const path = `/admin/active-sessions/${wsSessionId}/toast`;
        const { status } = await fleet.send('POST', path, { key, json: { message: 'Hello', type: 'info' } });
        assert.is(status, 200);
      }
      for (const [data] of await heard) assert.is(JSON.parse(String(data)).message, 'Hello');
      sockets[0]?.terminate();
      await until(async () => (await listed()).length === sockets.length - 1);
    } finally {
      for (const socket of sockets) socket.terminate();
    }
  });

  test.run();

  const limited = suite<{ fleet: Fleet }>(`${name}: rate limits`);
  limited.before(async (context) => {
    context.fleet = await start({ RATE_LIMIT: 'on' });
  });
  limited.after(({ fleet }) => fleet.close());

  limited('processes count wrong passwords together', async ({ fleet }) => {
    const tries = await times(40, () =>
      fleet.send('POST', '/auth/login', { json: { email: 'owner@example.org', password: 'wrong one' } }),
    );
    assert.equal(tally(tries), { 403: 15, 429: 25 });
    const refused = tries.find(({ status }) => status === 429);
    assert.ok(Number(refused?.headers['retry-after']) > 0);
  });

  limited.run();
}

/** A picture unlike the others: a bitmap of one grey. */
function pictureOf(value: number): File {
  const bytes = bitmap(8, 8).fill(8 * value, 54);
  return new File([Buffer.concat([bytes])], 'picture.bmp');
}

async function upload(fleet: Fleet, file = new File(['bytes of no type'], 'notes.bin')): Promise<string> {
  const form = new FormData();
  form.set('file', file);
  const answer = await fetch(`${fleet.origins[0]}/v1/image/upload`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: form,
  });
  return ((await answer.json()) as { uniqueId: string }).uniqueId;
}

/** Waits until no mail is left to send: each job exists until it is done. */
const allMailed = (fleet: Fleet): Promise<void> =>
  until(async () => {
    const answer = await fetch(`${fleet.origins[0]}/metrics?token=sesame`);
    const metrics = await answer.text();
    return metrics.includes('\nholdall_database_up 1\n') && !metrics.includes('\nholdall_jobs{kind="mail"');
  });
