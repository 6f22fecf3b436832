/** What an import reads of a repository that somebody else made, and what it does not do for it. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CommittedFile, committedFiles } from '../../server/operations/import/git.js';

const test = suite<{ folder: string }>('import: repositories');
const command = promisify(execFile);
test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'holdall-git-'));
});
test.after.each(({ folder }) => rm(folder, { recursive: true }));

/** A repository with the files `first` and `second`, the first of which is missing among its objects. */
async function withoutFirst(folder: string): Promise<string> {
  const git = async (...args: string[]) =>
    (await command('git', ['-C', folder, '-c', 'user.name=o', '-c', 'user.email=o@example.com', ...args]))
      .stdout;
  await git('init', '-q');
  await writeFile(join(folder, 'first'), 'one');
  await writeFile(join(folder, 'second'), 'two');
  await git('add', '.');
  await git('commit', '-qm', 'one');
  const hash = (await git('rev-parse', 'HEAD:first')).trim();
  await rm(join(folder, '.git/objects', hash.slice(0, 2), hash.slice(2)));
  return join(folder, '.git');
}

async function read(repository: string): Promise<CommittedFile[]> {
  const files: CommittedFile[] = [];
  for await (const file of (await committedFiles(repository)) ?? []) files.push(file);
  return files;
}

test('a file whose object is missing or damaged is told, and the others are read', async ({ folder }) => {
  const repository = await withoutFirst(folder);
  const { stdout } = await command('git', ['--git-dir', repository, 'rev-parse', 'HEAD:first']);
  const object = join(repository, 'objects', stdout.slice(0, 2), stdout.trim().slice(2));
  for (const content of [null, 'not an object']) {
    if (content !== null) await writeFile(object, content);
    const [first, second, ...more] = await read(repository);
    assert.is(first?.bytes, null);
    assert.match(
      first !== undefined && 'reason' in first ? first.reason : '',
      'is damaged in its repository',
    );
    assert.is(second?.bytes?.toString(), 'two');
    assert.equal(more, []);
  }
});

test('what a repository lacks is not fetched with a program that it names', async ({ folder }) => {
  const repository = await withoutFirst(folder);
  const mark = join(folder, 'was run');
  const program = join(folder, 'program');
  await writeFile(program, `#!/bin/sh\ntouch '${mark}'\nexit 1\n`, { mode: 0o755 });
  const settings = {
    'core.repositoryFormatVersion': '1',
    'extensions.partialClone': 'origin',
    'remote.origin.promisor': 'true',
    'core.sshCommand': program,
    'core.gitProxy': program,
    'credential.helper': program,
    'core.askPass': program,
    ...Object.fromEntries(
      ['ssh', 'ext', 'file', 'git', 'http', 'https'].map((name) => [`protocol.${name}.allow`, 'always']),
    ),
  };
  for (const [name, value] of Object.entries(settings))
    await command('git', ['--git-dir', repository, 'config', name, value]);
  for (const url of [
    'ssh://localhost/x',
    `ext::${program}`,
    'git://localhost/x',
    `file://${folder}`,
    'http://127.0.0.1:9/x',
  ]) {
    await command('git', ['--git-dir', repository, 'config', 'remote.origin.url', url]);
    await command('git', ['--git-dir', repository, 'config', 'remote.origin.uploadPack', program]);
    await read(repository);
    assert.not.ok(existsSync(mark), url);
  }
});

test.run();
