/** What other products call their files never leads an import out of the folder that it was given. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileBelow } from '../../server/operations/import/port.js';
import { moment, text } from '../../server/operations/import/tables/values.js';

const test = suite('import: what is written in foreign tables');

test('a file lies in the folder, whatever its name is', () => {
  assert.is(fileBelow('/data/uploads', 'a b.png'), '/data/uploads/a b.png');
  assert.is(fileBelow('/data/uploads/', 'share', 'file'), '/data/uploads/share/file');
  assert.is(fileBelow('/data/uploads', '/etc/passwd'), '/data/uploads/etc/passwd');
  for (const names of [['../secret'], ['share', '../../secret'], ['..\\secret'], ['..'], [''], ['.']])
    assert.is(fileBelow('/data/uploads', ...names), null, names.join(' and '));
});

test('no link in the folder leads an import out of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-test-'));
  try {
    const uploads = join(folder, 'uploads');
    await mkdir(join(uploads, 'real'), { recursive: true });
    await writeFile(join(folder, 'secret.key'), 'secret');
    await writeFile(join(uploads, 'real', 'a.png'), 'picture');
    await symlink('../secret.key', join(uploads, 'b.png'));
    await symlink(folder, join(uploads, 'out'));
    await symlink('real', join(uploads, 'inside'));
    await symlink(uploads, join(folder, 'moved'));
    for (const names of [['b.png'], ['out', 'secret.key'], ['out']])
      assert.is(fileBelow(uploads, ...names), null, names.join(' and '));
    assert.is(fileBelow(uploads, 'inside', 'a.png'), join(uploads, 'inside', 'a.png'));
    assert.is(fileBelow(join(folder, 'moved'), 'real/a.png'), join(folder, 'moved', 'real', 'a.png'));
    assert.is(fileBelow(uploads, 'missing.png'), join(uploads, 'missing.png'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('texts have no characters that PostgreSQL refuses, and moments are dates', () => {
  assert.is(text('a\u0000b\ud800c'), 'ab\ufffdc');
  assert.is(text(Buffer.from('caf\u00e9')), 'caf\u00e9');
  assert.equal([moment(1e300), moment('1e19'), moment(new Date(Number.NaN))], [null, null, null]);
  assert.is(moment(1_700_000_000), 1_700_000_000_000);
});

test.run();
