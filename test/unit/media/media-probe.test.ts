import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMedia } from '../../../server/drivers/media/index.js';
import { createLogs } from '../../../server/runtime/logger.js';
import {
  animation,
  av1Movie,
  bitmap,
  gifOfManyFrames,
  gifPhoto,
  halves,
  heicPhoto,
  hugePng,
  icon,
  jpegPhoto,
  mediaFolder,
  movie,
  pngPhoto,
  tiffPhoto,
  wave,
  webmMovie,
  webpPhoto,
} from '../../support/media/media-fixtures.js';

const folder = await mediaFolder();
const media = createMedia({ tempDir: `${folder.root}/temp`, log: createLogs('silent').log });

/** The facts of a file, which are the same if its bytes are in memory. */
async function probe(bytes: Buffer | string) {
  const path = await folder.put(bytes);
  const facts = await media.probe(path);
  assert.equal(await media.probe(path, Buffer.from(bytes)), facts);
  return facts;
}

/** A film of that many packets with valid beginnings; then the same number of bytes that are not packets. */
function packets(length: number, before = 0, count = 20): Buffer {
  const bytes = Buffer.alloc(20 * length, 1);
  for (let at = before; at < count * length; at += length) bytes[at] = 0x47;
  return bytes;
}

/** Silence: frames of MPEG-1, layer III, 128 kbit/s, 44.1 kHz. */
const audioFrames = (count: number) =>
  Buffer.concat(Array.from({ length: count }, () => Buffer.from('fffb9000'.padEnd(417 * 2, '0'), 'hex')));

const formats = suite('media: type, dimensions and duration come from the content');

const known: [string, () => Buffer | Promise<Buffer>, object][] = [
  ['image/jpeg', () => jpegPhoto(1), { extension: 'jpg', kind: 'image', width: 64, height: 48 }],
  ['image/png', () => pngPhoto(1), { extension: 'png', kind: 'image', width: 64, height: 48 }],
  ['image/gif', gifPhoto, { extension: 'gif', kind: 'image', width: 64, height: 48, animated: true }],
  [
    'image/webp',
    () => webpPhoto(1),
    { extension: 'webp', kind: 'image', width: 64, height: 48, animated: false },
  ],
  ['image/webp', () => animation('webp'), { animated: true, width: 64, height: 48 }],
  ['image/webp', () => halves(31, 7).webp({ lossless: true }).toBuffer(), { width: 31, height: 7 }],
  ['image/webp', () => halves(31, 7).webp().toBuffer(), { width: 31, height: 7 }],
  [
    'image/avif',
    () => halves(64, 48).avif().toBuffer(),
    { extension: 'avif', kind: 'image', width: 64, height: 48 },
  ],
  ['image/tiff', () => tiffPhoto(64, 48, 1), { extension: 'tif', kind: 'image', width: 64, height: 48 }],
  ['image/tiff', () => halves(64, 48).tiff({ bigtiff: true }).toBuffer(), { width: 64, height: 48 }],
  ['image/heic', heicPhoto, { extension: 'heic', kind: 'image', width: 48, height: 64 }],
  ['image/bmp', () => bitmap(40, 30), { extension: 'bmp', kind: 'image', width: 40, height: 30 }],
  ['image/x-icon', () => icon(48), { extension: 'ico', kind: 'image', width: 48, height: 48 }],
  ['image/png', () => hugePng(16_384), { width: 16_384, height: 16_384 }],
  ['image/gif', () => gifOfManyFrames(10_000), { width: 1, height: 1, animated: true }],
  ['video/mp4', () => movie(), { extension: 'mp4', kind: 'video', width: 64, height: 48, durationMs: 1000 }],
  [
    'video/quicktime',
    () => movie({ brand: 'qt  ', indexLast: true }),
    { extension: 'mov', durationMs: 1000 },
  ],
  ['video/mp4', () => movie({ quarterTurn: true }), { width: 48, height: 64 }],
  ['video/mp4', av1Movie, { width: 64, height: 48, durationMs: 1000 }],
  ['video/webm', webmMovie, { extension: 'webm', kind: 'video', width: 64, height: 48, durationMs: 1000 }],
  ['video/mp2t', () => packets(188), { extension: 'mts', kind: 'video' }],
  ['video/mp2t', () => packets(192, 4), { extension: 'mts', kind: 'video' }],
  ['audio/mpeg', () => Buffer.concat([audioFrames(2), Buffer.alloc(128, 'TAG')]), { extension: 'mp3' }],
  ['video/mp2t', () => Buffer.concat([packets(188), Buffer.alloc(300, 1)]), { kind: 'video' }],
  ['audio/mpeg', () => Buffer.concat([audioFrames(3), Buffer.from('APETAGEX')]), { extension: 'mp3' }],
  ['audio/mpeg', () => audioFrames(100), { extension: 'mp3', kind: 'audio' }],
  ['application/octet-stream', () => packets(188, 0, 2), { kind: 'other' }],
  ['application/octet-stream', () => packets(192, 4, 2), { kind: 'other' }],
  [
    'application/octet-stream',
    () => Buffer.concat([audioFrames(2), Buffer.alloc(4000, 1)]),
    { kind: 'other' },
  ],
  ['audio/wav', wave, { extension: 'wav', kind: 'audio', width: null, durationMs: 1000 }],
];
for (const [mimeType, bytes, expected] of known) {
  formats(`${mimeType} ${JSON.stringify(expected)}`, async () => {
    const facts = await probe(await bytes());
    assert.equal({ ...facts, ...expected, mimeType }, facts);
  });
}

