/** What may come in, how long it stays and how much it is, on every way in (contract, Limits). */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routes } from '../../../rest-adapter/routes/index.js';
import { appRouter, plainProcedure } from '../../../routers/index.js';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { until } from '../../support/until.js';
import { FILE_WAYS } from '../../support/uploads/ways/files.js';
import { OTHER_WAYS } from '../../support/uploads/ways/others.js';
import type { Place, Rule, Sent, Way } from '../../support/uploads/ways/way.js';
import { LOOPBACK_ALLOWED, PIXEL } from '../../support/web/webhook.js';

const WAYS: Readonly<Record<string, Way>> = { ...FILE_WAYS, ...OTHER_WAYS };
const DAY_MS = 86_400_000;
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const PNG = Buffer.from(PIXEL);

/** What creates something, or takes a body, and stores nothing for which these rules are. */
const STORE_NOTHING: Readonly<Record<string, string>> = {
  'collection.create': 'holds files that came in otherwise',
  'request.create': 'a link for what comes in',
  'user.setAvatar': 'a picture of the account, made anew, and no item',
  'tools.image': 'answers with the changed picture',
  'tools.video': 'answers with the changed video',
  'email.inbound':
    'mail for a mailbox: neither an item nor a file of the account, and it ends with the mailbox',
  'paste.change': 'counts the bytes that it adds; its end is checked as that of every change',
};

const test = suite('ways in');
let server: TestServer;
test.before(async () => {
  server = await startServer(LOOPBACK_ALLOWED);
  const json = { types: ['image/gif'], maxExpiryDays: 10, defaultExpiryDays: 2 };
  const set = await server.request('PUT', '/admin/limits/roles/USER/entry', { key: server.owner.key, json });
  assert.is(set.status, 200, set.text);
});
test.after(() => server.close());

/** An account with a file, a paste and a request link, whose ways in nothing restricts but its role. */
async function newPlace(): Promise<Place> {
  const user = await server.account();
  const { key } = user;
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(GIF)]), 'first.gif');
  for (const answer of [
    await server.request('POST', '/image/upload', { key, form }),
    await server.request('POST', '/paste/create', { key, json: { text: 'the first text' } }),
    await server.request('POST', '/request/create', { key, json: { title: 'Send me' } }),
  ])
    assert.is(answer.status, 200, answer.text);
  return { server, user };
}

const rowsOf = (way: Way, { user }: Place): Promise<{ expires_at: number | null }[]> =>
  server.app.services.db.read(way.table).where('owner_id', user.id).select('expires_at').orderBy('id');
const admin = (method: string, { id }: TestAccount, path: string, json: object) =>
  server.request(method, `/admin/limits/users/${id}${path}`, { key: server.owner.key, json });

/** Sends something that is refused with this text, and of which nothing stays. */
async function refused(way: Way, place: Place, sent: Sent, text: RegExp, what: string): Promise<void> {
  const before = (await rowsOf(way, place)).length;
  assert.match((await way.send(place, sent)) ?? 'it came in', text, what);
  assert.is((await rowsOf(way, place)).length, before, `${what}: nothing is stored`);
}

/** Sends something that comes in, and answers when it ends, in days. */
async function stored(way: Way, place: Place, sent: Sent, what: string): Promise<number | null> {
  assert.is(await way.send(place, sent), null, what);
  const ends = (await rowsOf(way, place)).at(-1)?.expires_at ?? null;
  return ends === null ? null : Math.round((ends - Date.now()) / DAY_MS);
}

const inDays = (days: number): number => Date.now() + days * DAY_MS;
const TOO_LONG = /An item can be kept for at most 10 days here/;
/** Guests are told what fits, not why. */
const NO_ROOM =
  /limit exceeded|There is no room for this file here at the moment|A file can be at most \d B here/;
const PAUSED = /account is paused|Not found/i;

