import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MediaBusy, MediaUnsupported } from '../../routers/ports.js';
import { Lane } from '../../server/media/lanes/lane.js';
import { LanePool } from '../../server/media/lanes/pool.js';
import { halves, mediaFolder } from '../support/media-fixtures.js';

const folder = await mediaFolder();
const picture = await folder.put(await halves(64, 48).png().toBuffer());
const task = { name: 'thumbhash', input: { path: picture } } as const;

const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

const lanes = suite('media: decoding is bounded in time, number and waiting');

lanes('a task that takes too long is ended, and the lane works on', async () => {
  const lane = new Lane(1000);
  assert.instance(await rejection(lane.run(task, 1)), MediaUnsupported);
  assert.type(await lane.run(task, 20_000), 'string');
  lane.stop();
});

lanes('a task whose process dies fails once, and the lane works on', async () => {
  const lane = new Lane(1000);
  const running = rejection(lane.run(task, 20_000));
  lane.stop();
  assert.instance(await running, MediaUnsupported);
  assert.type(await lane.run(task, 20_000), 'string');
  lane.stop();
});

lanes('trouble of the machine is not blamed on the file', async () => {
  const lane = new Lane(1000);
  const error = await rejection(lane.run({ name: 'thumbhash', input: { path: `${picture}.gone` } }, 20_000));
  assert.ok(error instanceof Error && !(error instanceof MediaUnsupported));
  lane.stop();
});

lanes('tasks wait in line, and past its end they are turned away', async () => {
  const pool = new LanePool({ lanes: 1, waiting: 2, patienceMs: 20_000 });
  const all = await Promise.all(
    Array.from({ length: 5 }, () => rejection(pool.run('thumbhash', { path: picture }, 20_000))),
  );
  assert.is(all.filter((error) => error === null).length, 3);
  assert.is(all.filter((error) => error instanceof MediaBusy).length, 2);
});

lanes('a task that waits too long is turned away', async () => {
  const pool = new LanePool({ lanes: 1, waiting: 2, patienceMs: 1 });
  const first = pool.run('thumbhash', { path: picture }, 20_000);
  assert.instance(await rejection(pool.run('thumbhash', { path: picture }, 20_000)), MediaBusy);
  assert.type(await first, 'string');
});

/** The processes that this one has started. */
const children = (): number[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || !existsSync(`/proc/${name}/stat`)) return [];
    const [, parent] = readFileSync(`/proc/${name}/stat`, 'latin1')
      .replace(/^.*\) /, '')
      .split(' ');
    return Number(parent) === process.pid ? [Number(name)] : [];
  });

if (process.platform === 'linux')
  lanes('a lane may stand behind everything else for the processor', async () => {
    const lane = new Lane(1000, 5);
    assert.type(await lane.run(task, 20_000), 'string');
    assert.ok(children().some((pid) => getPriority(pid) === 5));
    lane.stop();
  });

lanes.after(folder.remove);
lanes.run();
