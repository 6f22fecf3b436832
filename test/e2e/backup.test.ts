/** Backup and restore while the server is running, for each database and store. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openBlobStore } from '../../server/drivers/storage/index.js';
import { blobFile, blobKey } from '../../server/drivers/storage/keys.js';
import { backUp } from '../../server/operations/backup/backup.js';
import { readManifest } from '../../server/operations/backup/layout.js';
import { withBackupLock } from '../../server/operations/backup/lock.js';
import { restore } from '../../server/operations/backup/restore.js';
import { type Config, readConfig } from '../../server/runtime/config/config.js';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { openIn } from '../hostile/guarantees.js';
import { ROOT } from '../support/root.js';
import { databaseKinds, type OwnDatabase } from '../support/stores/databases.js';
import { bucketEnv, ownBucket, testBucket } from '../support/stores/object-store.js';
import { until } from '../support/until.js';

/** Locations of a new, empty installation. */
interface Place {
  readonly env: Record<string, string>;
  remove(): Promise<void>;
}

interface Given {
  server: TestServer;
  config: Config;
  folder: string;
  /** The destination of a restore. */
  otherEnv: Record<string, string>;
}

const run = promisify(execFile);

/** A folder in which nobody can create a file. */
const TAKES_NO_FILES = '/proc/self/fdinfo';
const NOT_MADE = /^(ENOENT|EACCES|EPERM)/;
const silent = () => {};

async function makePlace(making: Promise<OwnDatabase>, inBucket: boolean): Promise<Place> {
  const { location, remove } = await making;
  const bucket = inBucket ? await ownBucket() : null;
  return {
    env: {
      DATA_DIR: location.dataDir,
      ...(location.databaseUrl === null ? {} : { DATABASE_URL: location.databaseUrl }),
      ...(bucket === null ? {} : bucketEnv(bucket)),
    },
    remove,
  };
}

const kinds = databaseKinds();
const places = [
  ...kinds.map((kind) => ({ kind, name: kind.name, inBucket: false })),
  ...(testBucket() === null
    ? []
    : kinds.slice(-1).map((kind) => ({ kind, name: `${kind.name} and S3`, inBucket: true }))),
];

