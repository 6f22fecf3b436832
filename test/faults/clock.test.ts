/**
 * The clock of the machine is changed. Callers see a server that keeps running. Forward by a day: short-lived
 * items expire, sessions continue, new codes and mails come at once. Back again: what has expired stays
 * expired, what was just issued keeps its remaining minutes, and nothing (mails, jobs, rate limits) waits for
 * the next day.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDb } from '../../db/engine/connect.js';
import { serve } from '../standins/http.js';
import { digitsIn, linkCodeIn, mailsIn } from '../support/accounts/outbox.js';
import { OWNER, type ServerProcess } from '../support/servers/server-process.js';
import { printed, until } from '../support/until.js';
import { ask, type Newcomer, register, signIn } from './clients/visitor.js';
import { openPlace, type Place } from './servers/place.js';
import { openClock, type ShiftedClock } from './servers/shifted.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MAX_LIMIT_SECONDS = 15 * 60;
const key = OWNER.OWNER_API_KEY;

const test = suite<{ place: Place; clock: ShiftedClock }>('changed clock');

test.before.each(async (given) => {
  given.place = await openPlace();
  given.clock = await openClock();
});
test.after.each(async ({ place, clock }) => {
  await place.remove();
  await clock.remove();
});

/** The mail to a new user, once it has arrived. */
async function mailTo({ dataDir }: Place, { email }: Newcomer) {
  await until(async () => (await mailsIn(dataDir, email)).length > 0);
  const [mail] = await mailsIn(dataDir, email);
  if (mail === undefined) throw new Error('the mail is gone');
  return { digits: digitsIn(mail), link: linkCodeIn(mail) };
}

const verify = async (server: ServerProcess, { cookie }: Newcomer, code: string): Promise<number> =>
  (await ask(server, 'POST', '/auth/verify/email', { cookie, json: { code } })).status;

const followLink = async (server: ServerProcess, code: string): Promise<number> =>
  (await ask(server, 'GET', `/auth/verify/token?code=${code}`)).status;

const session = async (server: ServerProcess, cookie: string): Promise<number> =>
  (await ask(server, 'GET', '/auth/me', { cookie })).status;

/** A new user registers, gets the mail and is admitted. */
async function welcome(server: ServerProcess, place: Place): Promise<void> {
  const newcomer = await register(server);
  const { digits } = await mailTo(place, newcomer);
  assert.is(await verify(server, newcomer, digits), 200);
}

/** An address to upload to, and the answer to an upload there. */
async function reserve(server: ServerProcess): Promise<() => Promise<number>> {
  const json = { contentType: 'image/png', size: 4, filename: 'x.png' };
  const { body } = await ask(server, 'POST', '/image/generate-upload-url', { key, json });
  const { pathname, search } = new URL(body.url);
  return async () =>
    (await fetch(`${server.origin}${pathname}${search}`, { method: 'PUT', body: 'four' })).status;
}

test('forward by a day, back, and back by another', async ({ place, clock }) => {
  const server = await place.start({ env: { ...clock.env, RATE_LIMIT: 'on' } });
  const signedIn = await signIn(server);
  const early = await register(server);
  const earlyMail = await mailTo(place, early);
  const upload = await reserve(server);
  const soon = new Date(Date.now() + DAY / 2).toISOString();
  const json = { url: 'https://example.org/', expiresAt: soon };
  const { body: link } = await ask(server, 'POST', '/url/create', { key, json });

  await clock.set(DAY, server);
  await printed(server, /the system clock went forward/);
  assert.is(await session(server, signedIn), 200);
  assert.is(await verify(server, early, earlyMail.digits), 401, 'its cookie is over');
  assert.is(await followLink(server, earlyMail.link), 400, 'its link is over');
  assert.is(await upload(), 404, 'its address is over');
  assert.is((await ask(server, 'GET', `/url/r/${link.uniqueId}`)).status, 404, 'the link is over');
  await welcome(server, place);
  const late = await register(server);
  const lateMail = await mailTo(place, late);
  const lateUpload = await reserve(server);

  await clock.set(0, server);
  await printed(server, /the system clock went back/);
  assert.is(await session(server, signedIn), 200);
  assert.is(await verify(server, early, earlyMail.digits), 401, 'what was over stays over');
  assert.is(await followLink(server, earlyMail.link), 400);
  assert.is(await upload(), 404);
  assert.is(await lateUpload(), 200, 'an address of just now goes on');
  await welcome(server, place);

  await clock.set(-DAY, server);
  // Items created before the server has checked its clock may be taken for items of the day before.
  await printed(server, /went back[\s\S]+went back/);
  assert.is(await session(server, signedIn), 200);
  assert.is(await verify(server, late, lateMail.digits), 200, 'a code of just now goes on');
  await welcome(server, place);
});

