// on both databases
/** Concurrent changes by others between two steps of one request. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { startDiscord } from '../standins/discord.js';
import { cookieOf, cookies, newcomer, sessionOf, signIn } from '../support/accounts/accounts.js';
import { chatEnv, somebody, tokensFor } from '../support/accounts/chatapp.js';
import { pngPhoto } from '../support/media/media-fixtures.js';
import { followRequests, justBefore } from '../support/servers/interleave.js';
import { until } from '../support/until.js';
import { listenTo } from '../support/web/web-socket.js';

interface World {
  server: TestServer;
}
const meanwhile = suite<World>('concurrent changes');
const discord = await startDiscord();
meanwhile.before(async (world) => {
  world.server = await startServer({
    ...chatEnv(discord),
    MAILGUN_DOMAIN: 'mail.example.org',
    EMAIL_INBOUND_TOKEN: 'worker-token',
  });
  followRequests(world.server.app.server);
});
meanwhile.after(async ({ server }) => {
  await server.close();
  await discord.close();
});

const remove = (server: TestServer, { id }: { readonly id: number }) =>
  server.request('DELETE', `/admin/user/${id}`, { key: server.owner.key });
const logIn = (server: TestServer, { email }: TestAccount, password: string) =>
  server.request('POST', '/auth/login', { json: { email, password } });
const upload = async (server: TestServer, key: string, bytes: Uint8Array | string, name: string) =>
  (await server.request('POST', '/image/upload', { key, form: fileForm(bytes, name) })).body.message;

meanwhile('403: the password was replaced during a password change with the old one', async ({ server }) => {
  const user = await server.account();
  const { passwords } = server.app.services;
  const session_token = await sessionOf(server, user);
  justBefore(passwords, 'hash', () =>
    server.request('PUT', `/admin/user/${user.id}`, {
      key: server.owner.key,
      json: { password: 'the new one' },
    }),
  );
  const answer = await server.request('PUT', '/user/get/@me/password', {
    headers: cookies({ session_token }),
    json: { currentPassword: user.password, newPassword: 'what the thief wants' },
  });
  assert.is(answer.status, 403, answer.text);
  assert.is(cookieOf(answer, 'session_token'), null);
  assert.is((await logIn(server, user, 'the new one')).status, 200);
  assert.is((await logIn(server, user, 'what the thief wants')).status, 403);
});

meanwhile(
  '403: the password was replaced during a deletion of the account with the old one',
  async ({ server }) => {
    const user = await server.account();
    const { db } = server.app.services;
    justBefore(db, 'write', () =>
      server.request('PUT', `/admin/user/${user.id}`, {
        key: server.owner.key,
        json: { password: 'the new one' },
      }),
    );
    const json = { password: user.password };
    const answer = await server.request('DELETE', '/user/get/@me', { key: user.key, json });
    assert.is(answer.status, 403, answer.text);
    assert.is((await logIn(server, user, 'the new one')).status, 200);
  },
);

meanwhile('401: an account that is being deleted gets no new key, password or link', async ({ server }) => {
  const { db, passwords } = server.app.services;
  const replaced = await server.account();
  justBefore(db, 'write', () => remove(server, replaced));
  assert.is((await server.request('POST', '/user/get/@me/apikey', { key: replaced.key })).status, 401);
  assert.equal(
    await db.read('audit_log').where('subject_id', replaced.id).whereNot('event', 'account.deleted'),
    [],
  );
  const changed = await server.account();
  justBefore(passwords, 'hash', () => remove(server, changed));
  const json = { currentPassword: changed.password, newPassword: 'another password' };
  assert.is((await server.request('PUT', '/user/get/@me/password', { key: changed.key, json })).status, 401);
  const linking = await server.account();
  justBefore(db, 'write', () => remove(server, linking));
  assert.is((await server.request('GET', '/chatapp/start?intent=link', { key: linking.key })).status, 401);
});

meanwhile('an unverified account that is deleted is refused like an unknown one', async ({ server }) => {
  const { db, passwords } = server.app.services;
  const user = await server.account('USER', { status: 'PENDING' });
  justBefore(passwords, 'verify', () => remove(server, user));
  const answer = await signIn(server, user);
  assert.is(answer.status, 403);
  assert.is(answer.body.message, 'The e-mail address or the password is wrong');
  const waiting = await server.account('USER', { status: 'PENDING' });
  const verify_token = cookieOf(await signIn(server, waiting), 'verify_token');
  justBefore(db, 'write', () => remove(server, waiting));
  const sent = await server.request('POST', '/auth/verify/sendemail', { headers: cookies({ verify_token }) });
  assert.is(sent.status, 401, sent.text);
});

meanwhile('401: tokens for a deleted account are revoked at the provider', async ({ server }) => {
  const {
    chat: { app: chatApp },
    jobs,
    db,
  } = server.app.services;
  const user = await server.account();
  const json = tokensFor(discord, somebody());
  justBefore(chatApp, 'whoAmI', () => remove(server, user));
  const answer = await server.request('POST', '/chatapp/authorize', { key: user.key, json });
  assert.is(answer.status, 401, answer.text);
  await jobs.settle();
  assert.is(discord.accessTokens.has(json.accessToken), false);
  assert.equal(await db.read('chat_links'), []);
});

meanwhile('refused: what a new item refers to was deleted since it was read', async ({ server }) => {
  const { db } = server.app.services;
  const user = await server.account();
  const { key } = user;
  const createdId = async (path: string, json: object): Promise<string> => {
    const answer = await server.request('POST', path, { key, json });
    return answer.body.uniqueId ?? answer.body.message;
  };
  const paste = await createdId('/paste/create', { text: 'to be forked' });
  justBefore(db, 'write', () => server.request('DELETE', `/paste/get/${paste}`, { key }));
  const fork = await server.request('POST', `/paste/get/${paste}/fork`, { key, json: {} });
  assert.is(fork.status, 404, fork.text);
  const collection = await createdId('/collection', { title: 'to be filled' });
  justBefore(db, 'write', () => server.request('DELETE', `/collection/${collection}`, { key }));
  const json = { title: 'Send me yours', collection };
  const request = await server.request('POST', '/request/create', { key, json });
  assert.is(request.status, 400, request.text);
  assert.equal(await db.read('upload_requests').where('owner_id', user.id), []);
});

meanwhile('401: no mailbox is created for a deleted account', async ({ server }) => {
  const { db } = server.app.services;
  const user = await server.account();
  justBefore(db, 'write', () =>
    db.write((trx) => trx('users').where('id', user.id).update({ role: 'DELETED' })),
  );
  const answer = await server.request('POST', '/email/create', { key: user.key, json: { name: 'orphan' } });
  assert.is(answer.status, 401, answer.text);
  assert.equal(await db.read('mailboxes').where('address', 'orphan@mail.example.org'), []);
});

meanwhile(
  '403: a mailbox suspended by an administrator stays suspended even if it is being opened',
  async ({ server }) => {
    const { db } = server.app.services;
    const user = await server.account();
    const { email } = (await server.request('POST', '/email/create', { key: user.key, json: {} })).body
      .message;
    justBefore(db, 'write', () =>
      server.request('POST', `/email/${email}/suspend`, { key: server.owner.key }),
    );
    assert.is((await server.request('POST', `/email/${email}/open`, { key: user.key })).status, 403);
    const info = await server.request('GET', `/email/${email}/getinfo`, { key: server.owner.key });
    assert.is(info.body.message.status, 'SUSPENDED');
  },
);

meanwhile(
  'a password opens the link it was checked for, not a later one with the same id',
  async ({ server }) => {
    const limits = server.app.services.limits.rates;
    const [before, after] = [await server.account(), await server.account()];
    const make = (key: string, url: string, password: string) =>
      server.request('POST', '/url/create', { key, json: { url, uniqueId: 'swapped', password } });
    await make(before.key, 'https://before.example/', 'first');
    justBefore(limits, 'clear', async () => {
      assert.is((await server.request('DELETE', '/url/get/swapped', { key: before.key })).status, 200);
      assert.is((await make(after.key, 'https://secret.example/', 'second')).status, 200);
    });
    const answer = await server.request('GET', '/url/r/swapped?password=first');
    assert.is(answer.status, 404);
    assert.is(answer.headers.get('location'), null);
  },
);

meanwhile(
  '404: an image or playlist that is deleted while it is changed, rendered or read',
  async ({ server }) => {
    const {
      storage: { blobs },
      db,
      itemPasswords,
    } = server.app.services;
    const { key } = await server.account();
    const gone = async (path: string) =>
      assert.is((await server.request('DELETE', path, { key })).status, 200);
    const locked = await upload(server, key, 'to be locked', 'a.txt');
    justBefore(itemPasswords, 'hash', () => gone(`/image/get/${locked.uniqueId}`));
    const json = { password: 'secret' };
    assert.is((await server.request('PUT', `/image/password/${locked.uniqueId}`, { key, json })).status, 404);
    const drawn = await upload(server, key, await pngPhoto(), 'a.png');
    // Work after an upload takes the same steps.
    await server.app.services.jobs.settle();
    justBefore(blobs, 'lend', () => gone(`/image/get/${drawn.uniqueId}`));
    const input = encodeURIComponent(JSON.stringify({ uniqueId: drawn.uniqueId, width: 20 }));
    assert.is((await server.request('GET', `//trpc/image.get?input=${input}`)).status, 404);
    const made = await server.request('POST', '/image/playlist/create', { key, json: { title: 'a list' } });
    const path = `/image/playlist/get/${made.body.uniqueId}`;
    justBefore(db, 'write', () => gone(path));
    assert.is((await server.request('GET', path)).status, 404);
  },
);

meanwhile(
  'an administrator who is banned meanwhile creates no account and changes none',
  async ({ server }) => {
    const { passwords } = server.app.services;
    const ban = (admin: TestAccount) => () =>
      server.request('PUT', `/admin/user/${admin.id}`, { key: server.owner.key, json: { role: 'BANNED' } });
    const maker = await server.account('ADMIN');
    justBefore(passwords, 'hash', ban(maker));
    const json = {
      username: 'backdoor',
      email: 'backdoor@example.com',
      password: 'long enough',
      role: 'ADMIN',
    };
    assert.is((await server.request('POST', '/user/create', { key: maker.key, json })).status, 401);
    const changer = await server.account('ADMIN');
    const user = await server.account();
    justBefore(passwords, 'hash', ban(changer));
    const change = { key: changer.key, json: { password: 'taken over' } };
    assert.is((await server.request('PUT', `/admin/user/${user.id}`, change)).status, 401);
    assert.is((await logIn(server, user, user.password)).status, 200);
  },
);

meanwhile(
  'an administrator ends no page and no mailbox of an account that is promoted meanwhile',
  async ({ server }) => {
    const { db } = server.app.services;
    const admin = await server.account('ADMIN');
    const user = await server.account();
    const session_token = await sessionOf(server, user);
    const page = await listenTo(server, '/ws/active?page=%2Fhere', cookies({ session_token }));
    const { email } = (await server.request('POST', '/email/create', { key: user.key, json: {} })).body
      .message;
    const open = async (): Promise<{ wsSessionId: string; userId: number | null }[]> =>
      (await server.request('GET', '/admin/active-sessions', { key: admin.key })).body.message;
    await until(async () => (await open()).some(({ userId }) => userId === user.id));
    const id = (await open()).find(({ userId }) => userId === user.id)?.wsSessionId;
    const give = (role: string, to: TestAccount) => async () => {
      const change = { key: server.owner.key, json: { role } };
      assert.is((await server.request('PUT', `/admin/user/${to.id}`, change)).status, 200);
    };
    for (const [method, path, status] of [
      ['POST', `/admin/active-sessions/${id}/logout`, 403],
      ['DELETE', `/admin/active-sessions/${id}`, 403],
      ['POST', `/email/${email}/suspend`, 404],
      ['PUT', `/email/${email}/expiration?expiresIn=1h`, 404],
      ['DELETE', `/email/${email}/inbox`, 404],
      ['DELETE', `/email/${email}`, 404],
    ] as const) {
      await give('USER', user)();
      justBefore(db, 'write', give('ADMIN', user));
      assert.is((await server.request(method, path, { key: admin.key })).status, status, path);
    }
    justBefore(db, 'write', give('USER', admin));
    const toast = `/admin/active-sessions/${id}/toast`;
    const json = { message: 'I was one' };
    assert.is((await server.request('POST', toast, { key: admin.key, json })).status, 403);
    assert.is((await server.request('GET', '/auth/me', { headers: cookies({ session_token }) })).status, 200);
    page.socket.close();
  },
);

meanwhile('200: if the account of the viewer is deleted, the page is the public one', async ({ server }) => {
  const { load } = server.app.services;
  const user = await server.account();
  const headers = { accept: 'text/html' };
  await server.request('GET', '//web/login', { headers });
  justBefore(load, 'user', () => remove(server, user));
  const answer = await server.request('GET', '//web/login', { key: user.key, headers });
  assert.is(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
});

meanwhile(
  'a stored upload is answered as such, even if the store fails right afterwards',
  async ({ server }) => {
    const { blobs } = server.app.services.storage;
    const { key } = await server.account();
    justBefore(blobs, 'stat', () => Promise.reject(new Error('the store does not answer')));
    const answer = await server.request('POST', '/image/upload', { key, form: fileForm('kept', 'a.txt') });
    assert.is(answer.status, 200, answer.text);
    assert.is((await server.request('GET', `/image/get/${answer.body.uniqueId}`)).text, 'kept');
  },
);

meanwhile('invites of a deleted account admit nobody else, not even partly used ones', async ({ server }) => {
  const admin = await server.account('ADMIN');
  const made = await server.request('POST', '/admin/invite/create', {
    key: admin.key,
    json: { maxUses: 3 },
  });
  const { code: inviteCode } = made.body.message;
  const registered = await server.request('POST', '/auth/register', {
    json: { ...newcomer(), inviteCode },
  });
  assert.is(registered.status, 200, registered.text);
  await remove(server, admin);
  const list = await server.request('GET', '/admin/invite/get?used=false', { key: server.owner.key });
  assert.equal(
    list.body.message.filter(({ code }: { code: string }) => code === inviteCode),
    [],
  );
});

meanwhile.run();
