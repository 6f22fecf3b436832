/** What an ADMIN may do about what belongs to an equal or higher rank, for every procedure. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { z } from 'zod';
import type { Role } from '../../routers/base/roles.js';
import { appRouter } from '../../routers/index.js';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { ACCESS } from '../support/accounts/access.js';
import { newInvite } from '../support/accounts/accounts.js';

interface World {
  server: TestServer;
  admin: TestAccount;
  owners: Readonly<Record<'OWNER' | 'ADMIN' | 'USER', TestAccount>>;
}
const rank = suite<World>('the rank of whom an administrator acts on');
const MAIL_TOKEN = 'a-mail-worker';

rank.before(async (world) => {
  const server = await startServer({ EMAIL_INBOUND_TOKEN: MAIL_TOKEN, MAILGUN_DOMAIN: 'files.example.org' });
  const account = (role: Role) => server.account(role);
  world.server = server;
  world.admin = await account('ADMIN');
  world.owners = { OWNER: server.owner, ADMIN: await account('ADMIN'), USER: await account('USER') };
});
rank.after(({ server }) => server.close());

/** Procedures that act on a named account or on what gives access to one, and what an ADMIN gets above the own rank. */
const REFUSED: Readonly<Record<string, number>> = {
  'admin.changeUser': 403,
  'admin.deleteUser': 403,
  'admin.endSecondFactor': 403,
  'admin.activateUser': 403,
  'admin.decideApproval': 403,
  'admin.revokeInvite': 404,
  // Administrators and owners have no limits and cannot be paused, whoever asks.
  'limits.clearUser': 400,
  'limits.ofUser': 400,
  'limits.pause': 400,
  'limits.resume': 400,
  'limits.setUser': 400,
};
/** Administrators read these of every account (docs/access.md). */
const READ_BY_ADMINISTRATORS = [
  'admin.user',
  'admin.userImages',
  'admin.userImagesPage',
  'admin.userPastes',
  'admin.userUrls',
  'admin.images',
  'admin.pastes',
  'admin.urls',
  'admin.auditLog',
  'chatapp.get',
];
/** Names of input fields that name somebody, or something of somebody. */
const NAMING = /^(?:uid|email|mail|code|chatappId|user|userId)$/;

const procedures = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { inputs: readonly z.ZodType[]; type: string } }
>;
const fieldsOf = (name: string): string[] =>
  (procedures[name]?._def.inputs ?? []).flatMap((input) => Object.keys((input as z.ZodObject).shape ?? {}));

rank('every procedure of administrators that names somebody is declared here', () => {
  const naming = Object.keys(ACCESS).filter(
    (name) => ACCESS[name]?.policy === 'admin' && fieldsOf(name).some((field) => NAMING.test(field)),
  );
  const made = ['user.create', 'admin.createInvites'];
  // About a host: the account only says which of several is meant.
  const ofHosts = ['domain.decide'];
  assert.equal(
    naming.filter((name) => !made.includes(name) && !ofHosts.includes(name)).sort(),
    [...Object.keys(REFUSED), ...READ_BY_ADMINISTRATORS].sort(),
  );
});

async function mailboxOf(server: TestServer, { key }: TestAccount): Promise<string> {
  const { body } = await server.request('POST', '/email/create', { key, json: {} });
  const { email } = body.message;
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
  return email;
}

async function statusOf(
  server: TestServer,
  name: string,
  input: object,
  { key }: TestAccount,
): Promise<number> {
  const json = JSON.stringify(input);
  const path = `//trpc/${name}`;
  const answer =
    procedures[name]?._def.type === 'query'
      ? await server.request('GET', `${path}?input=${encodeURIComponent(json)}`, { key })
      : await server.request('POST', path, { key, json: input });
  return answer.status;
}

/** What only the holder of a mailbox may do is tested with the access of everybody. */
const ofMailboxes = Object.keys(ACCESS).filter(
  (name) => ACCESS[name]?.item === 'mailbox' && ACCESS[name]?.policy === 'mailbox',
);