formats('a quarter turn in EXIF swaps width and height', async () => {
  for (const photo of [jpegPhoto(6), pngPhoto(6), webpPhoto(6), tiffPhoto(64, 48, 6)]) {
    const { width, height } = await probe(await photo);
    assert.equal([width, height], [48, 64]);
  }
});

formats(
  'an SVG is recognised by its root element, with a prologue and with quotes of either kind',
  async () => {
    const drawings = [
      '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>',
      '\uFEFF<?xml version="1.0"?>\n<!-- a > b -->\n<svg viewBox=\'0 0 30 20\'></svg>',
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd" [<!ENTITY a "b">]><svg width="30px" height="20px"></svg>',
    ];
    for (const drawing of drawings) {
      const { mimeType, extension, width, height } = await probe(drawing);
      assert.equal([mimeType, extension, width, height], ['image/svg+xml', 'svg', 30, 20]);
    }
  },
);

formats('an endless prologue is classified as text at once', async () => {
  for (const text of [
    '<!DOCTYPE svg ['.padEnd(16_384, '][ '),
    '<!--'.repeat(1000),
    `<svg ${'"'.repeat(999)}`,
  ]) {
    assert.ok(['txt', 'svg'].includes((await probe(text)).extension));
  }
});

formats('other known types keep their type and are not media', async () => {
  for (const pdf of ['%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\0\0', '%PDF-1.4\n1 0 obj\n<< >>\nendobj\n']) {
    const { mimeType, kind } = await probe(pdf);
    assert.equal([mimeType, kind], ['application/pdf', 'other']);
  }
  assert.is((await probe('%PDF- is how a PDF begins')).mimeType, 'text/plain');
});

formats('a playlist of other files is not media, wherever they are', async () => {
  const other = await folder.put(await webmMovie());
  const head = '#EXTM3U\n#'.padEnd(44, 'x');
  const list = [
    'SCRM\x01',
    '#EXT-X-TARGETDURATION:10',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXTINF:7,',
    other,
    '#EXT-X-ENDLIST',
    '',
  ];
  const facts = await probe(Buffer.from(head + list.join('\n')));
  assert.equal([facts.width, facts.height, facts.durationMs], [null, null, null]);
});

formats.run();

const disguises = suite('media: files that only pretend to be media are not media');