for (const minutes of [2, 3, 6])
  test(`back by ${minutes} minutes, long after the last recorded time: noticed by two, corrected once`, async ({
    place,
    clock,
  }) => {
    const step = minutes * MINUTE;
    const server = await place.start({ env: { ...clock.env, WORKERS: '2' } });
    await printed(server, /"listening"[\s\S]+"listening"/);
    const db = await openDb({ databaseUrl: null, dataDir: place.dataDir });
    try {
      const resetsAt = Date.now() + DAY;
      await db.write(async (trx) => {
        await trx('installation')
          .where('name', 'clock')
          .update('value', String(Date.now() - 5 * MINUTE).padStart(15, '0'));
        await trx('rate_limits').insert({ key: 'ahead', points: 1, resets_at: resetsAt });
      });
      await clock.set(-step, server);
      await printed(server, /the system clock went back/);
      // A second step shows that both have handled the first.
      await clock.set(-2 * step, server);
      await printed(server, /went back[\s\S]+went back/);
      await server.stop();
      const moved =
        resetsAt - (await db.read('rate_limits').where('key', 'ahead').first('resets_at')).resets_at;
      assert.ok(Math.abs(moved - 2 * step) < MINUTE / 2, `moved by ${moved} ms`);
      assert.is(server.output().match(/went back/g)?.length, 2);
    } finally {
      await db.close();
    }
  });

test('an expired session does not become valid again', async ({ place, clock }) => {
  const server = await place.start({ env: clock.env });
  const signedIn = await signIn(server);
  await clock.set(8 * DAY, server);
  await printed(server, /the system clock went forward/);
  assert.is(await session(server, signedIn), 401);
  await clock.set(0, server);
  await printed(server, /the system clock went back/);
  assert.is(await session(server, signedIn), 401);
  assert.is(await session(server, await signIn(server)), 200);
});

for (const WORKERS of ['1', '2']) {
  test(`a rate limit ends when it said, whatever the clock shows (WORKERS=${WORKERS})`, async ({
    place,
    clock,
  }) => {
    await clock.set(DAY);
    const server = await place.start({ env: { ...clock.env, RATE_LIMIT: 'on', WORKERS } });
    const guess = () =>
      ask(server, 'POST', '/auth/login', { json: { email: OWNER.OWNER_EMAIL, password: 'a guess' } });
    await until(async () => (await guess()).status === 429);
    await clock.set(0, server);
    const wait = async () => Number((await guess()).headers.get('retry-after') ?? 0);
    await until(async () => (await wait()) <= MAX_LIMIT_SECONDS);
    assert.ok((await wait()) > 0, 'and not before');
  });
}

test('after a start with a corrected clock, work that failed a day ahead is retried at once', async ({
  place,
  clock,
}) => {
  const down = await serve((_request, response) => {
    response.writeHead(500).end();
  });
  try {
    await clock.set(DAY);
    const mailgun = { MAIL_TRANSPORT: 'mailgun', MAILGUN_URL: down.url, MAILGUN_API_KEY: 'k' };
    const ahead = await place.start({ env: { ...clock.env, ...mailgun, MAILGUN_DOMAIN: 'm.org' } });
    const signedIn = await signIn(ahead);
    const newcomer = await register(ahead);
    await until(() => ahead.output().includes('a job failed'));
    await ahead.stop();

    await clock.set(0);
    const server = await place.start({ env: clock.env });
    await printed(server, /the system clock went back/);
    const { digits } = await mailTo(place, newcomer);
    assert.is(await verify(server, newcomer, digits), 200);
    assert.is(await session(server, signedIn), 200);
  } finally {
    await down.close();
  }
});

test.run();
