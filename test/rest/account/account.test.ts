// on both databases
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import { cookies, sessionOf, signIn } from '../../support/accounts/accounts.js';
import { skipping } from '../../support/skip.js';

interface World {
  server: TestServer;
}
const user = suite<World>('accounts');

user.before(async (world) => {
  world.server = await startServer();
});
user.after(({ server }) => server.close());

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC',
  'base64',
);

user('an account sees all its own fields; others see no address, standing and key', async ({ server }) => {
  const account = await server.account();
  const other = await server.account();
  const look = async (key: string, name: string) => {
    const { status, body } = await server.request('GET', `/user/get/${encodeURIComponent(name)}`, { key });
    assert.is(status, 200, name);
    return body.message;
  };
  const own = (await server.request('GET', '/user/get/@me', { key: account.key })).body.message;
  assert.is(own.apiKey, account.key);
  assert.is(own.email, account.email);
  for (const name of [account.username.toUpperCase(), account.email, String(account.id)]) {
    assert.is((await look(account.key, name)).apiKey, account.key);
    const seen = await look(other.key, name);
    assert.is(seen.username, account.username);
    assert.equal([seen.email, seen.status, seen.apiKey], [undefined, undefined, undefined]);
    const administered = await look(server.owner.key, name);
    assert.equal([administered.email, administered.apiKey], [account.email, undefined]);
  }
});

user('404 for unknown accounts, 401 without a key', async ({ server }) => {
  for (const name of ['nobody-here', 'nobody@example.com', '99999', '99999999999999999999']) {
    const answer = await server.request('GET', `/user/get/${name}`, { key: server.owner.key });
    assert.is(answer.status, 404, name);
    assert.is(answer.body.message, 'Resource not found');
  }
  assert.is((await server.request('GET', '/user/get/owner')).status, 401);
});

user('POST /user/create: 201 by query and by body, active at once; 403 below ADMIN', async ({ server }) => {
  const { key } = server.owner;
  const byQuery = await server.request(
    'POST',
    '/user/create?username=queried&email=queried@example.com&password=long%20enough',
    { key },
  );
  assert.is(byQuery.status, 201);
  const json = {
    username: 'bodied',
    email: 'bodied@example.com',
    password: 'long enough',
    role: 'moderator',
  };
  const byBody = await server.request('POST', '/user/create', { key, json });
  assert.is(byBody.status, 201);
  assert.is(byBody.body.message.role, 'MODERATOR');
  assert.is(byBody.body.message.invitedBy.username, 'owner');
  assert.is((await signIn(server, { ...json })).status, 200);
  for (const fields of [json, { ...json, username: 'b' }, { ...json, username: 'other', role: 'KING' }])
    assert.is((await server.request('POST', '/user/create', { key, json: fields })).status, 400);
  const moderator = await server.account('MODERATOR');
  assert.is((await server.request('POST', '/user/create', { key: moderator.key, json })).status, 403);
});

user('POST /admin/user/create does the same among the administrator operations', async ({ server }) => {
  const json = { username: 'beside', email: 'beside@example.com', password: 'long enough' };
  const { key } = server.owner;
  const made = await server.request('POST', '/admin/user/create', { key, json });
  assert.is(made.status, 201);
  assert.is(made.body.message.username, 'beside');
  assert.is((await server.request('POST', '/admin/user/create', { json })).status, 401);
});

user('nobody can create an account above their own role', async ({ server }) => {
  const { key } = await server.account('ADMIN');
  const create = (role: string) =>
    server.request('POST', '/user/create', {
      key,
      json: { username: `made-${role}`, email: `${role}@example.com`, password: 'long enough', role },
    });
  assert.is((await create('OWNER')).status, 403);
  assert.is((await create('ADMIN')).status, 201);
});

user(
  'the API key can be replaced: the old one stops working, the new one is shown and works',
  async ({ server }) => {
    const account = await server.account();
    const answer = await server.request('POST', '/user/get/@me/apikey', { key: account.key });
    const { apiKey } = answer.body.message;
    assert.match(apiKey, /^[0-9a-f]{48}$/);
    assert.is((await server.request('GET', '/auth/me', { key: account.key })).status, 401);
    const me = await server.request('GET', '/auth/me', { key: apiKey.toUpperCase() });
    assert.is(me.body.message.apiKey, apiKey);
  },
);

