import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Route } from '../../rest-adapter/route.js';
import { routes } from '../../rest-adapter/routes/index.js';
import type { Role } from '../../routers/base/roles.js';
import { appRouter } from '../../routers/index.js';
import { type Answer, fileForm, startServer, type TestServer } from '../harness.js';
import {
  ACCESS,
  type Declared,
  type Item,
  PERSONAS,
  type Persona,
  POLICIES,
  type Verdict,
} from '../support/accounts/access.js';
import { movie } from '../support/media/media-fixtures.js';

const MAIL_TOKEN = 'a-mail-worker';

type Keys = Record<Persona, string | undefined>;
interface World {
  server: TestServer;
  keys: Keys;
}
const access = suite<World>('access control');

access.before(async (world) => {
  world.server = await startServer({ EMAIL_INBOUND_TOKEN: MAIL_TOKEN });
  world.keys = await castOf(world.server);
});
access.after(({ server }) => server.close());

const ROLES: Readonly<Record<Exclude<Persona, 'anonymous' | 'replaced'>, Role>> = {
  banned: 'BANNED',
  waiting: 'USER',
  guest: 'GUEST',
  other: 'USER',
  holder: 'USER',
  moderator: 'MODERATOR',
  admin: 'ADMIN',
};

/** A key for every role that has one. */
async function castOf(server: TestServer): Promise<Keys> {
  const replaced = (await server.account()).key;
  await server.request('POST', '/user/get/@me/apikey', { key: replaced });
  const keys: Keys = { anonymous: undefined, replaced } as Keys;
  for (const [persona, role] of Object.entries(ROLES)) {
    const status = persona === 'waiting' ? 'PENDING' : 'ACTIVE';
    keys[persona as Persona] = (await server.account(role, { status })).key;
  }
  return keys;
}

let made = 0;

/** Creates a private item of the holder; returns its id. */
async function make(server: TestServer, key: string | undefined, item: Item): Promise<string> {
  made += 1;
  const uniqueId = `item-${made}`;
  const post = (path: string, options: object) => server.request('POST', path, { key, ...options });
  const answers: Record<Item, () => Promise<Answer>> = {
    image: () => post('/image/upload', { form: fileForm(uniqueId, 'a.txt', { private: 'true', uniqueId }) }),
    video: async () =>
      post('/image/upload', { form: fileForm(movie(), 'a.mp4', { private: 'true', uniqueId }, 'video/mp4') }),
    paste: () => post('/paste/create', { json: { text: uniqueId, private: true } }),
    url: () => post('/url/create', { json: { url: 'https://example.com/', uniqueId } }),
    mailbox: () => makeMailbox(server, key),
    collection: () => post('/collection', { json: { title: uniqueId } }),
    request: () => post('/request/create', { json: { title: uniqueId } }),
    hidden: () => post('/collection', { json: { title: uniqueId, isPublic: false } }),
    pack: () => makePack(server, key, uniqueId),
    playlist: () => post('/image/playlist/create', { json: { title: uniqueId } }),
  };
  const answer = await answers[item]();
  assert.is(answer.status, 200, `${item}: ${answer.text}`);
  if (item === 'pack') return answer.body.packId;
  return answer.body.message[item === 'mailbox' ? 'email' : 'uniqueId'];
}

/** A pack with one file. */
async function makePack(server: TestServer, key: string | undefined, name: string): Promise<Answer> {
  const address = await server.request('POST', '/files/presigned-url/put', {
    key,
    json: { filename: name, contentType: '' },
  });
  const { pathname, search } = new URL(address.body.url);
  const sent = await server.request('PUT', `/${pathname}${search}`, { body: 'x' });
  assert.is(sent.status, 200, sent.text);
  const items = [{ uniqueId: name, fileName: 'x', fileType: '', size: 1 }];
  return server.request('POST', '/files/register', { key, json: { items } });
}

/** A mailbox with one message, `letter`, that has an attachment. */
async function makeMailbox(server: TestServer, key: string | undefined): Promise<Answer> {
  const made = await server.request('POST', '/email/create', { key, json: {} });
  const { email } = made.body.message;
  const attachments = [{ filename: 'a.txt', contentType: 'text/plain', contentBase64: 'YQ==' }];
  const json = {
    messageId: 'letter',
    from: 'a@example.net',
    to: email,
    subject: 'x',
    text: 'x',
    attachments,
  };
  const headers = { 'x-email-token': MAIL_TOKEN };
  assert.is((await server.request('POST', '/email/inbound', { headers, json })).status, 200);
  return made;
}

