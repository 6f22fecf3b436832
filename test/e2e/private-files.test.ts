/**
 * Files written by the server and the command are accessible to their user only, whatever the folder and the
 * umask allow.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../support/root.js';
import { OWNER, type ServerProcess, startServer } from '../support/servers/server-process.js';
import { until } from '../support/until.js';

/** The usual umask: others may read new files. */
const OPEN_HANDED = ['sh', '-c', 'umask 022; exec "$@"', 'sh'];

interface Place {
  folder: string;
  dataDir: string;
  server: ServerProcess;
}
const files = suite<Place>('file permissions');

files.before(async (place) => {
  place.folder = await mkdtemp(join(tmpdir(), 'holdall-private-'));
  place.dataDir = join(place.folder, 'data');
  await mkdir(place.dataDir);
  await chmod(place.dataDir, 0o755);
  place.server = await startServer({ dataDir: place.dataDir, wrap: OPEN_HANDED, env: { WORKERS: '2' } });
});
files.after(async ({ folder, server }) => {
  await server.kill();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs the `holdall` command; returns its exit code and output. */
async function holdall({ dataDir }: Place, ...args: string[]): Promise<{ code: number; out: string }> {
  const [program = '', ...wrapped] = [
    ...OPEN_HANDED,
    process.execPath,
    join(ROOT, 'server', 'operations', 'command', 'holdall.cjs'),
    ...args,
  ];
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
  return promisify(execFile)(program, wrapped, { env }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    ({ code, stdout }) => ({ code, out: stdout }),
  );
}

/** Everything below a folder that others may read, write or enter. */
async function openTo(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  assert.ok(entries.length > 0);
  const modes = await Promise.all(entries.map((name) => modeOf(join(folder, name))));
  return entries.filter((_, index) => ((modes[index] ?? 0) & 0o077) !== 0);
}

/** Null if the file has gone meanwhile, like temporary files of a running server. */
async function modeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mode;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

files('a server in a folder that everybody may enter creates nothing that others can read', async (place) => {
  const { server, dataDir } = place;
  const send = (path: string, body: unknown) =>
    fetch(`${server.origin}/v1${path}`, {
      method: 'POST',
      headers: { 'x-api-key': OWNER.OWNER_API_KEY, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  for (const [path, body, status] of [
    ['/image/upload?filename=kept.txt', 'some bytes', 200],
    ['/paste/create', { text: 'some text' }, 200],
    ['/email/send', { from: 'a@localhost', to: 'b@example.org', subject: 'Hi', content: 'Hello' }, 200],
  ] as const) {
    const answer = await send(path, body);
    assert.is(answer.status, status, await answer.text());
  }
  // A mail is written after the answer.
  await until(async () =>
    (await readdir(join(dataDir, 'outbox')).catch(() => [])).some((name) => name.endsWith('.eml')),
  );
  const names = await readdir(dataDir);
  for (const name of ['holdall.db', 'holdall.db-wal', 'holdall.db-shm'])
    assert.ok(names.includes(name), name);
  assert.equal(await openTo(dataDir), []);
});

files('a backup cannot be read by other users', async (place) => {
  const backup = join(place.folder, 'backup');
  await mkdir(backup);
  await chmod(backup, 0o755);
  assert.is((await holdall(place, 'backup', backup)).code, 0);
  assert.equal(await openTo(backup), []);
});

files('doctor reports which database others can read, and what to do', async (place) => {
  const file = join(place.dataDir, 'holdall.db');
  assert.is((await holdall(place, 'doctor')).code, 0);
  await chmod(file, 0o644);
  const { code, out } = await holdall(place, 'doctor');
  assert.is(code, 1);
  assert.match(
    out,
    `FAILED database  ${file} can be read by other users: run chmod 700 ${place.dataDir} and chmod 600 ${file}*`,
  );
  await chmod(place.dataDir, 0o700);
  assert.is((await holdall(place, 'doctor')).code, 0);
});

files.run();