user(
  'DELETE needs the password, from the query or a JSON body, and removes everything of the account',
  async ({ server }) => {
    for (const by of ['query', 'body']) {
      const account = await server.account();
      const { key } = account;
      const session = await sessionOf(server, account);
      const image = await server.request('POST', '/image/upload', { key, form: fileForm(PNG, 'a.png') });
      const paste = await server.request('POST', '/paste/create', { key, json: { text: `by ${by}` } });
      const url = await server.request('POST', '/url/create', { key, json: { url: 'https://example.com' } });
      await server.request('PUT', '/user/get/@me/avatar', { key, form: fileForm(PNG, 'me.png') });
      await server.request('POST', '/email/create', { key, json: {} });
      await server.request('POST', '/image/playlist/create', { key, json: { title: 'gone' } });
      const remove = (password?: string) =>
        by === 'query'
          ? server.request(
              'DELETE',
              `/user/get/@me${password ? `?password=${encodeURIComponent(password)}` : ''}`,
              { key },
            )
          : server.request('DELETE', '/user/get/@me', { key, json: { password } });
      assert.is((await remove()).status, 400);
      assert.is((await remove('not the password')).status, 403);
      assert.is((await remove(account.password)).status, 200);
      assert.is((await server.request('GET', '/auth/me', { key })).status, 401);
      assert.is(
        (await server.request('GET', '/auth/me', { headers: cookies({ session_token: session }) })).status,
        401,
      );
      for (const [kind, item] of Object.entries({ image, paste, url }))
        assert.is(
          (await server.request('GET', `/${kind}/get/${item.body.message.uniqueId}`)).status,
          404,
          kind,
        );
      const { db } = server.app.services;
      assert.equal(await db.read('users').where('id', account.id), []);
      for (const table of ['mailboxes', 'collections', 'pastes'])
        assert.equal(await db.read(table).where('owner_id', account.id), [], table);
      for (const table of ['sessions', 'api_keys', 'webhooks'])
        assert.equal(await db.read(table).where('user_id', account.id), [], table);
      assert.equal(await db.read('blobs'), []);
      assert.equal(
        await db
          .read('audit_log')
          .where('actor_id', account.id)
          .whereNotNull('ip_address')
          .whereNot('event', 'account.deleted'),
        [],
      );
      const again = { username: account.username, email: account.email, password: 'long enough' };
      assert.is(
        (await server.request('POST', '/user/create', { key: server.owner.key, json: again })).status,
        201,
      );
    }
  },
);

user('the last owner cannot delete themselves', async ({ server }) => {
  const { key, password } = server.owner;
  const answer = await server.request('DELETE', '/user/get/@me', { key, json: { password } });
  assert.is(answer.status, 403);
  assert.is((await server.request('GET', '/auth/me', { key })).status, 200);
});