/** The meaning of a status; `hidden` says whether 404 is a refusal. */
function verdictOf(status: number, hidden: boolean): Verdict | 'failure' {
  if (status === 401 || status === 403 || (status === 404 && hidden)) return status;
  return status < 500 || status === 501 ? 'in' : 'failure';
}

/** The input fields that name the item of a call. */
const naming = ({ item }: Declared, id: string): Record<string, string> => {
  if (item === undefined) return {};
  return item === 'mailbox'
    ? { email: id, mail: id }
    : { uniqueId: id, identifier: id, imageUid: 'nothing', ...(item === 'pack' ? { packId: id } : {}) };
};

/** Tries a call in every role; returns what differs from the policy. */
async function differences(
  { server, keys }: World,
  declared: Declared,
  call: (key: string | undefined, id: string) => Promise<Answer>,
): Promise<string[]> {
  const wrong: string[] = [];
  const { item } = declared;
  const hides = Object.values<Verdict>(POLICIES[declared.policy]).includes(404);
  let id = 'NOTHING1';
  for (const [index, persona] of PERSONAS.entries()) {
    if (item !== undefined && (index === 0 || declared.ends === true))
      id = await make(server, keys.holder, item);
    const { status, text } = await call(keys[persona], id);
    const wanted = POLICIES[declared.policy][persona];
    if (verdictOf(status, hides) !== wanted)
      wrong.push(`${persona}: ${wanted} wanted, got ${status} ${text.slice(0, 90)}`);
  }
  if (declared.replacesKey) Object.assign(keys, await castOf(server));
  return wrong;
}

/** The path of a route about an item; parameters that no item fills name nothing. */
function pathOf(row: Route, declared: Declared, id: string): string {
  const names: Record<string, unknown> = { ...declared.input, ...naming(declared, id) };
  if (row.method === 'GET' && declared.item !== undefined && !row.path.includes('{'))
    return `${row.path}?${new URLSearchParams(naming(declared, id))}`;
  return row.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(names[name] ?? (name === 'uid' ? '99999' : 'NOTHING1'))),
  );
}

const bare = (status: number, text: string): Answer => ({ status, text, headers: new Headers(), body: null });

async function callProcedure(
  server: TestServer,
  name: string,
  input: object,
  key: string | undefined,
): Promise<Answer> {
  const procedure = (appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>)[
    name
  ];
  const headers: Record<string, string> = key === undefined ? {} : { 'x-api-key': key };
  const base = `http://127.0.0.1:${server.app.address.port}/trpc/${name}`;
  const json = JSON.stringify(input);
  const response =
    procedure?._def.type === 'query'
      ? await fetch(`${base}?input=${encodeURIComponent(json)}`, { headers })
      : await fetch(base, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: json,
        });
  return bare(response.status, await response.text());
}

const procedures = Object.keys(appRouter._def.procedures);

access('every procedure is declared, and nothing else', () => {
  assert.equal(Object.keys(ACCESS).sort(), [...procedures].sort());
});

for (const row of routes) {
  access(`${row.method} ${row.path}`, async (world) => {
    const declared = ACCESS[row.procedure];
    if (declared === undefined) return assert.unreachable(`${row.procedure} is not declared`);
    const wrong = await differences(world, declared, (key, id) => {
      const json = { ...naming(declared, id), ...declared.input };
      const options = row.method === 'GET' ? { key } : { key, json };
      return world.server.request(row.method, pathOf(row, declared, id), options);
    });
    assert.equal(wrong, []);
  });
}

for (const name of procedures) {
  access(`procedure ${name}`, async (world) => {
    const declared = ACCESS[name];
    if (declared === undefined) return assert.unreachable(`${name} is not declared`);
    const wrong = await differences(world, declared, (key, id) => {
      return callProcedure(world.server, name, { ...naming(declared, id), ...declared.input }, key);
    });
    assert.equal(wrong, []);
  });
}

access.run();
