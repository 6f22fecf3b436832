// on both databases
/** Accounts that are deleted during their own requests, or while others read what they made. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';

interface World {
  server: TestServer;
}
const meanwhile = suite<World>('accounts deleted during requests');
meanwhile.before.each(async (world) => {
  world.server = await startServer({
    MAILGUN_DOMAIN: 'mail.example.org',
    EMAIL_INBOUND_TOKEN: 'worker-token',
  });
});
meanwhile.after.each(({ server }) => server.close());

const ROUNDS = 12;

const remove = ({ request, owner }: TestServer, { id }: TestAccount) =>
  request('DELETE', `/admin/user/${id}`, { key: owner.key });

const upload = ({ request }: TestServer, { key }: TestAccount, text: string) =>
  request('POST', '/image/upload', { key, form: fileForm(text, 'a.txt') });

/** Every request that creates a row for the caller, concurrently. */
const makeAll = (server: TestServer, account: TestAccount) => {
  const { key } = account;
  const post = (path: string, json: unknown) => server.request('POST', path, { key, json });
  return [
    upload(server, account, `of ${account.id}`),
    upload(server, account, `more of ${account.id}`),
    post('/paste/create', { text: 'a text' }),
    post('/url/create', { url: 'https://example.com/' }),
    post('/image/playlist/create', { title: 'a list' }),
    post('/image/generate-upload-url', { filename: 'a.txt', contentType: 'text/plain', size: 4 }),
    post('/email/create', { name: `box-${account.id}` }),
  ];
};

meanwhile('401: an upload whose account is deleted before it ends', async ({ server }) => {
  const account = await server.account();
  const form = new Response(fileForm('x'.repeat(100_000), 'a.txt'));
  const whole = Buffer.from(await form.clone().arrayBuffer());
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(whole.subarray(0, 50_000));
      assert.is((await remove(server, account)).status, 200);
      controller.enqueue(whole.subarray(50_000));
      controller.close();
    },
  });
  const headers = { 'content-type': form.headers.get('content-type') ?? '' };
  const answer = await server.request('POST', '/image/upload', { key: account.key, body, headers });
  assert.is(answer.status, 401, answer.text);
  assert.equal(await readdir(join(server.dataDir, 'staging')), []);
});

meanwhile('401: a deleted account can create nothing more, and nothing of it remains', async ({ server }) => {
  const { db } = server.app.services;
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await server.account();
    const made = makeAll(server, account);
    const removed = remove(server, account);
    const [answers, { status }] = await Promise.all([Promise.all(made), removed]);
    assert.is(status, 200);
    assert.equal(
      answers.filter((answer) => answer.status !== 200 && answer.status !== 401),
      [],
    );
    assert.equal(await db.read('users').where('id', account.id), []);
  }
  for (const table of ['images', 'pastes', 'short_urls', 'collections'])
    assert.equal(await db.read(table), [], table);
  assert.equal(await readdir(join(server.dataDir, 'staging')), []);
});

meanwhile('200: public lists and statistics while accounts are being deleted', async ({ server }) => {
  const { key } = server.owner;
  const accounts = await Promise.all(Array.from({ length: ROUNDS }, () => server.account()));
  await Promise.all(accounts.flatMap((account) => makeAll(server, account)));
  let left = accounts.length;
  const removals = accounts.map((account) =>
    remove(server, account).finally(() => {
      left -= 1;
    }),
  );
  const paths = [
    ...['/admin/images', '/admin/pastes', '/admin/urls', '/admin/user/get', '/admin/invite/get'],
    ...['/email/getall', '/image/stats', '/paste/stats'],
  ];
  const answers: [path: string, status: number, text: string][] = [];
  while (left > 0)
    for (const path of paths) {
      const { status, text } = await server.request('GET', path, { key });
      answers.push([path, status, text]);
    }
  for (const { status } of await Promise.all(removals)) assert.is(status, 200);
  assert.equal(
    answers.filter(([, status]) => status !== 200),
    [],
  );
});

meanwhile.run();
