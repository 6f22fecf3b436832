import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { insertSession } from '../../db/account/session.js';
import { collectionByKey } from '../../db/content/collection/collection.js';
import { putMember } from '../../db/content/collection/collection-member.js';
import type { Route } from '../../rest-adapter/route.js';
import { routes } from '../../rest-adapter/routes/index.js';
import { found } from '../../routers/base/errors.js';
import type { Role } from '../../routers/base/roles.js';
import { hashSecret } from '../../routers/core/secrets.js';
import { appRouter } from '../../routers/index.js';
import { type Answer, fileForm, startServer, type TestServer } from '../harness.js';
import {
  ACCESS,
  CARRIERS,
  type Declared,
  type Item,
  MEMBERS,
  type MemberPersona,
  PERSONAS,
  type Persona,
  POLICIES,
  type Verdict,
} from '../support/accounts/access.js';
import { cookies } from '../support/accounts/accounts.js';
import { movie } from '../support/media/media-fixtures.js';

const MAIL_TOKEN = 'a-mail-worker';

/** Who calls; without a key, nobody. */
type Cast = Record<Persona | 'member', { readonly id: number; readonly key: string | undefined }>;
interface World {
  server: TestServer;
  cast: Cast;
}
const access = suite<World>('access control');

access.before(async (world) => {
  world.server = await startServer({ EMAIL_INBOUND_TOKEN: MAIL_TOKEN });
  world.cast = await castOf(world.server);
});
access.after(({ server }) => server.close());

const ROLES: Readonly<Record<Exclude<Persona, 'anonymous' | 'replaced'> | 'member', Role>> = {
  member: 'USER',
  banned: 'BANNED',
  waiting: 'USER',
  guest: 'GUEST',
  other: 'USER',
  holder: 'USER',
  moderator: 'MODERATOR',
  admin: 'ADMIN',
};

/** An account for every role that has one. */
async function castOf(server: TestServer): Promise<Cast> {
  const replaced = await server.account();
  await server.request('POST', '/user/get/@me/apikey', { key: replaced.key });
  const accounts = await Promise.all(
    Object.entries(ROLES).map(async ([persona, role]) => {
      const status = persona === 'waiting' ? 'PENDING' : 'ACTIVE';
      return [persona, await server.account(role, { status })] as const;
    }),
  );
  const anonymous = { id: 0, key: undefined };
  return Object.fromEntries([['anonymous', anonymous], ['replaced', replaced], ...accounts]) as Cast;
}

/** By what somebody is known: headers, or the field of a form that has the key. */
interface Shown {
  readonly headers: Readonly<Record<string, string>>;
  readonly formKey?: string;
}
const SESSION = 'session';
const FORM = 'form';
/** How somebody says who it is. */
const WAYS = [...Object.keys(CARRIERS), SESSION];

