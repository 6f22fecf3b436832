/** The `holdall` command, as people and scripts use it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../support/root.js';
import { OWNER, type ServerProcess, startServer } from '../support/server-process.js';

interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Given {
  folder: string;
  server: ServerProcess;
  /** Runs the command; `input` is its standard input. */
  holdall(args: readonly string[], input?: string | Buffer, env?: Record<string, string>): Promise<Result>;
}

const COMMAND = join(ROOT, 'server', 'cli', 'holdall.cjs');

async function given(context: Given): Promise<void> {
  context.folder = await mkdtemp(join(tmpdir(), 'holdall-cli-'));
  context.server = await startServer({ dataDir: context.folder });
  context.holdall = async (args, input = '', env = {}) => {
    const child = spawn(process.execPath, [COMMAND, ...args], {
      cwd: context.folder,
      stdio: 'pipe',
      env: {
        PATH: process.env.PATH,
        DATA_DIR: context.folder,
        BASE_URL: context.server.origin,
        XDG_CONFIG_HOME: join(context.folder, 'config'),
        ...env,
      },
    });
    child.stdin.on('error', () => undefined).end(input);
    const [[code], out, err] = await Promise.all([
      once(child, 'close') as Promise<[number | null]>,
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, out, err };
  };
}

const clear = async ({ server, folder }: Given): Promise<void> => {
  await server.kill();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
};

/** What a command printed; fails the test when it failed. */
const done = async (result: Promise<Result>): Promise<string> => {
  const { code, out, err } = await result;
  assert.is(code, 0, err);
  return out;
};

const client = suite<Given>('holdall as a client');
client.before(given);
client.after(clear);

client('says how to sign in, and keeps a login for this user alone', async ({ holdall, folder, server }) => {
  const before = await holdall(['shorten', 'https://example.org']);
  assert.is(before.code, 1);
  assert.match(before.err, 'holdall login');
  const wrong = await holdall(['login', server.origin], 'not a key\n');
  assert.is(wrong.code, 1);
  const { code, err } = await holdall(['login', server.origin], `${OWNER.OWNER_API_KEY}\n`);
  assert.is(code, 0, err);
  assert.match(err, 'signed in as owner');
  const file = join(folder, 'config', 'holdall', 'login.json');
  assert.is((await stat(file)).mode & 0o777, 0o600);
});

client('prints a link and nothing else', async ({ holdall }) => {
  for (const args of [['shorten', 'https://example.org'], ['paste'], ['upload', '-']]) {
    const link = await done(holdall(args, 'some text'));
    assert.match(link, /^http:\/\/[^/\s]+\/r\/[A-Z0-9]{8}$/, args[0]);
  }
});

client(
  'uploads files and standard input byte by byte, one link a line',
  async ({ holdall, folder, server }) => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));
    await writeFile(join(folder, 'one.bin'), bytes);
    const links = (await done(holdall(['upload', 'one.bin', '-', '--name', 'two.bin'], bytes)))
      .trim()
      .split('\n');
    assert.is(links.length, 2);
    for (const link of links) {
      const got = await fetch(`${server.origin}/v1/image/get/${link.split('/').at(-1)}`);
      assert.ok(bytes.equals(Buffer.from(await got.arrayBuffer())));
    }
    const [record] = JSON.parse(await done(holdall(['upload', 'one.bin', '--id', 'chosen', '--json'])));
    assert.is(record.uniqueId, 'chosen');
    assert.is(record.originalName, 'one.bin');
  },
);

client('what was stored is told, even when the next file is not there', async ({ holdall, folder }) => {
  await writeFile(join(folder, 'there.txt'), 'here');
  const { code, out, err } = await holdall(['upload', 'there.txt', 'absent.txt']);
  assert.is(code, 1);
  assert.match(out, '/r/');
  assert.match(err, 'absent.txt');
});

client('pastes keep their text, title and options', async ({ holdall, folder }) => {
  await writeFile(join(folder, 'notes.md'), '# Ünïcode\n');
  const paste = JSON.parse(await done(holdall(['paste', 'notes.md', '--private', '--json'])));
  assert.is(paste.content, '# Ünïcode\n');
  assert.is(paste.title, 'notes.md');
  assert.is(paste.isPublic, false);
});

client('a refusal is one line and 1, a misuse tells how and 2', async ({ holdall }) => {
  const refused = await holdall(['shorten', 'ftp://example.org']);
  assert.is(refused.code, 1);
  assert.is(refused.err.trim().split('\n').length, 1);
  for (const args of [
    ['shorten'],
    ['shorten', 'a', 'b'],
    ['paste', '--wrong'],
    ['unknown'],
    ['upload', 'x', '--max-views', 'many'],
  ]) {
    const misused = await holdall(args);
    assert.is(misused.code, 2, args.join(' '));
    assert.match(misused.err, 'holdall');
    assert.not.match(misused.err, /^\s+at /m);
  }
  assert.match(await done(holdall(['help'])), 'backup');
  assert.match(await done(holdall(['upload', '--help'])), '--max-views');
});

