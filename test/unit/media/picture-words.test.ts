/** Words in pictures are read from screens as people share them, and no picture keeps the reader from the next. */
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMedia } from '../../../server/drivers/media/index.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { mediaFolder } from '../../support/media/media-fixtures.js';
import { recall, screen } from '../../support/media/screens.js';

const LANGUAGES = ['eng', 'deu', 'ces'];
/** Of 60 words a picture; each picture, not only their mean. */
const LEAST = { eng: 0.95, deu: 0.9, ces: 0.9 };

const folder = await mediaFolder();
const media = createMedia({ tempDir: `${folder.root}/temp`, log: createLogs('silent').log });
const read = async (bytes: Buffer) => media.pictureWords(await folder.put(bytes), LANGUAGES);

const test = suite('media: words in pictures');
test.after(() => folder.remove());

for (let index = 0; index < 12; index += 1)
  test(`screen ${index}: its words are read, in their language`, async () => {
    const { about, language, words, png } = await screen(index, 60);
    const found = await read(png);
    assert.ok(recall(words, found?.text ?? '') >= LEAST[language], `${about}: ${found?.text}`);
    assert.is(found?.boxes.map(({ text }) => text).join(' '), found?.text.replaceAll('\n', ' '));
  });

test('boxes are in pixels of the picture as displayed', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><rect width="100%" height="100%" fill="#fff"/><text x="100" y="200" font-size="40" font-family="DejaVu Sans">Turbine</text></svg>';
  const upright = await sharp(Buffer.from(svg)).jpeg().toBuffer();
  const turned = await sharp(upright).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer();
  for (const picture of [upright, turned]) {
    const [box, ...more] = (await read(picture))?.boxes ?? [];
    assert.equal([box?.text, more.length], ['Turbine', 0]);
    assert.ok(Math.abs((box?.x ?? 0) - 102) < 8 && Math.abs((box?.y ?? 0) - 170) < 8, JSON.stringify(box));
    assert.ok(Math.abs((box?.width ?? 0) - 158) < 20 && Math.abs((box?.height ?? 0) - 30) < 8);
  }
});

test('damaged, tiny, empty, noisy and huge pictures keep nobody from the next one', async () => {
  assert.is(await read(Buffer.from('\x89PNG\r\n\x1a\n nothing')), null);
  const one = { create: { width: 1, height: 1, channels: 3, background: '#fff' } } as const;
  assert.is(await read(await sharp(one).png().toBuffer()), null);
  const noise = {
    create: { ...one.create, width: 800, height: 600, noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  } as const;
  assert.ok((await read(await sharp(noise).png().toBuffer())) !== undefined);
  const wide = { create: { width: 16_000, height: 40, channels: 3, background: '#fff' } } as const;
  assert.equal(await read(await sharp(wide).png().toBuffer()), { text: '', boxes: [] });
  // 250 megapixels, and a screen upside down without a word of that in its file.
  const huge = { create: { ...one.create, width: 15_812, height: 15_812 } } as const;
  assert.ok((await read(await sharp(huge).png().toBuffer())) !== undefined);
  const { words, png } = await screen(0, 10);
  assert.ok((await read(await sharp(png).rotate(180).png().toBuffer())) !== undefined);
  assert.ok(recall(words, (await read(png))?.text ?? '') > 0.9);
});

test.run();
