/**
 * Whatever becomes of the reader of the log (it leaves, it stops reading, another process changes its pipe), the
 * server keeps serving, and stops with exit code 0 when it is told to.
 */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchServer, type ServerProcess, startServer } from '../support/servers/server-process.js';
import { newDataDir } from '../support/stores/sqlite.js';
import { until } from '../support/until.js';

const test = suite<{ dataDir: string }>('log reader');

test.before.each(async (given) => {
  given.dataDir = await newDataDir('log');
});
test.after.each(({ dataDir }) => rm(dataDir, { recursive: true, force: true }));

/** The exit code, or the name of the signal that ended the process. */
async function endOf(child: ChildProcess): Promise<number | string | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode ?? child.signalCode;
}

/** Logs more than a pipe and the buffer of its reader hold. */
async function fill({ origin }: ServerProcess): Promise<void> {
  const target = `${origin}/status?${'x'.repeat(8_000)}`;
  for (let index = 0; index < 100; index += 1) assert.is((await fetch(target)).status, 200);
}

/** Runs the server (as the same process) after these shell commands. */
const after = (commands: string) => ['bash', '-c', `${commands}; exec "$@"`, 'bash'];

/** A pipe whose reader never reads, and ends with the server. */
const UNREAD = 'exec > >(exec tail -f --pid=$$ /dev/null)';

for (const WORKERS of ['1', '2']) {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    test(`${signal} stops a server whose reader has left (WORKERS=${WORKERS})`, async ({ dataDir }) => {
      const wrap = after('exec > >(exec head -n 1 >/dev/null)');
      const server = await startServer({ dataDir, wrap, env: { WORKERS, LOG_LEVEL: 'info' } });
      server.child.kill(signal);
      assert.is(await endOf(server.child), 0);
    });
  }

  for (const [pipe, wrap] of [
    ['pipe', after(UNREAD)],
    ['socket', []],
  ] as const) {
    test(`a ${pipe} that nobody reads does not stop a server from serving and ending (WORKERS=${WORKERS})`, async ({
      dataDir,
    }) => {
      const server = await startServer({ dataDir, wrap, env: { WORKERS, LOG_LEVEL: 'info' } });
      server.child.stdout?.pause();
      await fill(server);
      server.child.kill('SIGTERM');
      assert.is(await endOf(server.child), 0);
      server.child.stdout?.resume();
      await server.ended;
    });
  }
}

test('a pipe that another process has made blocking does not stop a server from ending', async ({
  dataDir,
}) => {
  const [go, done] = [join(dataDir, 'go'), join(dataDir, 'done')];
  execFileSync('mkfifo', [go]);
  // When Node ends it restores the mode that its output had, for everybody who shares it.
  const other = `{ read -r _ <'${go}'; '${process.execPath}' -e 'process.stdout.fd'; touch '${done}'; } &`;
  const wrap = after(`${UNREAD}; ${other} true`);
  const server = await startServer({ dataDir, wrap, env: { LOG_LEVEL: 'info' } });
  await writeFile(go, '\n');
  await until(() => existsSync(done));
  await fill(server);
  server.child.kill('SIGTERM');
  assert.is(await endOf(server.child), 0);
});

test('a server that cannot start ends although nobody reads its output', async ({ dataDir }) => {
  await writeFile(join(dataDir, 'file'), '');
  const wrap = after('exec > >(exec true) 2>&1');
  const server = await launchServer({ dataDir, wrap, env: { DATA_DIR: join(dataDir, 'file', 'below') } });
  assert.is(await endOf(server.child), 1);
});

test.run();
