/** Malformed archives: refused as a whole or read as far as they are valid, with nothing left behind. */
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { filesIn, nothingStaged } from './guarantees.js';
import { archives } from './inputs/archives.js';

const test = suite('hostile archives');
let server: TestServer;
test.before(async () => {
  server = await startServer({ MAX_UPLOAD_BYTES: String(32 * 1024 * 1024) });
});
test.after(() => server.close());

const pixel = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  .png()
  .toBuffer();

for (const [what, { bytes, holds }] of Object.entries(await archives(pixel))) {
  test(`${what}: ${holds === null ? 'refused' : holds}`, async () => {
    const before = await filesIn(server.dataDir, 'blobs');
    const { status, body } = await server.request('POST', '/image/upload/zip', {
      key: server.owner.key,
      form: fileForm(bytes, 'a.zip'),
    });
    assert.is(status, holds === null ? 400 : 200, body.message);
    if (holds !== null) {
      const names = body.message.images.map((image: { originalName: string }) => image.originalName);
      assert.equal(names, holds);
    } else {
      assert.is(await filesIn(server.dataDir, 'blobs'), before);
    }
    await nothingStaged(server.dataDir);
  });
}

test.run();
