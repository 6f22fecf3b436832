import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MediaUnsupported, type RenditionRequest } from '../../../routers/base/ports/media/media.js';
import { createMedia } from '../../../server/drivers/media/index.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { filmed } from '../../support/media/film.js';
import { look, near } from '../../support/media/look.js';
import {
  animation,
  appPng,
  av1Movie,
  bitmap,
  gifOfManyFrames,
  halves,
  heicPhoto,
  hugePng,
  icon,
  jpegPhoto,
  mediaFolder,
  movie,
  pngPhoto,
  tiffPhoto,
  webmMovie,
  webpPhoto,
} from '../../support/media/media-fixtures.js';

const folder = await mediaFolder();
const media = createMedia({ tempDir: `${folder.root}/temp`, log: createLogs('silent').log });
const any: RenditionRequest = { width: null, format: null };

async function render(bytes: Buffer | string, request: RenditionRequest = any) {
  const { path, mimeType, extension } = await media.rendition(await folder.put(bytes), request);
  const facts = await media.probe(path);
  assert.equal([facts.mimeType, facts.extension], [mimeType, extension]);
  return { path, ...facts };
}

/** The colours in the middle of the top, right, bottom and left edge, as `red`, `blue` or `other`. */
async function edges(path: string): Promise<string[]> {
  const { data, info } = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const colour = (x: number, y: number) => {
    const at = (Math.floor(y) * info.width + Math.floor(x)) * info.channels;
    const [red = 0, , blue = 0] = data.subarray(at, at + 3);
    return red > 150 && blue < 100 ? 'red' : blue > 150 && red < 100 ? 'blue' : 'other';
  };
  const [right, bottom] = [info.width - 2, info.height - 2];
  return [
    colour(right / 4, 1),
    colour(right, bottom / 4),
    colour((right * 3) / 4, bottom),
    colour(1, bottom / 4),
  ];
}

const renditions = suite('media: renditions');

renditions('a requested width is rounded up to a step of the ladder', async () => {
  const large = await halves(3000, 30).png().toBuffer();
  for (const [wanted, made] of [
    [1, 160],
    [160, 160],
    [161, 320],
    [700, 960],
    [2560, 2560],
    [9999, 2560],
  ] as const) {
    assert.is((await render(large, { width: wanted, format: 'webp' })).width, made);
    assert.is(media.canonical({ width: wanted, format: 'webp' }).width, made);
  }
  assert.is((await render(large)).width, 2560);
});

renditions('nothing is enlarged', async () => {
  const { width, height } = await render(await halves(50, 40).png().toBuffer(), {
    width: 640,
    format: 'jpeg',
  });
  assert.equal([width, height], [50, 40]);
});

renditions('every format can be made from every picture', async () => {
  for (const format of ['webp', 'avif', 'jpeg', 'png'] as const) {
    const photo = await halves(64, 48).png().toBuffer();
    assert.is((await render(photo, { width: 160, format })).mimeType, `image/${format}`);
  }
  const sources = [jpegPhoto(1), pngPhoto(1), webpPhoto(1), halves(64, 48).avif().toBuffer(), icon(64)];
  for (const bytes of [...(await Promise.all(sources)), tiffPhoto(64, 48, 1), bitmap(64, 48)]) {
    assert.is((await render(bytes, { width: 160, format: 'jpeg' })).width, 64);
  }
});

renditions('without a requested format a picture keeps one that browsers show', async () => {
  const made = async (bytes: Buffer) => (await render(bytes)).extension;
  assert.equal(await made(await jpegPhoto()), 'jpg');
  assert.equal(await made(await pngPhoto()), 'png');
  assert.equal(await made(await webpPhoto()), 'webp');
  assert.equal(await made(heicPhoto()), 'jpg');
  assert.equal(await made(tiffPhoto(9, 9, 1)), 'jpg');
  assert.equal(await made(await animation('gif')), 'webp');
});

renditions('a rotated photo is turned upright and loses its metadata', async () => {
  for (const photo of [await jpegPhoto(6), await pngPhoto(6), await webpPhoto(6)]) {
    const { path, width, height } = await render(photo, { width: 160, format: 'png' });
    assert.equal([width, height], [48, 64]);
    assert.equal(await edges(path), ['red', 'red', 'blue', 'red']);
    const { exif, xmp, orientation } = await sharp(path).metadata();
    assert.equal([exif, xmp, orientation], [undefined, undefined, undefined]);
  }
});

