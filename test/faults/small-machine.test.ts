/** The first hour on a machine of 384 MiB with one processor: nothing is killed, and nothing is lost. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { filmed } from '../support/media/film.js';
import { COMMAND } from '../support/servers/command.js';
import { OWNER, startServer } from '../support/servers/server-process.js';
import { smallMachine } from '../support/servers/small-machine.js';
import { until } from '../support/until.js';
import { BOUNDARY, Client, fileForm } from './clients/client.js';

const MIB = 1024 * 1024;
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
const WIDTH = 8_000;
const HEIGHT = 6_000;

const test = suite('a small machine');
const machine = smallMachine(384 * MIB);

/** A photograph of 48 megapixels. */
async function photograph(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const small = sharp({ create: { width: 1_000, height: 750, channels: 3, background: '#000', noise } });
  return sharp(await small.png().toBuffer())
    .resize(WIDTH, HEIGHT)
    .jpeg()
    .toBuffer();
}

/** Five minutes of video. */
const film = (): Promise<Buffer | null> => {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=5:duration=300'];
  return filmed([...picture, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'], 'mp4');
};

if (machine !== null)
  test('takes a photograph of 48 megapixels, five minutes of video, and everything else', async () => {
    // On a disk: what lies in memory would count as memory of the server.
    const folder = await mkdtemp('/var/tmp/holdall-small-');
    const dataDir = join(folder, 'data');
    const moving = await film();
    if (moving === null) return;
    const server = await startServer({ dataDir: folder, env: { DATA_DIR: dataDir }, wrap: machine.wrap });
    const owner = new Client(server.origin, OWNER.OWNER_API_KEY);
    try {
      const upload = async (bytes: Buffer, name: string) =>
        (await owner.ask('POST', '/image/upload', FORM, fileForm(bytes, name))).uniqueId;
      const still = await photograph();
      const photo = await upload(still, 'large.jpg');
      const { message: info } = await owner.ask('GET', `/image/info/${photo}`);
      assert.equal([info.width, info.height], [WIDTH, HEIGHT]);
      const reduced = await owner.send('GET', `/image/get/${photo}?width=640`);
      assert.is((await sharp(reduced.body).metadata()).width, 640);

      const video = await upload(moving, 'film.mp4');
      await until(async () => {
        const { message } = await owner.ask('GET', `/image/info/${video}`);
        return typeof message.urlSet.posterUrl === 'string';
      });
      assert.is((await owner.send('GET', `/image/get/poster/${video}`)).status, 200);

      const list = { identifier: 'first-hour', title: 'First hour', images: [photo, video] };
      await owner.json('POST', '/image/playlist/create', list);
      const { uniqueId: paste } = await owner.json('POST', '/paste/create', { text: 'a needle in here' });
      const { uniqueId: link } = await owner.json('POST', '/url/create', { url: 'https://example.org/' });
      await owner.json('POST', '/email/send', { to: 'a@example.org', subject: 'Hello', text: 'There' });

      const stored = await owner.send('GET', `/image/get/video/${video}`);
      assert.is(stored.status, 200);
      assert.is((await owner.send('GET', `/url/r/${link}`)).status, 301);
      const { message: found } = await owner.ask('GET', '/user/get/@me/items?search=needle');
      assert.equal(
        found.content.map(({ uniqueId }: { uniqueId: string }) => uniqueId),
        [paste],
      );

      const [program = '', ...first] = machine.wrap;
      const backup = join(folder, 'backup');
      const args = [...first, process.execPath, COMMAND, 'backup', backup];
      await promisify(execFile)(program, args, {
        env: { PATH: process.env.PATH, DATA_DIR: dataDir, BASE_URL: server.origin },
      });
      assert.ok((await readdir(backup)).includes('holdall.db'));
      assert.is(machine.killed(), 0);
      assert.is(server.child.exitCode, null);
    } finally {
      owner.close();
      await server.kill();
      await machine.remove();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });

test.run();
