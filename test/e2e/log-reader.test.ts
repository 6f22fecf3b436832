import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer } from '../support/server-process.js';

const test = suite('unread log output');

test('the server keeps serving, and SIGTERM stops it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-log-'));
  const server = await startServer({ dataDir, env: { LOG_LEVEL: 'info' } });
  server.child.stdout?.pause();
  // More lines than the pipe and the buffer of the reader hold.
  const target = `${server.origin}/status?${'x'.repeat(8_000)}`;
  for (let index = 0; index < 400; index += 1) assert.is((await fetch(target)).status, 200);
  server.child.kill('SIGTERM');
  const code = await new Promise((resolve) => server.child.once('exit', resolve));
  assert.is(code, 0);
  server.child.stdout?.resume();
  await server.ended;
  await rm(dataDir, { recursive: true, force: true });
});

test.run();