renditions('a HEIC photo is decoded upright', async () => {
  const { path, width, height, mimeType } = await render(heicPhoto(), { width: 160, format: 'jpeg' });
  assert.equal([width, height, mimeType], [48, 64, 'image/jpeg']);
  assert.equal(await edges(path), ['red', 'red', 'blue', 'red']);
});

renditions('an animation stays animated in WebP, and becomes its first frame in other formats', async () => {
  for (const bytes of [await animation('gif'), await animation('webp')]) {
    assert.ok((await render(bytes, { width: 160, format: null })).animated);
    assert.ok((await render(bytes, { width: 160, format: 'webp' })).animated);
    assert.not.ok((await render(bytes, { width: 160, format: 'jpeg' })).animated);
  }
});

renditions(
  'a JPEG of 108 megapixels, as telephones take them, has renditions within the memory of a decoder',
  async () => {
    const photo = await sharp({ create: { width: 12_000, height: 9_000, channels: 3, background: '#a50' } })
      .jpeg()
      .toBuffer();
    for (const width of [320, 1280]) {
      const { path, ...made } = await render(photo, { width, format: 'webp' });
      assert.equal([made.width, made.height], [width, (width * 3) / 4]);
      near((await look(path)).colour, [170, 85, 0], 4);
    }
  },
);

for (const [name, format, options] of [
  ['a JPEG', 'jpeg', {}],
  ['a progressive JPEG', 'jpeg', { progressive: true }],
  ['a PNG', 'png', { compressionLevel: 1 }],
  ['a TIFF', 'tiff', { compression: 'deflate', tile: true }],
  ['a WebP', 'webp', { effort: 0 }],
] as const) {
  renditions(`${name} of 60 megapixels, as cameras take them, has renditions`, async () => {
    const photo = await sharp({ create: { width: 9600, height: 6400, channels: 3, background: '#a50' } })
      .toFormat(format, options)
      .toBuffer();
    const { width, height } = await render(photo, { width: 320, format: 'webp' });
    assert.equal([width, height], [320, 213]);
  });
}

renditions('a PNG as Xcode makes it for apps has its colours', async () => {
  near((await look((await render(appPng())).path)).colour, [200, 100, 50], 2);
});

renditions('an animated AVIF becomes its first frame', async () => {
  const frames = ['-f', 'lavfi', '-i', 'color=c=0x00c800:s=64x48:d=1:r=3', '-c:v', 'libaom-av1', '-crf', '1'];
  const film = await filmed([...frames, '-cpu-used', '8'], 'avif');
  if (film === null) return;
  assert.is(film.toString('latin1', 8, 12), 'avis');
  near((await look((await render(film, { width: 160, format: 'png' })).path)).colour, [0, 200, 0], 8);
});

renditions('a drawing in any encoding, with any prefix, is rendered', async () => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>\u00fc</title></svg>';
  const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${drawing}`;
  for (const bytes of [
    Buffer.from(declared('ISO-8859-1'), 'latin1'),
    Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le'),
    drawing.replaceAll(/(<\/?)/g, '$1a:').replace('xmlns=', 'xmlns:a='),
    `<!--${'licence '.repeat(3000)}-->${drawing}`,
  ])
    assert.is((await render(bytes)).width, 9);
});

renditions('a drawing without external references is rendered', async () => {
  const inner = (await halves(4, 4).png().toBuffer()).toString('base64');
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48">
    <defs><linearGradient id="g"><stop stop-color="red"/></linearGradient></defs>
    <rect width="32" height="48" fill="url(#g)"/><rect x="32" width="32" height="48" fill="blue"/>
    <image href="data:image/png;base64,${inner}" width="1" height="1"/></svg>`;
  const { path, mimeType } = await render(drawing);
  assert.is(mimeType, 'image/png');
  assert.equal(await edges(path), ['red', 'blue', 'blue', 'red']);
});

renditions.run();

const hostile = suite('media: undecodable files are refused, and the process survives');

const svg = (inner: string, prologue = '') =>
  `${prologue}<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inner}</svg>`;