const script = '<script>alert(1)</script>';
const pretenders: [string, Buffer | string][] = [
  ['a GIF signature before a script', `GIF89a/*${script}*/=1;`],
  [
    'a JPEG signature before a page',
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(`<html>${script.repeat(9)}</html>`)]),
  ],
  ['a bitmap signature before a page', `BM<html>${script}</html>`],
  ['a PNG signature before a page', Buffer.from(`\x89PNG\r\n\x1a\n<html>${script}</html>`, 'latin1')],
  ['a RIFF signature before a script', `RIFF/*aaWEBP*/${script}`],
  [
    'an icon signature before a script',
    Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), Buffer.from(script)]),
  ],
  [
    'an audio frame before noise',
    Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(2000, 7)]),
  ],
  ['a page with a drawing in it', '<!doctype html><svg></svg>'],
  ['a page that names a drawing in a comment', '<!-- <svg> --><html></html>'],
  ['a text about freedom', "I'm free to write mdat and moov as I like."],
  ['a shell script', '#!/bin/sh\nrm -rf /\n'],
  ['nothing', ''],
];
for (const [name, bytes] of pretenders) {
  disguises(name, async () => {
    const { kind, mimeType, extension } = await probe(bytes);
    assert.is(kind, 'other');
    assert.ok(
      [
        ['text/plain', 'txt'],
        ['application/octet-stream', 'bin'],
      ].some(([mime, end]) => mime === mimeType && end === extension),
      mimeType,
    );
  });
}

disguises('text in any alphabet is text, other bytes are binary', async () => {
  assert.is((await probe('Grüße, Καλημέρα, 你好\n')).mimeType, 'text/plain');
  // A character that is cut at the end of the examined part is no reason to call a text binary.
  assert.is((await probe(`a${'é'.repeat(9000)}`)).mimeType, 'text/plain');
  assert.is((await probe(Buffer.from([0x41, 0xc3, 0x28, 0x80, 0xfe]))).mimeType, 'application/octet-stream');
});

disguises.run();

const damage = suite('media: a damaged file yields fewer facts, never an error');

damage('a file truncated anywhere in its head can still be probed', async () => {
  const photos = await Promise.all([jpegPhoto(), pngPhoto(), webpPhoto(), gifPhoto(), icon(48)]);
  for (const whole of [
    ...photos,
    heicPhoto(),
    movie(),
    movie({ indexLast: true }),
    tiffPhoto(8, 8, 6),
    bitmap(4, 3),
  ]) {
    const step = Math.max(1, Math.floor(whole.length / 60));
    for (let length = 0; length < whole.length; length += step) {
      const facts = await probe(whole.subarray(0, length));
      assert.ok(facts.width === null || facts.width > 0);
    }
  }
});

damage('a JPEG truncated after its header is still a JPEG', async () => {
  const facts = await probe((await jpegPhoto()).subarray(0, 24));
  assert.equal([facts.mimeType, facts.width], ['image/jpeg', null]);
});

damage('a movie truncated before its index is a video without facts', async () => {
  const facts = await probe(movie({ indexLast: true }).subarray(0, 60));
  assert.equal([facts.mimeType, facts.width, facts.durationMs], ['video/mp4', null, null]);
});

damage('a WebM with noise after its head is a video without facts', async () => {
  const facts = await probe(Buffer.concat([webmMovie().subarray(0, 60), Buffer.alloc(5000, 0xa5)]));
  assert.equal([facts.mimeType, facts.width, facts.durationMs], ['video/webm', null, null]);
});

damage('directories that point to themselves do not loop', async () => {
  const loop = Buffer.from('4d4d002a00000008' + '0001' + '014a00040000000100000008' + '00000008', 'hex');
  assert.is((await probe(loop)).mimeType, 'image/tiff');
});

damage('a picture larger than memory is probed from its head', async () => {
  const image = sharp({ create: { width: 3, height: 2, channels: 3, background: '#fff' } });
  const png = await image.png().toBuffer();
  png.writeUInt32BE(2_000_000_000, 16);
  assert.is((await probe(png)).width, 2_000_000_000);
});

damage.after(folder.remove);
damage.run();