for (const { kind, name, inBucket } of places) {
  const test = suite<Given>(`backup and restore: ${name}`);
  const made: Place[] = [];

  test.before.each(async (given) => {
    const [place, other] = await Promise.all([
      makePlace(kind.makeMigrated(), inBucket),
      makePlace(kind.make(), inBucket),
    ]);
    made.push(place, other);
    given.otherEnv = other.env;
    given.folder = await mkdtemp(join(tmpdir(), 'holdall-backup-'));
    given.config = readConfig(place.env);
    given.server = await startServer(place.env);
  });

  test.after.each(async ({ server, folder }) => {
    await server.close();
    await Promise.all(made.splice(0).map((place) => place.remove()));
    await rm(folder, { recursive: true, force: true });
  });

  test('a backup during writes contains everything from before and nothing partial', async ({
    server,
    config,
    folder,
    otherEnv,
  }) => {
    const kept = await Promise.all(Array.from({ length: 10 }, (_, index) => upload(server, `kept ${index}`)));
    const writes = keepWriting(server);
    const manifest = await backUp(config, folder, silent);
    assert.ok((await writes.end()) > 0, 'there were writes meanwhile');
    assert.ok(manifest.files >= kept.length);
    await run('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: folder });

    await restore(readConfig(otherEnv), folder, silent);
    const restored = await startServer(otherEnv);
    try {
      const { key } = server.owner;
      for (const { id, text } of kept) {
        const got = await restored.request('GET', `/image/get/${id}?raw=true`);
        assert.is(got.status, 200);
        assert.is(got.text, text);
      }
      assert.is((await restored.request('GET', '/auth/validate', { key })).status, 200, 'secrets work');
      const { body } = await restored.request('GET', '/admin/images?size=500', { key });
      assert.is(body.message.totalElements, body.message.content.length);
      for (const image of body.message.content) {
        const got = await restored.request('GET', `/image/get/${image.uniqueId}`, { key });
        assert.is(got.status, 200, 'every row has its bytes');
      }
      assert.is((await blobsOf(readConfig(otherEnv))).length, manifest.files, 'no bytes without a row');
      assert.match(
        await doctor(otherEnv),
        new RegExp(`^ok +files +${manifest.files} present and intact$`, 'm'),
      );
    } finally {
      await restored.close();
    }
  });

  test('a repeated backup into the same folder contains the current state', async ({
    server,
    config,
    folder,
  }) => {
    const { id } = await upload(server, 'soon gone');
    await upload(server, 'stays');
    assert.is((await backUp(config, folder, silent)).files, 2);
    await server.request('DELETE', `/image/get/${id}`, { key: server.owner.key });
    await upload(server, 'new');
    await upload(server, 'newer');
    const manifest = await backUp(config, folder, silent);
    assert.is(manifest.files, 3);
    assert.equal(await readManifest(folder), manifest);
    assert.is((await blobsIn(folder)).length, 3);
  });

  test('the metrics say how old the last backup is', async ({ server, config, folder }) => {
    const age = async () =>
      /^holdall_backup_age_seconds (\S+)$/m.exec((await server.request('GET', '/metrics')).text)?.[1];
    assert.is(await age(), undefined);
    await backUp(config, folder, silent);
    assert.ok(Number(await age()) >= 0);
  });

  test('only one backup runs at a time', async ({ config, folder }) => {
    await withBackupLock(config.dataDir, async () => {
      assert.match(await refusal(backUp(config, folder, silent)), 'another backup of this installation');
      await refusal(readManifest(folder));
    });
    await backUp(config, folder, silent);
    await run('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: folder });
  });

  test('a lost or damaged blob is named, and the backup is not reported as complete', async ({
    server,
    config,
    folder,
  }) => {
    const { id } = await upload(server, 'whole');
    const [blob = ''] = await blobsOf(config);
    if (config.s3 === null) {
      await writeFile(blobFile(join(config.dataDir, 'blobs'), blob), 'WHOLE');
      assert.match(
        await refusal(backUp(config, folder, silent)),
        `missing from the store or damaged, 1 in total`,
      );
    }
    await (await openBlobStore(config)).remove(blob);
    const [place, copy] =
      config.s3 === null
        ? [blobFile('blobs', blob), `from the same place in a backup into ${config.dataDir}`]
        : [blobKey(blob), `to this key of the bucket ${config.s3.bucket}`];
    const line = `  ${place}  image ${id} of ${server.owner.username}\n  copy each file ${copy}`;
    const refused = await refusal(backUp(config, folder, silent));
    assert.match(refused, `missing from the store or damaged, 1 in total:\n${line}`);
    await refusal(readManifest(folder));
    assert.match(await refusal(doctor(made[0]?.env)), `1 of 1 files are missing or damaged:\n${line}`);

    await upload(server, 'as large');
    for (const hash of await blobsOf(config)) await (await openBlobStore(config)).remove(hash);
    assert.match(await refusal(backUp(config, folder, silent)), 'damaged, 2 in total');
  });

  test('a damaged backup is refused and leaves no database behind; the next backup repairs it', async ({
    server,
    config,
    folder,
    otherEnv,
  }) => {
    await upload(server, 'whole');
    await backUp(config, folder, silent);
    const [blob = ''] = await blobsIn(folder);
    await truncate(blobFile(join(folder, 'blobs'), blob), 2);
    const target = readConfig(otherEnv);
    assert.match(await refusal(restore(target, folder, silent)), 'missing or damaged: blobs/');
    await backUp(config, folder, silent);
    await writeFile(blobFile(join(folder, 'blobs'), blob), 'WHOLE');
    assert.match(await refusal(restore(target, folder, silent)), 'missing or damaged: blobs/');
    await rm(blobFile(join(folder, 'blobs'), blob));
    await rm(join(folder, 'backup.json'));
    assert.match(await refusal(restore(target, folder, silent)), 'contains no complete backup');
    for (const name of ['holdall.db', 'holdall.dump', 'secret.key', 'SHA256SUMS'])
      await rm(join(folder, name), { force: true });
    await backUp(config, folder, silent);
    await restore(target, folder, silent);
  });

  test('a folder with other content is refused before anything is written there', async ({
    config,
    folder,
    otherEnv,
  }) => {
    const refusedAs = async (path: string, why: string): Promise<void> => {
      const before = await filesIn(folder);
      assert.match(await refusal(backUp(config, path, silent)), why);
      assert.equal(await filesIn(folder), before);
    };
    await symlink(config.dataDir, join(folder, 'link'));
    await refusedAs(config.dataDir, 'is DATA_DIR');
    await refusedAs(join(folder, 'link'), 'is DATA_DIR');
    await refusedAs(join(folder, 'link', 'blobs', 'new'), 'overlap; choose another folder');
    await rm(join(folder, 'link'));
    await mkdir(join(config.dataDir, 'blobs'), { recursive: true });
    await symlink(join(config.dataDir, 'blobs'), join(folder, 'blobs'));
    await refusedAs(folder, 'shares files with DATA_DIR');
    await rm(join(folder, 'blobs'));

    await writeFile(join(folder, 'holdall.db'), 'an installation');
    await refusedAs(folder, 'contains holdall.db and no complete backup.json');
    await writeFile(join(folder, 'holdall.db-wal'), '');
    await refusedAs(folder, 'is in use, or was');
    await rm(join(folder, 'holdall.db-wal'));
    await rm(join(folder, 'holdall.db'));
    for (const name of ['next', 'tmp', 'secret.key']) {
      await mkdir(join(folder, name));
      await refusedAs(
        folder,
        `contains ${name} and no complete backup.json, so it is not a backup; choose an empty folder`,
      );
      await rm(join(folder, name), { recursive: true });
    }

    const other = await startServer(otherEnv);
    await other.close();
    await backUp(readConfig(otherEnv), folder, silent);
    await refusedAs(folder, 'the backup of another installation');
    const { installation: _, ...old } = await readManifest(folder);
    await writeFile(join(folder, 'backup.json'), JSON.stringify(old));
    await backUp(config, folder, silent);
  });

  test('the secret is checked when it is copied, and before it is restored', async ({
    config,
    folder,
    otherEnv,
  }) => {
    await backUp(config, folder, silent);
    const secret = join(folder, 'secret.key');
    assert.match(await readFile(join(folder, 'SHA256SUMS'), 'utf8'), /^[0-9a-f]{64} {2}secret\.key$/m);
    const right = await readFile(secret, 'utf8');
    const target = readConfig(otherEnv);
    await writeFile(
      secret,
      right.replace(/[0-9a-f]/, (digit) => (digit === '0' ? '1' : '0')),
    );
    assert.match(
      await refusal(restore(target, folder, silent)),
      'secret.key is not the one this backup was made with: it is damaged',
    );
    assert.equal(
      (await readdir(target.dataDir)).filter((name) => name.startsWith('secret')),
      [],
    );
    const wrong = readConfig({ ...otherEnv, SECRET_KEY: 'another secret altogether' });
    assert.match(await refusal(restore(wrong, folder, silent)), 'SECRET_KEY is not the one');

    // A backup from before the secret was in the checksums and the manifest named the installation.
    await writeFile(secret, right);
    const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8');
    await writeFile(join(folder, 'SHA256SUMS'), sums.replace(/.* {2}secret\.key\n/, ''));
    const { installation: _, ...old } = await readManifest(folder);
    await writeFile(join(folder, 'backup.json'), JSON.stringify(old));
    await restore(target, folder, silent);

    await writeFile(join(config.dataDir, 'secret.key'), 'damaged');
    assert.match(await refusal(backUp(config, folder, silent)), 'is not the one this database was used with');
    await writeFile(join(config.dataDir, 'secret.key'), right);
  });

  test('a failed copy leaves nothing open', async ({ server, config, folder, otherEnv }) => {
    const large = 'more than one piece '.repeat(200_000);
    await upload(server, large);
    await backUp(config, folder, silent);
    const target = readConfig(otherEnv);
    const closed = async (dataDir: string): Promise<void> =>
      until(async () => (await openIn(process.pid, dataDir)).files === 0);

    await mkdir(target.dataDir, { recursive: true });
    await symlink(TAKES_NO_FILES, join(target.dataDir, 'staging'));
    assert.match(await refusal(restore(target, folder, silent)), NOT_MADE);
    await closed(folder);

    await closed(config.dataDir);
    await rm(join(folder, 'blobs'), { recursive: true });
    await symlink(TAKES_NO_FILES, join(folder, 'staging'));
    assert.match(await refusal(backUp(config, folder, silent)), NOT_MADE);
    await closed(config.dataDir);
  });

  test('a backup contains nothing from a previous configuration of the installation', async ({
    config,
    folder,
  }) => {
    await backUp(config, folder, silent);
    const secretKey = (await readFile(join(folder, 'secret.key'), 'utf8')).trim();
    const other = config.databaseUrl === null ? 'holdall.dump' : 'holdall.db';
    await writeFile(join(folder, other), 'of another database');
    await backUp({ ...config, secretKey }, folder, silent);
    const names = await readdir(folder);
    for (const name of ['secret.key', other]) assert.not(names.includes(name), name);
  });

  test('a folder called staging is not part of a backup', async ({ config, folder }) => {
    await mkdir(join(folder, 'staging'));
    await writeFile(join(folder, 'staging', 'index.html'), 'a site');
    await backUp(config, folder, silent);
    assert.is(await readFile(join(folder, 'staging', 'index.html'), 'utf8'), 'a site');
  });

  test('a restore never overwrites an installation, not even one that was created meanwhile', async ({
    config,
    folder,
    otherEnv,
  }) => {
    await backUp(config, folder, silent);
    assert.match(await refusal(restore(config, folder, silent)), 'restore into an empty');
    const target = readConfig(otherEnv);
    if (target.databaseUrl !== null) return;
    const file = join(target.dataDir, 'holdall.db');
    const meanwhile = (done: number, total: number) => {
      if (done === total) writeFileSync(file, 'live');
    };
    assert.match(await refusal(restore(target, folder, meanwhile)), 'restore into an empty');
    assert.is(await readFile(file, 'utf8'), 'live');
    assert.equal(
      (await readdir(target.dataDir)).filter((name) => name.endsWith('.part')),
      [],
    );
  });

  test.run();
}

async function upload(server: TestServer, text: string): Promise<{ id: string; text: string }> {
  const form = fileForm(text, 'notes.bin');
  const { status, body } = await server.request('POST', '/image/upload', { key: server.owner.key, form });
  assert.is(status, 200);
  return { id: body.uniqueId, text };
}

/** What writes in transit leave at most: everything there fits on one page of a list. */
const LEFT = 50;

/** Uploads and deletes until it is told to stop; returns how often. */
function keepWriting(server: TestServer): { end(): Promise<number> } {
  let over = false;
  let writes = 0;
  let left = 0;
  const write = async (client: number): Promise<void> => {
    for (let round = 0; !over; round += 1) {
      const { id } = await upload(server, `passing ${client} ${round}`);
      if (round % 3 === 0 && left < LEFT) {
        left += 1;
      } else {
        const gone = await server.request('DELETE', `/image/get/${id}`, { key: server.owner.key });
        assert.is(gone.status, 200);
      }
      writes += 1;
    }
  };
  const clients = Promise.all([0, 1, 2].map(write));
  return {
    end: async () => {
      over = true;
      await clients;
      return writes;
    },
  };
}

/** The hashes of all blobs in the store of a configuration. */
async function blobsOf(config: Config): Promise<string[]> {
  const hashes: string[] = [];
  for await (const { sha256 } of (await openBlobStore(config)).list()) hashes.push(sha256);
  return hashes;
}

/** What `holdall doctor --deep` prints; rejects with it if something is wrong. */
async function doctor(env: Record<string, string> = {}): Promise<string> {
  const args = [join(ROOT, 'server', 'operations', 'command', 'holdall.cjs'), 'doctor', '--deep'];
  const { stdout } = await run(process.execPath, args, { env: { PATH: process.env.PATH, ...env } }).catch(
    ({ stdout }) => Promise.reject(new Error(stdout)),
  );
  return stdout;
}

/** Every file in a folder, with its size and modification time. */
async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return Promise.all(
    names.sort().map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name));
      return `${name} ${size} ${mtimeMs}`;
    }),
  );
}

/** The hashes in a backup folder. */
async function blobsIn(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('was not refused');
}
