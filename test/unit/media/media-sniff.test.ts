import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMedia } from '../../../server/drivers/media/index.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { pngChunk } from '../../../server/shared/png-chunk.js';
import { filmed } from '../../support/media/film.js';
import {
  bitmap,
  halves,
  icon,
  jpegPhoto,
  mediaFolder,
  movie,
  wave,
} from '../../support/media/media-fixtures.js';

const folder = await mediaFolder();
const media = createMedia({ tempDir: `${folder.root}/temp`, log: createLogs('silent').log });
const probe = async (bytes: Buffer | string) => media.probe(await folder.put(bytes));

const sniffing = suite('media: real files that begin in an unusual way keep their type');

/** Replaces bytes at an offset. */
const patched = (bytes: Buffer, at: number, hex: string): Buffer => {
  const copy = Buffer.from(bytes);
  Buffer.from(hex, 'hex').copy(copy, at);
  return copy;
};

/** Frames of MPEG-1, layer III, 128 kbit/s, 44.1 kHz. */
const mp3 = Buffer.concat(
  Array.from({ length: 100 }, () => Buffer.from('fffb9000'.padEnd(417 * 2, '0'), 'hex')),
);
/** Frames of AAC, 44.1 kHz, 100 bytes each. */
const aac = Buffer.concat(
  Array.from({ length: 100 }, () => Buffer.from('fff1508'.concat('00c9ffc').padEnd(200, '5'), 'hex')),
);

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><title>Gr\u00fc\u00dfe</title></svg>';
const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${SVG}`;

/** A long form of a wave file: the size is in a chunk of its own. */
function longWave(magic: 'RF64' | 'BW64'): Buffer {
  const plain = wave();
  const ds64 = Buffer.alloc(36);
  ds64.write('ds64', 'latin1');
  ds64.writeUInt32LE(28, 4);
  ds64.writeBigUInt64LE(BigInt(plain.length - 44), 16);
  const long = Buffer.concat([plain.subarray(0, 12), ds64, plain.subarray(12)]);
  long.write(magic, 'latin1');
  long.writeUInt32LE(0xffffffff, 4);
  long.writeUInt32LE(0xffffffff, 36 + 40);
  return long;
}

/** The boxes of a movie behind another first box. */
const behindBox = (type: string, bytes: Buffer) =>
  Buffer.concat([Buffer.from(`00000010${Buffer.from(type).toString('hex')}0000000000000000`, 'hex'), bytes]);
const withoutFtyp = (bytes: Buffer) => bytes.subarray(bytes.readUInt32BE(0));

const unusual: [string, () => Buffer | Promise<Buffer>, object][] = [
  ['a wave file above 4 GB', () => longWave('RF64'), { mimeType: 'audio/wav', durationMs: 1000 }],
  ['a wave file of a broadcaster', () => longWave('BW64'), { mimeType: 'audio/wav', durationMs: 1000 }],
  ['MP3 from the middle of a frame', () => mp3.subarray(123), { mimeType: 'audio/mpeg' }],
  ['MP3 behind zeros', () => Buffer.concat([Buffer.alloc(5000), mp3]), { mimeType: 'audio/mpeg' }],
  ['MP3 behind many zeros', () => Buffer.concat([Buffer.alloc(90_000), mp3]), { mimeType: 'audio/mpeg' }],
  [
    'MP3 behind a remark of its encoder',
    () => Buffer.concat([Buffer.alloc(417, 'LAME3.92UUUUUU'), mp3]),
    { mimeType: 'audio/mpeg', extension: 'mp3' },
  ],
  ['AAC from the middle of a frame', () => aac.subarray(33), { mimeType: 'audio/aac', extension: 'aac' }],
  ['an icon of .NET', async () => patched(await icon(48), 9, 'ff'), { mimeType: 'image/x-icon', width: 48 }],
  [
    'a bitmap with a signature of its program',
    () => patched(bitmap(40, 30), 6, '436f6d6d'),
    { mimeType: 'image/bmp' },
  ],
  [
    'a PNG of an app',
    async () => {
      const png = await halves(64, 48).png().toBuffer();
      return Buffer.concat([
        png.subarray(0, 8),
        pngChunk('CgBI', Buffer.from('50002002', 'hex')),
        png.subarray(8),
      ]);
    },
    { mimeType: 'image/png', width: 64, height: 48 },
  ],
  [
    'a JPEG whose first length is too small',
    async () => patched(await halves(64, 48).jpeg().toBuffer(), 4, '000e'),
    { mimeType: 'image/jpeg', width: 64 },
  ],
  [
    'a JPEG whose first length is too large',
    async () => patched(await halves(64, 48).jpeg().toBuffer(), 4, '0013'),
    { mimeType: 'image/jpeg', width: 64 },
  ],
  [
    'a JPEG whose first segment is unknown and wrong',
    async () => patched(await jpegPhoto(1), 2, 'ffef0001'),
    { mimeType: 'image/jpeg' },
  ],
  [
    'a segment of a movie',
    () => behindBox('styp', withoutFtyp(movie())),
    { mimeType: 'video/mp4', width: 64 },
  ],
  ['a movie behind another box', () => behindBox('uuid', movie()), { mimeType: 'video/mp4', width: 64 }],
  ['a movie behind free space', () => behindBox('free', movie()), { mimeType: 'video/mp4', width: 64 }],
  ...['sidx', 'moof', 'emsg', 'prft'].map((type): [string, () => Buffer, object] => [
    `a part of a stream that begins with ${type}`,
    () => behindBox(type, behindBox('mdat', Buffer.alloc(0))),
    { mimeType: 'video/mp4' },
  ]),
  ...['ns0:', 'svg:', 'my-svg.1:'].map((prefix): [string, () => Buffer, object] => [
    `a drawing with the prefix ${prefix}`,
    () =>
      Buffer.from(
        `<${prefix}svg xmlns:${prefix.slice(0, -1)}="http://www.w3.org/2000/svg" width="30" height="20"/>`,
      ),
    { mimeType: 'image/svg+xml', width: 30, height: 20 },
  ]),
  [
    'a drawing in ISO-8859-1',
    () => Buffer.from(declared('ISO-8859-1'), 'latin1'),
    { mimeType: 'image/svg+xml', width: 30 },
  ],
  [
    'a drawing in windows-1252',
    () => Buffer.from(declared('windows-1252'), 'latin1'),
    { mimeType: 'image/svg+xml', width: 30 },
  ],
  [
    'a drawing in UTF-16',
    () => Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le'),
    { mimeType: 'image/svg+xml', width: 30 },
  ],
  [
    'a drawing in UTF-16, most significant byte first',
    () => Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le').swap16(),
    { mimeType: 'image/svg+xml', width: 30 },
  ],
  ...(['utf8', 'utf16le'] as const).map((encoding): [string, () => Buffer, object] => [
    `a drawing behind white space in ${encoding}`,
    () => Buffer.from(`\ufeff\r\n\t ${SVG}`, encoding),
    { mimeType: 'image/svg+xml', width: 30 },
  ]),
  [
    'a drawing behind a long licence',
    () => Buffer.from(`<!-- ${'licence '.repeat(9000)}-->\n${SVG}`),
    { mimeType: 'image/svg+xml', width: 30 },
  ],
  [
    'a drawing behind a style sheet',
    () => Buffer.from(`<?xml version="1.0"?><?xml-stylesheet href="a.css"?>${SVG}`),
    { mimeType: 'image/svg+xml' },
  ],
];
for (const [name, bytes, expected] of unusual) {
  sniffing(name, async () => {
    const facts = await probe(await bytes());
    assert.equal({ ...facts, ...expected }, facts);
  });
}

sniffing(
  'only bytes of no known kind are unidentified: not text in any encoding, not a page, not an archive',
  async () => {
    const page = '<html><script>alert(1)</script></html>';
    const known = [
      page,
      '%PDF-1.4\n1 0 obj\n<< >>\nendobj\n',
      Buffer.from('Gr\u00fc\u00dfe aus M\u00fcnchen', 'latin1'),
      Buffer.from('\ufeffGr\u00fc\u00dfe', 'utf16le'),
      Buffer.from(`\x89PNG\r\n\x1a\n${page}`, 'latin1'),
      Buffer.from(`PK\x03\x04${'\0'.repeat(60)}`, 'latin1'),
      Buffer.from(`MZ\x90\0\x03\0\0\0${'\0'.repeat(60)}`, 'latin1'),
      Buffer.from(`\x7fELF\x02\x01\x01${'\0'.repeat(60)}`, 'latin1'),
      '<?php header("Content-Type: image/svg+xml"); ?><svg/>',
      '',
    ];
    for (const bytes of known) {
      const { kind, unidentified } = await probe(bytes);
      assert.equal([kind, unidentified], ['other', undefined], JSON.stringify(bytes.slice(0, 20)));
    }
    const noise = Buffer.from(
      Array.from({ length: 5000 }, (_, index) => (index * index * 31 + 7 * index + 1) % 253),
    );
    assert.equal((await probe(noise)).unidentified, 'unsigned');
    for (const begin of ['ffd8', '89504e47', '47494638', '524946460000000057454250'])
      assert.equal(
        (await probe(Buffer.concat([Buffer.from(begin, 'hex'), noise]))).unidentified,
        'signed',
        begin,
      );
  },
);

sniffing.run();

const durations = suite('media: durations');

const made: [string, string[], string, number][] = [
  ['MP3 with an index', ['-q:a', '5'], 'mp3', 12_000],
  ['MP3 of variable rate without an index', ['-q:a', '5', '-write_xing', '0'], 'mp3', 12_000],
  ['MP3 of half the sampling rate', ['-ar', '22050', '-b:a', '64k'], 'mp3', 12_000],
  ['MP2', ['-c:a', 'mp2'], 'mp2', 12_000],
  ['AAC', [], 'aac', 12_000],
  ['FLAC', [], 'flac', 12_000],
  ['Ogg', ['-c:a', 'libvorbis'], 'ogg', 12_000],
  ['Opus', ['-c:a', 'libopus'], 'opus', 12_000],
  ['wave', [], 'wav', 12_000],
  ['wave in ADPCM', ['-c:a', 'adpcm_ms'], 'wav', 12_000],
];
for (const [name, args, format, expected] of made) {
  durations(name, async () => {
    const film = await filmed(['-f', 'lavfi', '-i', 'aevalsrc=sin(2000*t*t):d=12', ...args], format);
    if (film === null) return;
    const { durationMs, kind } = await probe(film);
    assert.is(kind, 'audio');
    assert.ok(Math.abs((durationMs ?? 0) - expected) < 120, `${durationMs}`);
  });
}

const films: [string, string[], string][] = [
  ['MPEG transport stream', ['-c:v', 'libx264', '-output_ts_offset', '5000'], 'mpegts'],
  ['fragmented MP4', ['-c:v', 'libx264', '-movflags', 'frag_keyframe+empty_moov'], 'mp4'],
  ['AVI', ['-c:v', 'mpeg4'], 'avi'],
  ['WebM written to a pipe', ['-c:v', 'libvpx', '-live', '1'], 'webm'],
];
for (const [name, args, format] of films) {
  durations(name, async () => {
    const film = await filmed(['-f', 'lavfi', '-i', 'testsrc2=d=3:s=320x180:r=25', ...args], format);
    if (film === null) return;
    const { durationMs, width, height } = await probe(film);
    assert.equal([width, height], [320, 180]);
    assert.ok(Math.abs((durationMs ?? 0) - 3000) < 120, `${durationMs}`);
  });
}

durations.after(folder.remove);
durations.run();
