/** Pages of files that cannot be shown say so and offer a download: no broken picture, no empty player, no error. */
import * as assert from 'uvu/assert';
import { fileForm } from '../../harness.js';
import { filmed } from '../../support/media/film.js';
import { appPng, halves, heicPhoto } from '../../support/media/media-fixtures.js';
import { until } from '../../support/until.js';
import { openPage } from '../../support/web/browser.js';
import { type Place, pageSuite } from '../../support/web/pages.js';
import { PIXEL } from '../../support/web/webhook.js';

const { check, run } = pageSuite('undecodable');

async function put({ server, account }: Place, bytes: Buffer, name: string): Promise<string> {
  const made = await server.request('POST', '/image/upload', {
    key: account.key,
    form: fileForm(bytes, name),
  });
  assert.is(made.status, 200, made.body.message);
  return made.body.uniqueId;
}

const noise = Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 251));
const photo = heicPhoto();
/** JPEG 2000 in a TIFF, as scanners of slides write it. */
async function oddTiff(): Promise<Buffer> {
  const tiff = await halves(64, 48).tiff({ compression: 'lzw' }).toBuffer();
  const compression = tiff.indexOf(Buffer.from('03010300010000000500', 'hex'));
  tiff.writeUInt16LE(34_712, compression + 8);
  return tiff;
}

const damaged: [string, Buffer, string][] = [
  ['a HEIC whose picture is cut off', photo.subarray(0, photo.indexOf('mdat') + 12), 'a.heic'],
  ['a HEIC of noise', Buffer.concat([photo.subarray(0, photo.indexOf('mdat') + 4), noise]), 'b.heic'],
  ['a TIFF in an unknown compression', await oddTiff(), 'c.tif'],
];
for (const [what, bytes, name] of damaged) {
  check(`${what} is offered for download, at the first view too`, async (place) => {
    const { server, browser } = place;
    const id = await put(place, bytes, name);
    const { page, faults, close } = await openPage(browser, server);
    for (let view = 0; view < 2; view++) {
      await page.goto(`/web/image-render/${id}`);
      await page
        .locator('.stage')
        .getByRole('link', { name: /Download/ })
        .waitFor();
      assert.is(await page.locator('.stage img').count(), 0);
      assert.is(await page.locator('meta[property="og:image"], meta[name="twitter:image"]').count(), 0);
    }
    const { message } = (await server.request('GET', `/image/info/${id}`)).body;
    assert.is(message.renderable, false);
    assert.equal(faults, []);
    await close();
  });
}

check(
  'an AVIF without its picture, which browsers try to show, is offered for download instead',
  async (place) => {
    const { server, browser } = place;
    const avif = await halves(64, 48).avif().toBuffer();
    const { page, faults, close } = await openPage(browser, server);
    const bytes = avif.subarray(0, avif.indexOf('mdat') + 4);
    await page.goto(`/web/image-render/${await put(place, bytes, 'd.avif')}`);
    await page.locator('.stage').getByText('Your browser cannot show this file').waitFor();
    assert.not(await page.locator('img.shot').isVisible());
    assert.equal(faults, []);
    await close();
  },
);

for (const [format, codec] of [
  ['webm', ['-c:v', 'libvpx', '-c:a', 'libopus']],
  ['webm', ['-vn', '-c:a', 'libopus']],
  ['matroska', ['-c:v', 'libvpx', '-c:a', 'libopus']],
] as const) {
  check(
    `a recording in ${format} (${codec[0]}) that does not say how long it is can be wound`,
    async (place) => {
      const { server, browser } = place;
      const picture = ['-f', 'lavfi', '-i', 'testsrc2=d=4:s=320x180:r=25'];
      const sound = ['-f', 'lavfi', '-i', 'sine=d=4'];
      const film = await filmed([...picture, ...sound, ...codec, '-live', '1'], format);
      if (film === null) return;
      const { page, faults, close } = await openPage(browser, server);
      await page.goto(`/web/image-render/${await put(place, film, 'recording')}`);
      await page.waitForFunction(() => {
        const player = document.querySelector<HTMLMediaElement>('.stage :is(video, audio)');
        return (
          player?.seekable.length === 1 && Math.abs(player.duration - 4) < 0.2 && player.currentTime === 0
        );
      });
      assert.is(await page.locator('[data-unshown]').isVisible(), false);
      assert.equal(faults, []);
      await close();
    },
  );
}

