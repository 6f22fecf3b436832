/** WORKERS: what the supervisor guarantees. */
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchServer, OWNER, type ServerProcess, startServer } from '../support/servers/server-process.js';
import { newDataDir } from '../support/stores/sqlite.js';
import { until } from '../support/until.js';

const NO_OWNER = Object.fromEntries(Object.keys(OWNER).map((name) => [name, undefined]));

interface Given {
  dataDir: string;
  servers: ServerProcess[];
  start(env?: Record<string, string | undefined>): Promise<ServerProcess>;
}

const test = suite<Given>('WORKERS');

test.before.each(async (given) => {
  given.dataDir = await newDataDir('cluster');
  given.servers = [];
  given.start = async (env = {}) => {
    const server = await startServer({ dataDir: given.dataDir, env: { WORKERS: '2', ...env } });
    given.servers.push(server);
    await until(() => occurrences(server, '"listening"') === 2);
    return server;
  };
});

test.after.each(async ({ dataDir, servers }) => {
  await Promise.all(servers.map((server) => server.kill()));
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

test('starts that many processes, prints one invite, sums up their metrics, and exits with 0', async ({
  start,
}) => {
  const server = await start({ ...NO_OWNER, METRICS_TOKEN: 'sesame' });
  assert.is(occurrences(server, '\ninvite '), 1);
  for (let reading = 0; reading < 3; reading += 1) {
    // One that is too busy to answer is left out.
    const seen: number[] = [];
    await until(async () => {
      const metrics = await (await fetch(`${server.origin}/metrics?token=sesame`)).text();
      seen.push(Number(/\nholdall_processes (\d+)\n/.exec(metrics)?.[1]));
      return seen.at(-1) === 2;
    });
    assert.ok(seen.every((processes) => processes <= 2));
  }
  assert.is(await server.stop(), 0);
  assert.is(occurrences(server, '"stopped"'), 3, 'both workers and the supervisor');
});

test('a worker that dies is replaced, while the other one serves', async ({ start }) => {
  const server = await start();
  const [victim, survivor] = await workersOf(server);
  process.kill(victim ?? 0, 'SIGKILL');
  await until(() => occurrences(server, 'a worker ended') === 1);
  assert.is((await fetch(`${server.origin}/status`, { headers: { connection: 'close' } })).status, 200);
  await until(() => occurrences(server, '"listening"') === 3);
  const now = await workersOf(server);
  assert.is(now.length, 2);
  assert.ok(now.includes(survivor ?? 0) && !now.includes(victim ?? 0));
  assert.is(await server.stop(), 0);
});

test('SIGUSR2 replaces every worker without losing a request', async ({ start }) => {
  const server = await start();
  const before = await workersOf(server);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let over = false;
  const statuses: number[] = [];
  const client = async (own: Agent | undefined): Promise<void> => {
    while (!over) statuses.push(await post(server.origin, own));
  };
  const clients = [client(agent), client(agent), client(undefined)];
  server.child.kill('SIGUSR2');
  try {
    await until(() => occurrences(server, 'workers were replaced') === 1);
  } finally {
    over = true;
  }
  await Promise.all(clients);
  agent.destroy();
  assert.ok(statuses.length > 10, 'requests were under way');
  assert.equal([...new Set(statuses)], [200]);
  const after = await workersOf(server);
  assert.is(after.length, 2);
  assert.equal(
    after.filter((pid) => before.includes(pid)),
    [],
  );
  assert.is(await server.stop(), 0);
});

test('workers that die while they are being replaced are still replaced', async ({ start }) => {
  const server = await start();
  const before = await workersOf(server);
  server.child.kill('SIGUSR2');
  await until(() => occurrences(server, 'replacing the workers') === 1);
  for (const pid of before) killIfThere(pid);
  await until(() => occurrences(server, 'workers were replaced') === 1);
  await until(async () => (await workersOf(server)).length === 2);
  server.child.kill('SIGUSR2');
  await until(() => occurrences(server, 'workers were replaced') === 2);
  const after = await workersOf(server);
  assert.is(after.length, 2);
  assert.is((await fetch(`${server.origin}/status`)).status, 200);
  assert.is(await server.stop(), 0);
});

test('if a new worker does not start, the others stay and no extra one remains', async ({
  start,
  dataDir,
}) => {
  const server = await start();
  const before = await workersOf(server);
  const file = join(dataDir, 'secret.key');
  const secret = await readFile(file, 'utf8');
  await writeFile(file, 'another secret altogether');
  server.child.kill('SIGUSR2');
  await until(() => occurrences(server, 'is not the one this database was used with') === 1);
  await until(async () => (await workersOf(server)).length === 2);
  assert.equal(await workersOf(server), before);
  await writeFile(file, secret);
  server.child.kill('SIGUSR2');
  await until(() => occurrences(server, 'workers were replaced') === 1);
  const after = await workersOf(server);
  assert.is(after.length, 2);
  assert.is(after.filter((pid) => before.includes(pid)).length, 0);
  assert.is(occurrences(server, 'starting another one'), 0);
  assert.is(await server.stop(), 0);
});

test('workers that have only begun to start are replaced too, and no extra one remains', async ({
  start,
}) => {
  const server = await start();
  const before = await workersOf(server);
  for (const pid of before) process.kill(pid, 'SIGKILL');
  await until(async () => {
    const now = await workersOf(server);
    return now.length === 2 && !now.some((pid) => before.includes(pid));
  });
  server.child.kill('SIGUSR2');
  await until(() => occurrences(server, 'workers were replaced') === 1);
  assert.is((await workersOf(server)).length, 2);
  assert.is(occurrences(server, 'starting another one'), 2);
  assert.is(await server.stop(), 0);
});

test('SIGUSR2 while the first worker starts waits for it', async ({ dataDir, servers }) => {
  const server = await launchServer({ dataDir, env: { WORKERS: '2' } });
  servers.push(server);
  await until(async () => (await workersOf(server)).length > 0);
  server.child.kill('SIGUSR2');
  await until(() => occurrences(server, 'workers were replaced') === 1);
  await until(async () => (await workersOf(server)).length === 2);
  assert.is(await server.stop(), 0);
});

test('SIGTERM while workers are being replaced stops all of them', async ({ start }) => {
  const server = await start();
  server.child.kill('SIGUSR2');
  server.child.kill('SIGUSR2');
  await until(() => occurrences(server, 'replacing the workers') >= 1);
  assert.is(await server.stop(), 0);
});

test('an error that stops every worker stops the start, with one message', async ({
  start,
  dataDir,
  servers,
}) => {
  const first = await start();
  const second = await launchServer({
    dataDir,
    env: { WORKERS: '2', PORT: new URL(first.origin).port },
  });
  servers.push(second);
  assert.is(await second.ended, 1);
  assert.is(occurrences(second, 'Set PORT'), 1);
});

test.run();

const occurrences = (server: ServerProcess, text: string): number => server.output().split(text).length - 1;

/** Kills a process that may have ended by itself by now. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The child processes of a supervisor. */
async function workersOf(server: ServerProcess): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === server.pid)
    .map(([pid = 0]) => pid);
}

/** The status of a request that stores a paste. */
function post(origin: string, agent: Agent | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/v1/paste/create`, {
      method: 'POST',
      agent: agent ?? false,
      headers: { 'x-api-key': OWNER.OWNER_API_KEY, 'content-type': 'application/json' },
    });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.end(JSON.stringify({ text: 'kept' }));
  });
}