for (const name of ofMailboxes) {
  rank(
    `${name}: 404 for the mailbox of an equal or higher rank, not for that of a lower one`,
    async (world) => {
      const { server, admin, owners } = world;
      const results: Record<string, number> = {};
      for (const [role, owner] of Object.entries(owners)) {
        const email = await mailboxOf(server, owner);
        results[role] = await statusOf(server, name, { email, mail: email, ...ACCESS[name]?.input }, admin);
        const inbox = await statusOf(server, 'email.inbox', { email }, owner);
        if (role !== 'USER') assert.is(inbox, 200, 'nothing was changed');
      }
      assert.equal(results, { OWNER: 404, ADMIN: 404, USER: 200 });
    },
  );
}

rank('an OWNER may read the mailbox of every account', async ({ server, owners }) => {
  const email = await mailboxOf(server, owners.ADMIN);
  assert.is(await statusOf(server, 'email.message', { email, messageId: 'letter' }, server.owner), 200);
});

rank(
  'accounts of an equal or higher rank are not changed, deleted, or deprived of a factor',
  async (world) => {
    const { server, admin, owners } = world;
    const code = await newInvite(server, { role: 'OWNER' });
    for (const owner of [owners.OWNER, owners.ADMIN]) {
      const change = { username: 'renamed', password: 'an entirely new one', approved: true };
      const input = { uid: owner.id, code, ...change };
      for (const [name, status] of Object.entries(REFUSED))
        assert.is(await statusOf(server, name, input, admin), status, name);
    }
  },
);

rank('the mail that resets a password reaches nobody but its account', async ({ server, admin, owners }) => {
  const { mailDomain } = server.app.services.settings;
  const email = await mailboxOf(server, owners.USER);
  // A new account, a pending one, and one that an administrator changes: none gets the address of the mailbox.
  const [name = ''] = email.split('@');
  for (const address of [email, email.toUpperCase(), `${name}+tag@${mailDomain}`]) {
    const made = { username: 'somebody', email: address, password: 'tell nobody else' };
    const create = await server.request('POST', '/user/create', { key: admin.key, json: made });
    assert.is(create.status, 400, create.text);
    assert.match(create.text, 'a mailbox of this service');
    const change = await server.request('PUT', `/admin/user/${owners.ADMIN.id}`, {
      key: server.owner.key,
      json: { email: address },
    });
    assert.is(change.status, 400, change.text);
    const inviteCode = await newInvite(server);
    const joined = await server.request('POST', '/auth/register', { json: { ...made, inviteCode } });
    assert.is(joined.status, 400, joined.text);
  }
  const own = { email };
  const path = `/admin/user/${owners.USER.id}`;
  assert.is((await server.request('PUT', path, { key: admin.key, json: own })).status, 200, 'its own it may');

  // As it can be in an installation from before this rule.
  const old = await mailboxOf(server, await server.account());
  const { db } = server.app.services;
  await db.write((trx) => trx('users').where('id', owners.ADMIN.id).update({ email: old, email_key: old }));
  const json = { messageId: 'reset', from: 'a@example.net', to: old, subject: 'Reset', text: 'link' };
  await server.request('POST', '/email/inbound', { headers: { 'x-email-token': MAIL_TOKEN }, json });
  const stored = await db.read('mail_messages').where('message_id', 'reset');
  assert.equal(stored, []);
});

rank('a mailbox that an OWNER suspended stays so for the ADMIN who has it', async ({ server }) => {
  const holder = await server.account('ADMIN');
  const email = await mailboxOf(server, holder);
  const put = (state: string, key: string) =>
    server.request('PUT', `/email/${encodeURIComponent(email)}/${state}`, { key });
  assert.is((await put('suspend', server.owner.key)).status, 200);
  assert.is((await put('open', holder.key)).status, 403);
  assert.is((await put('open', server.owner.key)).status, 200);
  assert.is((await put('close', holder.key)).status, 200);
});

rank.run();