client.run();

const operator = suite<Given>('holdall beside a running server');
operator.before(given);
operator.after(clear);

const login = async (origin: string, email: string, password: string): Promise<number> => {
  const answer = await fetch(`${origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return answer.status;
};

operator('accounts: created, given a password and a role, listed', async ({ holdall, server }) => {
  const made = (await done(holdall(['user', 'create', 'alice', 'alice@example.org']))).trim();
  assert.is(await login(server.origin, 'alice@example.org', made), 200);
  await done(holdall(['user', 'password', 'alice'], 'of her own choice\n'));
  assert.is(await login(server.origin, 'alice@example.org', made), 403);
  assert.is(await login(server.origin, 'alice@example.org', 'of her own choice'), 200);
  await done(holdall(['user', 'role', 'alice@example.org', 'moderator']));
  assert.match(
    await done(holdall(['user', 'list', 'alice'])),
    '\talice\talice@example.org\tMODERATOR\tACTIVE\n',
  );
  const taken = await holdall(['user', 'create', 'alice', 'other@example.org']);
  assert.is(taken.code, 1);
  assert.match(taken.err, 'taken');
  assert.is((await holdall(['user', 'role', 'owner', 'USER'])).code, 1, 'the last owner stays');
  assert.is((await holdall(['user', 'password', 'nobody'])).code, 1);
});

operator('an invite is the address to register at; without an owner it is theirs', async (given) => {
  const { holdall, folder, server } = given;
  const nowhere = { DATA_DIR: join(folder, 'empty') };
  assert.match((await holdall(['user', 'list'], '', nowhere)).err, 'there is no owner yet: register');
  assert.match(await done(holdall(['invite'], '', nowhere)), /\?inviteCode=[0-9a-f]{32}\s*$/);
  const address = new URL(await done(holdall(['invite', '--role', 'guest', '--uses', '2'])));
  assert.is(address.origin, server.origin);
  const registered = await fetch(`${server.origin}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      username: 'invited',
      email: 'invited@example.org',
      password: 'long enough',
      inviteCode: address.searchParams.get('inviteCode'),
    }),
  });
  assert.is(registered.status, 200);
});

operator(
  'backup, doctor, restore, and a server over what was restored',
  async ({ holdall, folder, server }) => {
    const link = await (
      await fetch(`${server.origin}/v1/image/upload?filename=kept.txt`, {
        method: 'POST',
        headers: { 'x-api-key': OWNER.OWNER_API_KEY, 'content-type': 'text/plain', accept: 'text/plain' },
        body: 'kept bytes',
      })
    ).text();
    const id = link.split('/').at(-1);
    const backup = join(folder, 'backup');
    await done(holdall(['backup', backup]));
    assert.match(await done(holdall(['doctor', '--deep'])), /^ok +files +1 are there and whole$/m);

    const over = await holdall(['restore', backup]);
    assert.is(over.code, 1);
    assert.match(over.err, 'restore into an empty');
    const DATA_DIR = join(folder, 'restored');
    await done(holdall(['restore', backup], '', { DATA_DIR }));
    const restored = await startServer({ dataDir: DATA_DIR });
    try {
      const got = await fetch(`${restored.origin}/v1/image/get/${id}?raw=true`);
      assert.is(await got.text(), 'kept bytes');
    } finally {
      await restored.stop();
    }
  },
);

operator('doctor finds what is missing, and ends with 1', async ({ holdall, folder, server }) => {
  const nothing = await holdall(['doctor'], '', { DATA_DIR: join(folder, 'nothing') });
  assert.is(nothing.code, 1);
  assert.match(nothing.err, 'there is no');
  await server.stop();
  const sums = await readFile(join(folder, 'backup', 'SHA256SUMS'), 'utf8');
  const blob = /blobs\/\S+/.exec(sums)?.[0] ?? '';
  await rm(join(folder, blob));
  const { code, out } = await holdall(['doctor']);
  assert.is(code, 1);
  assert.match(out, /^WRONG +files +1 of \d+ are missing or damaged/m);
});

operator('serve is the server, and without a server nothing is lost', async ({ holdall }) => {
  const refused = await holdall(['serve'], '', { PORT: 'none' });
  assert.is(refused.code, 1);
  assert.match(refused.err, 'PORT');
});

operator.run();