const RULES: Readonly<Record<Rule, (way: Way) => Promise<void>>> = {
  types: async (way) => {
    const place = await newPlace();
    const text = /Files of the type image\/png are not accepted here/;
    await refused(way, place, { bytes: PNG }, text, 'another type');
    await stored(way, place, { bytes: GIF }, 'an accepted type');
  },
  life: async (way) => {
    const place = await newPlace();
    assert.is(await stored(way, place, { bytes: GIF }, 'without an end'), 2);
  },
  wish: async (way) => {
    const place = await newPlace();
    assert.is(await stored(way, place, { bytes: GIF, expiresAt: inDays(9) }, 'nine days'), 9);
    await refused(way, place, { bytes: GIF, expiresAt: inDays(40) }, TOO_LONG, '40 days');
  },
  limits: async (way) => {
    const { type } = way;
    const bytes = type !== 'URL';
    for (const [counted, rule] of [
      [type, { dailyCount: 0 }],
      [type, { weeklyCount: 0 }],
      ...(bytes
        ? ([
            ['TOTAL', { dailyCount: 1 }],
            ['TOTAL', { weeklyCount: 1 }],
          ] as const)
        : []),
      ...(bytes
        ? ([
            [type, { dailyBytes: 3 }],
            [type, { weeklyBytes: 3 }],
            ['TOTAL', { dailyBytes: 3 }],
            ['TOTAL', { weeklyBytes: 3 }],
            ['TOTAL', { storageBytes: 3 }],
          ] as const)
        : []),
    ] as const) {
      const place = await newPlace();
      const set = await admin('PUT', place.user, '', { limits: { [counted]: rule } });
      assert.is(set.status, 200, set.text);
      await refused(way, place, { bytes: GIF }, NO_ROOM, `${counted} ${JSON.stringify(rule)}`);
    }
    const place = await newPlace();
    const { usage } = (await server.request('GET', '/limits/me', { key: place.user.key })).body.message;
    const one = { dailyCount: usage[type].dailyCount + 1 };
    await admin('PUT', place.user, '', { limits: { [type]: one } });
    await stored(way, place, { bytes: GIF }, 'the last one');
    await refused(way, place, { bytes: GIF }, NO_ROOM, 'one more');
  },
  pause: async (way) => {
    const place = await newPlace();
    await admin('POST', place.user, '/pause', { indefinite: true });
    await refused(way, place, { bytes: GIF }, PAUSED, 'a paused account');
  },
};

for (const [name, way] of Object.entries(WAYS))
  for (const [rule, check] of Object.entries(RULES) as [Rule, (typeof RULES)[Rule]][]) {
    const why = way.exempt?.[rule];
    if (why === undefined) test(`${name}: ${rule}`, () => check(way));
  }

test('what an exempt way brings in is not restricted', async () => {
  for (const [name, way] of Object.entries(WAYS)) {
    if (way.exempt?.types !== undefined)
      assert.is(await way.send(await newPlace(), { bytes: PNG }), null, `${name}: types`);
    if (way.exempt?.pause === undefined) continue;
    const place = await newPlace();
    await admin('POST', place.user, '/pause', { indefinite: true });
    await admin('PUT', place.user, '', { limits: { TOTAL: { dailyCount: 0 } } });
    assert.is(await way.send(place, { bytes: GIF }), null, name);
  }
});

test('no way in is missing here', () => {
  const covered = new Set(Object.values(WAYS).flatMap(({ procedures }) => procedures));
  const names = Object.keys(appRouter._def.procedures).filter((name) => plainProcedure(name).needs.creates);
  const bodies = new Set(['file', 'bytes', 'part', 'mail', 'text']);
  const bringing = routes.filter(({ body }) => bodies.has(body)).map(({ procedure }) => procedure);
  const missing = [...new Set([...names, ...bringing])].filter(
    (name) => !covered.has(name) && STORE_NOTHING[name] === undefined,
  );
  assert.equal(missing, []);
});

test('nothing of what was refused stays in the staging area', async () => {
  const { blobs } = server.app.services.storage;
  const left = async () => {
    const keys: string[] = [];
    for await (const { key } of blobs.parts.list()) keys.push(key);
    return keys.length;
  };
  await until(async () => (await left()) === 0);
});

test.run();
