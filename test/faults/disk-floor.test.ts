/** Before the disk is full, creating is refused with 507; reading and deleting go on, and room is enough to recover. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer } from '../harness.js';
import { canMount, mountDisk } from '../support/servers/small-disk.js';
import { until } from '../support/until.js';

const MIB = 1024 * 1024;
const test = suite('too little free space');

if (canMount())
  test('nothing new is stored while less than a twentieth of a small disk is free', async () => {
    const disk = mountDisk(64 * MIB);
    const server = await startServer({ DATA_DIR: disk.folder });
    try {
      const { key } = server.owner;
      const upload = () =>
        server.request('POST', '/image/upload', { key, form: fileForm('a few bytes', 'a.txt') });
      const paste = () => server.request('POST', '/paste/create', { key, json: { text: 'a' } });
      const { uniqueId } = (await upload()).body;
      await disk.fill(2 * MIB);
      await until(async () => (await upload()).status === 507);
      const refused = await paste();
      assert.equal(
        [refused.status, refused.body.message],
        [507, 'The server has no space left, please tell its administrator'],
      );
      assert.is((await server.request('GET', `/image/get/${uniqueId}`)).status, 200);
      assert.is((await server.request('DELETE', `/image/get/${uniqueId}`, { key })).status, 200);
      await disk.free();
      await until(async () => (await upload()).status === 200);
      assert.is((await paste()).status, 200);
    } finally {
      await server.close();
      disk.remove();
    }
  });

test.run();
