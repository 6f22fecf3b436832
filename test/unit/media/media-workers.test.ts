import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MediaBusy, MediaUnsupported } from '../../../routers/base/ports/media/media.js';
import { WorkerPool } from '../../../server/drivers/media/workers/worker-pool.js';
import { endedWorkers, WorkerProcess } from '../../../server/drivers/media/workers/worker-process.js';
import { halves, heicPhoto, mediaFolder } from '../../support/media/media-fixtures.js';
import { until } from '../../support/until.js';

const folder = await mediaFolder();
const picture = await folder.put(await halves(64, 48).png().toBuffer());
const task = { name: 'thumbhash', input: { path: picture } } as const;

const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

const workers = suite('media: decoding is bounded in time, concurrency and waiting');

workers('a task that takes too long is ended, and the worker continues', async () => {
  const worker = new WorkerProcess(20_000);
  assert.type(await worker.run(task, 60_000), 'string');
  const slow = {
    name: 'thumbhash',
    input: { path: await folder.put(await halves(4_000, 4_000).png().toBuffer()) },
  } as const;
  assert.instance(await rejection(worker.run(slow, 1)), MediaUnsupported);
  assert.type(await worker.run(task, 60_000), 'string');
  worker.stop();
});

if (process.platform === 'linux')
  workers(
    'a task that takes too much of the processor is ended, however much time the clock leaves',
    async () => {
      const worker = new WorkerProcess(20_000);
      const large = await folder.put(await halves(12_000, 4_000).png().toBuffer());
      const slow = { name: 'thumbhash', input: { path: large } } as const;
      assert.instance(
        await rejection(worker.run(slow, { clockMs: 60_000, processorMs: 1 })),
        MediaUnsupported,
      );
      assert.type(await worker.run(task, { clockMs: 60_000, processorMs: 60_000 }), 'string');
      worker.stop();
    },
  );

workers('a task whose process dies fails once, and the worker continues', async () => {
  const worker = new WorkerProcess(1000);
  const before = { ...endedWorkers() };
  const running = rejection(worker.run(task, 20_000));
  worker.stop();
  assert.instance(await running, MediaUnsupported);
  assert.equal(endedWorkers(), { ...before, killed: before.killed + 1 });
  assert.type(await worker.run(task, 20_000), 'string');
  worker.stop();
});

workers('failures of the machine are not blamed on the file', async () => {
  const worker = new WorkerProcess(1000);
  const error = await rejection(
    worker.run({ name: 'thumbhash', input: { path: `${picture}.gone` } }, 20_000),
  );
  assert.ok(error instanceof Error && !(error instanceof MediaUnsupported));
  worker.stop();
});

workers('tasks wait in a bounded line and are refused when it is full', async () => {
  const pool = new WorkerPool({ workers: 1, waiting: 2, patienceMs: 20_000 });
  const all = await Promise.all(
    Array.from({ length: 5 }, () => rejection(pool.run('thumbhash', { path: picture }, 20_000))),
  );
  assert.is(all.filter((error) => error === null).length, 3);
  assert.is(all.filter((error) => error instanceof MediaBusy).length, 2);
});

workers('a task that waits too long is refused', async () => {
  const pool = new WorkerPool({ workers: 1, waiting: 2, patienceMs: 1 });
  const first = pool.run('thumbhash', { path: picture }, 20_000);
  assert.instance(await rejection(pool.run('thumbhash', { path: picture }, 20_000)), MediaBusy);
  assert.type(await first, 'string');
});

/** The child processes of this one. */
const children = (): number[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || !existsSync(`/proc/${name}/stat`)) return [];
    const [, parent] = readFileSync(`/proc/${name}/stat`, 'latin1')
      .replace(/^.*\) /, '')
      .split(' ');
    return Number(parent) === process.pid ? [Number(name)] : [];
  });

if (process.platform === 'linux')
  workers('a worker that has not started in time goes on starting, for the next task', async () => {
    const worker = new WorkerProcess(60_000);
    const before = children();
    assert.instance(await rejection(worker.run(task, 1)), MediaBusy);
    const started = children().filter((pid) => !before.includes(pid));
    assert.instance(await rejection(worker.run(task, 1)), MediaBusy);
    assert.type(await worker.run(task, 60_000), 'string');
    assert.equal(
      children().filter((pid) => !before.includes(pid)),
      started,
    );
    worker.stop();
  });

if (process.platform === 'linux')
  workers('a process that has decoded a HEIC gets no other file', async () => {
    const worker = new WorkerProcess(20_000);
    const photo = await folder.put(heicPhoto());
    const before = children();
    for (let time = 0; time < 2; time++) {
      assert.type(await worker.run({ name: 'thumbhash', input: { path: photo } }, 20_000), 'string');
      await until(() => children().every((pid) => before.includes(pid)));
    }
    worker.stop();
  });

if (process.platform === 'linux')
  workers('a worker can run with the lowest processor priority', async () => {
    const worker = new WorkerProcess(1000, 5);
    assert.type(await worker.run(task, 20_000), 'string');
    assert.ok(children().some((pid) => getPriority(pid) === 5));
    worker.stop();
  });

workers.after(folder.remove);
workers.run();
