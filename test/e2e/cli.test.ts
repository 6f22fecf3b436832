/** The `holdall` command for operators of a server. */
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailsIn } from '../support/accounts/outbox.js';
import { type CommandWorld, done, endCommandWorld, startCommandWorld } from '../support/servers/command.js';
import { freePort, OWNER, startServer } from '../support/servers/server-process.js';
import { until } from '../support/until.js';

const operator = suite<CommandWorld>('holdall beside a running server');
operator.before(startCommandWorld);
operator.after(endCommandWorld);

const login = (origin: string, email: string, password: string): Promise<Response> =>
  fetch(`${origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });

operator('accounts can be created, given a password and a role, and listed', async ({ holdall, server }) => {
  const made = (await done(holdall(['user', 'create', 'alice', 'alice@example.org']))).trim();
  assert.is((await login(server.origin, 'alice@example.org', made)).status, 200);
  const keyOf = async (password: string): Promise<string> => {
    const answer = await login(server.origin, 'alice@example.org', password);
    return (await answer.json()).message.apiKey;
  };
  const key = await keyOf(made);
  const set = await holdall(['user', 'password', 'alice'], 'of her own choice\n');
  assert.equal([set.code, set.out, set.err], [0, '', 'ended 2 sessions; replaced the API key\n']);
  const asked = await fetch(`${server.origin}/v1/auth/me`, { headers: { 'x-api-key': key } });
  assert.is(asked.status, 401);
  assert.is((await login(server.origin, 'alice@example.org', made)).status, 403);
  assert.is((await login(server.origin, 'alice@example.org', 'of her own choice')).status, 200);
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

operator('the holder is told by mail of a recovery by the command', async ({ holdall, folder }) => {
  await done(holdall(['user', 'create', 'carol', 'carol@example.org']));
  const told = async (text: RegExp) =>
    until(async () =>
      (await mailsIn(folder, 'carol@example.org')).some((mail) =>
        text.test(mail.text.replaceAll(/\s+/g, ' ')),
      ),
    );
  await done(holdall(['user', 'password', 'carol'], 'of her own choice\n'));
  await told(/A new password was set for your account, which ended all sessions, keys and linked accounts/);
  await done(holdall(['user', 'sign-in', 'carol']));
  await told(/made a link that signs in to your account once/);
});

operator('an invite is the registration address; without an owner it is for the owner', async (given) => {
  const { holdall, folder, server } = given;
  const nowhere = { DATA_DIR: join(folder, 'empty') };
  const made = await holdall(['invite'], '', nowhere);
  assert.match(made.out, /\?inviteCode=[0-9a-f]{32}\s*$/);
  assert.match(made.err, `created a new installation in ${nowhere.DATA_DIR}\n`);
  assert.match(
    (await holdall(['user', 'list'], '', nowhere)).err,
    'there is no owner yet: run `holdall invite`',
  );
  assert.match((await holdall(['invite'], '', nowhere)).err, /^this installation has no owner yet: .*\n$/);
  const lesser = await holdall(['invite', '--role', 'guest'], '', nowhere);
  assert.equal([lesser.code, lesser.out], [1, '']);
  assert.match(lesser.err, 'to invite the owner');
  const address = new URL(await done(holdall(['invite', '--role', 'guest', '--uses', '2'])));
  assert.is(address.origin, server.origin);
  assert.match((await holdall(['invite', '--role', 'Banned'])).err, 'an invite cannot have the role BANNED');
  assert.match(
    (await holdall(['invite', '--role', 'chief'])).err,
    '--role: is not a role; roles are OWNER, ADMIN',
  );
  assert.match((await holdall(['invite', '--uses', '0'])).err, 'holdall: --uses: must be at least 1');
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
  'backup, doctor, restore, and a server over the restored data',
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
    assert.match(await done(holdall(['doctor', '--deep'])), /^ok +files +1 present and intact$/m);

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

operator('commands that inspect an installation create none', async ({ holdall, folder }) => {
  const DATA_DIR = join(folder, 'nothing');
  for (const args of [['doctor'], ['user', 'list'], ['backup', join(folder, 'nowhere')]]) {
    const { code, err } = await holdall(args, '', { DATA_DIR });
    assert.is(code, 1);
    assert.match(err, `holdall: ${join(DATA_DIR, 'holdall.db')} does not exist yet`);
  }
  const names = await readdir(folder);
  assert.not(names.includes('nothing'));
  assert.not(names.includes('nowhere'));
});

operator(
  'a wrong secret or an unusable database ends the command with a sentence',
  async ({ holdall, folder }) => {
    const wrong = { SECRET_KEY: 'another secret altogether' };
    for (const args of [['invite'], ['user', 'list']]) {
      const { code, err } = await holdall(args, '', wrong);
      assert.is(code, 1);
      assert.match(err, 'SECRET_KEY: is not the one');
    }
    const DATA_DIR = join(folder, 'odd');
    const file = join(DATA_DIR, 'holdall.db');
    await mkdir(file, { recursive: true });
    const commands = [
      ['doctor'],
      ['user', 'list'],
      ['backup', join(folder, 'unused')],
      ['invite'],
      ['serve'],
    ];
    const expectAll = async (words: string): Promise<void> => {
      for (const args of commands) {
        const { code, out, err } = await holdall(args, '', { DATA_DIR, PORT: '0' });
        assert.is(code, 1, args[0]);
        assert.match(args[0] === 'doctor' ? out : err, `${file} ${words}`);
        assert.not.match(err, /^\s+at /m);
      }
    };
    await expectAll('cannot be opened');
    await rm(file, { recursive: true });
    await writeFile(
      file,
      'no database at all, but some text that is long enough to be read as one. '.repeat(20),
    );
    await expectAll('is not an SQLite database, or is damaged: restore a backup');
  },
);

operator(
  'an unreachable PostgreSQL is reported in a sentence, and doctor checks the rest',
  async ({ holdall, folder }) => {
    const away = {
      DATABASE_URL: `postgres://u:x@127.0.0.1:${await freePort()}/db`,
      DATA_DIR: join(folder, 'away'),
    };
    const unused = join(folder, 'unused');
    const told = /DATABASE_URL: PostgreSQL at 127\.0\.0\.1:\d+, database db, cannot be opened/;
    const [doctor, backup] = await Promise.all([
      holdall(['doctor'], '', away),
      holdall(['backup', unused], '', away),
    ]);
    assert.match(doctor.out, /^FAILED +database /);
    assert.match(doctor.out, told);
    assert.match(doctor.out, /^ok +space /m);
    assert.match(backup.err, told);
    for (const { code, out, err } of [doctor, backup]) {
      assert.is(code, 1);
      assert.match(
        err,
        /^holdall: waiting for PostgreSQL at 127\.0\.0\.1:\d+, database db \(.*ECONNREFUSED/m,
      );
      assert.not.match(out + err, /^\s+at /m);
    }
  },
);

