import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileMemory } from '../../client/bin/file-memory.js';

const test = suite<{ folder: string; before: string | undefined }>('uploads that commands remember');

test.before.each(async (given) => {
  given.before = process.env.XDG_STATE_HOME;
  given.folder = await mkdtemp(join(tmpdir(), 'memory-'));
  process.env.XDG_STATE_HOME = given.folder;
});

test.after.each(async ({ folder, before }) => {
  if (before === undefined) delete process.env.XDG_STATE_HOME;
  else process.env.XDG_STATE_HOME = before;
  await rm(folder, { recursive: true });
});

test('do not make each other forgotten when they are noted at once', async ({ folder }) => {
  const file = join(folder, 'a.bin');
  await writeFile(file, 'a');
  const memory = await fileMemory(file);
  const names = Array.from({ length: 12 }, (_, index) => `part ${index}`);
  await Promise.all(names.map((name) => memory.set(name, `https://files.example/${name}`)));
  assert.equal(
    await Promise.all(names.map((name) => memory.get(name))),
    names.map((name) => `https://files.example/${name}`),
  );
  const [first = '', ...others] = names;
  await Promise.all([
    ...others.map((name) => memory.delete(name)),
    memory.set(first, 'https://other.example'),
  ]);
  assert.equal(await Promise.all(names.map((name) => memory.get(name))), [
    'https://other.example',
    ...others.map(() => null),
  ]);
});

test.run();
