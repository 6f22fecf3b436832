// on both databases
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Db } from '../../../db/engine/connect.js';
import { query } from '../../../db/engine/query.js';
import { startServer } from '../../harness.js';
import { cookieOf, newcomer, newInvite, signIn } from '../../support/accounts/accounts.js';
import { digitsIn, linkCodeIn, linkMailedTo, newestMailTo } from '../../support/accounts/outbox.js';
import { OWNER, startServer as startProcess } from '../../support/servers/server-process.js';
import { newDataDir } from '../../support/stores/sqlite.js';

const secrets = suite('secrets at rest and in logs');

/** Every byte below a folder, except the outbox and the file of the secret itself. */
async function bytesBelow(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== 'secret.key' && !entry.parentPath.endsWith('outbox'))
    .map((entry) => readFile(join(entry.parentPath, entry.name)));
  return Buffer.concat(await Promise.all(files));
}

/** Every row of a database that is not a file in the data folder. */
async function rowsOf(db: Db): Promise<Buffer> {
  if (db.dialect.name === 'sqlite') return Buffer.alloc(0);
  const tables = await query<{ name: string }>(
    db.read,
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  const contents = await Promise.all(
    tables.map(({ name }) =>
      query<{ row: string }>(db.read, `SELECT row_to_json(t)::text AS row FROM ${name} t`),
    ),
  );
  return Buffer.from(contents.flatMap((found) => found.map(({ row }) => row)).join('\n'));
}

secrets('no password, key, code, token or webhook is stored in plain text in the data folder', async () => {
  const server = await startServer();
  try {
    const { key } = server.owner;
    const fields = { ...newcomer(), password: 'canary password 1' };
    const inviteCode = await newInvite(server);
    const given = { ...fields, inviteCode };
    const registered = await server.request('POST', '/auth/register', { json: given });
    const verifyToken = cookieOf(registered, 'verify_token') ?? '';
    const mail = await newestMailTo(server, fields.email);
    const spare = await newInvite(server);
    const session = cookieOf(await signIn(server, server.owner), 'session_token') ?? '';
    await server.request('POST', '/auth/reset/request', { json: { email: server.owner.email } });
    const resetCode = await linkMailedTo(server, server.owner.email);
    await server.request('PATCH', '/user/get/@me/settings/webhook', {
      key,
      json: { url: 'https://hooks.example.com/canary-path', secret: 'canary secret' },
    });
    // Stays in the queue with its payload.
    await server.app.services.db.write((trx) =>
      server.app.services.jobs.add(
        trx,
        'mail',
        {
          ...{ to: 'later@example.com', subject: 'later', text: 'canary of a mail' },
          ...{ messageId: 'later@example.net', sentAt: 0 },
        },
        { runAt: Date.now() + 3_600_000 },
      ),
    );
    await signIn(server, { email: server.owner.email, password: 'canary password 2' });
    const kept = Buffer.concat([await bytesBelow(server.dataDir), await rowsOf(server.app.services.db)]);
    assert.ok(kept.includes(Buffer.from(fields.email)), 'the search sees the database');
    const canaries = {
      password: fields.password,
      'failed password': 'canary password 2',
      key,
      invite: inviteCode,
      'free invite': spare,
      'verify token': verifyToken,
      session,
      'link code': linkCodeIn(mail),
      'reset code': resetCode,
      'webhook address': 'canary-path',
      'webhook secret': 'canary secret',
      'queued mail': 'canary of a mail',
    };
    for (const [name, canary] of Object.entries(canaries)) {
      assert.ok(canary.length > 9, `${name} was caught`);
      assert.not(kept.includes(Buffer.from(canary)), name);
    }
    const rows = await server.app.services.db.read('codes');
    const digits = digitsIn(mail);
    for (const row of rows) assert.not(Object.values(row).some((value) => String(value) === digits));
  } finally {
    await server.close();
  }
});

secrets('no password, key, code or token reaches the log', async () => {
  const dataDir = await newDataDir('secrets');
  const server = await startProcess({ dataDir, env: { LOG_LEVEL: 'trace' } });
  const send = (method: string, path: string, headers: Record<string, string> = {}, json?: unknown) =>
    fetch(`${server.origin}${path}`, {
      method,
      headers: { ...headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
  try {
    const canary = (name: string) => `canary-${name}-0123456789`;
    const login = { email: OWNER.OWNER_EMAIL, password: OWNER.OWNER_PASSWORD };
    const signedIn = await send('POST', '/v1/auth/login', {}, login);
    const session = /session_token=([\w-]+)/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1] ?? '';
    assert.is(session.length, 43);
    const cookie = `session_token=${session}; verify_token=${canary('verify')}`;
    await send('GET', '/v1/auth/me', { cookie });
    await send('POST', '/v1/auth/login', {}, { ...login, password: canary('body') });
    await send('POST', '/v1/auth/register', {}, { ...newcomer(), inviteCode: canary('invite') });
    await send('GET', '/v1/auth/me', { 'x-api-key': canary('header') });
    await send('GET', `/v1/auth/verify/token?code=${canary('link')}`);
    await send('POST', `/v1/auth/verify/email?code=${canary('digits')}`);
    await send('DELETE', `/v1/user/get/@me?password=${canary('query')}`, { cookie });
    await send('DELETE', `/v1/admin/invite/${canary('revoked')}`, { cookie });
    const input = encodeURIComponent(JSON.stringify({ uniqueId: 'x', password: canary('procedure') }));
    await send('GET', `/trpc/image.info?input=${input}`);
    const malformed = await send('POST', '/v1/url/create', { 'x-api-key': OWNER.OWNER_API_KEY }, { url: 1 });
    assert.is(malformed.status, 400);
    await server.stop();
    const output = server.output();
    assert.not.match(output, /"level":50/, 'what callers do wrong is no error of ours');
    assert.match(output, /\/v1\/auth\/verify\/token\?code=\[redacted\]/);
    for (const secret of ['canary-', session, OWNER.OWNER_PASSWORD, OWNER.OWNER_API_KEY])
      assert.not(output.includes(secret), secret);
  } finally {
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
});

secrets.run();