operator('doctor checks the disk of the files if it is a separate one', async ({ holdall, folder }) => {
  const DATA_DIR = join(folder, 'apart');
  await done(holdall(['invite'], '', { DATA_DIR }));
  await rm(join(DATA_DIR, 'blobs'), { recursive: true, force: true });
  await symlink('/proc', join(DATA_DIR, 'blobs'));
  const { out } = await holdall(['doctor'], '', { DATA_DIR });
  assert.match(out, `only 0 B free in ${join(DATA_DIR, 'blobs')}`);
});

operator(
  'a file that is not a backup lock is named, instead of blaming the database',
  async ({ holdall, folder }) => {
    const DATA_DIR = join(folder, 'locked');
    await done(holdall(['invite'], '', { DATA_DIR }));
    await writeFile(join(DATA_DIR, 'backup.lock'), 'no lock at all, but text. '.repeat(100));
    const refused = await holdall(['backup', join(folder, 'never')], '', { DATA_DIR });
    assert.is(refused.code, 1);
    assert.match(refused.err, /lock file .*backup\.lock cannot be used: delete it/);
    await rm(join(DATA_DIR, 'backup.lock'));
    await done(holdall(['backup', join(folder, 'never')], '', { DATA_DIR }));
  },
);

operator('doctor finds what is missing, and exits with 1', async ({ holdall, folder, server }) => {
  await server.stop();
  const sums = await readFile(join(folder, 'backup', 'SHA256SUMS'), 'utf8');
  const blob = /blobs\/\S+/.exec(sums)?.[0] ?? '';
  await rm(join(folder, blob));
  const { code, out } = await holdall(['doctor']);
  assert.is(code, 1);
  assert.match(out, /^FAILED +files +1 of \d+ files are missing or damaged/m);
});

operator('serve starts the server, and nothing is lost when the server stops', async ({ holdall }) => {
  const refused = await holdall(['serve'], '', { PORT: 'none' });
  assert.is(refused.code, 1);
  assert.match(refused.err, 'PORT');
});

operator.run();
