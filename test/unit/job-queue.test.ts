/**
 * The job queue on its own: nobody waits for somebody else's slow job, and each job runs in one place only.
 */
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Db } from '../../db/engine/connect.js';
import { query } from '../../db/engine/query.js';
import { claimJob, jobCounts } from '../../db/system/job.js';
import type { JobKind, JobPayloads } from '../../routers/base/ports/jobs.js';
import { openSecrets } from '../../server/drivers/secrets/secrets.js';
import {
  createJobQueue,
  type Handler,
  type Handlers,
  type JobQueue,
} from '../../server/runtime/jobs/queue.js';
import { databaseKinds, type OwnDatabase } from '../support/stores/databases.js';
import { failing } from '../support/stores/failing-statements.js';
import { until } from '../support/until.js';

interface World {
  database: OwnDatabase;
  db: Db;
  /** Opens a queue as a separate process would; what it logs is added to `logged`. */
  open(lockMs?: number): Promise<JobQueue>;
  logged: string[];
}

type Job = { [K in JobKind]: readonly [kind: K, payload: JobPayloads[K]] }[JobKind];
const mail = (to: string): Job => [
  'mail',
  { to, subject: 's', text: 't', html: 'h', messageId: 'm@example.net', sentAt: 0 },
];
const reset = (email: string): Job => ['passwordReset', { email }];
const removal = (userId: number): Job => ['accountDeletion', { userId }];
/** One job of every kind that nobody waits for. */
const slowOnes: readonly Job[] = [
  removal(1),
  ['visitRemoval', { urlId: 1 }],
  ['viewRemoval', { kind: 'image', itemId: 1 }],
  ['importRemoval', { source: 's' }],
  ['chatRevoke', { tokens: ['t'] }],
  ['poster', { imageId: 1 }],
  ['thumbhash', { imageId: 1 }],
  ['words', { imageId: 1 }],
  ['olderWords', { source: 'document' }],
  ['forgetWords', {}],
  ['dropWords', {}],
  ['upload', { uploadId: 1 }],
  ['webhook', {} as JobPayloads['webhook']],
  ['mailArrival', {} as JobPayloads['mailArrival']],
];

const add = (db: Db, queue: JobQueue, jobs: readonly Job[]) =>
  db.write(async (trx) => {
    for (const [kind, payload] of jobs) await queue.add(trx, kind, payload);
  });

/** All kinds use the same handler, except the given ones. */
const handlers = (others: Handler<JobKind>, own: Partial<Handlers> = {}): Handlers => ({
  mail: others,
  telling: others,
  passwordReset: others,
  mailArrival: others,
  mailForward: others,
  chatRevoke: others,
  webhook: others,
  poster: others,
  thumbhash: others,
  words: others,
  olderWords: others,
  forgetWords: others,
  dropWords: others,
  accountDeletion: others,
  visitRemoval: others,
  viewRemoval: others,
  importRemoval: others,
  upload: others,
  ...own,
});