check('a gallery has no broken picture', async ({ server, browser, account }) => {
  const imagesUids: string[] = [];
  for (const [, bytes, name] of damaged)
    imagesUids.push(await put({ server, browser, account }, bytes, name));
  imagesUids.push(await put({ server, browser, account }, PIXEL, 'whole.png'));
  const made = await server.request('POST', '/image/playlist/create', {
    key: account.key,
    json: { title: 'Slides', imagesUids },
  });
  assert.is(made.status, 200, made.body.message);
  const { page, faults, close } = await openPage(browser, server);
  await page.goto(`/web/collection/${made.body.message.uniqueId}`);
  await page.locator('.tile').nth(damaged.length).scrollIntoViewIfNeeded();
  await page.waitForLoadState('networkidle');
  assert.is(await page.locator('meta[property="og:image"]').count(), 1);
  assert.equal(faults, []);
  await close();
});

check('a PNG that only the server can decode is shown as a rendition', async (place) => {
  const { server, browser } = place;
  const id = await put(place, appPng(), 'app.png');
  await until(
    async () => (await server.request('GET', `/image/info/${id}`)).body.message.renderable === true,
  );
  const { page, faults, close } = await openPage(browser, server);
  await page.goto(`/web/image-render/${id}`);
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('img.shot')?.naturalWidth === 8);
  assert.not(await page.getByText('cannot show').isVisible());
  assert.equal(faults, []);
  await close();
});

check('a HEIC that can be decoded is shown', async (place) => {
  const { server, browser } = place;
  const { page, faults, close } = await openPage(browser, server);
  await page.goto(`/web/image-render/${await put(place, photo, 'good.heic')}`);
  await page.locator('img.shot').waitFor();
  assert.is(await page.locator('meta[property="og:image"]').count(), 1);
  assert.equal(faults, []);
  await close();
});

const FILM = ['-f', 'lavfi', '-i', 'testsrc2=d=1:s=320x180:r=10', '-f', 'lavfi', '-i', 'sine=d=1'];
const films: [string, string[], string, string, RegExp][] = [
  ['AVI', ['-c:v', 'mpeg4'], 'avi', 'a.avi', /Browsers cannot play AVI videos/],
  ['a transport stream', ['-c:v', 'libx264'], 'mpegts', 'a.ts', /Browsers cannot play MTS videos/],
  [
    'HEVC',
    ['-c:v', 'libx265', '-tag:v', 'hvc1', '-x265-params', 'log-level=none'],
    'mp4',
    'a.mp4',
    /Your browser cannot play this/,
  ],
  ['ProRes', ['-c:v', 'prores'], 'mov', 'a.mov', /Your browser cannot play this/],
];
for (const [what, args, format, name, sentence] of films) {
  check(`${what} is not played, and the page says so`, async (place) => {
    const { server, browser } = place;
    const film = await filmed([...FILM, ...args], format);
    if (film === null) return;
    const { page, faults, close } = await openPage(browser, server);
    await page.goto(`/web/image-render/${await put(place, film, name)}`);
    const notice = page.locator('.stage').getByText(sentence);
    await notice.waitFor();
    await page
      .locator('.stage')
      .getByRole('link', { name: /Download/ })
      .waitFor();
    assert.equal(faults, []);
    await close();
  });
}

check('a film that plays has no such sentence', async (place) => {
  const { server, browser } = place;
  const film = await filmed([...FILM, '-c:v', 'libvpx', '-c:a', 'libopus'], 'webm');
  if (film === null) return;
  const { page, faults, close } = await openPage(browser, server);
  await page.goto(`/web/image-render/${await put(place, film, 'a.webm')}`);
  await page.waitForFunction(() => (document.querySelector('video')?.videoWidth ?? 0) > 0);
  assert.not(await page.getByText('cannot play').isVisible());
  assert.equal(faults, []);
  await close();
});

run();
