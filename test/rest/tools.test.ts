import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';

const tools = suite('image tools');
let server: TestServer;

tools.before(async () => {
  server = await startServer();
});
tools.after(() => server.close());

async function compress(picture: Buffer, quality: number): Promise<Buffer> {
  const form = fileForm(picture, 'a.jpg', { quality: String(quality) }, 'image/jpeg');
  const answer = await fetch(`${server.origin}/v1/tools/image/compress`, {
    method: 'POST',
    headers: { 'x-api-key': server.owner.key },
    body: form,
  });
  assert.equal([answer.status, answer.headers.get('content-type')], [200, 'image/jpeg']);
  return Buffer.from(await answer.arrayBuffer());
}

tools('what is compressed well already is answered as it was sent, never larger', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const drawn = sharp({ create: { width: 400, height: 300, channels: 3, background: '#888', noise } });
  const small = await drawn.clone().jpeg({ quality: 10 }).toBuffer();
  assert.ok((await compress(small, 100)).equals(small));
  const large = await drawn.clone().jpeg({ quality: 100 }).toBuffer();
  assert.ok((await compress(large, 40)).length < large.length / 2);
});

tools.run();