/** A promise that lasts until it is opened. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

const nothing = async (): Promise<void> => undefined;

for (const kind of databaseKinds()) {
  const test = suite<World>(`job queue on ${kind.name}`);
  test.before.each(async (world) => {
    world.database = await kind.makeMigrated();
    world.db = await world.database.open();
    world.logged = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void world.logged.push(line) });
    const secrets = await openSecrets({ secretKey: 'k'.repeat(64), dataDir: '' }, world.db);
    world.open = async (lockMs) => createJobQueue(await world.database.open(), secrets, log, lockMs);
  });
  test.after.each(({ database }) => database.remove());

  test('the oldest job is one that is waiting, not one that was given up', async ({ db, open }) => {
    const queue = await open();
    await add(db, queue, [mail('ada'), removal(1)]);
    await db.write((trx) => trx('jobs').update({ failed_at: 1, created_at: 1 }));
    await add(db, queue, [mail('bob')]);
    await db.write((trx) => trx('jobs').whereNull('failed_at').update({ created_at: 7 }));
    assert.equal(
      (await jobCounts(db)).map(({ kind, waiting, failed, oldest }) => [kind, waiting, failed, oldest]),
      [
        ['accountDeletion', 0, 1, null],
        ['mail', 1, 1, 7],
      ],
    );
  });

  test('mails are sent while slow jobs of every other kind run and wait', async ({ db, open }) => {
    const queue = await open();
    const slow = gate();
    const sent: string[] = [];
    let begun = 0;
    await add(db, queue, Array.from({ length: 10 }, () => slowOnes).flat());
    const hang = () => {
      begun += 1;
      return slow.passed;
    };
    queue.start(
      handlers(hang, {
        mail: async ({ to }) => void sent.push(to),
        passwordReset: async ({ email }) => void sent.push(email),
      }),
    );
    await until(() => begun >= slowOnes.length);
    await add(db, queue, [mail('ada'), reset('bob')]);
    queue.kick();
    await until(() => sent.length === 2);
    slow.open();
    await queue.stop();
  });

  test('a slow mail does not delay other mails', async ({ db, open }) => {
    const queue = await open();
    const slow = gate();
    const sent: string[] = [];
    await add(db, queue, ['slow', 'a', 'b', 'c', 'd', 'e', 'f'].map(mail));
    queue.start(
      handlers(nothing, {
        mail: ({ to }) => (to === 'slow' ? slow.passed : nothing().then(() => void sent.push(to))),
      }),
    );
    await until(() => sent.length === 6);
    await add(db, queue, [mail('later')]);
    queue.kick();
    await until(() => sent.includes('later'));
    slow.open();
    await queue.stop();
  });

  test('a claim takes one job, even while the database underestimates the number of jobs', async ({
    db,
    open,
  }) => {
    const queue = await open();
    await add(db, queue, [mail('first')]);
    await db.write((trx) => query(trx, 'ANALYZE jobs', []));
    await add(db, queue, ['a', 'b', 'c', 'd'].map(mail));
    const at = Date.now() + 1000;
    const claim = () =>
      db.write((trx) => claimJob(db, trx, { kinds: ['mail'], running: [], at, lockedUntil: at + 60_000 }));
    for (let claimed = 1; claimed <= 5; claimed += 1) {
      assert.ok(await claim());
      assert.is((await db.read('jobs').whereNotNull('locked_until').select('id')).length, claimed);
    }
    assert.is(await claim(), null);
  });

  test('a job that outlasts its lock is not started elsewhere', async ({ db, open }) => {
    const [first, second] = [await open(10_000), await open(10_000)];
    const slow = gate();
    let runs = 0;
    await add(db, first, [removal(1)]);
    const work = handlers(() => {
      runs += 1;
      return slow.passed;
    });
    const lock = async (): Promise<number | null> => (await db.read('jobs').first())?.locked_until ?? null;
    first.start(work);
    await until(async () => runs === 1 && (await lock()) !== null);
    const taken = (await lock()) ?? 0;
    await until(async () => ((await lock()) ?? 0) > taken);
    second.start(work);
    await second.settle();
    assert.is(runs, 1);
    slow.open();
    await first.settle();
    assert.equal(await db.read('jobs'), []);
    await Promise.all([first.stop(), second.stop()]);
  });

  test('a worker does not begin a job again that it still runs, even if its lock has expired', async ({
    db,
    open,
  }) => {
    const queue = await open();
    const slow = gate();
    const begun: unknown[] = [];
    await add(db, queue, [removal(1)]);
    queue.start(
      handlers((payload) => {
        begun.push((payload as JobPayloads['accountDeletion']).userId);
        return slow.passed;
      }),
    );
    await until(() => begun.length === 1);
    await db.write((trx) => trx('jobs').update({ locked_until: 0 }));
    // The older job would be taken first.
    await add(db, queue, [removal(2)]);
    queue.kick();
    await until(() => begun.length === 2);
    slow.open();
    await queue.stop();
    assert.equal(begun, [1, 2]);
  });

  test('a worker that lost its lock leaves the job to the new holder', async ({ db, open }) => {
    const [lost, holder] = [await open(), await open()];
    const [slow, slower] = [gate(), gate()];
    const begun: string[] = [];
    const work = (name: string, end: () => Promise<void>) =>
      handlers(() => {
        begun.push(name);
        return end();
      });
    await add(db, lost, [removal(1)]);
    lost.start(
      work('lost', async () => {
        await slow.passed;
        throw new Error('it failed');
      }),
    );
    await until(() => begun.length === 1);
    await db.write((trx) => trx('jobs').update({ locked_until: 0 }));
    holder.start(work('holder', () => slower.passed));
    await until(() => begun.length === 2);
    slow.open();
    await lost.stop();
    const job = await db.read('jobs').first();
    assert.ok(job.locked_until > 0, 'it is still locked');
    assert.is(job.last_error, null);
    slower.open();
    await holder.stop();
    assert.equal(begun, ['lost', 'holder']);
    assert.equal(await db.read('jobs'), []);
  });

  test('stop waits for every running job, even if the database accepts no writes any more', async ({
    db,
    open,
    logged,
  }) => {
    const queue = await open();
    const [broken, slow] = [gate(), gate()];
    const order: string[] = [];
    let begun = 0;
    await add(db, queue, [mail('broken'), mail('slow')]);
    queue.start(
      handlers(nothing, {
        mail: async ({ to }) => {
          begun += 1;
          await (to === 'slow' ? slow.passed : broken.passed);
          if (to === 'broken') throw new Error('it failed');
          order.push('slow job done');
        },
      }),
    );
    await until(() => begun === 2);
    await db.admin.raw('ALTER TABLE jobs RENAME TO jobs_away');
    broken.open();
    await until(() => logged.some((line) => line.includes('the job queue failed')));
    const stopped = queue.stop().then(() => order.push('stopped'));
    await setImmediate();
    slow.open();
    await stopped;
    assert.equal(order, ['slow job done', 'stopped']);

    // Nothing is lost: once the locks expire both run again.
    await db.admin.raw('ALTER TABLE jobs_away RENAME TO jobs');
    await db.write((trx) => trx('jobs').update({ locked_until: 0 }));
    const again = await open();
    const sent: string[] = [];
    again.start(handlers(nothing, { mail: async ({ to }) => void sent.push(to) }));
    await until(() => sent.length === 2);
    await again.stop();
    assert.equal([sent.sort(), await db.read('jobs')], [['broken', 'slow'], []]);
  });

  test('the error of a failed job is stored and logged without the values that it used', async ({
    db,
    open,
    logged,
  }) => {
    const queue = await open();
    await add(
      db,
      queue,
      failing(db).map((_, index) => removal(index)),
    );
    queue.start(
      handlers(async (payload) => {
        await failing(db)[(payload as JobPayloads['accountDeletion']).userId]?.(db.read);
      }),
    );
    await queue.settle();
    await queue.stop();
    const jobs = await db.read('jobs');
    assert.is(jobs.length, failing(db).length);
    for (const { last_error: error } of jobs) {
      assert.match(error, /installation|SELECT|select/);
      assert.not.match(error, /canary|paste/);
    }
    assert.not.match(logged.join(), /canary|of\\?na paste/);
  });

  test.run();
}