/** What somebody shows; a session is a new one, because a call may end it. */
async function shown({ server, cast }: World, persona: keyof Cast, way: string): Promise<Shown> {
  const { id, key } = cast[persona];
  if (key === undefined) return { headers: {} };
  if (way === FORM) return { headers: {}, formKey: key };
  const carry = CARRIERS[way];
  if (carry !== undefined) return { headers: carry(key) };
  const token = `session-of-${persona}-${randomUUID()}`;
  const now = Date.now();
  // Of a key that was replaced, the counterpart is a session that is over.
  if (persona !== 'replaced')
    await server.app.services.db.write((trx) =>
      insertSession(trx, {
        ...{ userId: id, tokenHash: hashSecret(token), createdAt: now, expiresAt: now + 3_600_000 },
        ...{ userAgent: null, ipAddress: '127.0.0.1', idTokenCipher: null },
      }),
    );
  return { headers: cookies({ session_token: token }) };
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

/** Makes somebody a member of a collection of the holder. */
async function join(server: TestServer, id: string, role: MemberPersona, userId: number): Promise<void> {
  const { db } = server.app.services;
  const { id: collectionId } = found(await collectionByKey(db.read, id.toLowerCase()));
  await db.write((trx) => putMember(trx, collectionId, { userId, role, createdAt: Date.now() }));
}

let turn = 0;

/**
 * Tries a call in every role, each time in another way of saying who it is; returns what differs from the policy. From
 * one call to the next the ways move on, so that everybody uses all of them for each policy.
 */
async function differences(
  world: World,
  declared: Declared,
  call: (shown: Shown, id: string) => Promise<Answer>,
  ways: readonly string[] = WAYS,
): Promise<string[]> {
  const wrong: string[] = [];
  const { server, cast } = world;
  const { item } = declared;
  turn += 1;
  let id = 'NOTHING1';
  for (const [index, persona] of PERSONAS.entries()) {
    if (item !== undefined && (index === 0 || declared.ends === true))
      id = await make(server, cast.holder.key, item);
    const way = ways[(turn + index) % ways.length] ?? SESSION;
    const { status, text } = await call(await shown(world, persona, way), id);
    const policy = POLICIES[(way === SESSION ? declared.bySession : undefined) ?? declared.policy];
    const hides = Object.values<Verdict>(policy).includes(404);
    const wanted = policy[persona];
    if (verdictOf(status, hides) !== wanted)
      wrong.push(`${persona} by ${way}: ${wanted} wanted, got ${status} ${text.slice(0, 90)}`);
  }
  if (item === 'collection' || item === 'hidden')
    for (const [rank, role] of MEMBERS.entries()) {
      if (declared.ends === true) id = await make(server, cast.holder.key, item);
      await join(server, id, role, cast.member.id);
      const { status, text } = await call(await shown(world, 'member', SESSION), id);
      const wanted = declared.member !== undefined && rank >= MEMBERS.indexOf(declared.member) ? 'in' : 403;
      if (verdictOf(status, false) !== wanted)
        wrong.push(`${role}: ${wanted} wanted, got ${status} ${text.slice(0, 90)}`);
    }
  if (declared.replacesKey) Object.assign(cast, await castOf(server));
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
  { headers }: Shown,
): Promise<Answer> {
  const procedure = (appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>)[
    name
  ];
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

/** Whether a call may be a form: an empty list has no form. */
const takesForm = (row: Route, { input = {} }: Declared): boolean =>
  row.method !== 'GET' &&
  ['fields', 'file', 'files'].includes(row.body) &&
  Object.values(input).every((value) => typeof value !== 'object');

function formOf(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  return form;
}

const procedures = Object.keys(appRouter._def.procedures);

access('every procedure is declared, and nothing else', () => {
  assert.equal(Object.keys(ACCESS).sort(), [...procedures].sort());
});

for (const row of routes) {
  access(`${row.method} ${row.path}`, async (world) => {
    const declared = ACCESS[row.procedure];
    if (declared === undefined) return assert.unreachable(`${row.procedure} is not declared`);
    const call = ({ headers, formKey }: Shown, id: string): Promise<Answer> => {
      const json = { ...naming(declared, id), ...declared.input };
      const path = pathOf(row, declared, id);
      if (formKey !== undefined)
        return world.server.request(row.method, path, { form: formOf({ ...json, key: formKey }) });
      return world.server.request(row.method, path, row.method === 'GET' ? { headers } : { headers, json });
    };
    const wrong = await differences(world, declared, call, takesForm(row, declared) ? [...WAYS, FORM] : WAYS);
    assert.equal(wrong, []);
  });
}

for (const name of procedures) {
  access(`procedure ${name}`, async (world) => {
    const declared = ACCESS[name];
    if (declared === undefined) return assert.unreachable(`${name} is not declared`);
    const wrong = await differences(world, declared, (shown, id) => {
      return callProcedure(world.server, name, { ...naming(declared, id), ...declared.input }, shown);
    });
    assert.equal(wrong, []);
  });
}

access.run();