const noise = Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 251));
const refused: [string, () => Buffer | string | Promise<Buffer>][] = [
  ['a PNG of 268 megapixels in 32 kB', () => hugePng(16_384)],
  [
    'a JPEG of noise behind its head',
    async () => Buffer.concat([(await jpegPhoto()).subarray(0, 30), noise]),
  ],
  ['a HEIC without a picture', () => heicPhoto().subarray(0, 200)],
  [
    'an AVIF of noise',
    async () => Buffer.concat([(await halves(64, 48).avif().toBuffer()).subarray(0, 200), noise]),
  ],
  ['a TIFF that points outside of itself', () => tiffPhoto(8, 8, 1).subarray(0, 40)],
  ['a text', () => 'no picture at all'],
  ['nothing', () => ''],
  ['a video', () => movie()],
  [
    'a drawing with an external entity',
    () => svg('<text>&x;</text>', '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
  ],
  [
    'a drawing of nested entities',
    () => svg('&b;', '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'),
  ],
  [
    'a drawing with a picture from elsewhere',
    () => svg('<image href="http://127.0.0.1/x.png" width="9" height="9"/>'),
  ],
  ['a drawing with a local file', () => svg('<image xlink:href="file:///etc/passwd" width="9" height="9"/>')],
  ['a drawing with a style from elsewhere', () => svg('<style>@import "http://127.0.0.1/x.css";</style>')],
  ['a drawing with a fill from elsewhere', () => svg('<rect fill="url(http://127.0.0.1/x.svg#a)"/>')],
  [
    'a drawing in UTF-16 with a picture from elsewhere',
    () =>
      Buffer.from(`\ufeff${svg('<image href="http://127.0.0.1/x.png" width="9" height="9"/>')}`, 'utf16le'),
  ],
  ['a drawing with a script', () => svg('<script>alert(1)</script>')],
];
for (const [name, bytes] of refused) {
  hostile(`${name} has no rendition and no thumbhash`, async () => {
    const path = await folder.put(await bytes());
    try {
      await media.rendition(path, any);
      assert.unreachable();
    } catch (error) {
      assert.instance(error, MediaUnsupported);
    }
    assert.is(await media.thumbhash(path), null);
  });
}

hostile('decoding a HEIC whose frame is noise ends, with or without success', async () => {
  const photo = heicPhoto();
  const path = await folder.put(Buffer.concat([photo.subarray(0, photo.indexOf('mdat') + 12), noise]));
  const made = await media.rendition(path, any).catch((error: unknown) => error);
  assert.ok(
    made instanceof MediaUnsupported || (typeof made === 'object' && made !== null && 'path' in made),
  );
});

hostile('an animation of 10,000 frames is rendered as its first frame', async () => {
  assert.not.ok((await render(gifOfManyFrames(10_000), { width: 160, format: 'webp' })).animated);
});

hostile('a truncated photo is rendered as far as it goes', async () => {
  const photo = await halves(640, 480).jpeg().toBuffer();
  assert.is((await render(photo.subarray(0, photo.length - 200), { width: 160, format: 'jpeg' })).width, 160);
});

hostile.run();

const hints = suite('media: thumbhash and posters');

hints('a thumbhash is short and differs between pictures', async () => {
  const hash = async (bytes: Buffer) => media.thumbhash(await folder.put(bytes));
  const [photo, other] = [await hash(await jpegPhoto(1)), await hash(bitmap(64, 48))];
  assert.ok(photo && photo.length < 40);
  assert.is.not(photo, other);
  assert.is(await hash(await jpegPhoto(1)), photo);
  assert.ok(await hash(await animation('gif')));
});

for (const [name, bytes] of [
  ['H.264', () => movie()],
  ['VP9', webmMovie],
  ['AV1', av1Movie],
] as const) {
  hints(`a video in ${name} has a JPEG poster of its first moments`, async () => {
    const poster = await media.poster(await folder.put(bytes()));
    assert.ok(poster);
    const { mimeType, width, height } = await media.probe(poster);
    assert.equal([mimeType, width, height], ['image/jpeg', 64, 48]);
    assert.equal(await edges(poster), ['red', 'blue', 'blue', 'red']);
  });
}

hints('a poster is upright', async () => {
  const poster = await media.poster(await folder.put(movie({ quarterTurn: true })));
  assert.ok(poster);
  const { width, height } = await media.probe(poster);
  assert.equal([width, height], [48, 64]);
});

hints('a broken video, and a file that is not a video, has no poster', async () => {
  const head = movie({ metadata: false });
  for (const bytes of [
    head.subarray(0, -30),
    head.subarray(0, 300),
    noise,
    Buffer.alloc(0),
    Buffer.from('text'),
  ]) {
    assert.is(await media.poster(await folder.put(bytes)), null);
  }
});

hints.after(folder.remove);
hints.run();