user('the picture is generated, uploaded, served in small sizes, and generated again', async ({ server }) => {
  const account = await server.account();
  const { key } = account;
  const generated = await server.request('GET', `/user/avatar/${account.id}`);
  assert.match(generated.headers.get('content-type') ?? '', /svg/);
  const set = await server.request('PUT', '/user/get/@me/avatar', { key, form: fileForm(PNG, 'me.png') });
  assert.is(set.status, 200);
  const { avatar } = set.body.message;
  assert.match(avatar, new RegExp(`/v1/user/avatar/${account.id}\\?v=`));
  const uploaded = await server.request('GET', `/user/avatar/${account.id}`);
  assert.is(uploaded.headers.get('content-type'), 'image/webp');
  assert.is((await server.app.services.db.read('blobs')).length, 1);
  for (const [bytes, name] of [
    ['no picture at all', 'a.txt'],
    ['', 'empty.png'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>x', 'a.png'],
  ])
    assert.is(
      (await server.request('PUT', '/user/get/@me/avatar', { key, form: fileForm(bytes ?? '', name ?? '') }))
        .status,
      400,
      name,
    );
  const reset = await server.request('DELETE', '/user/get/@me/avatar', { key });
  assert.is(reset.body.message.avatar, `${server.base}/user/avatar/${account.id}`);
  assert.equal(await server.app.services.db.read('blobs'), []);
  assert.is((await server.request('GET', '/user/avatar/99999')).status, 404);
  assert.is((await server.request('GET', '/user/avatar/nonsense')).status, 400);
});

user('upload tools contain the key of the account and the addresses of this server', async ({ server }) => {
  const { key } = await server.account();
  const list = await server.request('GET', '/user/get/@me/uploaders', { key });
  assert.equal(
    list.body.message.map(({ file }: { file: string }) => file),
    ['holdall-image.sxcu', 'holdall-text.sxcu', 'holdall-url.sxcu', 'holdall.sh', 'flameshot.sh'],
  );
  const all = await server.request('GET', '/user/get/@me/uploaders?all=true', { key });
  assert.ok(all.body.message.length > list.body.message.length + 10);
  for (const { file } of all.body.message) {
    const answer = await server.request('GET', `/user/get/@me/uploaders/${file}`, { key });
    assert.is(answer.status, 200);
    assert.is(answer.headers.get('content-disposition'), `attachment; filename="${file}"`);
    assert.ok(answer.text.includes(key) && answer.text.includes(server.origin), file);
    if (file.endsWith('.json')) assert.type(JSON.parse(answer.text), 'object', file);
    if (!file.endsWith('.sxcu')) continue;
    assert.is(answer.body.URL, '{json:message.urlSet.shortUrl}');
    assert.is(answer.body.DeletionURL, '{json:message.urlSet.deletionUrl}');
    assert.is(answer.body.ErrorMessage, '{json:message}');
  }
  assert.is((await server.request('GET', '/user/get/@me/uploaders/other.sh', { key })).status, 404);
  assert.is((await server.request('GET', '/user/get/@me/uploaders/holdall.sh')).status, 401);
});

/** Of every character that the tools could take for a part of their own languages. */
const STRANGE_KEY = `k"e\\y{json:x}%$0'\`id\`#|`;

user('ShareX takes no part of a key for a placeholder of its own', async () => {
  const server = await startServer({ OWNER_API_KEY: STRANGE_KEY });
  try {
    const path = '/user/get/@me/uploaders/holdall-image.sxcu';
    const { Headers } = (await server.request('GET', path, { key: STRANGE_KEY })).body;
    assert.is(Headers['X-API-Key'], `k"e\\\\y\\{json:x\\}%$0'\`id\`#|`);
  } finally {
    await server.close();
  }
});

user(
  'the scripts upload files, store text, shorten addresses, and print the link or the refusal',
  async () => {
    const server = await startServer({ OWNER_API_KEY: STRANGE_KEY });
    const read = async (file: string) =>
      (await server.request('GET', `/user/get/@me/uploaders/${file}`, { key: STRANGE_KEY })).text;
    const folder = await mkdtemp(join(tmpdir(), 'holdall-script-'));
    try {
      for (const file of ['holdall.sh', 'flameshot.sh'])
        await writeFile(join(folder, file), await read(file));
      await writeFile(join(folder, 'flameshot'), '#!/bin/sh\ncat "$PICTURE"', { mode: 0o755 });
      await writeFile(join(folder, 'a, picture;.png'), PNG);
      await writeFile(join(folder, 'a "quoted" \\ one.png'), PNG);
      const env = {
        ...process.env,
        PATH: `${folder}:${process.env.PATH}`,
        PICTURE: join(folder, 'a, picture;.png'),
      };
      const run = (command: string) => promisify(execFile)('sh', ['-c', command], { cwd: folder, env });
      if (
        await run('command -v curl').then(
          () => false,
          () => true,
        )
      ) {
        skipping('holdall.sh needs curl');
        assert.is.not(process.env.CI, 'true');
        return;
      }
      const link = /^http:\/\/localhost:\d+\/r\/[A-Z0-9]{8}\n$/;
      assert.match((await run('sh holdall.sh "a, picture;.png"')).stdout, link);
      assert.match((await run(`sh holdall.sh 'a "quoted" \\ one.png'`)).stdout, link);
      assert.match((await run('printf "some text" | sh holdall.sh')).stdout, link);
      assert.match((await run('sh holdall.sh https://example.com/?a=1\\&b=2')).stdout, link);
      assert.match((await run('sh flameshot.sh')).stdout, link);
      for (const [command, reason] of [
        ['sh holdall.sh http://', 'This is not a valid URL'],
        ["sed 's#/v1#/v1/nowhere#' flameshot.sh | sh", 'Resource not found'],
      ] as const) {
        const { code, stdout, stderr } = await run(command).catch((error) => error);
        assert.equal([code, stdout], [22, '']);
        assert.ok(stderr.includes(`"message":"${reason}`), stderr);
      }
    } finally {
      await rm(folder, { recursive: true });
      await server.close();
    }
  },
);

user.run();
